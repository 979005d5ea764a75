"""The tables of a journal, of schema 2.

Schema 1 had the replies and the closed conversations only. The tables of claims, owners and spending are what makes
one journal safe for many runs at a time, and what the cap on the cost is held against.
"""

from __future__ import annotations

from sqlalchemy import Column, Double, Integer, MetaData, String, Table, Text

SCHEMA = 2
"""Version of the tables below. A journal of a later version is refused, an older one migrated."""

metadata = MetaData()

replies = Table(
    "tenk_replies",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("payload", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("finish_reason", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("prompt_tokens", Integer, nullable=False),
    Column("completion_tokens", Integer, nullable=False),
    Column("cost", Double),
    Column("latency", Double, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("round", Integer, nullable=False),
    Column("created", String(32), nullable=False),
)

closed = Table(
    "tenk_closed",
    metadata,
    Column("opening", String(64), primary_key=True),
    Column("rounds", Text, nullable=False),
)

# A session. `beat` is the number of its last transaction; `place`, `pid` and `started` say which process it is in.
owners = Table(
    "tenk_owners",
    metadata,
    Column("owner", String(32), primary_key=True),
    Column("campaign", Text, nullable=False),
    Column("run", Text, nullable=False),
    Column("place", Text, nullable=False),
    Column("pid", Integer, nullable=False),
    Column("started", Text, nullable=False),
    Column("beat", Integer, nullable=False),
)

# A request that somebody is about to send or has sent: lock, intent and reservation of its `worst` cost in one.
claims = Table(
    "tenk_claims",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("owner", String(32), nullable=False),
    Column("campaign", Text, nullable=False),
    Column("worst", Double, nullable=False),
    sqlite_with_rowid=False,
)

spent = Table(
    "tenk_spent",
    metadata,
    Column("campaign", Text, primary_key=True),
    Column("run", Text, primary_key=True),
    Column("reason", Text, primary_key=True),
    Column("n", Integer, nullable=False),
    Column("cost", Double, nullable=False),
    sqlite_with_rowid=False,
)

# What was handed to a provider's Batch API; `state` is intent, submitted, collected, cancelled or abandoned.
batches = Table(
    "tenk_batches",
    metadata,
    Column("batch", String(64), primary_key=True),
    Column("campaign", Text, nullable=False),
    Column("run", Text, nullable=False),
    Column("place", Text, nullable=False),
    Column("shards_hash", Text, nullable=False),
    Column("provider_id", Text),
    Column("state", String(16), nullable=False),
    Column("worst", Double, nullable=False),
    Column("requests", Integer, nullable=False),
    Column("detail", Text, nullable=False),
    Column("created", String(32), nullable=False),
)

OPEN = ("intent", "submitted")
"""States of the batches that may still cost what they reserve."""

# The requests of open batches, each with all that its reply is journaled and paid with.
batch_keys = Table(
    "tenk_batch_keys",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("batch", String(64), primary_key=True, index=True),
    Column("payload", Text, nullable=False),
    Column("round", Integer, nullable=False),
    Column("worst", Double, nullable=False),
)

schema = Table("tenk_schema", metadata, Column("version", Integer, primary_key=True, autoincrement=False))
