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
    ("journal", "there"),
    [
        ("j.sqlite", "{folder}/j.sqlite"),
        ("../j.sqlite", "{folder}/../j.sqlite"),
        ("/var/j.sqlite", "/var/j.sqlite"),
        ("sqlite:///j.sqlite", "sqlite:///{folder}/j.sqlite"),
        ("sqlite+pysqlite:///below/j.sqlite?timeout=5", "sqlite+pysqlite:///{folder}/below/j.sqlite?timeout=5"),
        ("sqlite:////var/j.sqlite", "sqlite:////var/j.sqlite"),
        ("sqlite:///:memory:", "sqlite:///:memory:"),
        ("postgresql://me@host/tenk", "postgresql://me@host/tenk"),
    ],
)
def test_the_journal_of_a_file_is_beside_it_and_a_url_stays(tmp_path: Path, journal: str, there: str) -> None:
    path = write(tmp_path, f"source: sample\njournal: '{journal}'\n")
    assert load_config(path, {}, {}).journal_url == there.format(folder=tmp_path)
    assert load_config(path, {"journal": "mine"}, {}).journal_url == "mine"
    assert load_config(path, {}, {"TENK_JOURNAL_URL": "theirs"}).journal_url == "theirs"


def test_a_pipeline_is_a_package_or_a_folder_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "meta.json").write_text("{}")
    for name, there in (
        ("en_core_web_sm", "en_core_web_sm"),
        ("mine", str(tmp_path / "mine")),
        ("./models/x", str(tmp_path / "models/x")),
        ("/opt/x", "/opt/x"),
    ):
        assert load_config(write(tmp_path, f"source: sample\nnlp: {name}\n"), {}, {}).nlp == there


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("seed: 3\n", {"source": "sample"}),
        ("source: activitynet\n", {"annotations": Path("a.json")}),
        ("source: activitynet\n", {"source": "sample"}),
        ("source: sample\nwriter: {name: openai}\n", {"writer.model": "m"}),
        ("source: sample\nwriter: {name: openai}\n", {"writer.name": "offline"}),
        ("source: sample\nwriter: &w {name: openai}\n", {"writer.model": "m", "writer.base_url": "http://host/v1"}),
    ],
)
def test_flags_complete_a_file(tmp_path: Path, text: str, flags: dict[str, object]) -> None:
    config = load_config(write(tmp_path, text), flags, {})
    for key, value in flags.items():
        first, *rest = key.split(".")
        assert getattr(getattr(config, first), rest[0]) == value if rest else getattr(config, first) == value


@pytest.mark.parametrize(
    ("text", "flags", "message"),
    [
        ("seed: x\nsuorce: a\n", {"seed": 3}, r"run.yaml:1: seed: Input should be a valid integer"),
        ("suorce: sample\n", {"source": "sample"}, r"run.yaml:1: unknown key 'suorce'"),
        ("split: val_1\nsource: nope\n", {"source": "sample"}, r"run.yaml:2: source: there is no source 'nope'"),
        ("seed: 1\nwriter: {temperature: hot}\n", {"source": "sample"}, r"run.yaml:2: writer.temperature: "),
        ("seed: 1\nwriter:\n", {"writer.model": "m"}, r"run.yaml:2: writer: "),
        ("seed: 1\nwriter: {prices: {input: 1}}\n", {}, r"run.yaml:2: the key 'writer.prices.output' is missing"),
        ("seed: 1\nsource: queryd\n", {"seed": 2}, r"run.yaml:2: source 'queryd' needs annotations"),
        ("source: sample\nwriter:\n  seed: 1\n  name: openai\n", {"seed": 2}, r"run.yaml:4: writer: .* needs a model"),
        ("seed: 1\n", {"writer.model": "m"}, r"run.yaml:1: the key 'source' is missing. .*--source"),
    ],
)
def test_what_stands_in_a_file_is_named_with_its_line(
    tmp_path: Path, text: str, flags: dict[str, object], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        load_config(write(tmp_path, text), flags, {})


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ({"source": "queryd"}, r"^source 'queryd' needs annotations"),
        ({"writer.name": "openai"}, r"^writer: the openai writer needs a model"),
        ({"split": "val-1"}, r"^split: "),
    ],
)
def test_what_a_flag_gives_is_named_without_a_line(tmp_path: Path, flags: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        load_config(write(tmp_path, "source: sample\nwriter: {temperature: 0}\n"), flags, {})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("source: sample\nseed: 2024-13-45\n", r"run.yaml:2: '2024-13-45' is no timestamp"),
        ("source: sample\nwriter: &a {prices: *a}\n", r"run.yaml:2: \*a holds itself"),
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
