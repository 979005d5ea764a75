"""A Provenance in, the card's metadata and markdown out."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Any

from tenk.dataset.about import counted
from tenk.dataset.markdown import code, escape, table
from tenk.dataset.provenance import Provenance, Split
from tenk.dataset.rows import COLUMNS
from tenk.stats import Summary, combine, table2
from tenk.stats.tables import everything, markdown

WHAT = {
    "f": "full: the captions of all segments, joined (ground truth)",
    "p": "partial: the captions of a random contiguous part of the segments (ground truth)",
    "s": "summary in a seventh of the words",
    "m": "summary in four sevenths of the words",
    "l": "rephrased in as many words",
    "e": "as many words, for a primary school reading level",
    "i": "as many words, for a secondary school reading level",
    "u": "as many words, for a university reading level",
    "s+e": "a seventh of the words, primary school",
    "s+i": "a seventh of the words, secondary school",
    "s+u": "a seventh of the words, university",
}

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
SHOWN_CANDIDATES = 15
CLIP = 1000
"""Characters of an example that are shown."""
PAPER = "https://arxiv.org/abs/2312.00115"


def metadata(provenance: Provenance) -> dict[str, Any]:
    """The YAML front matter: what the hub shows and what `datasets.load_dataset` goes by."""
    splits = provenance.splits
    captions = sum(split.summary.captions for split in splits.values())
    licences = {split.about.license for split in splits.values()}
    return {
        "pretty_name": provenance.name,
        **_license(licences.pop() if len(licences) == 1 else None),
        "language": sorted({split.about.language for split in splits.values()}),
        "task_categories": ["text-retrieval", "summarization"],
        "size_categories": [next((name for limit, name in SIZES if captions < limit), "1M<n<10M")],
        "tags": ["synthetic", "video", "video-retrieval", "video-captions", "10k-words"],
        "configs": [
            {
                "config_name": config,
                **({"default": True} if config == "captions" else {}),
                # The cache of `datasets` goes by the card: without this it would give out what was published before.
                "description": f"content {_content(provenance, config)}",
                "data_files": [{"split": split, "path": f"{config}/{split}-*.parquet"} for split in splits],
            }
            for config in COLUMNS
        ],
    }


def body(provenance: Provenance) -> str:
    """The markdown of the card. Captions and whatever else came from outside are escaped."""
    whole = combine(split.summary for split in provenance.splits.values())
    sections = [
        *_opening(provenance, whole),
        *_captions(provenance),
        *_columns(),
        *_statistics(provenance, whole),
        *_sources(provenance),
        *_writing(provenance),
        *_limits(provenance),
    ]
    return "\n\n".join(sections)


def _content(provenance: Provenance, config: str) -> str:
    files = {name: file.sha256 for split in provenance.splits.values() for name, file in split.files.items()}
    lines = [f"{name} {files[name]}\n" for name in sorted(files) if name.startswith(f"{config}/")]
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:16]


def _license(license: str | None) -> dict[str, str]:
    """The hub takes its own identifiers only, and a free name beside `other`."""
    if license is None:
        return {"license": "unknown"}
    if re.fullmatch(r"[a-z0-9.-]+", license):
        return {"license": license}
    return {"license": "other", "license_name": license}


def _opening(provenance: Provenance, whole: Summary) -> Iterator[str]:
    first = next(iter(provenance.splits))
    sources = sorted({escape(split.about.source) for split in provenance.splits.values()})
    yield f"# {escape(provenance.name)}"
    yield (
        f"{whole.captions:,} descriptions of {whole.videos:,} long videos: for every video its ground truth (source: "
        f"{', '.join(sources)}) and, made from that, summaries of several lengths, versions for several reading "
        f"levels, and a description of a part of it. The scheme is that of [10k Words]({PAPER}). It holds no videos."
    )
    yield "\n".join(
        [
            "```python",
            "import datasets",
            "",
            f'path = "{provenance.name}"  # this folder, or its repository on the hub',
            f'captions = datasets.load_dataset(path, split="{first}")  # a row a caption',
            f'videos = datasets.load_dataset(path, "videos", split="{first}")  # a row a video, with all its captions',
            "```",
        ]
    )
    rows = [
        [
            code(name),
            f"{split.summary.videos:,}",
            f"{split.summary.captions:,}",
            escape(counted(split.summary.rejections)),
        ]
        for name, split in provenance.splits.items()
    ]
    yield table(["split", "videos", "captions", "missing captions, by reason"], rows)
    yield "Missing captions are listed one by one, with reasons, in `rejections.jsonl`."


def _captions(provenance: Provenance) -> Iterator[str]:
    examples = [split.example for split in provenance.splits.values() if split.example]
    example = examples[0].captions if examples else {}
    codes = list(WHAT) + [name for name in example if name not in WHAT]
    yield "## The captions of a video"
    rows = [[code(name), WHAT.get(name, ""), escape(_clipped(example.get(name, "")))] for name in codes]
    yield table(["code", "what", f"example: {escape(examples[0].video_id)}" if examples else "example"], rows)


def _clipped(text: str) -> str:
    return text if len(text) <= CLIP else f"{text[:CLIP]}…"


def _columns() -> Iterator[str]:
    yield "## Columns"
    for config, columns in COLUMNS.items():
        yield f"Configuration `{config}`{' (default)' if config == 'captions' else ''}:"
        yield table(["column", "what"], [[code(name), what] for name, what in columns.items()])


def _statistics(provenance: Provenance, whole: Summary) -> Iterator[str]:
    yield "## Statistics"
    yield (
        "As the paper's Table 2: the average change in unique nouns and verbs against the source, words a caption and "
        "characters a word (punctuation included)."
    )
    summaries = {code(name): split.summary for name, split in provenance.splits.items()}
    if len(summaries) > 1:
        summaries = {"All splits": whole} | summaries
    for name, summary in summaries.items():
        yield f"{name}:"
        yield markdown(table2(summary))
    yield "Means over the captions of all splits, by code; the grade is Flesch-Kincaid:"
    yield markdown(everything(whole))
    yield f"Flagged captions: {escape(counted(whole.flags))}."
    for kind, words in (("nouns", whole.new_nouns), ("verbs", whole.new_verbs)):
        shown = ", ".join(f"{escape(word)} {count:,}" for word, count in words[:SHOWN_CANDIDATES])
        yield f"Hallucination candidates, {kind} that the ground truth of the video lacks: {shown or 'none'}."


def _sources(provenance: Provenance) -> Iterator[str]:
    yield "## Source and licence"
    rows = [
        [
            code(name),
            escape(split.about.source),
            escape(split.about.license or "not stated"),
            escape(", ".join(split.about.source_files)),
            escape(counted({what: n for what, n in split.about.counts.items() if n})),
            code(split.about.source_hash[:16]),
        ]
        for name, split in provenance.splits.items()
    ]
    yield table(["split", "source", "licence of its captions", "files", "read", "content hash"], rows)
    yield (
        "The captions are derived from those of the source: its terms apply to them. Check them, and the terms of the "
        "model that wrote the captions, before you use or share the dataset."
    )


def _writing(provenance: Provenance) -> Iterator[str]:
    yield "## How it was written"
    yield table(
        ["split", "writer", "models (replies)", "tokens in / out", "cost", "seed", "re-asks", "tagger", "tenk"],
        [[code(name), *_made(split)] for name, split in provenance.splits.items()],
    )
    rows = [
        [code(name), escape(prompt.axis), escape(prompt.name), code(prompt.sha256[:16])]
        for name, split in provenance.splits.items()
        for prompt in split.about.prompts
    ]
    yield table(["split", "axis", "prompt template", "SHA-256"], rows)
    yield (
        "The prompts in full, the writer's settings, versions of packages and the hash of every file are in "
        "`provenance.json`. Each caption names its model, prompt template and the journal key of the raw reply."
    )


def _made(split: Split) -> list[str]:
    spending, about = split.spending, split.about
    return [
        escape(about.writer),
        escape(counted(spending.models)),
        f"{spending.prompt_tokens:,} / {spending.completion_tokens:,}",
        "unknown" if spending.cost is None else f"${spending.cost:,.2f}",
        str(about.seed),
        str(about.reasks),
        escape(about.pipeline),
        escape(about.tenk),
    ]


def _limits(provenance: Provenance) -> Iterator[str]:
    writers = {split.about.writer for split in provenance.splits.values()}
    limits = [
        "No person has checked the captions. They were made from the text of the ground truth, not from the videos: "
        "what the annotators left out or got wrong is left out or wrong here too.",
        "A hallucination candidate is a word, not a finding: synonyms are candidates too, and an invented relation "
        "between words that are all in the source is none.",
        "Nouns and verbs are what a statistical tagger takes for them; it errs on some words in a hundred.",
        "Captions flagged `word_count` miss the number of words asked for by more than the prompt's tolerance.",
    ]
    if "offline" in writers:
        limits.insert(
            0,
            "`tenk-offline` is a set of rules (sentence compression over a dependency parse, and a small lexicon), not "
            "a language model. Its captions keep to the words of the source more closely and vary less than a model's: "
            "a baseline, and a stand-in until a model is at hand.",
        )
    if "openai" in writers:
        limits.append("Captions of a language model can hold what the source does not, and its provider's biases.")
    yield "## Known limits"
    yield "\n".join(f"- {limit}" for limit in limits)
