-- A journal of schema 1, as tenk made it before there were claims: two replies, one a re-ask, and their conversation.
PRAGMA journal_mode = WAL;
CREATE TABLE tenk_replies (
	"key" VARCHAR(64) NOT NULL, payload TEXT NOT NULL, body TEXT NOT NULL, finish_reason TEXT NOT NULL,
	model TEXT NOT NULL, prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, cost DOUBLE,
	latency DOUBLE NOT NULL, attempts INTEGER NOT NULL, round INTEGER NOT NULL, created VARCHAR(32) NOT NULL,
	PRIMARY KEY ("key")
);
CREATE TABLE tenk_closed (opening VARCHAR(64) NOT NULL, rounds TEXT NOT NULL, PRIMARY KEY (opening));
CREATE TABLE tenk_schema (version INTEGER NOT NULL, PRIMARY KEY (version));
INSERT INTO tenk_schema VALUES (1);
INSERT INTO tenk_replies VALUES (
	'3d6a916e86efba9105154ea95dda8d8da47df173d931c23e7a346c7babd81a3e', '{"number":1}', 'SUMMARY 1: Man 1.', 'stop',
	'fake-1', 10, 3, 0.25, 0.5, 1, 0, '2026-11-21T12:00:00.000+00:00'
);
INSERT INTO tenk_replies VALUES (
	'd65dc375f554b634c774bcc6f8a2ce6e23f41d2641c9b19453755d3dc8546f01', '{"number":2}', 'SUMMARY 1: Man 2.', 'stop',
	'fake-1', 10, 3, NULL, 0.5, 1, 1, '2026-11-21T12:00:01.000+00:00'
);
INSERT INTO tenk_closed VALUES (
	'3d6a916e86efba9105154ea95dda8d8da47df173d931c23e7a346c7babd81a3e',
	'[{"key":"d65dc375f554b634c774bcc6f8a2ce6e23f41d2641c9b19453755d3dc8546f01","asked":["s"]}]'
);
