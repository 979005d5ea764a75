"""How well the offline writer does what is asked of it, over a split of ActivityNet Captions. Prints; deterministic.

    python tests/bench/offline_writer.py --annotations ../shared/data/activitynet [--split val_1] [--limit N] [--read N]
                                         [--lost N]

The checks look at captions and paragraphs only, through the pipeline's tags and parse, and know nothing of how a
caption came about. The parse is right some 80 times in 100: what is counted as lost is partly what the parse made up
(completeness.py says how it is kept from that; `--lost` prints what remains, to be judged by reading).
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import random
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING

from completeness import KINDS, Gold, Held, held, read_gold, stems

from tenk import sources
from tenk.cli.live import watching
from tenk.llm.offline import OfflineWriter
from tenk.nlp import BUNDLED, load_pipeline
from tenk.progress import Tally, Tick
from tenk.prompting import load_templates, render
from tenk.records import Draft, Video
from tenk.stats.readability import grade
from tenk.words import word_count, word_length

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

ROOT = Path(__file__).parents[2]
SHORT, REWRITTEN = ("s", "s+e", "s+i", "s+u"), ("e", "i", "u")
CODES = ("s", "m", "l", *REWRITTEN, *SHORT[1:])
PARSED = ("s", "m", "l", *SHORT[1:])
CHUNK, SAMPLE = 64, 200
"""Videos that a process is given at a time; of how many the time of parsing is taken."""

_WORD = re.compile(r"[a-z0-9']+")
_COPULA = re.compile(r"\b(?:is|are|was|were|be|been)\s*(?:[.,;]|\band\b|$)", re.I)
_TWICE = re.compile(r"\b([a-z']+)\s+\1\b", re.I)
_PRONOUNS = {"he", "she", "it", "they", "him", "them", "his", "her", "their", "its"}
_PRONOUNS |= {"this", "these", "those", "another", "others"}
"""Words that, as pronouns, need somebody named before."""

Captions = dict[str, dict[str, tuple[int, str]]]
"""video -> code -> (words asked, text)."""


@dataclass(frozen=True)
class Parsed:
    """A video, its paragraph, and its captions of the codes in PARSED."""

    video: Video
    source: Doc
    docs: dict[str, Doc]


def write(videos: Sequence[Video], jobs: int) -> tuple[Captions, float]:
    """Also the seconds it took, of all processes together."""
    templates = len(load_templates(ROOT / "prompts"))
    chunks = [videos[at : at + CHUNK] for at in range(0, len(videos), CHUNK)]
    made: Captions = {}
    seconds = 0.0
    with (
        ProcessPoolExecutor(
            jobs, multiprocessing.get_context("spawn"), partial(load_pipeline, BUNDLED, parse=True)
        ) as pool,
        watching(Tally(), len(videos) * templates) as report,
    ):
        for chunk, (found, unwritten, took) in zip(chunks, pool.map(_write, chunks), strict=True):
            made |= found
            seconds += took
            report(Tick(kind="answered", n=len(chunk) * templates))
            for line in unwritten:
                print(line)
    return made, seconds


def _write(videos: Sequence[Video]) -> tuple[Captions, list[str], float]:
    """The captions, what was not written and why, and the seconds it took."""
    start = time.perf_counter()
    found, unwritten = asyncio.run(_captions(videos))
    return found, unwritten, time.perf_counter() - start


async def _captions(videos: Sequence[Video]) -> tuple[Captions, list[str]]:
    templates = load_templates(ROOT / "prompts")
    requests = [render(template, video) for video in videos for template in templates]
    found: Captions = defaultdict(dict)
    unwritten = []
    async for request, answer in OfflineWriter().write(requests):
        if not isinstance(answer, Draft):
            unwritten.append(f"{request.video_id} {request.axis}: {answer.reason}: {answer.detail}")
        elif answer.finish_reason != "stop":
            unwritten.append(f"{request.video_id} {request.axis}: {answer.body}")
        else:
            for asked, line in zip(request.asked, answer.body.splitlines(), strict=True):
                found[request.video_id][asked.code] = (asked.words, line.removeprefix(f"{asked.label}: "))
    return dict(found), unwritten


def parse(videos: Sequence[Video], made: Captions, jobs: int) -> list[Parsed]:
    """Every text once, however many captions it is."""
    texts = {text for video in videos for text in (video.paragraph, *(made[video.id][code][1] for code in PARSED))}
    ready = sorted(texts)
    print(f"parsing {len(ready):,} texts", file=sys.stderr)
    nlp = load_pipeline(BUNDLED, parse=True)
    docs = dict(zip(ready, nlp.pipe(ready, n_process=jobs, batch_size=256), strict=True))
    return [Parsed(v, docs[v.paragraph], {code: docs[made[v.id][code][1]] for code in PARSED}) for v in videos]


def share(hits: Sequence[bool]) -> str:
    return f"{sum(hits) / len(hits):7.2%} of {len(hits)}" if hits else "none"


def plain(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def counts(videos: Sequence[Video], made: Captions) -> None:
    print("\nwords")
    for code in CODES:
        asked = [(*made[v.id][code], word_count(v.paragraph)) for v in videos if code in made[v.id]]
        if code in SHORT:
            offs = [word_count(text) - words for words, text, length in asked if length >= 21]
            within, exact = share([abs(off) <= 1 for off in offs]), share([off == 0 for off in offs])
            print(f"  {code:4} within 1 (L >= 21) {within}, exact {exact}, mean deviation {mean(offs):+.3f}")
        else:
            near = [abs(word_count(text) - words) <= max(1, words * 0.1) for words, text, _ in asked]
            off = mean(word_count(text) - words for words, text, _ in asked)
            print(f"  {code:4} within 10 %        {share(near)}, mean deviation {off:+.3f}")


def invented(parsed: Sequence[Parsed]) -> None:
    """Control: the same nouns and verbs against the paragraph of the next video, which says little of them.

    A name with signs in it ("2-", "a@b,and") is looked for by its letters and digits: the tokenizer cuts such names by
    what is around them.
    """
    print(
        "\nnouns and verbs that the paragraph has, in any form, under any part of speech (control: another paragraph)"
    )
    known = []
    for one in parsed:
        words = {stem for word in plain(one.video.paragraph) for stem in stems(word)}
        words |= {stem for token in one.source for stem in stems(token.lower_, token.lemma_)}
        known.append((words, set(plain(one.video.paragraph))))
    for code in ("s", "m", "l"):
        found, control, bad = [], [], set()
        for one, own, other in zip(parsed, known, [*known[1:], *known[:1]], strict=True):
            for token in one.docs[code]:
                if token.pos_ in ("NOUN", "PROPN", "VERB"):
                    found.append(_has(*own, token))
                    control.append(_has(*other, token))
                    bad |= set() if found[-1] else {token.text}
        print(
            f"  {code:4} {mean(found):.4%} of {len(found)} (control {mean(control):.1%}); not found: {sorted(bad)[:12]}"
        )


def _has(forms: set[str], pieces: set[str], token: Token) -> bool:
    return bool(stems(token.lower_, token.lemma_) & forms) or (
        not token.is_alpha and pieces.issuperset(plain(token.text))
    )


def ordered(parsed: Sequence[Parsed]) -> None:
    """Verbs must be assignable, in their order, to events in theirs. Control: a caption's sentences, shuffled."""
    print("\norder of events kept (control: captions of several sentences, as they are and shuffled)")
    events = [[{stem for word in plain(e.text) for stem in stems(word)} for e in one.video.events] for one in parsed]
    for code in PARSED:
        kept, several, shuffled = [], [], []
        for one, theirs in zip(parsed, events, strict=True):
            sentences = list(one.docs[code].sents)
            kept.append(_in_order(sentences, theirs))
            if len(sentences) > 1:
                several.append(kept[-1])
                shuffled.append(_in_order(_shuffled(sentences, one.video.id), theirs))
        print(f"  {code:4} {share(kept)} (control: {share(several)}, shuffled {share(shuffled)})")


def _in_order(sentences: Iterable[Iterable[Token]], events: Sequence[set[str]]) -> bool:
    at = 0
    for token in (token for sentence in sentences for token in sentence if token.pos_ == "VERB"):
        forms = stems(token.lower_, token.lemma_)
        places = [place for place, event in enumerate(events) if forms & event]
        if places and places[-1] < at:
            return False
        at = next((place for place in places if place >= at), at)
    return True


def _shuffled(sentences: list[Span], seed: str) -> list[Span]:
    """In any order but their own."""
    order, source = list(sentences), random.Random(seed)
    while order == sentences:
        source.shuffle(order)
    return order


def faults(videos: Sequence[Video], made: Captions) -> None:
    print("\nfaults that the paragraph does not have")
    for code in CODES:
        dangling, twice, opening = [], [], []
        for video in videos:
            text, source = made[video.id][code][1], video.paragraph
            said = {m.group().lower() for m in _TWICE.finditer(source)}
            sentences = re.split(r"(?<=[.!?])\s+", text)
            dangling.append(any(_COPULA.search(one) for one in sentences) and not _COPULA.search(source))
            twice.append(any(m.group().lower() not in said for m in _TWICE.finditer(text)))
            opening.append(plain(text)[:1] != plain(source)[:1] and _opens_on_pronoun(text))
        line = f"dangling copula {mean(dangling):.2%}, repeated word {mean(twice):.2%}"
        print(f"  {code:4} {line}, opening pronoun {mean(opening):.2%}")


def _opens_on_pronoun(text: str) -> bool:
    """Tags only what opens on a word that may be one."""
    if not _PRONOUNS.intersection(plain(text)[:1]):
        return False
    return load_pipeline(BUNDLED, parse=False)(text)[0].pos_ == "PRON"


def complete(parsed: Sequence[Parsed], known: Gold, lost: int, seed: int) -> None:
    """Of each kind, with `lost` of those that are not there to be read: in the caption, then in the paragraph."""
    print("\nwhat kept words keep of their own (by the parse of the paragraph)")
    for code in ("s", "m"):
        checks: dict[str, list[Held]] = defaultdict(list)
        for one in parsed:
            for check in held(one.docs[code], one.source, known):
                checks[check.what].append(check)
        for kind in KINDS:
            missing = [check for check in checks[kind] if not check.kept]
            print(f"  {code:4} {kind:10} {share([check.kept for check in checks[kind]])}, lost {len(missing)}")
            for check in random.Random(f"{seed}:{code}:{kind}").sample(missing, min(lost, len(missing))):
                print(f"         {check.head} > {check.child}")
                print(f"           {check.head.sent}\n           {check.child.sent}")


def readers(videos: Sequence[Video], made: Captions) -> None:
    print("\nfor readers of three ages")
    for trio in (REWRITTEN, SHORT[1:]):
        for code in trio:
            text = [made[v.id][code][1] for v in videos]
            length, level = mean(map(word_length, text)), mean(map(grade, text))
            print(f"  {code:4} word length {length:.3f}, Flesch-Kincaid grade {level:.3f}")
        three = [[plain(made[v.id][code][1]) for code in trio] for v in videos]
        all_differ, some = [a != b != c != a for a, b, c in three], [not a == b == c for a, b, c in three]
        print(f"       all three differ {share(all_differ)}; any two {share(some)}")
    for code in ("l", *REWRITTEN):
        differs = [plain(made[v.id][code][1]) != plain(v.paragraph) for v in videos]
        print(f"  {code:4} differs from the paragraph {share(differs)}")


def read(videos: Sequence[Video], made: Captions, number: int, seed: int) -> None:
    for video in random.Random(seed).sample(videos, min(number, len(videos))):
        print(f"\n{video.id}\n  f    {video.paragraph}")
        for code in CODES:
            words, text = made[video.id][code]
            print(f"  {code:4} {words:3} {word_count(text):3} {text}")


def parsing_time(videos: Sequence[Video]) -> float:
    """Seconds a video, of what the writer parses, in one process."""
    nlp = load_pipeline(BUNDLED, parse=True)
    start = time.perf_counter()
    for _ in nlp.pipe(event.text for video in videos for event in video.events):
        pass
    return (time.perf_counter() - start) / len(videos)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--annotations", type=Path, required=True)
    arguments.add_argument("--source", default="activitynet")
    arguments.add_argument("--split", default="val_1")
    arguments.add_argument("--limit", type=int)
    arguments.add_argument("--treebank", type=Path, default=ROOT.parent / "shared/data/ud_ewt", help="folder of EWT")
    arguments.add_argument("--read", type=int, default=0, help="print the captions of so many videos, and no checks")
    arguments.add_argument("--lost", type=int, default=0, help="print so many words that a caption lost, of each kind")
    arguments.add_argument("--seed", type=int, default=0, help="which ones --read and --lost print")
    arguments.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="processes")
    given = arguments.parse_args()
    known = read_gold(given.treebank)
    videos = list(sources.read(given.source, given.annotations, given.split, options=sources.SourceOptions()).videos)
    videos = videos[: given.limit]
    start = time.perf_counter()
    made, seconds = write(videos, given.jobs)
    took = f"{time.perf_counter() - start:.1f} s with {given.jobs} processes"
    each, parsing = seconds / len(videos) * 1000, parsing_time(videos[:SAMPLE]) * 1000
    print(f"{len(videos)} videos in {took}, {each:.1f} ms of one process each; parsing is some {parsing:.1f} ms of it")
    videos = [video for video in videos if len(made.get(video.id, ())) == len(CODES)]
    if given.read:
        read(videos, made, given.read, given.seed)
        return
    parsed = parse(videos, made, given.jobs)
    counts(videos, made)
    invented(parsed)
    ordered(parsed)
    faults(videos, made)
    complete(parsed, known, given.lost, given.seed)
    readers(videos, made)


if __name__ == "__main__":
    main()
