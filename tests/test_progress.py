from __future__ import annotations

import pytest

from tenk.progress import Pace, Tally, Tick, each


def test_each_report_hears_of_every_tick() -> None:
    one, other = [], []
    report = each(one.append, other.append)
    report(Tick(kind="asked"))
    report(Tick(kind="answered"))
    assert one == other == [Tick(kind="asked"), Tick(kind="answered")]


def test_a_pace_is_that_of_the_last_half_minute() -> None:
    pace = Pace()
    assert pace.per_second(5.0) == 0.0
    pace.start(100.0)
    for at in range(100, 160):
        pace.add(2 if at < 130 else 4, at + 0.5)
    assert pace.per_second(159.9) == pytest.approx(4, rel=0.05)
    assert pace.per_second(175) == pytest.approx(2, rel=0.1)
    assert pace.per_second(300) == 0.0
    assert len(pace.seconds) <= Pace.SPAN + 1


def test_a_pace_counts_from_the_beginning_of_the_run() -> None:
    pace = Pace()
    pace.start(100.0)
    pace.add(10, 105.0)
    assert pace.per_second(105.0) == 2.0


def test_clocks_that_differ_and_clocks_that_are_set_back() -> None:
    pace = Pace()
    for at in (3600.0, 3610.0, 3607.0, 3611.0):
        pace.add(1, at)
    assert pace.per_second(3611.0) == pytest.approx(4 / 11)
    pace.add(1, 10.0)
    pace.add(1, 14.0)
    assert pace.per_second(14.0) == pytest.approx(2 / 4)


def test_a_tally_of_what_goes_on() -> None:
    tally = Tally()
    tally.add(Tick(kind="started", n=4), 0.0)
    for tick in (
        Tick(kind="asked"),
        Tick(kind="asked"),
        Tick(kind="throttled", seconds=5),
        Tick(kind="retried", reason="429"),
        Tick(kind="answered", cost=0.5),
        Tick(kind="asked"),
        Tick(kind="reasked"),
        Tick(kind="replayed"),
    ):
        tally.add(tick, 2.0)
    assert (tally.requests, tally.settled, tally.in_flight) == (5, 2, 1)
    assert (tally.throttled_until, tally.pace.per_second(2.0)) == (7.0, 0.5)
    assert dict(tally.retries) == {"429": 1}
    assert tally.spent == "$0.50"
