"""What the journal knows of batches: written before anything is sent, and read by whoever goes on after a crash.

tenk_batches holds a row for each batch; tenk_batch_keys the requests of those that are open, each with the payload and
worst cost that its reply is journaled and paid with, whatever has become of the configuration by then.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, delete, func, insert, select, update

from tenk.errors import WriterError
from tenk.llm.batch.records import Batch, Detail, Ending, Intended, State, Wanted
from tenk.llm.journal import Entry, Journal
from tenk.llm.journal.money import spend
from tenk.llm.journal.records import ANSWERED
from tenk.llm.journal.replies import IN_LIST, columns, put
from tenk.llm.journal.tables import OPEN, batch_keys, batches, claims, owners
from tenk.process import Process
from tenk.records import Draft

ABANDONED = "abandoned"
"""The cause under which the cost of batches that were given up is counted."""


class GivenUpError(WriterError):
    """A batch that is being sent was closed by another process, which may send its requests itself."""


class Store:
    """The batches in `journal`. Every method is one transaction, or one for each IN_LIST requests where it says so."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal

    def all(self) -> list[Batch]:
        """Every batch there ever was, the oldest first."""
        return self.journal.read(lambda connection: _found(connection, _IN_ORDER))

    def open(self, place: str) -> list[Batch]:
        """Those at `place` that may still cost something, the oldest first."""
        query = _IN_ORDER.where(batches.c.place == place, batches.c.state.in_(OPEN))
        return self.journal.read(lambda connection: _found(connection, query))

    def get(self, batch: str) -> Batch:
        """Raises KeyError where there is none."""
        query = select(batches).where(batches.c.batch == batch)
        if found := self.journal.read(lambda connection: _found(connection, query)):
            return found[0]
        raise KeyError(batch)

    def riding(self) -> dict[str, str]:
        """All requests that are in open batches, with the ids of these."""
        return self.journal.read(lambda connection: dict(connection.execute(_RIDING).tuples().all()))

    def open_names(self) -> set[str]:
        """The ids of all open batches."""
        query = select(batches.c.batch).where(batches.c.state.in_(OPEN))
        return self.journal.read(lambda connection: set(connection.execute(query).scalars()))

    def reserved(self, campaign: str) -> float:
        """US dollars that the open batches of `campaign` may still cost."""
        query = select(func.sum(batches.c.worst)).where(batches.c.campaign == campaign, batches.c.state.in_(OPEN))
        return self.journal.read(lambda connection: connection.execute(query).scalar()) or 0.0

    def keys(self, batch: str) -> set[str]:
        """The requests of `batch` of which nothing has come yet."""
        query = select(batch_keys.c.key).where(batch_keys.c.batch == batch)
        return self.journal.read(lambda connection: set(connection.execute(query).scalars()))

    def intend(self, batch: Batch, wanted: Sequence[Wanted]) -> Intended:
        """Writes down that `wanted` are about to be sent as `batch`; their claims become its reservation.

        Those that are in an open batch already are left out, and so are those whose claim the batch's owner, if it
        has one, does not hold any more, or holds at no cost.
        """
        return self.journal.write(lambda connection: _intend(connection, batch, wanted))

    def uploaded(self, batch: Batch, file: str) -> Batch:
        """Notes the input file: from now on the batch may have been created.

        Raises GivenUpError where another process has given it up: it must not be created any more.
        """
        now = self._note(batch, detail=batch.detail.model_copy(update={"file": file}))
        if now.state != "intent":
            raise GivenUpError(f"Batch {batch.batch} is {now.state}: another run took this one for dead meanwhile.")
        return now

    def submitted(self, batch: Batch, provider_id: str) -> Batch:
        """Notes under which id the provider has it; returns it as it is now, since others may know that already.

        Raises GivenUpError where it was given up meanwhile.
        """
        now = self._note(batch, provider_id=provider_id, state="submitted")
        if now.provider_id != provider_id:
            raise GivenUpError(
                f"Batch {batch.batch} is {now.state} here, but was created as {provider_id} at {batch.place}. What it "
                "does is paid for and of no use: call it off on the provider's own pages."
            )
        return now

    def collect(self, batch: Batch, drafts: Mapping[str, Draft], charged: Mapping[str, str], ending: Ending) -> None:
        """As `settle`, and closes `batch`. Requests of which nothing came are free to be sent again."""
        self.settle(batch, drafts, charged)
        state: State = "cancelled" if ending.status == "cancelled" else "collected"
        self._close(batch, state, ending=ending)

    def settle(self, batch: Batch, drafts: Mapping[str, Draft], charged: Mapping[str, str]) -> None:
        """Puts `drafts` into the journal, and counts what `charged` (reasons by key) may have cost.

        IN_LIST requests a transaction, and each request once: what an interrupted collecting did, and what another
        process does at the same time, is not counted again.
        """
        created = self.journal.now()
        for keys in _parts(sorted(drafts.keys() | charged.keys())):
            self.journal.write(functools.partial(_settle, batch, keys, drafts, charged, created))

    def abandon(self, batch: Batch, *, spent: bool) -> None:
        """Gives `batch` up: as never sent, or (`spent`) as one that has cost the worst."""
        self._close(batch, "abandoned", spent=spent)

    def abandon_unsent(self, batch: Batch) -> Batch:
        """Gives `batch` up, unless its input file is noted by now; returns it as it is then."""
        self._close(batch, "abandoned", unless_uploaded=True)
        return self.get(batch.batch)

    def gone(self, owner: str) -> bool:
        """Whether the session `owner` is surely no more; one on another machine is, once others took it for dead."""
        query = select(owners).where(owners.c.owner == owner)
        row = self.journal.read(lambda connection: connection.execute(query).mappings().first())
        return row is None or Process(place=row["place"], pid=row["pid"], started=row["started"]).gone()

    def _note(self, batch: Batch, **changes: Any) -> Batch:
        """The batch as it is now: with `changes` where it is an intent still, else as others have left it."""

        def note(connection: Connection) -> Batch:
            now = _locked(connection, batch)
            if now.state != "intent":
                return now
            noted = now.model_copy(update=changes)
            connection.execute(update(batches).where(batches.c.batch == batch.batch).values(_row(noted)))
            return noted

        return self.journal.write(note)

    def _close(
        self,
        batch: Batch,
        state: State,
        *,
        ending: Ending | None = None,
        spent: bool = False,
        unless_uploaded: bool = False,
    ) -> None:
        def close(connection: Connection) -> None:
            now = _locked(connection, batch)
            if not now.is_open or (unless_uploaded and now.detail.file is not None):
                return
            if spent:
                spend(connection, now.campaign, now.run, {ABANDONED: (now.requests, now.worst)})
            detail = now.detail.model_copy(update={"ending": ending})
            ended = {"state": state, "worst": 0.0, "detail": detail.model_dump_json()}
            connection.execute(update(batches).where(batches.c.batch == batch.batch).values(ended))
            connection.execute(delete(batch_keys).where(batch_keys.c.batch == batch.batch))

        self.journal.write(close)


_IN_ORDER = select(batches).order_by(batches.c.created, batches.c.batch)

_RIDING = (
    select(batch_keys.c.key, batch_keys.c.batch)
    .join(batches, batches.c.batch == batch_keys.c.batch)
    .where(batches.c.state.in_(OPEN))
)


def _found(connection: Connection, query: Select[Any]) -> list[Batch]:
    return [_batch(row) for row in connection.execute(query).mappings()]


def _batch(row: RowMapping) -> Batch:
    return Batch.model_validate(dict(row) | {"detail": Detail.model_validate_json(row["detail"])})


def _row(batch: Batch) -> dict[str, Any]:
    return batch.model_dump() | {"detail": batch.detail.model_dump_json()}


def _hash(keys: Iterable[str]) -> str:
    """SHA-256 of the sorted keys: what the metadata of a batch tells of its contents."""
    return hashlib.sha256("\n".join(sorted(keys)).encode()).hexdigest()


def _parts(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(keys), IN_LIST):
        yield keys[start : start + IN_LIST]


def _intend(connection: Connection, batch: Batch, wanted: Sequence[Wanted]) -> Intended:
    if found := _found(connection, select(batches).where(batches.c.batch == batch.batch)):
        # Done before, though the database could not say so.
        query = select(batch_keys.c.key).where(batch_keys.c.batch == batch.batch)
        return Intended(batch=found[0], keys=frozenset(connection.execute(query).scalars()))
    riding: dict[str, str] = {}
    for keys in _parts([each.key for each in wanted]):
        riding.update(connection.execute(_RIDING.where(batch_keys.c.key.in_(keys))).tuples().all())
    left = [each for each in wanted if each.key not in riding]
    unpaid: frozenset[str] = frozenset()
    if batch.detail.owner:
        held = _take_claims(connection, batch.detail.owner, [each.key for each in left])
        unpaid = frozenset(each.key for each in left if each.worst and held.get(each.key) == 0.0)
        left = [each.model_copy(update={"worst": held[each.key]}) for each in left if each.key in held.keys() - unpaid]
    if not left:
        return Intended(riding=riding, unpaid=unpaid)
    worst = sum(each.worst for each in left)
    shards_hash = _hash(each.key for each in left)
    written = batch.model_copy(update={"worst": worst, "requests": len(left), "shards_hash": shards_hash})
    connection.execute(insert(batches), _row(written))
    connection.execute(insert(batch_keys), [each.model_dump() | {"batch": batch.batch} for each in left])
    return Intended(batch=written, keys=frozenset(each.key for each in left), riding=riding, unpaid=unpaid)


def _take_claims(connection: Connection, owner: str, keys: Sequence[str]) -> dict[str, float]:
    """Ends the claims of `owner` to `keys`; their worst costs by key."""
    taken: dict[str, float] = {}
    for some in _parts(keys):
        these = claims.c.owner == owner, claims.c.key.in_(some)
        taken.update(
            (key, worst) for key, worst in connection.execute(select(claims.c.key, claims.c.worst).where(*these))
        )
        connection.execute(delete(claims).where(*these))
    return taken


def _settle(
    batch: Batch,
    keys: Collection[str],
    drafts: Mapping[str, Draft],
    charged: Mapping[str, str],
    created: str,
    connection: Connection,
) -> None:
    """Takes `keys`, as far as they are still there, out of `batch`, and what it reserves for them."""
    _locked(connection, batch)
    these = batch_keys.c.batch == batch.batch, batch_keys.c.key.in_(keys)
    rows = {row["key"]: row for row in connection.execute(select(batch_keys).where(*these)).mappings()}
    entries = {
        key: Entry(key=key, payload=row["payload"], round=row["round"], draft=drafts[key])
        for key, row in rows.items()
        if key in drafts
    }
    put(connection, {key: columns(entry, created) for key, entry in entries.items()})
    causes: dict[str, tuple[int, float]] = {}
    for key, row in rows.items():
        if key in drafts:
            cost = drafts[key].cost
            _add(causes, ANSWERED, row["worst"] if cost is None else cost)
        else:
            _add(causes, charged[key], row["worst"])
    spend(connection, batch.campaign, batch.run, causes)
    connection.execute(delete(batch_keys).where(*these))
    worst = sum(row["worst"] for row in rows.values())
    connection.execute(update(batches).where(batches.c.batch == batch.batch).values(worst=batches.c.worst - worst))


def _add(causes: dict[str, tuple[int, float]], reason: str, cost: float) -> None:
    n, total = causes.get(reason, (0, 0.0))
    causes[reason] = n + 1, total + cost


def _locked(connection: Connection, batch: Batch) -> Batch:
    """The batch as it is now; whoever else changes it waits for the end of this transaction."""
    query = select(batches).where(batches.c.batch == batch.batch).with_for_update()
    return _batch(connection.execute(query).mappings().one())
