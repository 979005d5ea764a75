"""Operations of a session in, from its event loop; groups of them in the database out, from a thread of its own."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from tenk.errors import JournalError
from tenk.llm.journal.errors import explained
from tenk.llm.journal.operations import Leave, Operation, Put

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

    from tenk.llm.journal.group import Done, Group
    from tenk.llm.journal.hold import Hold
    from tenk.llm.journal.owners import Watch

log = logging.getLogger(__name__)

Outcome = tuple[Operation, Any]
"""An operation with its answer, or with the exception that stands for it."""


class GroupWriter:
    """A thread that commits whatever operations have come since its last transaction, all in one.

    `every` is the longest time without a transaction, since each is a sign of life; `linger` the shortest time between
    two that are shared by several callers: more of them share the next one then. Times are in seconds.
    """

    def __init__(
        self,
        engine: Engine,
        where: str,
        hold: Hold,
        watch: Watch,
        *,
        every: float,
        linger: float,
        patience: float,
        now: Callable[[], str],
        deliver: Callable[[list[Outcome]], None],
    ) -> None:
        self._engine = engine
        self._where = where
        self._hold = hold
        self._watch = watch
        self._every = every
        self._linger = linger
        self._patience = patience
        self._now = now
        self._deliver = deliver
        self._number = 0
        self._connection: Connection | None = None
        self._waiting: SimpleQueue[Operation] = SimpleQueue()
        # A loop that ends without leaving the session must not keep the process.
        self._thread = threading.Thread(target=self._run, name="tenk-journal", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def send(self, operation: Operation) -> None:
        """Has `operation` done in the next transaction."""
        self._waiting.put(operation)

    def join(self) -> None:
        """Waits for the end of the thread, which comes after `Leave` or a failed `Enter`."""
        self._thread.join()

    def _run(self) -> None:
        entering = [self._waiting.get()]
        if self._commit(entering):
            self._commit_all()
        self._disconnect()

    def _commit_all(self) -> None:
        """Commits until the session is left."""
        company, began = False, 0.0
        while True:
            operations = self._next(began + self._linger if company else 0.0)
            company, began = len(operations) > 1, time.monotonic()
            leaving = operations.pop() if operations and isinstance(operations[-1], Leave) else None
            if operations or leaving is None:
                self._commit(operations)
            if leaving is not None:
                self._commit([leaving])
                return

    def _next(self, not_before: float) -> list[Operation]:
        """Everything that waits, once there is something; nothing after `every` seconds."""
        try:
            operations = [self._waiting.get(timeout=self._every)]
        except Empty:
            return []
        if (pause := not_before - time.monotonic()) > 0:
            time.sleep(pause)
        with suppress(Empty):
            while not isinstance(operations[-1], Leave):
                operations.append(self._waiting.get_nowait())
        return operations

    def _commit(self, operations: Sequence[Operation]) -> bool:
        """Commits `operations` and delivers their answers; False where all of them got an error instead."""
        from sqlalchemy.exc import OperationalError

        from tenk.llm.journal.group import Group
        from tenk.llm.journal.patience import patient

        self._number += 1
        group = Group(operations, self._hold, self._watch, number=self._number, created=self._now())
        try:
            done = patient(self._where, self._patience)(self._attempt, group)
        except Exception as problem:  # noqa: BLE001  # every caller that waits gets it
            if len(operations) > 1 and not isinstance(problem, OperationalError):
                # One of them may be what the database cannot take; it shall not spoil the others.
                alone = [self._commit([each]) for each in operations]
                return any(alone)
            self._fail(operations, problem)
            return False
        self._hold = done.hold
        self._deliver(list(zip(operations, done.answers, strict=True)))
        return True

    def _attempt(self, group: Group) -> Done:
        from tenk.llm.journal.connect import begin

        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            begin(self._connection)
            done = group.carry_out(self._connection, time.monotonic())
            self._connection.commit()
        except BaseException:
            self._disconnect()
            raise
        return done

    def _disconnect(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            connection.close()

    def _fail(self, operations: Sequence[Operation], problem: Exception) -> None:
        for each in operations:
            if isinstance(each, Put):
                self._hold.unkept[each.entry.key] = each.entry.draft.cost
        told = _told(self._where, problem)
        if not operations:
            log.warning("%s No sign of life could be given; other runs may take this one for dead.", told)
        self._deliver([(each, told) for each in operations])


def _told(where: str, problem: Exception) -> Exception:
    """`problem` as a JournalError with its mend, where it is the database's."""
    try:
        with explained(where):
            raise problem
    except JournalError as told:
        return told
    except Exception as other:  # noqa: BLE001  # every caller that waits gets it
        return other
