import json
from pathlib import Path

import pytest
from journal_helpers import entry, key, spent, wanted
from llm_helpers import make_draft

from tenk.errors import JournalError
from tenk.llm.batch.records import Batch, Detail, Wanted
from tenk.llm.batch.store import Store
from tenk.llm.journal import Entry, Journal, Turn
from tenk.llm.journal.lines import BATCH, Imported, export_lines, import_lines
from tenk.llm.keys import canonical_json, hash_json


def fill(journal: Journal, count: int) -> None:
    payloads = [canonical_json({"messages": [f"Größe {n}\u2028"], "temperature": 0.7}) for n in range(count)]
    journal.put_many(
        [Entry(key=hash_json(text), payload=text, round=n % 3, draft=make_draft(n)) for n, text in enumerate(payloads)]
    )


def test_there_and_back(journal: Journal, tmp_path: Path) -> None:
    count = BATCH + 3
    fill(journal, count)
    over = {"a" * 64: (Turn(key="b" * 64, asked=("s", "l")),), "c" * 64: ()}
    journal.close_conversations(over)
    lines = tmp_path / "there" / "journal.jsonl"
    assert export_lines(journal, lines) == count
    with Journal.open(tmp_path / "other.sqlite") as other:
        assert import_lines(other, lines) == Imported(added=count, known=0)
        assert list(other.rows()) == list(journal.rows())
        assert dict(other.all_closed()) == over
        assert import_lines(other, lines) == Imported(added=0, known=count)
        again = tmp_path / "again.jsonl"
        export_lines(other, again)
    assert again.read_bytes() == lines.read_bytes()
    assert [path.name for path in lines.parent.iterdir()] == ["journal.jsonl"]


def test_half_a_pair_in_a_request_goes_there_and_back(journal: Journal, tmp_path: Path) -> None:
    payload = canonical_json({"messages": ["\ud83d"]})
    odd = Entry(key=hash_json(payload), payload=payload, round=0, draft=make_draft())
    journal.put_many([odd])
    export_lines(journal, tmp_path / "j.jsonl")
    with Journal.open(tmp_path / "other.sqlite") as other:
        assert import_lines(other, tmp_path / "j.jsonl") == Imported(added=1, known=0)
        assert list(other.rows()) == list(journal.rows())


def test_nested_beyond_reason(journal: Journal, tmp_path: Path) -> None:
    (tmp_path / "j.jsonl").write_text("[" * 100_000 + "\n", encoding="utf-8")
    with pytest.raises(JournalError, match=r"j\.jsonl:1: not a JSON object"):
        import_lines(journal, tmp_path / "j.jsonl")


def test_people_can_read_the_payload(journal: Journal, tmp_path: Path) -> None:
    fill(journal, 1)
    export_lines(journal, tmp_path / "j.jsonl")
    line = json.loads((tmp_path / "j.jsonl").read_text(encoding="utf-8"))
    assert line["payload"] == {"messages": ["Größe 0\u2028"], "temperature": 0.7}


async def test_what_was_spent_goes_along_and_is_never_counted_twice(journal: Journal, tmp_path: Path) -> None:
    earlier, later = tmp_path / "earlier.jsonl", tmp_path / "later.jsonl"
    async with journal.session(campaign="c", cap=None, run="one") as session:
        await session.put(entry(1))
        export_lines(journal, earlier)
        await session.put(entry(2))
        await session.claim(wanted(3))
        await session.charge(key(3), "timeout")
    export_lines(journal, later)
    with Journal.open(tmp_path / "other.sqlite") as other:
        async with other.session(campaign="c", cap=None, run="two") as session:
            await session.put(entry(4))
            mine = other.accounts()
        for path in (earlier, later, earlier, later):
            import_lines(other, path)
        assert other.accounts() == [*journal.accounts(), *mine]
        assert spent(other).total == 2 * 0.25 + 1.0 + 0.25


async def test_what_was_spent_without_a_run_adds_up_and_is_never_counted_twice(shared: Journal, tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"

    async def spend(journal: Journal, number: int) -> None:
        async with journal.session(campaign="c", cap=None) as session:
            await session.claim(wanted(number, worst=float(number)))
            await session.charge(key(number), "timeout")

    await spend(shared, 30)
    with Journal.open(tmp_path / "other.sqlite") as other:
        await spend(other, 40)
        for more in (5, 2):
            for _ in range(2):
                export_lines(shared, path)
                import_lines(other, path)
                import_lines(shared, path)
            assert spent(other).total == 40.0 + spent(shared).total
            await spend(shared, more)
    assert spent(shared).total == 37.0
    export_lines(shared, path)
    assert '"run":""' not in path.read_text(encoding="utf-8")


async def test_an_older_export_without_runs_is_never_counted_twice(shared: Journal, tmp_path: Path) -> None:
    old = tmp_path / "old.jsonl"
    account = {"campaign": "c", "run": "", "reason": "answered", "n": 3, "cost": 30.0}
    old.write_text(json.dumps(account) + "\n", encoding="utf-8")
    for _ in range(3):
        import_lines(shared, old)
        export_lines(shared, tmp_path / "new.jsonl")
        import_lines(shared, tmp_path / "new.jsonl")
        assert (spent(shared).total, sum(each.n for each in shared.accounts())) == (30.0, 3)


def test_no_export_while_batches_are_open(shared: Journal, tmp_path: Path) -> None:
    batch = Batch(batch="b", campaign="c", run="r", place="p", created=shared.now(), detail=Detail())
    Store(shared).intend(batch, [Wanted(key=key(1), payload="{}", round=0, worst=1.0)])
    with pytest.raises(JournalError, match=r"1 batches are open.*`tenk batch collect`.*--leave-batches"):
        export_lines(shared, tmp_path / "j.jsonl")
    assert not (tmp_path / "j.jsonl").exists()
    assert export_lines(shared, tmp_path / "j.jsonl", leave_batches=True) == 0
    Store(shared).abandon(batch, spent=False)
    assert export_lines(shared, tmp_path / "j.jsonl") == 0


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda line: line | {"body": 3}, "body: Input should be a valid string"),
        (lambda line: line | {"extra": 1}, "extra: Extra inputs are not permitted"),
        (lambda line: line | {"payload": {"messages": []}}, "key is not the hash of the payload"),
        (lambda line: line | {"payload": "text"}, "key is not the hash of the payload"),
        (lambda line: line | {"payload": {"temperature": float("nan")}}, "payload: Out of range float values"),
        (lambda line: {"opening": "a", "rounds": 3}, "rounds: Input should be a valid tuple"),
        (
            lambda line: {"campaign": "c", "run": "r", "reason": "lost", "n": 1, "cost": "?"},
            "cost: Input should be a valid",
        ),
        (
            lambda line: {"campaign": "c", "run": "r", "reason": "lost", "n": 1, "cost": -1},
            "cost: Input should be greater",
        ),
        (lambda line: line | {"prompt_tokens": 2**31}, "prompt_tokens: Input should be less"),
        (lambda line: line | {"created": "\ud800"}, "created: Input should be a valid string"),
        (lambda line: {"opening": "\ud800", "rounds": []}, "half a surrogate pair"),
        (lambda line: {}, "key: Field required"),
        (lambda line: [line], "not a JSON object"),
    ],
)
def test_a_bad_line_is_named(journal: Journal, tmp_path: Path, spoil: object, says: str) -> None:
    fill(journal, 2)
    path = tmp_path / "j.jsonl"
    export_lines(journal, path)
    first, second, _ = path.read_text(encoding="utf-8").split("\n")
    spoiled = json.dumps(spoil(json.loads(second)))  # type: ignore[operator]
    path.write_text(f"{first}\n{spoiled}\n", encoding="utf-8")
    with Journal.open(tmp_path / "other.sqlite") as other, pytest.raises(JournalError) as caught:
        import_lines(other, path)
    assert str(caught.value).startswith(f"{path}:2: ")
    assert says in str(caught.value)


def test_files_that_cannot_be_read_or_written(journal: Journal, tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="No such file"):
        import_lines(journal, tmp_path / "absent.jsonl")
    (tmp_path / "latin.jsonl").write_bytes(b'{"key": "\xe9"}\n')
    with pytest.raises(JournalError, match="not UTF-8"):
        import_lines(journal, tmp_path / "latin.jsonl")
    (tmp_path / "half.jsonl").write_text('{"key": "ab', encoding="utf-8")
    with pytest.raises(JournalError, match=r"half\.jsonl:1: not a JSON object"):
        import_lines(journal, tmp_path / "half.jsonl")
    with pytest.raises(JournalError, match="name a folder that can be written"):
        export_lines(journal, tmp_path / "half.jsonl" / "j.jsonl")
