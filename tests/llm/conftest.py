"""Requests, settings and journals for the tests of this room."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from openai_server import Server

from tenk.llm.journal import Journal
from tenk.llm.settings import WriterSettings
from tenk.records import Asked, Message, Request, Tolerance

MakeRequest = Callable[..., Request]
MakeSettings = Callable[..., WriterSettings]


def make_request(number: int = 0, *, round: int = 0, text: str | None = None) -> Request:
    """The request `number` for two summaries of a paragraph of 14 words."""
    paragraph = text or f"A man lifts weight {number} over his head. Then he drops it and smiles."
    asked = (("s", "SUMMARY 1", 2), ("l", "SUMMARY 7", 14))
    lines = "\n".join(f"Label this summary {label}. Number of words: exactly {words}." for _, label, words in asked)
    return Request(
        video_id=f"video-{number}",
        axis="summarization",
        template="0" * 64,
        round=round,
        source=tuple(paragraph.split(". ")),
        asked=tuple(
            Asked(code=code, label=label, words=words, register_name="plain", tolerance=Tolerance(low=0.7, high=1.3))
            for code, label, words in asked
        ),
        messages=(
            Message(role="system", content="You write summaries."),
            Message(role="user", content=f"PARAGRAPH: {paragraph}\n\n{lines}"),
        ),
    )


def make_settings(**given: Any) -> WriterSettings:
    """Settings of the openai writer whose waits are as short as a test's."""
    quick = {"first_wait": 0.01, "longest_wait": 0.05, "deadline": 5.0, "timeout": 2.0}
    return WriterSettings(**{"name": "openai", "model": "test-model", **quick, **given})


@pytest.fixture
def request_() -> MakeRequest:
    return make_request


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        yield journal


@pytest.fixture
def server(openai_server: Server) -> Server:
    return openai_server
