"""How well the offline writer does what is asked of it, over a split of ActivityNet Captions. Prints; deterministic.

    python tests/bench/offline_writer.py --annotations ../shared/data/activitynet [--split val_1] [--limit N] [--read N]

The checks look at captions and paragraphs only, through the pipeline's tags and parse, and know nothing of how a
caption came about. The parse is right some 80 times in 100: what is counted as lost is partly what the parse made up.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import time
from collections import defaultdict
from pathlib import Path
from statistics import mean

from tenk import sources
from tenk.llm.offline import OfflineWriter
from tenk.nlp import BUNDLED, load_pipeline
from tenk.prompting import load_templates, render
from tenk.records import Video
from tenk.stats.readability import grade
from tenk.words import word_count, word_length

ROOT = Path(__file__).parents[2]
SHORT, REWRITTEN = ("s", "s+e", "s+i", "s+u"), ("e", "i", "u")
CODES = ("s", "m", "l", *REWRITTEN, *SHORT[1:])
_WORD = re.compile(r"[a-z0-9']+")
_COPULA = re.compile(r"\b(?:is|are|was|were|be|been)\s*(?:[.,;]|\band\b|$)", re.I)
_TWICE = re.compile(r"\b([a-z']+)\s+\1\b", re.I)
_PRONOUNS = {"he", "she", "it", "they", "him", "them", "his", "her", "their", "its"}
_PRONOUNS |= {"this", "these", "those", "another", "others"}
"""Words that, as pronouns, need somebody named before."""

_CORE = {
    "nsubj": "subject",
    "nsubj:pass": "subject",
    "obj": "object",
    "iobj": "object",
    "xcomp": "complement",
    "compound:prt": "particle",
}

Captions = dict[str, dict[str, tuple[int, str]]]


async def captions(videos: list[Video], writer: OfflineWriter) -> Captions:
    """video -> code -> (words asked, text)."""
    templates = load_templates(ROOT / "prompts")
    requests = [render(template, video) for video in videos for template in templates]
    found: Captions = defaultdict(dict)
    async for request, draft in writer.write(requests):
        if draft.finish_reason != "stop":
            print(f"{request.video_id} {request.axis}: {draft.body}")
            continue
        for asked, line in zip(request.asked, draft.body.splitlines(), strict=True):
            found[request.video_id][asked.code] = (asked.words, line.removeprefix(f"{asked.label}: "))
    return found


def share(hits: list[bool]) -> str:
    return f"{sum(hits) / len(hits):7.2%} of {len(hits)}" if hits else "none"


def stems(word: str, lemma: str = "") -> set[str]:
    """What a word may be a form of."""
    found = {word, lemma.lower()} - {""}
    for ending in ("s", "es", "ed", "d", "ing", "ies", "er", "en"):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            stem = word[: -len(ending)]
            found |= {stem, f"{stem}e", f"{stem}y", stem[:-1] if stem[-2:-1] == stem[-1:] else stem, f"{stem[:-1]}ie"}
    return found


def plain(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def counts(videos: list[Video], made: Captions) -> None:
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


def invented(videos: list[Video], made: Captions, nlp) -> None:  # type: ignore[no-untyped-def]
    print("\nnouns and verbs that the paragraph has, in any form, under any part of speech")
    for code in ("s", "m", "l"):
        bad = []
        texts = [made[v.id][code][1] for v in videos]
        for video, doc, source in zip(videos, nlp.pipe(texts), nlp.pipe([v.paragraph for v in videos]), strict=True):
            known = {stem for token in source for stem in stems(token.lower_, token.lemma_)}
            known |= {stem for word in plain(video.paragraph) for stem in stems(word)}
            for token in doc:
                if token.pos_ in ("NOUN", "PROPN", "VERB") and not stems(token.lower_, token.lemma_) & known:
                    bad.append((video.id, token.text))
        total = sum(1 for doc in nlp.pipe(texts) for token in doc if token.pos_ in ("NOUN", "PROPN", "VERB"))
        print(f"  {code:4} {1 - len(bad) / total:.4%} of {total}; not found: {sorted({w for _, w in bad})[:12]}")


def ordered(videos: list[Video], made: Captions, nlp) -> None:  # type: ignore[no-untyped-def]
    """Verbs must be assignable, in their order, to events in theirs."""
    print("\norder of events kept")
    for code in ("s", "m", "l", *SHORT[1:]):
        kept = []
        for video, doc in zip(videos, nlp.pipe([made[v.id][code][1] for v in videos]), strict=True):
            events = [{stem for word in plain(event.text) for stem in stems(word)} for event in video.events]
            at, fine = 0, True
            for token in doc:
                if token.pos_ != "VERB" or not any(stems(token.lower_, token.lemma_) & event for event in events):
                    continue
                following = next(
                    (n for n in range(at, len(events)) if stems(token.lower_, token.lemma_) & events[n]), None
                )
                fine = fine and following is not None
                at = at if following is None else following
            kept.append(fine)
        print(f"  {code:4} {share(kept)}")


def faults(videos: list[Video], made: Captions, nlp) -> None:  # type: ignore[no-untyped-def]
    print("\nfaults that the paragraph does not have")
    for code in CODES:
        dangling, twice, opening = [], [], []
        docs = nlp.pipe([made[v.id][code][1] for v in videos])
        for video, doc in zip(videos, docs, strict=True):
            text, source = doc.text, video.paragraph
            sentences = re.split(r"(?<=[.!?])\s+", text)
            said = {m.group().lower() for m in _TWICE.finditer(source)}
            dangling.append(any(_COPULA.search(one) for one in sentences) and not _COPULA.search(source))
            twice.append(any(m.group().lower() not in said for m in _TWICE.finditer(text)))
            first, theirs = plain(text)[:1], plain(source)[:1]
            pronoun = bool(first) and first[0] in _PRONOUNS and doc[0].pos_ == "PRON"
            opening.append(pronoun and first != theirs)
        line = f"dangling copula {mean(dangling):.2%}, repeated word {mean(twice):.2%}"
        print(f"  {code:4} {line}, opening pronoun {mean(opening):.2%}")


def complete(videos: list[Video], made: Captions, nlp) -> None:  # type: ignore[no-untyped-def]
    """For every verb of the source that a caption keeps: are the words that the parse hangs on it there as well?

    A subject counts as kept if the sentence has a noun or pronoun before the verb; other words by form or stem.
    """
    print("\nwhat kept predicates keep (by the parse of the source)")
    for code in ("s", "m"):
        kept: dict[str, list[bool]] = defaultdict(list)
        docs = nlp.pipe([made[v.id][code][1] for v in videos])
        for doc, source in zip(docs, nlp.pipe([v.paragraph for v in videos]), strict=True):
            for sentence in doc.sents:
                words = [stems(token.lower_, token.lemma_) for token in sentence]
                for verb in (t for t in sentence if t.pos_ == "VERB"):
                    origin = [t for t in source if t.pos_ == "VERB" and t.lower_ == verb.lower_]
                    if len(origin) != 1:
                        continue
                    for child in origin[0].children:
                        what = _CORE.get(child.dep_) or (
                            "negation" if child.lower_ in ("not", "n't", "never") else None
                        )
                        if what == "subject":
                            before = list(doc[sentence.start : verb.i])
                            kept[what].append(any(t.pos_ in ("NOUN", "PRON", "PROPN", "NUM", "DET") for t in before))
                        elif what:
                            kept[what].append(any(stems(child.lower_, child.lemma_) & one for one in words))
                for noun in (t for t in sentence if t.tag_ == "NN"):
                    origin = [t for t in source if t.lower_ == noun.lower_]
                    if origin and all(any(c.dep_ in ("det", "nmod:poss") for c in t.children) for t in origin):
                        left = [t.pos_ for t in doc[max(sentence.start, noun.i - 6) : noun.i]]
                        kept["determiner"].append("DET" in left or "PRON" in left or "NUM" in left or "PART" in left)
        print(
            f"  {code:4} " + ", ".join(f"{what} {mean(hits):.1%} of {len(hits)}" for what, hits in sorted(kept.items()))
        )


def readers(videos: list[Video], made: Captions) -> None:
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


def read(videos: list[Video], made: Captions, number: int, seed: int) -> None:
    for video in random.Random(seed).sample(videos, min(number, len(videos))):
        print(f"\n{video.id}\n  f    {video.paragraph}")
        for code in CODES:
            words, text = made[video.id][code]
            print(f"  {code:4} {words:3} {word_count(text):3} {text}")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--annotations", type=Path, required=True)
    arguments.add_argument("--source", default="activitynet")
    arguments.add_argument("--split", default="val_1")
    arguments.add_argument("--limit", type=int)
    arguments.add_argument("--read", type=int, default=0, help="print the captions of so many videos")
    arguments.add_argument("--seed", type=int, default=0, help="which videos --read prints")
    given = arguments.parse_args()
    videos = list(sources.read(given.source, given.annotations, given.split, options=sources.SourceOptions()).videos)
    videos = videos[: given.limit]
    writer = OfflineWriter()
    start = time.perf_counter()
    made = asyncio.run(captions(videos, writer))
    wrote = time.perf_counter() - start
    nlp = load_pipeline(BUNDLED, parse=True)
    start = time.perf_counter()
    for _ in nlp.pipe(event.text for video in videos for event in video.events):
        pass
    parsed = time.perf_counter() - start
    each = wrote / len(videos) * 1000
    print(
        f"{len(videos)} videos in {wrote:.1f} s with one process, {each:.1f} ms each; parsing is {parsed:.1f} s of it"
    )
    videos = [video for video in videos if len(made[video.id]) == len(CODES)]
    if given.read:
        read(videos, made, given.read, given.seed)
        return
    counts(videos, made)
    invented(videos, made, nlp)
    ordered(videos, made, nlp)
    faults(videos, made, nlp)
    complete(videos, made, nlp)
    readers(videos, made)


if __name__ == "__main__":
    main()
