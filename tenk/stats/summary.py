"""Videos with captions and measures in, one at a time, a Summary of the split out; memory does not grow with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tenk.records import CODES, Augmented, Caption, Measures, Record

MEANS = ("words", "word_length", "delta_nouns", "delta_verbs", "new_nouns", "new_verbs", "new_words", "grade")
"""What is averaged over the captions of a code; the fields of the same name in CodeSummary."""

DIGITS = 6
"""Decimal places of the means."""

CANDIDATES = 50
"""Hallucination candidates listed a split, the commonest ones."""


class CodeSummary(Record):
    """The captions of one code: how many there are, and means over them.

    `new_nouns`, `new_verbs` and `new_words` are mean numbers a caption. `flags` counts captions by flag. `longest` is
    in words.
    """

    captions: int
    words: float
    word_length: float
    delta_nouns: float
    delta_verbs: float
    new_nouns: float
    new_verbs: float
    new_words: float
    grade: float
    longest: int
    flags: dict[str, int]


class Summary(Record):
    """The statistics of one split.

    `rejections` counts missing captions by reason. `new_nouns` and `new_verbs` are the commonest hallucination
    candidates (10k Words, section 2.2.2), with the number of generated captions that they stand in.
    """

    videos: int
    codes: dict[str, CodeSummary]
    rejections: dict[str, int]
    new_nouns: tuple[tuple[str, int], ...] = ()
    new_verbs: tuple[tuple[str, int], ...] = ()

    @property
    def captions(self) -> int:
        return sum(code.captions for code in self.codes.values())

    @property
    def flags(self) -> dict[str, int]:
        """Captions by flag, over all codes."""
        total: Counter[str] = Counter()
        for code in self.codes.values():
            total.update(code.flags)
        return dict(sorted(total.items()))


@dataclass
class _Code:
    captions: int = 0
    sums: dict[str, float] = field(default_factory=lambda: dict.fromkeys(MEANS, 0.0))
    longest: int = 0
    flags: Counter[str] = field(default_factory=Counter)

    def add(self, caption: Caption, measures: Measures) -> None:
        self.captions += 1
        sums = self.sums
        sums["words"] += caption.words
        sums["word_length"] += measures.word_length
        sums["delta_nouns"] += measures.delta_nouns
        sums["delta_verbs"] += measures.delta_verbs
        sums["new_nouns"] += len(measures.new_nouns)
        sums["new_verbs"] += len(measures.new_verbs)
        sums["new_words"] += measures.new_words
        sums["grade"] += measures.grade
        self.longest = max(self.longest, caption.words)
        self.flags.update(caption.flags)

    def result(self) -> CodeSummary:
        means = {name: round(total / self.captions, DIGITS) for name, total in self.sums.items()}
        flags = dict(sorted(self.flags.items()))
        return CodeSummary(captions=self.captions, longest=self.longest, flags=flags, **means)


class Summariser:
    """Adds up videos; `result` may be asked for at any time."""

    def __init__(self) -> None:
        self._videos = 0
        self._codes: dict[str, _Code] = {}
        self._rejections: Counter[str] = Counter()
        self._nouns: Counter[str] = Counter()
        self._verbs: Counter[str] = Counter()

    def add(self, video: Augmented) -> None:
        self._videos += 1
        for caption, measures in zip(video.captions, video.measures, strict=True):
            self._codes.setdefault(caption.code, _Code()).add(caption, measures)
            self._nouns.update(measures.new_nouns)
            self._verbs.update(measures.new_verbs)
        self._rejections.update(rejection.reason for rejection in video.rejections)

    def result(self) -> Summary:
        return Summary(
            videos=self._videos,
            codes={code: self._codes[code].result() for code in in_order(self._codes)},
            rejections=dict(sorted(self._rejections.items())),
            new_nouns=_commonest(self._nouns),
            new_verbs=_commonest(self._verbs),
        )


def combine(summaries: Iterable[Summary]) -> Summary:
    """One Summary over several splits. A candidate is counted only in the splits that list it."""
    parts = list(summaries)
    nouns: Counter[str] = Counter()
    verbs: Counter[str] = Counter()
    rejections: Counter[str] = Counter()
    for part in parts:
        nouns.update(dict(part.new_nouns))
        verbs.update(dict(part.new_verbs))
        rejections.update(part.rejections)
    return Summary(
        videos=sum(part.videos for part in parts),
        codes={
            code: _combine([part.codes[code] for part in parts if code in part.codes])
            for code in in_order({code for part in parts for code in part.codes})
        },
        rejections=dict(sorted(rejections.items())),
        new_nouns=_commonest(nouns),
        new_verbs=_commonest(verbs),
    )


def in_order(codes: Iterable[str]) -> list[str]:
    """The codes of the scheme in its order, then any others by name."""
    given = set(codes)
    return [code for code in CODES if code in given] + sorted(given.difference(CODES))


def _combine(parts: list[CodeSummary]) -> CodeSummary:
    captions = sum(part.captions for part in parts)
    flags: Counter[str] = Counter()
    for part in parts:
        flags.update(part.flags)
    means = {
        name: round(sum(getattr(part, name) * part.captions for part in parts) / captions, DIGITS) for name in MEANS
    }
    return CodeSummary(
        captions=captions,
        longest=max(part.longest for part in parts),
        flags=dict(sorted(flags.items())),
        **means,
    )


def _commonest(counter: Counter[str]) -> tuple[tuple[str, int], ...]:
    ranked = sorted(counter.items(), key=lambda item: (-item[1], item[0]))
    return tuple(ranked[:CANDIDATES])
