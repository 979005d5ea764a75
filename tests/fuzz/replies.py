"""Bytes in, read as a reply to one of the shipped templates (and to its re-ask); no exception, and an orderly result.

The first byte says which template, how the reply ended and what is asked of it; RE-ASK parts a second reply.
"""

from __future__ import annotations

import atheris
from harness import fuzz

with atheris.instrument_imports(include=["tenk"]):
    from tenk.records import Event, Reply, Request, Video
    from tenk.replies import needs, settle

from pathlib import Path

from tenk.prompting import load_templates

RE_ASK = "\x1e"
ENDINGS = ("stop", "length", "content_filter", "context_length", "tool_calls", "rejected", "refusal")
EVENTS = ("A man lifts a weight over his head.", "Version 2 of it is heavier: he drops it (1) and smiles.", "He bows.")

TEMPLATES = load_templates(Path(__file__).resolve().parents[2] / "prompts")
VIDEO = Video(id="v", source_id="v", split="fuzz", events=tuple(Event(text=text) for text in EVENTS))


def read(data: bytes) -> None:
    options = data[0] if data else 0
    template = TEMPLATES[options % len(TEMPLATES)]
    ending = ENDINGS[options // len(TEMPLATES) % len(ENDINGS)]
    bodies = data[1:].decode(errors="replace").split(RE_ASK, 1)
    rounds: list[tuple[Request, Reply]] = []
    for body in bodies:
        request = needs(template, VIDEO, rounds, recheck=options > 127)
        if request is None:
            break
        rounds.append((request, Reply(key=str(len(rounds)), body=body, finish_reason=ending, model="m")))
    captions, rejections = settle(template, VIDEO, rounds, keep_copies=options % 2 == 0)
    settled = sorted([caption.code for caption in captions] + [rejection.code for rejection in rejections])
    assert settled == sorted(output.code for output in template.outputs), settled
    for caption in captions:
        assert caption.text == " ".join(caption.text.split()) != "", caption
        assert caption.words == len(caption.text.split()), caption


if __name__ == "__main__":
    fuzz(read)
