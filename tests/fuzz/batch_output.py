"""Bytes in, read as a batch's output and error files; no exception, and each request has one outcome at most.

END parts the two files.
"""

from __future__ import annotations

import atheris
from harness import fuzz

with atheris.instrument_imports(include=["tenk"]):
    from tenk.llm.batch.output import read_files
    from tenk.llm.chat import Chat
    from tenk.llm.completion import storable

from tenk.errors import TenkError
from tenk.llm.dialect import dialect_of
from tenk.llm.faults import Refused, Transient
from tenk.llm.settings import WriterSettings

END = b"\x1e"
KNOWN = {"a1", "b2", "c3"}
SETTINGS = WriterSettings(name="openai-batch", model="m", base_url="http://127.0.0.1:9/v1")


def read(data: bytes) -> None:
    dialect_of.cache_clear()  # what one input taught it must not reach the next
    outcomes = read_files(data.split(END, 1), KNOWN, Chat(SETTINGS, {}))
    assert outcomes.drafts.keys() | outcomes.faults.keys() <= KNOWN
    assert not outcomes.drafts.keys() & outcomes.faults.keys()
    for draft in outcomes.drafts.values():
        assert draft.body == storable(draft.body)
        assert min(draft.usage.prompt_tokens, draft.usage.completion_tokens, draft.cost or 0) >= 0
    assert all(isinstance(fault, Transient | Refused | TenkError) for fault in outcomes.faults.values())


if __name__ == "__main__":
    fuzz(read)
