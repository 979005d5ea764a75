"""What is asked, and above all what is not asked again, when prompts, tolerances and outcomes change."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tenk.conversation import Exchanges, converse
from tenk.llm.budget import Budget
from tenk.llm.journal import Journal
from tenk.llm.protocol import Account, Answer, Writer
from tenk.progress import Report, ignore
from tenk.prompting import Template, load_templates
from tenk.records import Draft, Event, Failure, Request, Tolerance, Video

VIDEOS = tuple(
    Video(
        id=f"v{n}", source_id=f"v{n}", split="s", events=(Event(text=f"A man {n} walks his dog along the long beach."),)
    )
    for n in range(3)
)


class Short(Writer):
    """Answers every output with half of the words asked for in round 0, and all but one in a later round."""

    name = model = "short"
    worth_reasking = True
    claims = 64

    def __init__(self, *, failing_round: int | None = None) -> None:
        self.asked: list[Request] = []
        self.failing_round = failing_round

    def payload(self, request: Request) -> dict[str, Any]:
        return {"messages": [message.content for message in request.messages], "round": request.round}

    def worst_cost(self, request: Request) -> float | None:
        return 0.0

    async def write(
        self,
        requests: AsyncIterable[Request],
        *,
        account: Account | None = None,
        report: Report = ignore,
        stop: asyncio.Event | None = None,
    ) -> AsyncGenerator[Answer, None]:
        async for request in requests:
            self.asked.append(request)
            if request.round == self.failing_round:
                yield request, Failure(reason="timeout", detail="no answer")
                continue
            lines = []
            for output in request.asked:
                words = output.words // 2 if request.round == 0 else output.words - 1
                lines.append(f"{output.label}: " + " ".join(["word"] * max(1, words)))
            yield request, Draft(body="\n".join(lines), finish_reason="stop", model="short")


@pytest.fixture
def templates() -> tuple[Template, ...]:
    found = load_templates(Path(__file__).parents[1] / "prompts")
    return tuple(template for template in found if template.axis == "simplification")


def talk(
    templates: Sequence[Template], writer: Writer, folder: Path, *, reasks: int = 2, recheck: bool = False
) -> Exchanges:
    async def run(journal: Journal) -> Exchanges:
        async with journal.session(campaign="Test10k/s", cap=None) as session:
            budget = Budget(session, cap=None)
            return await converse(VIDEOS, templates, writer, journal, budget, reasks=reasks, recheck=recheck)

    with Journal.open(folder / "journal.sqlite") as journal:
        return asyncio.run(run(journal))


def with_tolerance(templates: Sequence[Template], low: float) -> tuple[Template, ...]:
    return tuple(
        template.model_copy(
            update={
                "outputs": tuple(
                    output.model_copy(update={"tolerance": Tolerance(low=low, high=2)}) for output in template.outputs
                )
            }
        )
        for template in templates
    )


def test_what_fails_is_asked_again_and_a_second_run_asks_nothing(
    tmp_path: Path, templates: tuple[Template, ...]
) -> None:
    strict, writer = with_tolerance(templates, 0.9), Short()
    first = talk(strict, writer, tmp_path)
    assert [request.round for request in writer.asked] == [0, 0, 0, 1, 1, 1]
    again = Short()
    second = talk(strict, again, tmp_path)
    assert again.asked == []
    assert {key: [reply for _, reply in exchange.rounds] for key, exchange in first.items()} == {
        key: [reply for _, reply in exchange.rounds] for key, exchange in second.items()
    }
    for key, exchange in first.items():
        assert [request.asked for request, _ in exchange.rounds] == [request.asked for request, _ in second[key].rounds]


@pytest.mark.parametrize(("then", "now"), [(0.1, 0.9), (0.9, 0.1), (0.9, 0.95)])
def test_an_edited_tolerance_asks_nothing(
    tmp_path: Path, templates: tuple[Template, ...], then: float, now: float
) -> None:
    talk(with_tolerance(templates, then), Short(), tmp_path)
    edited = Short()
    exchanges = talk(with_tolerance(templates, now), edited, tmp_path)
    assert edited.asked == []
    assert all(len(exchange.rounds) == (2 if then > 0.5 else 1) for exchange in exchanges.values())


def test_a_recheck_asks_for_what_fails_today(tmp_path: Path, templates: tuple[Template, ...]) -> None:
    talk(with_tolerance(templates, 0.1), Short(), tmp_path)
    checked = Short()
    talk(with_tolerance(templates, 0.9), checked, tmp_path, recheck=True)
    assert [request.round for request in checked.asked] == [1, 1, 1]
    later = Short()
    exchanges = talk(with_tolerance(templates, 0.9), later, tmp_path)
    assert later.asked == []
    assert all(len(exchange.rounds) == 2 for exchange in exchanges.values())


def test_a_conversation_that_broke_off_goes_on(tmp_path: Path, templates: tuple[Template, ...]) -> None:
    strict = with_tolerance(templates, 0.9)
    broken = talk(strict, Short(failing_round=1), tmp_path)
    assert all(exchange.failure is not None for exchange in broken.values())
    writer = Short()
    talk(strict, writer, tmp_path)
    assert [request.round for request in writer.asked] == [1, 1, 1]


def test_more_reasks_than_before_are_made_where_there_were_none(
    tmp_path: Path, templates: tuple[Template, ...]
) -> None:
    strict = with_tolerance(templates, 0.9)
    talk(strict, Short(), tmp_path, reasks=0)
    writer = Short()
    talk(strict, writer, tmp_path, reasks=1)
    assert [request.round for request in writer.asked] == [1, 1, 1]
