"""The body of a reply in, a checked Text or a Problem for each output asked for out. Never raises."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from tenk.records import Asked
from tenk.replies.counts import is_number
from tenk.replies.naming import naming
from tenk.replies.passage import Passage
from tenk.replies.pieces import pieces
from tenk.replies.records import Parsed, Problem, Text
from tenk.replies.remarks import holds_remark
from tenk.replies.thoughts import answer
from tenk.words import word_count

REJECTED = "rejected"
"""The finish reason of a writer that has no rules for a request; the reply's body is then `reason: detail`."""

DECLINED = {
    "content_filter": "was held back by the provider's content filter",
    "context_length": "does not fit the model's context; set max_output_tokens or name a model with a longer one",
}
"""Finish reasons of a reply without a body that the same request gets every time, and what to say of an output."""

INTERRUPTIONS = {"length": "cut_off", "content_filter": "content_filter"}
"""Finish reasons after which the last output is not whole, and the reason that it and the missing ones get."""

_REMARKED = "is mixed with a title or a remark; write nothing but its text, in one paragraph"

_UNABLE = r"(?:can(?:no|['’])?t|can not|won['’]?t|(?:am|['’]m) (?:unable|not able) to)"
_REFUSAL = re.compile(
    r"(?:(?:i['’]?m|i am) )?(?:very )?(?:sorry|unfortunately|i apologi[sz]e)\b.{0,80}?\b" + _UNABLE + r"\b|"
    r"i ?"
    + _UNABLE
    + r" (?:\w+ ){0,2}?(?:help|assist|comply|provide|fulfil+|write|create|generate|summari[sz]e|rewrite|"
    r"do (?:that|this)|continue|complete|produce|answer)\b|"
    r"as an ai\b",
    re.IGNORECASE,
)


def parse(
    body: str,
    finish_reason: str,
    asked: Sequence[Asked],
    source: str,
    *,
    others: Sequence[Asked] = (),
    keep_copies: bool = False,
) -> Parsed:
    """The texts of `asked` in a reply, and what is worth asking again.

    `others` are outputs of the same prompt that this request did not ask for: models repeat them, and their labels end
    a text. `source` is the video's paragraph. A copy of it (but for case and punctuation), where its whole length was
    asked for, is a problem, or with `keep_copies` a text flagged `copied`. A single output may come without its label.
    """
    if finish_reason == REJECTED:
        reason, _, detail = body.partition(": ")
        return Parsed(texts={}, problems=tuple(Problem(code=o.code, reason=reason, detail=detail) for o in asked))
    if declined(body, finish_reason):
        return Parsed(texts={}, problems=tuple(_problem(o, finish_reason, DECLINED[finish_reason]) for o in asked))
    names = naming((*asked, *others))
    found = pieces(answer(body), names, source, single=len(asked) == 1, interrupted=finish_reason in INTERRUPTIONS)
    missing = set(range(len(names.labels))) - found.keys()
    texts: dict[str, Text] = {}
    problems: list[Problem] = []
    for index, output in enumerate(asked):
        only = _only(found.get(index, []), finish_reason, output, body)
        result = _checked(only, output, source, keep_copies=keep_copies) if isinstance(only, str) else only
        if isinstance(only, str) and (label := names.leaked(only, source, missing)) is not None:
            result = _problem(output, "leaked_label", f"has the label {label} inside its text")
        if isinstance(result, Problem):
            problems.append(result)
            continue
        texts[output.code] = result
        if "word_count" in result.flags:
            problems.append(_problem(output, "word_count", f"has {result.words} words; write {output.words}"))
    return Parsed(texts=texts, problems=tuple(problems))


def declined(body: str, finish_reason: str) -> bool:
    """Whether a reply says that the provider does not answer this request."""
    return finish_reason in DECLINED and not body.strip()


def _only(found: list[Passage | None], finish_reason: str, output: Asked, body: str) -> str | Problem:
    """The one text that a reply has for `output`, or why there is none. The same text given twice is no fault."""
    interruption = INTERRUPTIONS.get(finish_reason)
    if None in found or (interruption and not found):
        if interruption == "content_filter":
            return _problem(output, "content_filter", DECLINED["content_filter"])
        return _problem(output, "cut_off", "breaks off before its end, or was not reached")
    given = [each for each in found if each and each.text and not is_number(each.text)]
    distinct = {each.text for each in given}
    if not found or (not distinct and any(each and each.text for each in found)):
        if _refuses(answer(body)):
            return _problem(output, "refused", "was refused; the paragraph describes an ordinary video")
        return _problem(output, "missing", "is missing")
    if len(distinct) > 1:
        return _problem(output, "duplicated", "is given more than once, with different texts")
    if any(each.doubtful for each in given):
        return _problem(output, "remark", _REMARKED)
    return distinct.pop() if distinct else ""


def _checked(text: str, output: Asked, source: str, *, keep_copies: bool) -> Text | Problem:
    if not any(mark.isalnum() or unicodedata.category(mark) == "So" for mark in text):
        return _problem(output, "empty", "is empty")
    if _refuses(text) and not _refuses(source):
        return _problem(output, "refused", "was refused; the paragraph describes an ordinary video")
    if holds_remark(text, source):
        return _problem(output, "remark", _REMARKED)
    words = word_count(text)
    flags = []
    if output.words >= word_count(source) and _bare(text) == _bare(source):
        if not keep_copies:
            return _problem(output, "copied", "repeats the paragraph word for word; put it differently")
        flags.append("copied")
    if not output.tolerance.accepts(words, output.words):
        flags.append("word_count")
    return Text(text=text, words=words, flags=tuple(flags))


def _problem(output: Asked, reason: str, verb_phrase: str) -> Problem:
    return Problem(code=output.code, reason=reason, detail=f"{output.label} {verb_phrase}.")


def _refuses(text: str) -> bool:
    return _REFUSAL.match(text.lstrip(" \n\t\"'*")[:200]) is not None


def _bare(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())
