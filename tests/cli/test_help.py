"""Helps are shown as they are written: nothing of them is taken for markup."""

from __future__ import annotations

from collections.abc import Iterator

import typer
from cli_helpers import Tenk
from click import Command
from rich.markup import render

from tenk.cli.app import app


def commands(command: Command, name: str) -> Iterator[tuple[str, Command]]:
    yield name, command
    for own, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, f"{name} {own}")


def test_no_bracket_is_lost() -> None:
    """Where one is meant, it is written with a backslash; what stands between others would be a style."""
    lost = [
        (name, each.name, text)
        for name, command in commands(typer.main.get_command(app), "tenk")
        for each in (command, *command.params)
        if (text := (getattr(each, "help", None) or "").replace("\b", ""))
        and render(text).plain != text.replace(r"\[", "[")
    ]
    assert not lost


def test_brackets_are_seen(tenk: Tenk) -> None:
    told = " ".join(tenk("relevance", "make", "--help").out.replace("│", " ").split())
    assert "{id: caption} or {id: [captions]}" in told
    assert "{text: [video]}" in told
    assert "\\" not in told
