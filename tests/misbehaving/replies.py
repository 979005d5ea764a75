"""A Chat Completions request in, the reply of a model out: a function of the messages and the seed alone.

It reads the shipped prompts, writes what they ask for out of the paragraph's own words, judges by the words that texts
share, and spoils a share of its replies with REPLY_FAULTS.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import orjson

from misbehaving.dice import draw, seeded

if TYPE_CHECKING:
    from misbehaving.model import Model

REPLY_FAULTS = (
    "word_count",
    "missing_label",
    "wrong_label",
    "markdown",
    "refusal",
    "length",
    "filtered",
    "empty",
    "preamble",
    "copy",
    "null",
)

LIMITS = ("max_completion_tokens", "max_tokens")
"""The names under which a request may say how many tokens its reply may have."""

CHARACTERS_A_TOKEN = 4


def request_key(body: Mapping[str, Any]) -> str:
    """SHA-256 of all that is asked for, but for the output limit, whose name a client may learn late."""
    asked = {name: value for name, value in body.items() if name not in LIMITS}
    return hashlib.sha256(orjson.dumps(asked, option=orjson.OPT_SORT_KEYS)).hexdigest()


def flaw_of(body: Mapping[str, Any], model: Model) -> str | None:
    """The one of REPLY_FAULTS that the reply to a request has, if any."""
    return draw(model.flaws, _dice(body, model))


def completion(body: dict[str, Any], model: Model) -> dict[str, Any]:
    """The response to a Chat Completions request: a function of the messages and the model alone."""
    dice = _dice(body, model)
    flaw = draw(model.flaws, dice)
    asked, source = read_prompt(body)
    text = _reply(asked, source, flaw, dice, as_json="response_format" in body)
    finish = {"length": "length", "filtered": "content_filter"}.get(flaw or "", "stop")
    limit = CHARACTERS_A_TOKEN * next((body[name] for name in LIMITS if body.get(name)), len(text))
    if len(text) > limit:
        text, finish = text[:limit], "length"
    message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None}
    if flaw == "null":
        message |= {"content": None, "refusal": "I'm sorry, I cannot help with that."}
    prompt = sum(len(message["content"]) for message in body["messages"])
    usage = {
        "prompt_tokens": prompt // CHARACTERS_A_TOKEN,
        "completion_tokens": max(1, len(text) // CHARACTERS_A_TOKEN),
    }
    return {
        "id": "chatcmpl-" + hashlib.sha256(text.encode()).hexdigest()[:12],
        "object": "chat.completion",
        "created": 0,
        "model": f"{body['model']}-served",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": usage | {"total_tokens": sum(usage.values())},
    }


def _dice(body: Mapping[str, Any], model: Model) -> random.Random:
    return seeded(model.seed, json.dumps(body["messages"]), "reply")


_ASKED = re.compile(r"Label this \w+ (?P<label>[^.\n]+)\. Number of words: (?:exactly )?(?P<words>\d+)")
_ASKED_ANYHOW = re.compile(r"(?P<label>(?:SUMMARY|VERSION)[^.:\n]*?)[.:]\D{0,40}?(?P<words>\d+)")
_JUDGED = re.compile(r"^CAPTION: (?P<caption>.*)\n(?P<descriptions>(?:DESCRIPTION \d+: .*\n)+)", re.MULTILINE)
_FEEDBACK = "Not all of it is as asked:"


def read_prompt(body: dict[str, Any]) -> tuple[list[tuple[str, int]], str]:
    """(label, words) of every output that is asked for, and the paragraph, in the words of the shipped templates.

    The first user message holds the paragraph and all outputs; the feedback of a re-ask names those it is about, and
    so does the schema of a structured request.
    """
    users = [message["content"] for message in body["messages"] if message["role"] == "user"]
    if judged := _JUDGED.search(users[0]):
        return [("VERDICT", 1)], _verdict(judged["caption"], judged["descriptions"])
    paragraph = re.search(r"PARAGRAPH:\s*(.+)", users[0])
    source = paragraph.group(1) if paragraph else users[0]
    rest = users[0].replace(source, "")
    asked = {found["label"].strip(): int(found["words"]) for found in _ASKED.finditer(rest)}
    asked = asked or {found["label"].strip(): int(found["words"]) for found in _ASKED_ANYHOW.finditer(rest)}
    _, is_reask, feedback = users[-1].partition(_FEEDBACK)
    if is_reask:
        asked = {label: words for label, words in asked.items() if label in feedback}
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    labels: Sequence[str] = list(schema.get("properties", asked))
    return [(label, asked.get(label, 10)) for label in labels], source


def _verdict(caption: str, descriptions: str) -> str:
    """A caption is relevant to what is described with all of its words; it is hard to tell where it has none."""
    words = set(re.findall(r"\w+", caption.lower()))
    if not words:
        return "unsure"
    return "relevant" if words <= set(re.findall(r"\w+", descriptions.lower())) else "irrelevant"


def _reply(asked: list[tuple[str, int]], source: str, flaw: str | None, dice: random.Random, *, as_json: bool) -> str:
    if flaw == "refusal":
        return "I'm sorry, but I can't help with that request."
    if flaw in {"empty", "filtered"}:
        return ""
    if flaw == "missing_label":
        asked = asked[:-1]
    if flaw == "wrong_label":
        asked = [(f"CHAPTER {number}", words) for number, (_, words) in enumerate(asked, 1)]
    texts = {label: _text(source, words, flaw, dice) for label, words in asked}
    if as_json:
        text = json.dumps(texts)
    elif flaw == "markdown":
        text = "\n\n".join(f"**{label}:** {text}" for label, text in texts.items())
    else:
        text = "\n\n".join(f"{label}: {text}" for label, text in texts.items())
    if flaw == "preamble":
        text = "Sure! Here is what you asked for:\n\n" + text
    return text[: len(text) * 2 // 3] if flaw == "length" else text


def _text(source: str, words: int, flaw: str | None, dice: random.Random) -> str:
    """`words` words of `source`, in an order of their own, as one sentence."""
    if flaw == "copy":
        return source
    if flaw == "word_count":
        words = words * 3 + 3
    pool = [word.strip(".,!?;:\"'").lower() for word in source.split()]
    pool = [word for word in pool if word] or ["nothing"]
    text = " ".join(dice.choice(pool) for _ in range(words))
    return text[:1].upper() + text[1:] + "."
