"""The EWT treebank in, the bundled pipeline with its scores out: prepare, train, evaluate and write, in one command.

    python -m tenk.nlp.training.train --ewt ../shared/data/ud_ewt --work build/nlp --out tenk/nlp/model

It needs the extra `train-nlp` and takes 20 minutes of one core. Set OMP_NUM_THREADS=1: more threads make it slower.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from importlib.metadata import distribution, version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tenk.nlp.pipelines import BUNDLED
from tenk.nlp.training.captions import made_up_captions
from tenk.nlp.training.conllu import Sentence, read_treebank, to_docs
from tenk.nlp.training.lemmas import add_lemmatizer
from tenk.nlp.training.scores import evaluate
from tenk.nlp.training.tree import Features
from tenk.nlp.training.wordtable import add_vectors

if TYPE_CHECKING:
    from spacy.language import Language

VERSION = "1.0.0"
SEED = 0
MADE_UP = 2500
"""Made-up captions: some 40,000 words beside EWT's 200,000."""

_SENTENCES_PER_DOC = 10
_CONFIG = Path(__file__).with_name("config.cfg")
_CARD = Path(__file__).with_name("card.md")
_ATTRIBUTES = ("ORTH", "SPACY", "TAG", "POS", "MORPH", "LEMMA", "HEAD", "DEP", "SENT_START")


def prepare(ewt: Path, work: Path) -> list[Sentence]:
    """Write the training and development documents and the vectors to `work`; returns the training sentences."""
    import spacy
    from spacy.tokens import DocBin

    train = read_treebank(ewt, "train")
    train += made_up_captions(MADE_UP, SEED, Features(train))
    for name, sentences in (("train", train), ("dev", read_treebank(ewt, "dev"))):
        docs = to_docs(sentences, spacy.blank("en").vocab, per_doc=_SENTENCES_PER_DOC)
        DocBin(docs=docs, attrs=_ATTRIBUTES).to_disk(work / f"{name}.spacy")
    nlp = spacy.blank("en")
    add_vectors(nlp.vocab, SEED)
    nlp.to_disk(work / "vectors")
    return train


def train(work: Path) -> Language:
    """Train on what `prepare` wrote to `work`; returns the best pipeline by the development scores."""
    import spacy
    from spacy.training.initialize import init_nlp
    from spacy.training.loop import train as run
    from spacy.util import load_config, load_model_from_config

    paths = {"train": "train.spacy", "dev": "dev.spacy", "vectors": "vectors"}
    overrides = {f"paths.{key}": str(work / name) for key, name in paths.items()}
    partial = load_config(_CONFIG, overrides=overrides, interpolate=False)
    filled = load_model_from_config(partial, auto_fill=True, validate=False).config
    nlp = init_nlp(filled)
    (work / "trained").mkdir(exist_ok=True)
    run(nlp, work / "trained", stdout=sys.stdout, stderr=sys.stderr)
    return spacy.load(work / "trained" / "model-best")


def finish(nlp: Language, sentences: list[Sentence], ewt: Path, out: Path) -> dict[str, Any]:
    """Add the lemmatizer, name the pipeline, score it and write it to `out`; returns the scores."""
    add_lemmatizer(nlp, sentences, before="parser")
    nlp.config["paths"] = dict.fromkeys(nlp.config["paths"])
    scores = {split: evaluate(nlp, read_treebank(ewt, split)) for split in ("dev", "test")}
    nlp.meta.update(
        name=BUNDLED,
        version=VERSION,
        description="English captions: tagger, morphologizer, lemmatizer and parser with Universal Dependencies",
        author="the authors of tenk",
        license="CC BY-SA 4.0",
        spacy_version=">=3.8,<3.9",
        sources=[
            {"name": "Universal Dependencies English-EWT", "license": "CC BY-SA 4.0"},
            {"name": f"spacy-lookups-data {version('spacy-lookups-data')}", "license": "MIT; WordNet 3.0 licence"},
        ],
        performance=scores["test"],
    )
    if (out / "meta.json").exists():
        shutil.rmtree(out)
    nlp.to_disk(out)
    copy_licences(out)
    card = _CARD.read_text(encoding="utf-8").format(name=BUNDLED, version=VERSION, made_up=MADE_UP, **scores)
    (out / "README.md").write_text(card, encoding="utf-8")
    (out / "scores.json").write_text(json.dumps(scores, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return scores


def copy_licences(out: Path) -> None:
    """Put the notices that must go with the clusters and with WordNet's lists beside what was made of them."""
    package = distribution("spacy-lookups-data")
    notices = {
        "LICENSE-spacy-lookups-data.txt": package.read_text("LICENSE"),
        "LICENSE-wordnet.txt": (files("spacy_lookups_data") / "data" / "en_license.txt").read_text(encoding="utf-8"),
    }
    for name, notice in notices.items():
        if not notice:
            raise FileNotFoundError(f"spacy-lookups-data {package.version} has no {name}; install it again")
        lines = (line.rstrip() for line in notice.strip().splitlines())
        (out / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ewt", type=Path, default=Path("../shared/data/ud_ewt"), help="folder of the treebank")
    parser.add_argument("--work", type=Path, required=True, help="folder for what is made on the way")
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "model", help="where the pipeline goes")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    sentences = prepare(arguments.ewt, arguments.work)
    scores = finish(train(arguments.work), sentences, arguments.ewt, arguments.out)
    sys.stdout.write(json.dumps(scores, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
