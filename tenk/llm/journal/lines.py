"""A journal in, JSON lines out, and back: a row a line, its payload as an object that people can read.

Replies first, then conversations that are over, then what was spent.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import jsonlines
from pydantic import ValidationError

from tenk.errors import JournalError
from tenk.files import replacing
from tenk.llm.journal.journal import Journal
from tenk.llm.journal.records import Account, Row, Turn
from tenk.llm.keys import canonical_json, hash_json
from tenk.records import Record

BATCH = 500
"""Lines of a file that an import takes at a time, with a transaction for each kind."""


def _dumps(line: dict[str, Any]) -> str:
    # jsonlines would otherwise take whatever JSON package it finds, and they differ in bytes and in what they let pass.
    written = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
    try:
        written.encode()
    except UnicodeEncodeError:
        # Half a surrogate pair in a request: UTF-8 has none, JSON's own escapes do.
        return json.dumps(line, separators=(",", ":"))
    return written


def _loads(line: str | bytes) -> Any:
    """Raises ValueError for what is no JSON, or is brackets in brackets in brackets."""
    try:
        return json.loads(line)
    except RecursionError:
        raise ValueError("nested too deep") from None


class Over(Record):
    """A conversation that is over: see `Journal.closed`."""

    opening: str
    rounds: tuple[Turn, ...]


class Imported(Record):
    """Rows of a file: new to the journal, and there before (those are left as they were)."""

    added: int
    known: int


def add_rows(rows: Iterable[Row], path: Path) -> None:
    """Writes `rows` as `export_lines` does, after those that `path` holds; one caller at a time.

    Raises JournalError.
    """
    with replacing(path, error=JournalError) as file, jsonlines.Writer(file, dumps=_dumps) as lines:
        # In the block, which tells of a file that cannot be read as of one that cannot be written.
        file.write(path.read_text(encoding="utf-8") if path.exists() else "")
        for row in rows:
            lines.write(_readable(row))


def _readable(row: Row) -> dict[str, Any]:
    return row.model_dump() | {"payload": json.loads(row.payload)}


def export_lines(journal: Journal, path: Path, *, leave_batches: bool = False) -> int:
    """Writes all replies of `journal` to `path` by key, what is over and what was spent; returns the number of replies.

    A file that stands there is replaced at the end, whole or not at all. Raises JournalError, also where batches are
    open, unless `leave_batches`: what is at a provider is known to this journal only.
    """
    from tenk.llm.journal import money

    if not leave_batches and (there := journal.read(money.open_batches)):
        raise JournalError(
            f"{journal.where}: {there:,} batches are open, and no export holds them: whoever goes on from it asks, and "
            "pays, again for what is in them. Take them in with `tenk batch collect`, once they are done or called off "
            "with `tenk batch cancel`; for a mere copy of the replies, pass --leave-batches."
        )
    count = 0
    with replacing(path, error=JournalError) as file, jsonlines.Writer(file, dumps=_dumps) as lines:
        for row in journal.rows():
            lines.write(_readable(row))
            count += 1
        for opening, turns in journal.all_closed():
            lines.write({"opening": opening, "rounds": [turn.model_dump() for turn in turns]})
        accounts = journal.accounts()
        if not all(account.run for account in accounts):
            accounts = journal.write(money.name_runs)
        for account in accounts:
            lines.write(account.model_dump())
    return count


def import_lines(journal: Journal, path: Path) -> Imported:
    """Puts the rows of a file that `export_lines` wrote into `journal`; a key that is there keeps its reply.

    Importing a file twice is importing it once, also for what was spent.

    Raises JournalError with file and line for what is no such row, and for a row whose key is not the hash of its
    payload; the rows before that line may then be in the journal, and doing it again after the mend does no harm.
    """
    added = total = 0
    lines = _rows(path)
    while some := list(islice(lines, BATCH)):
        rows = [each for each in some if isinstance(each, Row)]
        added, total = added + journal.put_rows(rows), total + len(rows)
        journal.close_conversations({each.opening: each.rounds for each in some if isinstance(each, Over)})
        journal.merge_accounts([each for each in some if isinstance(each, Account)])
    return Imported(added=added, known=total - added)


def _rows(path: Path) -> Iterator[Row | Over | Account]:
    try:
        with jsonlines.open(path, loads=_loads) as lines:
            for number, line in enumerate(lines.iter(type=dict), start=1):
                yield _line(line, place=f"{path}:{number}")
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "not UTF-8"
        raise JournalError(f"{path}: {reason}. Name a file that `tenk journal export` wrote.") from None
    except jsonlines.InvalidLineError as problem:
        raise JournalError(f"{path}:{problem.lineno}: not a JSON object. Mend or remove the line.") from None


def _line(line: dict[str, Any], *, place: str) -> Row | Over | Account:
    if "opening" not in line and "campaign" not in line:
        return _row(line, place=place)
    try:
        json.dumps(line, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise JournalError(f"{place}: half a surrogate pair, which is no text. Remove the line.") from None
    try:
        return Over.model_validate(line) if "opening" in line else Account.model_validate(line)
    except ValidationError as problem:
        raise _bad_line(problem, place) from None


def _row(line: dict[str, Any], *, place: str) -> Row:
    payload = line.get("payload")
    try:
        row = Row.model_validate(line | {"payload": canonical_json(payload) if isinstance(payload, dict) else payload})
    except ValidationError as problem:
        raise _bad_line(problem, place) from None
    except (ValueError, RecursionError) as problem:
        raise JournalError(f"{place}: payload: {problem}. Mend or remove the line.") from None
    if not isinstance(payload, dict) or hash_json(row.payload) != row.key:
        raise JournalError(
            f"{place}: the key is not the hash of the payload, so one of them was changed. Remove the line."
        )
    return row


def _bad_line(problem: ValidationError, place: str) -> JournalError:
    first = problem.errors(include_url=False)[0]
    key = ".".join(map(str, first["loc"]))
    return JournalError(f"{place}: {key}: {first['msg']}. Mend or remove the line.")
