"""Where templates come from, and what may not stand in one folder together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tenk
from tenk.errors import TemplateError, UsageError
from tenk.prompting import find_folder, init, load_templates
from tenk.prompting.folder import shipped


def copied(folder: Path) -> Path:
    init(folder)
    return folder


def test_the_named_folder_wins_then_the_one_at_hand_then_the_shipped_one(tmp_path: Path) -> None:
    assert find_folder(None, tmp_path) == shipped()
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "notes.txt").write_text("somebody else's prompts")
    assert find_folder(None, tmp_path) == shipped()
    own = copied(tmp_path / "prompts")
    assert find_folder(None, tmp_path) == own
    named = copied(tmp_path / "other")
    assert find_folder(named, tmp_path) == named


def test_a_named_folder_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder"):
        find_folder(tmp_path / "none", tmp_path)


def test_an_installed_package_uses_its_own_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tenk, "__file__", str(tmp_path / "tenk" / "__init__.py"))
    assert shipped() == tmp_path / "prompts"
    (tmp_path / "tenk" / "prompts").mkdir(parents=True)
    assert shipped() == tmp_path / "tenk" / "prompts"


def test_init_copies_the_shipped_ones_and_replaces_nothing(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "prompts"
    written = init(target)
    assert {path.name for path in written} == {"joint.jinja", "simplification.jinja", "summarization.jinja"}
    assert {t.sha256 for t in load_templates(target)} == {t.sha256 for t in load_templates(shipped())}
    (target / "joint.jinja").unlink()
    edited = target / "summarization.jinja"
    edited.write_text("mine")
    with pytest.raises(UsageError, match="is there already"):
        init(target)
    assert edited.read_text() == "mine"
    assert not (target / "joint.jinja").exists()


def test_init_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        init(tmp_path / "file" / "prompts")


def test_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(TemplateError, match="holds no template"):
        load_templates(tmp_path)


def test_a_fourth_file_adds_an_axis(tmp_path: Path) -> None:
    text = "---\naxis: gist\noutputs: [{code: g, label: GIST, share: 1/3}]\n---\n{{ paragraph }}\nWrite the GIST."
    (copied(tmp_path) / "gist.jinja").write_text(text)
    (tmp_path / "notes.md").write_text("not a template")
    (tmp_path / ".gist.jinja").write_text("left by an editor")
    assert [template.axis for template in load_templates(tmp_path)] == [
        "gist",
        "joint",
        "simplification",
        "summarization",
    ]


def test_two_files_with_one_axis(tmp_path: Path) -> None:
    second = copied(tmp_path) / "summarization2.jinja"
    second.write_text((tmp_path / "summarization.jinja").read_text())
    with pytest.raises(
        TemplateError, match=r"summarization2\.jinja:\d+: summarization\.jinja has the axis 'summarization' too"
    ):
        load_templates(tmp_path)


def test_two_axes_with_one_code(tmp_path: Path) -> None:
    text = "---\naxis: gist\noutputs:\n- {code: s, label: GIST, share: 1/3}\n---\n{{ paragraph }}\nWrite the GIST."
    path = copied(tmp_path) / "zz.jinja"
    path.write_text(text)
    message = re.escape(f"{path}:4: summarization.jinja has the code 's' too")
    with pytest.raises(TemplateError, match=message):
        load_templates(tmp_path)
