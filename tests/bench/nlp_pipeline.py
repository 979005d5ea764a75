"""A spaCy pipeline in, its accuracy on EWT and on the hand-tagged sample, its speed and its size out.

    OMP_NUM_THREADS=1 python tests/bench/nlp_pipeline.py [--ewt ../shared/data/ud_ewt] [--pipeline NAME]

Two ways to score a tagger are printed, since they differ by two points: on gold tokens (the treebank's own cut into
tokens is given; this is what "accuracy" means in the issue and in most papers), and on the pipeline's own tokens, as F1
over tokens that agree in span, where every token that is cut otherwise counts as an error.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table
from spacy.language import Language
from spacy.tokens import Doc

from tenk.nlp import BUNDLED, describe, load_pipeline
from tenk.nlp.pipelines import MODEL
from tenk.nlp.training.conllu import read_treebank
from tenk.nlp.training.scores import evaluate, run
from tenk.sources import read

GOLD = Path(__file__).parents[1] / "nlp" / "gold_sample.jsonl"
WANTED = {"upos": 0.933, "verb_f1": 0.955, "noun_f1": 0.91}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ewt", type=Path, default=Path("../shared/data/ud_ewt"), help="folder of the treebank")
    parser.add_argument("--captions", type=Path, default=Path("../shared/data/activitynet"), help="texts for the speed")
    parser.add_argument("--pipeline", default=BUNDLED, help="a package, a folder or the bundled pipeline")
    arguments = parser.parse_args()
    out = Console(file=sys.stdout)

    started = time.perf_counter()
    nlp = load_pipeline(arguments.pipeline, parse=True)
    out.print(f"[bold]{describe(nlp)}[/], loaded in {time.perf_counter() - started:.2f} s with spaCy's import done")
    if arguments.pipeline == BUNDLED:
        out.print(f"size on disk: {sum(file.stat().st_size for file in MODEL.rglob('*')) / 1e6:.1f} MB (at most 15)")

    splits = {split: evaluate(nlp, read_treebank(arguments.ewt, split)) for split in ("dev", "test")}
    table = Table("score, EWT", "dev", "test", "asked on test")
    for name in splits["test"]:
        wanted = f"{WANTED[name]:.1%}" if name in WANTED else ""
        table.add_row(name.replace("_", " "), *(f"{splits[split][name]:.2%}" for split in splits), wanted)
    out.print(table)

    right, total, content = gold_sample(nlp)
    out.print(f"hand-tagged sample: {right / total:.2%} of {total} tokens (at least 97 %)")
    out.print(f"of the {total - right} wrong ones, {content} have NOUN or VERB as the right or the given tag")
    real = arguments.captions.exists()
    reading = read("activitynet", arguments.captions, "val_1") if real else read("sample", None, "val_1")
    paragraphs = [video.paragraph for video in reading.videos[:1500]]
    tagger = load_pipeline(arguments.pipeline, parse=False)
    out.print(
        f"speed over {len(paragraphs)} paragraphs of {'ActivityNet' if real else 'the bundled sample'}, one process:"
    )
    for label, pipeline in (("tags and lemmas (parse=False)", tagger), ("with trees (parse=True)", nlp)):
        out.print(f"  {label}: {speed(pipeline, paragraphs):,.0f} tokens a second of processor time")


def gold_sample(nlp: Language) -> tuple[int, int, int]:
    """Right tags, all tokens, and wrong tags where the right or the given one is NOUN or VERB."""
    right = total = content = 0
    for line in GOLD.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        doc = run(nlp, Doc(nlp.vocab, words=row["words"]))
        for token, upos in zip(doc, row["upos"], strict=True):
            total += 1
            right += token.pos_ == upos
            content += token.pos_ != upos and bool({token.pos_, upos} & {"NOUN", "VERB"})
    return right, total, content


def speed(nlp: Language, paragraphs: list[str], repetitions: int = 3) -> float:
    """Tokens a second of processor time over `paragraphs`: the best of `repetitions`, the first warms caches."""
    best = 0.0
    for _ in range(repetitions):
        started = time.process_time()
        tokens = sum(len(doc) for doc in nlp.pipe(paragraphs))
        best = max(best, tokens / (time.process_time() - started))
    return best


if __name__ == "__main__":
    main()
