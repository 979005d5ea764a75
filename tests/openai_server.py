"""A local OpenAI-compatible server over real HTTP that answers like a model, sometimes badly.

What it answers is a function of (seed, request), whether an attempt fails of (seed, request, times seen): a run against
it can be repeated exactly. It runs in a thread of its own; use it as a context manager, or through the fixture
`openai_server`:

    server.base_url                 what OPENAI_BASE_URL is set to
    server.model                    how it behaves: a Model, replaced at will
    server.script                   faults for the next requests, in order, before those of `model` (None: no fault)
    server.counts                   Counter: `requests`, `answered`, and every fault by name
    server.bodies, .headers, .times what was sent to it, and when (seconds, monotonic), in order
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import re
import threading
import time
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, Self

from aiohttp import web

REPLY_FAULTS = ("word_count", "missing_label", "markdown", "refusal", "length", "empty", "preamble", "copy", "null")


@dataclass(frozen=True)
class Model:
    """How the server behaves.

    `faults` gives the share of attempts with each of: 429 (with Retry-After), 429_date, 429_ms, reset, half_body,
    invalid_json, no_choices, error_200, slow, and the names in ERRORS. `flaws` gives the share of replies with each of
    REPLY_FAULTS, `declines` the share of requests that get the same of ERRORS every time. `refuses` are parameters that
    it does not take, `key` the only key that it takes. Times in seconds.
    """

    seed: int = 0
    faults: dict[str, float] = field(default_factory=dict)
    flaws: dict[str, float] = field(default_factory=dict)
    declines: dict[str, float] = field(default_factory=dict)
    refuses: frozenset[str] = frozenset()
    key: str | None = None
    latency: float = 0.0
    slow: float = 5.0
    retry_after: float = 0.05


class Server:
    """The server; see the module."""

    def __init__(self) -> None:
        self.base_url = ""
        self.reset()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._ready = threading.Event()
        self._over: asyncio.Event

    def reset(self) -> None:
        """Forgets all it has seen and behaves well."""
        self.model = Model()
        self.script: deque[str | None] = deque()
        self.counts: Counter[str] = Counter()
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.times: list[float] = []
        self.in_flight = 0
        self.most_in_flight = 0
        self._seen: Counter[str] = Counter()

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(10), "the test server did not start"
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(10)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._run())
        finally:
            left = asyncio.all_tasks(self._loop)
            for task in left:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
            self._loop.close()

    async def _run(self) -> None:
        self._over = asyncio.Event()
        app = web.Application(client_max_size=2**24)
        app.router.add_post("/v1/chat/completions", self._complete)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.base_url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        self._ready.set()
        await self._over.wait()
        await runner.cleanup()

    async def _complete(self, http: web.Request) -> web.StreamResponse:
        body = await http.json()
        self.counts["requests"] += 1
        self.bodies.append(body)
        self.times.append(time.monotonic())
        self.headers.append(dict(http.headers))
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            return await self._respond(http, body)
        finally:
            self.in_flight -= 1

    async def _respond(self, http: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        model = self.model
        if model.key is not None and http.headers.get("Authorization") != f"Bearer {model.key}":
            self.counts["401"] += 1
            given = http.headers.get("Authorization", "")
            return _error(401, f"Incorrect API key provided: {given}", code="invalid_api_key")
        for name in sorted(model.refuses & body.keys()):
            self.counts["refused_parameter"] += 1
            return _unsupported(name)
        messages = json.dumps([body["messages"], body.get("response_format")], sort_keys=True)
        self._seen[messages] += 1
        dice = _dice(model.seed, messages, self._seen[messages])
        fault = self.script.popleft() if self.script else _draw(model.faults, dice)
        fault = fault or _draw(model.declines, _dice(model.seed, messages, "declined"))
        await asyncio.sleep(model.latency)
        if fault is not None:
            self.counts[fault] += 1
            return await self._fail(http, fault)
        self.counts["answered"] += 1
        return web.json_response(completion(body, model))

    async def _fail(self, http: web.Request, fault: str) -> web.StreamResponse:
        wait = self.model.retry_after
        if fault in ERRORS:
            status, message, code = ERRORS[fault]
            return _error(status, message, code=code)
        if fault == "429":
            return _error(429, "Rate limit reached", code="rate_limit_exceeded", headers={"Retry-After": str(wait)})
        if fault == "429_ms":
            return _error(429, "Rate limit reached", headers={"retry-after-ms": str(wait * 1000)})
        if fault == "429_date":
            when = format_datetime(datetime.now(UTC) + timedelta(seconds=wait), usegmt=True)
            return _error(429, "Rate limit reached", headers={"Retry-After": when})
        if fault == "reset":
            assert http.transport is not None
            http.transport.abort()
            return web.Response()
        if fault == "slow":
            await asyncio.sleep(self.model.slow)
            return _error(503, "too late")
        if fault == "half_body":
            response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": "1000"})
            await response.prepare(http)
            await response.write(b'{"choices": [{"message"')
            assert http.transport is not None
            http.transport.close()
            return response
        given = http.headers.get("Authorization", "none")
        bodies = {
            "invalid_json": '{"choices": [{"message": {"content": "SUMM',
            "no_choices": '{"choices": [], "model": "test-model"}',
            "error_200": '{"error": {"message": "upstream is overloaded, key ' + given.split()[-1] + '", "code": 502}}',
        }
        return web.Response(text=bodies[fault], content_type="application/json")


ERRORS = {
    "429_bare": (429, "Rate limit reached", "rate_limit_exceeded"),
    "quota": (
        429,
        "You exceeded your current quota, please check your plan and billing details.",
        "insufficient_quota",
    ),
    "408": (408, "Request timed out", None),
    "409": (409, "Conflict", None),
    "500": (500, "The server had an error while processing your request", None),
    "503": (503, "The engine is currently overloaded", None),
    "401": (401, "Incorrect API key provided", "invalid_api_key"),
    "402": (402, "Insufficient balance", None),
    "403": (403, "You are not allowed to sample from this model", None),
    "404": (404, "The model `test-model` does not exist", "model_not_found"),
    "context_length": (400, "This model's maximum context length is 4096 tokens", "context_length_exceeded"),
    "content_filter": (400, "The response was filtered due to the prompt triggering our policy", "content_filter"),
    "bad_request": (400, "Invalid value for messages", "invalid_value"),
}


def _error(
    status: int, message: str, *, code: str | None = None, headers: dict[str, str] | None = None
) -> web.Response:
    error = {"message": message, "type": "error", "param": None, "code": code}
    return web.json_response({"error": error}, status=status, headers=headers)


def _unsupported(name: str) -> web.Response:
    """In the words that OpenAI's API uses for it."""
    message = f"Unsupported parameter: '{name}' is not supported with this model."
    if name == "max_tokens":
        message += " Use 'max_completion_tokens' instead."
    error = {"message": message, "type": "invalid_request_error", "param": name, "code": "unsupported_parameter"}
    return web.json_response({"error": error}, status=400)


def _dice(*parts: object) -> random.Random:
    return random.Random(hashlib.sha256(repr(parts).encode()).digest())


def _draw(shares: dict[str, float], dice: random.Random) -> str | None:
    point = dice.random()
    for name, share in sorted(shares.items()):
        point -= share
        if point < 0:
            return name
    return None


def completion(body: dict[str, Any], model: Model) -> dict[str, Any]:
    """The response to a Chat Completions request: a function of the messages and the model alone."""
    dice = _dice(model.seed, json.dumps(body["messages"]), "reply")
    flaw = _draw(model.flaws, dice)
    asked, source = read_prompt(body)
    text = _reply(asked, source, flaw, dice, as_json="response_format" in body)
    message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None}
    if flaw == "null":
        message |= {"content": None, "refusal": "I'm sorry, I cannot help with that."}
    prompt = sum(len(message["content"]) for message in body["messages"])
    usage = {"prompt_tokens": prompt // 4, "completion_tokens": max(1, len(text) // 4)}
    return {
        "id": "chatcmpl-" + hashlib.sha256(text.encode()).hexdigest()[:12],
        "object": "chat.completion",
        "created": 0,
        "model": f"{body['model']}-served",
        "choices": [{"index": 0, "message": message, "finish_reason": "length" if flaw == "length" else "stop"}],
        "usage": usage | {"total_tokens": sum(usage.values())},
    }


_ASKED = re.compile(r"Label this \w+ (?P<label>[^.\n]+)\. Number of words: (?:exactly )?(?P<words>\d+)")
_ASKED_ANYHOW = re.compile(r"(?P<label>(?:SUMMARY|VERSION)[^.:\n]*?)[.:]\D{0,40}?(?P<words>\d+)")
_FEEDBACK = "Not all of it is as asked:"


def read_prompt(body: dict[str, Any]) -> tuple[list[tuple[str, int]], str]:
    """(label, words) of every output that is asked for, and the paragraph, in the words of the shipped templates.

    The first user message holds the paragraph and all outputs; the feedback of a re-ask names those it is about, and
    so does the schema of a structured request.
    """
    users = [message["content"] for message in body["messages"] if message["role"] == "user"]
    paragraph = re.search(r"PARAGRAPH:\s*(.+)", users[0])
    source = paragraph.group(1) if paragraph else users[0]
    rest = users[0].replace(source, "")
    asked = {found["label"].strip(): int(found["words"]) for found in _ASKED.finditer(rest)}
    asked = asked or {found["label"].strip(): int(found["words"]) for found in _ASKED_ANYHOW.finditer(rest)}
    _, is_reask, feedback = users[-1].partition(_FEEDBACK)
    if is_reask:
        asked = {label: words for label, words in asked.items() if label in feedback}
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    labels: Sequence[str] = list(schema.get("properties", asked))
    return [(label, asked.get(label, 10)) for label in labels], source


def _reply(asked: list[tuple[str, int]], source: str, flaw: str | None, dice: random.Random, *, as_json: bool) -> str:
    if flaw == "refusal":
        return "I'm sorry, but I can't help with that request."
    if flaw == "empty":
        return ""
    if flaw == "missing_label":
        asked = asked[:-1]
    texts = {label: _text(source, words, flaw, dice) for label, words in asked}
    if as_json:
        text = json.dumps(texts)
    elif flaw == "markdown":
        text = "\n\n".join(f"**{label}:** {text}" for label, text in texts.items())
    else:
        text = "\n\n".join(f"{label}: {text}" for label, text in texts.items())
    if flaw == "preamble":
        text = "Sure! Here is what you asked for:\n\n" + text
    return text[: len(text) * 2 // 3] if flaw == "length" else text


def _text(source: str, words: int, flaw: str | None, dice: random.Random) -> str:
    """`words` words of `source`, in an order of their own, as one sentence."""
    if flaw == "copy":
        return source
    if flaw == "word_count":
        words = words * 3 + 3
    pool = [word.strip(".,!?;:\"'").lower() for word in source.split()]
    pool = [word for word in pool if word] or ["nothing"]
    text = " ".join(dice.choice(pool) for _ in range(words))
    return text[:1].upper() + text[1:] + "."
