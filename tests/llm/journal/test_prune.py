"""Old replies go, with the conversations that need them; what was spent stays."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from journal_helpers import entry, key, keys
from llm_helpers import make_draft
from pydantic import ValidationError

from tenk.llm.journal import Journal, Row, Turn
from tenk.llm.journal.prune import Removal, Which, days_ago, preview, prune
from tenk.llm.journal.replies import columns
from tenk.llm.journal.verify import problems

MODELS = ("old", "new")
DAYS = (1, 10, 20)


def clock() -> datetime:
    return datetime(2026, 11, 21, tzinfo=UTC)


def fill(journal: Journal) -> None:
    """Replies 1, 10 and 20 of one model and 101, 110 and 120 of another, as old in days as their numbers end."""
    rows = [
        Row.model_validate(columns(entry(start + day, draft), days_ago(day, clock=clock)))
        for start, model in zip((0, 100), MODELS, strict=True)
        for day in DAYS
        for draft in [make_draft().model_copy(update={"model": model, "cost": None if start else 0.25})]
    ]
    journal.put_rows(rows)
    journal.close_conversations({key(1): (), key(101): (Turn(key=key(120), asked=("s",)),)})


@pytest.mark.parametrize(
    ("which", "left", "cost", "over"),
    [
        ({"before": 15}, (1, 10, 101, 110), 0.25, keys(1)),
        ({"model": "old"}, (101, 110, 120), 0.75, keys(101)),
        ({"before": 5, "model": "new"}, (1, 10, 20, 101), 0.0, keys(1)),
        ({"before": 30}, (1, 10, 20, 101, 110, 120), 0.0, keys(1, 101)),
        ({"before": 0}, (), 0.75, ()),
    ],
)
async def test_what_goes_and_what_stays(
    shared: Journal, which: dict[str, object], left: tuple[int, ...], cost: float, over: tuple[str, ...]
) -> None:
    async with shared.session(campaign="c", cap=None, run="r") as session:
        await session.put(entry(0))
        accounts = shared.accounts()
    shared.write(lambda connection: connection.exec_driver_sql("DELETE FROM tenk_replies"))
    fill(shared)
    chosen = Which(**{**which, "before": days_ago(which["before"], clock=clock)} if "before" in which else which)  # type: ignore[arg-type]
    removal = Removal(replies=6 - len(left), cost=cost)
    assert preview(shared, chosen) == removal
    assert len(list(shared.rows())) == 6
    assert prune(shared, chosen) == removal
    assert {row.key for row in shared.rows()} == set(keys(*left))
    assert {opening for opening, _ in shared.all_closed()} == set(over)
    assert list(problems(shared)) == []
    assert shared.accounts() == accounts != []


def test_the_room_goes_back_to_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with Journal.open(path, clock=clock) as journal:
        big = make_draft().model_copy(update={"body": "word " * 2000})
        journal.put_many([entry(number, big) for number in range(200)])
        prune(journal, Which(model=big.model))
        assert path.stat().st_size < 200_000


def test_everything_is_no_choice() -> None:
    with pytest.raises(ValidationError, match="by age, by model or both"):
        Which()
