"""A run in, everything that its events say about it out, folded from them alone."""

from __future__ import annotations

from datetime import UTC, datetime

from tenk.progress import Tally
from tenk.records import Record
from tenk.runs.about import About
from tenk.runs.costs import AxisCost, CauseCost, Costs, VideoCost
from tenk.runs.find import Run
from tenk.runs.read import Events


class Summary(Record):
    """What came of a run. Times are ISO 8601 in UTC (None: no event), costs in US dollars.

    `state` is as `Run.state` says; `error` ended it; `last` is when the log was last written to. `attempts` were sent;
    of the requests, `answered` were paid for now and `replayed` came from the journal. `waited` is the time in seconds
    for which the provider asked, throttle by throttle. `damaged` lines of the log were no events, and `unlogged` events
    are not in it. `by_video` has the dearest first.
    """

    id: str
    state: str
    error: str
    about: About | None
    begun: str | None
    last: str | None
    seconds: float
    attempts: int
    answered: int
    replayed: int
    reasked: int
    failures: dict[str, int]
    rejections: dict[str, int]
    retries: dict[str, int]
    throttled: int
    waited: float
    videos_done: int
    cost: float
    unpriced: int
    by_axis: tuple[AxisCost, ...]
    by_cause: tuple[CauseCost, ...]
    by_video: tuple[VideoCost, ...]
    damaged: int
    unlogged: int


def summarize(run: Run) -> Summary:
    tally, costs, events = Tally(), Costs(), Events(run.folder)
    begun: datetime | None = None
    last: datetime | None = None
    waited, unlogged = 0.0, 0
    for logged in events.new():
        begun = begun or logged.at
        last = max(last or begun, logged.at)
        tally.add(logged)
        costs.add(logged)
        waited += logged.seconds if logged.kind == "throttled" else 0.0
        unlogged += logged.unlogged
    counts = tally.counts
    return Summary(
        id=run.id,
        state=run.state,
        error=run.error,
        about=run.about,
        begun=begun and _iso(begun),
        last=last and _iso(last),
        seconds=round((last - begun).total_seconds(), 3) if begun and last else 0.0,
        attempts=counts["asked"],
        answered=counts["answered"],
        replayed=counts["replayed"],
        reasked=counts["reasked"],
        failures=dict(sorted(tally.failures.items())),
        rejections=dict(sorted(tally.rejections.items())),
        retries=dict(sorted(tally.retries.items())),
        throttled=counts["throttled"],
        waited=round(waited, 3),
        videos_done=counts["videos"],
        cost=round(tally.cost, 10),
        unpriced=tally.unpriced,
        by_axis=costs.by_axis(),
        by_cause=costs.by_cause(),
        by_video=costs.by_video(),
        damaged=events.damaged,
        unlogged=unlogged,
    )


def _iso(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
