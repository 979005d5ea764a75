"""What a reply says in, all the texts that it has for each output out: from JSON, below labels, or without any."""

from __future__ import annotations

from tenk.replies.labelled import Section, is_other_label, sections
from tenk.replies.naming import Naming
from tenk.replies.passage import Passage, passage
from tenk.replies.structured import entries, only_string
from tenk.replies.unlabelled import unlabelled


def pieces(
    said: str, names: Naming, source: str, *, single: bool, interrupted: bool
) -> dict[int, list[Passage | None]]:
    """All texts by output number; None stands for one that the end of the reply, where it was `interrupted`, cut short.

    `source` is the video's paragraph. Where a `single` output was asked for, it may come without its label.
    """
    found: list[tuple[int, Passage | None]]
    structured = entries(said, names)
    # JSON after a label is part of a text, as where the video shows some.
    if structured.texts and not sections(said[: structured.start], names, source):
        found = [(output, passage(text.splitlines(), source)) for output, text in structured.texts]
    else:
        lone = only_string(said)
        labelled = sections(said, names, source) or sections(lone or "", names, source)
        found = [(section.output, _passage(section, source)) for section in labelled]
        if single and not found:
            bare = unlabelled(said if lone is None else lone, source)
            found = [(0, bare._replace(doubtful=bare.doubtful or is_other_label(bare.text, names, source)))]
        if interrupted and found:
            found[-1] = (found[-1][0], None)
    texts: dict[int, list[Passage | None]] = {}
    for index, text in found:
        texts.setdefault(index, []).append(text)
    return texts


def _passage(section: Section, source: str) -> Passage:
    head = section.head
    text = passage(section.lines, source, left_open=head.left_open, heading=head.heading)
    return text._replace(doubtful=text.doubtful or head.doubtful)
