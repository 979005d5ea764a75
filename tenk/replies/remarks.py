"""A line of a reply and the video's paragraph in, whether a model speaks there of its work, not of the video, out."""

from __future__ import annotations

import re
from functools import lru_cache

from tenk.replies.naming import lead_end

_OUTPUTS = (
    r"(?:summar(?:y|ies)|versions?|outputs?|texts?|descriptions?|captions?|rewrites?|responses?|word counts?|counts)"
)
_TO_THE_READER = (
    r"(?:please )?let me\b|please let\b|i hope\b|hope (?:this|that|these|it)\b|feel free\b",
    r"(?:would|do) you (?:like|want|need)\b",
    r"(?:i['’]?[dm] |i['’]ll |i would |i am )?(?:be )?(?:happy|glad) to\b|is there anything\b",
    r"if you(?:['’]d|['’]re| would| need| want| have)\b|(?:any|need) (?:other|more|further|anything)\b",
    r"(?:shall|should|may|can) i\b|thank(?:s\b| you)|you['’]re welcome|as (?:you )?(?:requested|asked)\b|per your\b",
    r"(?:done|end(?: of (?:the )?\w+)?|finished|that['’]s (?:it|all|\d+ words))\W*$|please note\b",
    r"p\.\s?s\.|n\.\s?b\.|(?:ps|nb):|(?:user|human|assistant|system)(?:\s*:|$)",
)
_OF_ONESELF = (
    r"i(?:['’]ve|['’]ll| have| will)\b",
    r"i (?:also )?(?:kept|made|tried|used|followed|ensured|wrote|aimed|avoided|counted|preserved|focused|checked)\b",
)
_OF_THE_OUTPUTS = (
    rf"(?:all|each|every|both|these)(?: (?:of|the|these|three|3|above)){{0,3}} {_OUTPUTS}\b",
    r"(?:the|this|my)(?: (?:three|3|above|last|first|short|long)){0,2} (?:summar(?:y|ies)|versions?|word counts?)\b",
    r"note that (?:i|the|these|all|each|this)\b|(?:written|rewritten|suitable|adapted|simplified) for\b",
    r"(?:\w+ ){0,2}(?:word|character|sentence)[ -]?(?:counts?|totals?|lengths?|limits?)\b[^.!?]{0,20}?(?:[:=]|\d|\W*$)",
    r"(?:\w+ ){0,2}\w+\s*[:=]\s*\d+(?:\.\d+)?%?\W*$|[^.!?]{0,80}[:=–—(]\s?\d{1,4} words?\W*$",
    r"(?:\w+ )?(?:totals?|words|counts?|lengths?)\s*[:=]",
)
_HEADINGS = (
    r"(?:[\w'’-]+ ){0,3}?(?:notes?|remarks?|comments?|explanations?|rationale|reasoning|verification|questions?|rules|"
    r"(?:self-)?check(?:s|list)?(?: \w+)?|confidence|sources?|"
    r"changes|differences|disclaimers?|caveats?|approach|analysis|breakdown|confirmation|important|"
    r"(?:reading |grade )?levels?|(?:target )?audience)[ .*_]{0,4}(?:[:=–—]|$)",
)
_REMARK = re.compile("|".join((*_TO_THE_READER, *_OF_ONESELF, *_OF_THE_OUTPUTS, *_HEADINGS)), re.IGNORECASE)
"""How what models say around their outputs begins."""

_OF_WORK = re.compile(
    r"\b(?:summar(?:y|i[sz])|version|words?\b|wording|paragraph|sentence|label|caption|instruct|request|constraint|guideline|"
    r"requirement|readers?\b|reading|vocabular|phras|output|draft|rewrit|rewrote|simplif|original|exact|all three\b|"
    r"previous (?:attempt|answer|try)|all of them\b|in each\b|in every one\b)",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"\W*(?:[Nn]/[Aa]|None|NONE|null|NULL|TBD|TODO|(?:[Ss]ame as|[Ss]ee) above)\W*|[\[(<][^\[\]()<>]*[\])>]"
)
"""What stands where no text is: a word for it, or a note in brackets."""

_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"”'’)]*\s+")
_IN_BRACKETS = re.compile(r"\((\d{1,4})\)")
_UNIT = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af]|[^\W\d_]{4,}")
_ROOT = 4
"""Letters of a word that are compared, so that `kicks` and `kicking` are one."""

_SHARE = 1 / 4
"""Of the words of a sentence, what the video has of it at least where it tells what the video tells."""

_TITLE = re.compile(
    r"(?:(?:very|extra|ultra|the|short(?:er|est)?|brief|concise|compact|medium|mid|moderate|long(?:er|est)?|full|complete|"
    r"detailed|comprehensive|expanded|extended|condensed|one|sentence|summary|version|length|text|level|reading|primary|"
    r"elementary|middle|high|secondary|school|university|college|academic|readers?|students?|children|words?|about|exactly|"
    r"\d{1,5}(?:/\d{1,5})?)\b[\s/*_,()\[\]~–-]{0,4}){1,7}",
    re.IGNORECASE,
)
"""Titles that models give their outputs, of words for lengths and readers."""


def is_remark(line: str) -> bool:
    """Whether `line` begins as what models say around their outputs."""
    return _REMARK.match(line, lead_end(line)) is not None


def is_title(line: str) -> bool:
    """Whether `line` says which output comes now, in words for its length or its readers, and nothing else."""
    end = title_end(line, lead_end(line))
    return end > 0 and not line[end:].strip("*_#()[]:：–—- \t")


def has_title(line: str, source: str) -> bool:
    """Whether `line` begins with a title and a colon that the video does not have."""
    start = lead_end(line)
    end = title_end(line, start)
    if end < 0 or not line[end:].lstrip("*_ ").startswith((":", "：")):
        return False
    return f"{line[start:end]}:".casefold() not in source.casefold()


def title_end(line: str, start: int) -> int:
    """Where a title that begins at `start` ends, or -1."""
    title = _TITLE.match(line, start)
    return title.end() if title else -1


def told(line: str, source: str) -> bool:
    """Whether `line` has enough words in common with the video to tell something of it."""
    return _share(line, source) >= _SHARE


def is_doubtful(line: str, source: str, *, final: bool) -> bool:
    """Whether `line`, which stands on its own below a text, is perhaps none of it.

    It is where it speaks of writing and the video does not; and, being the `final` one, where it has next to no word in
    common with the video.
    """
    return bool(_of_work(line, source)) or (final and not told(line, source))


def holds_remark(text: str, source: str) -> bool:
    """Whether a sentence after the first one is a remark, or speaks twice of writing; or there is no text but a note.

    So do words that are numbered one by one.
    """
    if _NOTHING.fullmatch(text) and not told(text, source):
        return True
    of_work = len(_of_work(text, source)) > 1
    for sentence in _SENTENCE_END.split(text)[1:]:
        if is_remark(sentence) and " " in sentence and not told(sentence, source):
            return True
        if of_work and len(_of_work(sentence, source)) > 1:
            return True
    numbers = _IN_BRACKETS.findall(text)
    one_by_one = [str(number) for number in range(1, len(numbers) + 1)]
    return len(numbers) > 2 and numbers == one_by_one != _IN_BRACKETS.findall(source)


def _of_work(line: str, source: str) -> set[str]:
    """The words of `line` that speak of writing and that the video does not have."""
    known = source.casefold()
    return {word[:_ROOT] for word in map(str.casefold, _OF_WORK.findall(line)) if word not in known}


def _share(line: str, source: str) -> float:
    """The share of the words of `line` that are in `source`, by their first letters; short words do not count."""
    units = [unit[:_ROOT] for unit in _UNIT.findall(line.casefold())]
    known = _roots(source)
    return sum(unit in known for unit in units) / len(units) if units else 0.0


@lru_cache(maxsize=64)
def _roots(source: str) -> frozenset[str]:
    return frozenset(unit[:_ROOT] for unit in _UNIT.findall(source.casefold()))
