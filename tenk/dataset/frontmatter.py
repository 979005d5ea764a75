"""An existing card and the generated parts in, the card to write out: what people wrote into it stays.

A card is YAML front matter and markdown. The markdown that `tenk` writes stands between two comments; everything
around them is left alone. Of the YAML, `tenk` owns its two configurations and the size; what else it would say is only
said where the card does not say it already.
"""

from __future__ import annotations

import re
from typing import Any

import yaml

from tenk import yamlfile
from tenk.errors import DatasetError

BEGIN = "<!-- tenk: generated, replaced when the dataset is published again; write above or below -->"
END = "<!-- tenk: end of the generated part -->"

_FRONT = re.compile(r"\A\ufeff?---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_MARKER = re.compile(f"{re.escape(BEGIN)}|{re.escape(END)}")


def extend(card: str | None, metadata: dict[str, Any], body: str, place: str) -> str:
    """The text of the card with `metadata` and `body` in it.

    `card` is the card as it is, None where there is none yet; `place` names it in errors. Raises DatasetError where its
    YAML cannot be read, and where the two comments are not there both, once and in order.
    """
    generated = f"{BEGIN}\n\n{body.strip()}\n\n{END}"
    if card is None:
        return f"---\n{_dump(metadata)}---\n\n{generated}\n"
    text = card.replace("\r\n", "\n")
    _check_markers(text, place)
    front, rest = _parts(text)
    merged = _merge(_load(front, place), metadata)
    # Dumping loses comments and layout: the text stays where it says the same already.
    yaml_text = front if front and _load(front, place) == merged else _dump(merged)
    return f"---\n{yaml_text}---\n{_with_body(rest, generated)}"


def _parts(text: str) -> tuple[str, str]:
    found = _FRONT.match(text)
    return (found[1], text[found.end() :]) if found else ("", "\n" + text.lstrip("\ufeff"))


def _check_markers(text: str, place: str) -> None:
    markers = list(_MARKER.finditer(text))
    paired = [marker[0] for marker in markers[:2]] == [BEGIN, END]
    if markers and not (paired and len(markers) == 2):
        odd = markers[2 if paired else 0]
        line = text.count("\n", 0, odd.start()) + 1
        raise DatasetError(
            f"{place}:{line}: the generated part cannot be told from yours. Keep one line {BEGIN!r} above it and one "
            f"line {END!r} below it, or remove it all."
        )


def _with_body(rest: str, generated: str) -> str:
    if markers := list(_MARKER.finditer(rest)):
        begin, end = markers
        return rest[: begin.start()] + generated + rest[end.end() :]
    return f"{rest.rstrip()}\n\n{generated}\n" if rest.strip() else f"\n{generated}\n"


def _load(front: str, place: str) -> dict[str, Any]:
    return yamlfile.read(front, path=place, error=DatasetError, first_line=2).data if front.strip() else {}


def _merge(given: dict[str, Any], ours: dict[str, Any]) -> dict[str, Any]:
    merged = dict(given)
    said = {"license", "license_name"} if given.get("license") not in (None, "unknown") else set()
    for key, value in ours.items():
        if key in said:
            continue
        if key == "configs":
            names = {config["config_name"] for config in value}
            foreign = [config for config in _listed(given.get(key)) if _name(config) not in names]
            merged[key] = [*value, *foreign]
        elif key in ("tags", "language"):
            present = _listed(given.get(key))
            merged[key] = [*present, *(tag for tag in value if tag not in present)]
        elif key == "size_categories" or given.get(key) in (None, "unknown"):
            merged[key] = value
    return merged


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _name(config: Any) -> Any:
    return config.get("config_name") if isinstance(config, dict) else None


def _dump(metadata: dict[str, Any]) -> str:
    return yaml.safe_dump(metadata, sort_keys=False, allow_unicode=True, width=1000)
