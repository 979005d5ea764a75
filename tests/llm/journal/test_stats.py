from __future__ import annotations

from pathlib import Path

from llm_helpers import make_draft

from tenk.llm.journal import Entry, Journal
from tenk.llm.journal.stats import Held, held


def test_replies_are_summed_up_by_model(tmp_path: Path) -> None:
    drafts = [make_draft(0), make_draft(1), make_draft(2).model_copy(update={"cost": None, "model": "another"})]
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        assert held(journal) == ()
        journal.put_many([Entry(key=f"{n}", payload="{}", round=n, draft=draft) for n, draft in enumerate(drafts)])
        assert held(journal) == (
            Held(model="another", replies=1, reasks=1, prompt_tokens=10, completion_tokens=3, unpriced=1),
            Held(model="fake-1", replies=2, reasks=1, prompt_tokens=20, completion_tokens=6, cost=0.5),
        )
