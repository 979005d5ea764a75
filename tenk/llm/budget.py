"""What a run may spend in, leave to send out: every attempt is paid in advance, at the most that it can cost.

The journal keeps the purse (see `Session`): a claim on a request sets its worst cost aside, its reply puts the real
cost in the place of that, and an attempt that failed without the provider saying so is taken to have cost the worst.
What is spent and set aside therefore never passes the cap, whatever fails, however many processes share it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

from tenk.errors import BudgetError, UsageError
from tenk.llm.journal import Claim, Claimed, Session
from tenk.progress import Report, Tick
from tenk.records import Request

ROOM_SECONDS = 1.0
"""Between two looks at whether other processes have left room, where none of ours did."""


class Budget:
    """The purse of one session, shared by all that ask in it. `cap` is in US dollars, None for none.

    `in_batches` says what open batches have set aside, for a run that takes none of them in and does not wait.
    """

    def __init__(self, session: Session, *, cap: float | None, in_batches: Callable[[], float] | None = None) -> None:
        self.session = session
        self._cap = cap
        self._in_batches = in_batches
        self._settled = asyncio.Event()

    def price(self, worst: float | None) -> float:
        """What to set aside for a request whose worst cost is `worst`. Raises UsageError for a cap without a price."""
        if worst is not None:
            return worst
        if self._cap is not None:
            raise UsageError(
                "A cap on the cost (--max-cost) needs the price of the model, which is not known here. "
                "Set writer.prices (US dollars a million tokens)."
            )
        return 0.0

    async def claim(self, wanted: Sequence[Claim]) -> Claimed:
        """As `Session.claim`, but at least one of `wanted` is claimed, answered or held by another run.

        Waits for that as long as what is under way may leave room for it; raises BudgetError where it cannot.
        """
        while True:
            self._settled.clear()
            claimed = await self.session.claim(wanted)
            if len(claimed.over) < len(wanted):
                return claimed
            first = wanted[0].worst
            spending = await self.session.spent()
            assert self._cap is not None, "without a cap there is always room"
            used = spending.total - spending.reserved
            if used + first > self._cap:
                raise BudgetError(
                    f"The cap of ${self._cap:,.2f} is reached: ${used:,.2f} are spent, and the next request "
                    f"may cost ${first:,.4f}. What was answered is in the journal: the same command with a higher "
                    "--max-cost goes on from here."
                )
            if self._in_batches is not None:
                aside = await asyncio.to_thread(self._in_batches)
                if used + aside + first > self._cap:
                    raise BudgetError(
                        f"No room under the cap of ${self._cap:,.2f}: ${used:,.2f} are spent, and open batches have "
                        f"set ${aside:,.4f} aside. Collect (`tenk batch collect`), then submit again."
                    )
            await self._room()

    async def _room(self) -> None:
        """Returns when a request of ours is over, or others may be."""
        try:
            async with asyncio.timeout(ROOM_SECONDS):
                await self._settled.wait()
        except TimeoutError:
            return

    def settled(self) -> None:
        """To be called when a claim has come to its end, which may leave room for others."""
        self._settled.set()


class Allowance:
    """The `Account` of the requests of one call of `ask`; `claims` are theirs, by the identity of the request."""

    def __init__(self, budget: Budget, claims: Mapping[int, Claim], report: Report) -> None:
        self._budget = budget
        self._claims = claims
        self._report = report
        self.unsent: set[str] = set()

    async def lost(self, request: Request, reason: str) -> None:
        cost = await self._budget.session.charge(self._claims[id(request)].key, reason)
        self._budget.settled()
        about = {"video": request.video_id, "axis": request.axis, "round": request.round}
        self._report(Tick(kind="spent", cost=cost, reason=reason, **about))

    async def again(self, request: Request, *, worst: float | None = None) -> bool:
        claim = self._claims[id(request)]
        if worst is not None:
            claim = claim.model_copy(update={"worst": worst})
        return bool((await self._budget.claim([claim])).mine)

    def dropped(self, request: Request) -> None:
        self.unsent.add(self._claims[id(request)].key)
