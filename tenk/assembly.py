"""One video and the exchanges about it in, all its captions, and what it does not have, out."""

from __future__ import annotations

from collections.abc import Sequence

from tenk.conversation import Exchanges
from tenk.partial import partial_caption
from tenk.prompting import Template
from tenk.records import CODES, Augmented, Caption, Rejection, ReplyCost, Video
from tenk.words import word_count


def assemble(
    video: Video, templates: Sequence[Template], exchanges: Exchanges, *, seed: int, keep_copies: bool
) -> Augmented:
    """All captions of one video, in the order of CODES, and what it does not have, measures still to come."""
    captions = [_full_caption(video)]
    rejections: list[Rejection] = []
    partial = partial_caption(video, seed)
    captions.append(partial) if isinstance(partial, Caption) else rejections.append(partial)
    replies: dict[str, ReplyCost] = {}
    for template in templates:
        exchange = exchanges[video.id, template.axis]
        settled, missing = exchange.settle(keep_copies=keep_copies)
        captions += settled
        rejections += missing
        for _, reply in exchange.rounds:
            replies[reply.key] = ReplyCost(key=reply.key, model=reply.model, usage=reply.usage, cost=reply.cost)
    captions.sort(key=lambda caption: CODES.index(caption.code) if caption.code in CODES else len(CODES))
    return Augmented(
        video=video,
        captions=tuple(captions),
        measures=(),
        rejections=tuple(rejections),
        replies=tuple(replies[key] for key in sorted(replies)),
    )


def _full_caption(video: Video) -> Caption:
    events = range(len(video.events))
    start, end = video.span(events)
    return Caption(
        video_id=video.id,
        code="f",
        axis="ground_truth",
        text=video.paragraph,
        words=word_count(video.paragraph),
        model="source",
        start=start,
        end=end,
        events=tuple(events),
    )
