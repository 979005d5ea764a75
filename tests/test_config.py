from __future__ import annotations

from pathlib import Path

import pytest

from tenk.config import RunConfig, load_config
from tenk.errors import ConfigError, UsageError


def write(folder: Path, text: str) -> Path:
    path = folder / "run.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_flags_win_over_the_environment_and_that_over_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, "source: sample\noutputs: from-file\nseed: 3\nwriter:\n  name: openai\n  model: a\n")
    assert load_config(path, {}, {}).outputs == tmp_path / "from-file"
    assert load_config(path, {}, {"TENK_OUTPUTS": "env"}).outputs == Path("env")
    both = load_config(path, {"outputs": Path("flag"), "writer.model": "b", "seed": None}, {"TENK_OUTPUTS": "env"})
    assert (both.outputs, both.seed, both.writer.name, both.writer.model) == (Path("flag"), 3, "openai", "b")


def test_paths_of_a_file_are_relative_to_its_folder(tmp_path: Path) -> None:
    path = write(tmp_path, "source: table\nannotations: data/a.csv\noptions:\n  columns: map.yaml\n")
    config = load_config(path, {}, {})
    assert config.annotations == tmp_path / "data/a.csv"
    assert config.options.columns == tmp_path / "map.yaml"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("source: sample\nsplitt: val_1\n", r"run.yaml:2: unknown key 'splitt'.*Known keys: .*split"),
        ("source: sample\nwriter:\n  modell: x\n", r"run.yaml:3: unknown key 'writer.modell'"),
        ("source: sample\nsplit: val-1\n", r"run.yaml:2: split: .*val_1, not val-1"),
        ("source: sample\nsplit: all\n", r"run.yaml:2: split: 'all' cannot name a split: .*all_videos, not all"),
        ("source: sample\nlimit: 0\n", r"run.yaml:2: limit"),
        ("source: activitynet\n", r"run.yaml:1: .*needs annotations"),
        ("split: val_1\nsource: nope\n", r"run.yaml:2: source: there is no source 'nope'; choose one of activitynet"),
        ("split: val_1\n", r"run.yaml:1: the key 'source' is missing"),
    ],
)
def test_a_bad_file_names_the_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load_config(write(tmp_path, text), {}, {})


def test_a_missing_file_and_missing_flags_are_usage_errors(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.yaml: No such file"):
        load_config(tmp_path / "none.yaml", {}, {})
    with pytest.raises(UsageError, match="--source"):
        load_config(None, {}, {})
    with pytest.raises(UsageError, match=r"^source 'queryd' needs annotations"):
        load_config(None, {"source": "queryd"}, {})


def test_a_limited_run_has_a_dataset_of_its_own() -> None:
    whole = RunConfig(source="sample")
    assert whole.dataset_name == "Sample10k"
    assert whole.model_copy(update={"limit": 20}).dataset_name == "Sample10k-first20"
    assert RunConfig(source="lfvila", annotations=Path("x")).dataset_name == "LF-VILA10k"
    assert RunConfig(source="table", annotations=Path("my data.csv")).dataset_name == "my-data10k"
