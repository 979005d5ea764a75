"""The rules of the tree, held over the AST: which way the arrows point, and which room a heavy library lives in."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted((ROOT / "tenk").rglob("*.py"))

NOUNS = {"errors", "files", "memory", "process", "progress", "records", "words", "yamlfile"}
MAY_IMPORT = {
    "errors": set(),
    "words": set(),
    "records": set(),
    "memory": set(),
    "process": {"records"},
    "progress": {"records"},
    "yamlfile": {"errors"},
    "files": {"errors"},
    "sources": NOUNS,
    "partial": NOUNS,
    "processes": NOUNS,
    "assembly": NOUNS | {"conversation", "partial", "prompting"},
    "nlp": NOUNS,
    "prompting": NOUNS,
    "replies": NOUNS | {"prompting"},
    "llm": NOUNS | {"nlp", "replies", "stats"},
    "stats": NOUNS | {"nlp"},
    "dataset": NOUNS | {"sources", "stats"},
    "benchmark": NOUNS | {"dataset", "nlp", "replies"},
    "report": NOUNS | {"benchmark", "dataset"},
    "judging": NOUNS | {"benchmark", "llm", "prompting", "replies"},
    "finetune": NOUNS | {"dataset"},
    "config": NOUNS | {"llm", "sources"},
    "parts": NOUNS,
    "runs": NOUNS,
    "conversation": NOUNS | {"llm", "prompting", "replies"},
}
"""What each room may import of ours, besides itself. Rooms that are not listed (pipeline, run, cli) may import any."""

ONLY_IN = {
    "openai": {"llm"},
    "tenacity": {"llm"},
    "sqlalchemy": {"llm"},
    "genai_prices": {"llm"},
    "spacy": {"nlp"},
    "pandas": {"stats"},
    "textstat": {"stats"},
    "datasets": {"dataset"},
    "pyarrow": {"dataset", "benchmark"},
    "huggingface_hub": {"dataset"},
    "torch": {"finetune", "benchmark"},
    "numba": {"benchmark"},
    "nltk": {"benchmark"},
    "scipy": {"benchmark"},
    "sklearn": {"benchmark"},
    "matplotlib": {"report"},
    "typer": {"cli"},
    "rich": {"cli"},
    "prefect": set(),
    "flows": set(),
}

LIGHT = ["tenk", "tenk.cli.app", "tenk.records", "tenk.config"]
"""Modules whose import loads none of the heavy libraries."""


def imports(path: Path) -> Iterator[tuple[ast.stmt, str]]:
    """Every import statement of a module with the dotted name it imports, type-checking ones left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            if node.module == "tenk":
                yield from ((node, f"tenk.{alias.name}") for alias in node.names)
            else:
                yield node, node.module or ""


def room(path: Path) -> str:
    return path.relative_to(ROOT / "tenk").parts[0].removesuffix(".py")


def test_the_tree_is_there() -> None:
    assert len(MODULES) > 30


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_arrows_point_one_way(path: Path) -> None:
    here = room(path)
    for node, name in imports(path):
        package, _, rest = name.partition(".")
        if package == "tenk" and rest and here in MAY_IMPORT:
            there = rest.split(".")[0]
            allowed = MAY_IMPORT[here] | {here, "__version__"}
            assert there in allowed, f"{path.name}:{node.lineno}: {here} may not import {there}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_heavy_libraries_stay_in_their_room(path: Path) -> None:
    for node, name in imports(path):
        library = name.split(".")[0]
        if library in ONLY_IN:
            assert room(path) in ONLY_IN[library], f"{path.name}:{node.lineno}: {library} has another room"


@pytest.mark.parametrize("module", LIGHT)
def test_light_modules_load_no_heavy_library(module: str) -> None:
    import subprocess
    import sys

    heavy = [name for name in ONLY_IN if name not in {"typer", "rich"}]
    code = f"import sys, {module}; print([name for name in {heavy} if name in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
