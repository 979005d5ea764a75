"""What a provider says of batches: checked before it is believed."""

from __future__ import annotations

import random
from typing import Any

import pytest
from batch_helpers import batch_settings, behave, requests, write
from hypothesis import given
from hypothesis import strategies as st
from openai_server import Server

from tenk.llm.batch.provider import Provider
from tenk.llm.batch.remote import Remote, read_remote
from tenk.llm.chat import Chat
from tenk.llm.faults import Transient
from tenk.llm.journal import Journal

ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def test_a_batch() -> None:
    remote = read_remote(
        {
            "id": "batch_1",
            "status": "failed",
            "errors": {"object": "list", "data": [{"code": "c", "message": "m", "line": 3, "param": None}]},
            "metadata": None,
            "request_counts": None,
            "usage": {"new": "field"},
        }
    )
    assert remote.ended
    assert (remote.errors[0].code, remote.errors[0].line) == ("c", 3)
    assert (remote.metadata, remote.request_counts.total) == ({}, 0)


@pytest.mark.parametrize("document", [None, [], {}, {"id": 3, "status": "completed"}, {"id": "b"}])
def test_what_is_none(document: Any) -> None:
    with pytest.raises(Transient, match="is no batch"):
        read_remote(document)


@given(
    ANY
    | st.fixed_dictionaries(
        {"id": ANY, "status": ANY}, optional={"errors": ANY, "metadata": ANY, "request_counts": ANY}
    )
)
def test_nothing_is_a_crash(document: Any) -> None:
    try:
        remote = read_remote(document)
    except Transient:
        return
    assert isinstance(remote, Remote)


async def test_the_list_is_read_to_its_end(server: Server, journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    behave(server)
    for number in range(5):
        await write(journal, requests(number + 1), leave=True)
    monkeypatch.setattr("tenk.llm.batch.provider.PAGE", 2)
    settings = batch_settings()
    provider = Provider(Chat(settings), settings, rng=random.Random(0))
    assert [remote.id async for remote in provider.listed()] == [f"batch_{number}" for number in (4, 3, 2, 1, 0)]
    await provider.aclose()
