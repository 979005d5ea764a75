from __future__ import annotations

import json
import shutil
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
import spacy

from tenk.errors import PipelineError
from tenk.nlp import BUNDLED, describe, identify, load_pipeline, pipelines


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of the pipelines that look installed; empty at first, whatever is on this machine."""
    names: set[str] = set()

    def find_spec(name: str) -> ModuleSpec | None:
        return ModuleSpec(name, None) if name in names else None

    monkeypatch.setattr(pipelines, "find_spec", find_spec)
    return names


def test_a_named_pipeline_wins_over_installed_ones(installed: set[str]) -> None:
    installed |= {"en_core_web_lg"}
    assert pipelines.pick("mine") == "mine"


def test_the_largest_installed_pipeline_wins_over_the_bundled_one(installed: set[str]) -> None:
    installed |= {"en_core_web_sm", "en_core_web_md"}
    assert pipelines.pick(None) == "en_core_web_md"


def test_the_transformer_is_not_picked_unasked(installed: set[str]) -> None:
    installed |= {"en_core_web_trf"}
    assert pipelines.pick(None) == BUNDLED


def test_the_bundled_pipeline_is_the_last_resort(installed: set[str]) -> None:
    nlp = load_pipeline(parse=False)
    assert describe(nlp) == identify(None) == f"{BUNDLED} {nlp.meta['version']}"


def test_the_bundled_pipeline_can_be_named_beside_installed_ones(installed: set[str]) -> None:
    installed |= {"en_core_web_sm"}
    assert describe(load_pipeline(BUNDLED, parse=False)).startswith(f"{BUNDLED} ")


def test_the_parser_is_loaded_on_demand_only() -> None:
    assert "parser" in load_pipeline(BUNDLED, parse=True).pipe_names
    assert load_pipeline(BUNDLED, parse=False).pipe_names == ["tok2vec", "tagger", "morphologizer", "lemmatizer"]


def test_an_absent_pipeline_says_how_to_get_it() -> None:
    with pytest.raises(PipelineError, match=r"'en_core_web_xxl'.*spacy download en_core_web_xxl.*tenk_en_ewt comes"):
        load_pipeline("en_core_web_xxl", parse=False)


def test_a_folder_that_is_no_pipeline_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PipelineError, match="cannot be loaded"):
        load_pipeline(str(tmp_path), parse=False)


def test_a_damaged_bundled_pipeline_is_a_matter_for_reinstalling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipelines, "MODEL", tmp_path)
    pipelines._load.cache_clear()
    with pytest.raises(PipelineError, match="install tenk again"):
        load_pipeline(BUNDLED, parse=False)


def test_a_pipeline_that_tags_nothing_is_refused(tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path)
    with pytest.raises(PipelineError, match=r"gives no parts of speech .* and no lemmas") as caught:
        load_pipeline(str(tmp_path), parse=False)
    assert "trees" not in str(caught.value)
    with pytest.raises(PipelineError, match="and no trees"):
        load_pipeline(str(tmp_path), parse=True)


def test_a_process_loads_a_pipeline_once() -> None:
    assert load_pipeline(BUNDLED, parse=False) is load_pipeline(BUNDLED, parse=False)
    assert load_pipeline(BUNDLED, parse=False) is not load_pipeline(BUNDLED, parse=True)


def test_components_that_nobody_reads_are_left_out(tmp_path: Path) -> None:
    nlp = spacy.load(pipelines.MODEL)
    nlp.add_pipe("entity_ruler")
    nlp.to_disk(tmp_path)
    assert load_pipeline(str(tmp_path), parse=True).pipe_names == load_pipeline(BUNDLED, parse=True).pipe_names


def test_a_pipeline_of_spacy_is_described_by_its_package_name(tmp_path: Path) -> None:
    folder = tmp_path / "pipeline"
    shutil.copytree(pipelines.MODEL, folder)
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    (folder / "meta.json").write_text(json.dumps(meta | {"name": "core_web_sm", "version": "3.8.0"}), encoding="utf-8")
    assert describe(load_pipeline(str(folder), parse=False)) == identify(str(folder)) == "en_core_web_sm 3.8.0"
