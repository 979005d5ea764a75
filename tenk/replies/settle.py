"""All rounds of one video on one axis in; the next request, or in the end captions and rejections, out. No I/O."""

from __future__ import annotations

from collections.abc import Sequence

from tenk.prompting import Template, reask, render
from tenk.records import Asked, Caption, Failure, Rejection, Reply, Request, Video
from tenk.replies.parse import REJECTED, declined, parse
from tenk.replies.records import Parsed, Problem, Text
from tenk.replies.thoughts import answer

MAX_REASKS = 2
"""Re-asks of an output that fails its checks; after them the attempt closest in words is kept and flagged."""

Rounds = Sequence[tuple[Request, Reply]]

Seen = dict[tuple[int, bool], Parsed]
"""What was read from the replies of one conversation, by round and `keep_copies`: each is read once."""


def needs(
    template: Template,
    video: Video,
    rounds: Rounds,
    *,
    reasks: int = MAX_REASKS,
    recheck: bool = False,
    seen: Seen | None = None,
) -> Request | None:
    """The request to send next, given all rounds so far (none: the first one); None where there is nothing to ask.

    Only what the last reply got wrong is asked for again, and nothing that the writer rejected. What the provider
    declined is sent again, in the same words, only with `recheck`.
    """
    if not rounds:
        return render(template, video)
    request, reply = rounds[-1]
    if request.round >= reasks or reply.finish_reason == REJECTED:
        return None
    if declined(reply.body, reply.finish_reason):
        return request.model_copy(update={"round": request.round + 1}) if recheck else None
    problems = _parsed(rounds, len(rounds) - 1, video, keep_copies=False, seen=seen).problems
    if not problems:
        return None
    return reask(request, {problem.code: problem.detail for problem in problems}, answer(reply.body))


def look(video: Video, rounds: Rounds, seen: Seen) -> None:
    """Reads the last reply into `seen`, for `needs` and `settle`: as it comes in, rather than many at a time later."""
    _parsed(rounds, len(rounds) - 1, video, keep_copies=False, seen=seen)


def settle(
    template: Template,
    video: Video,
    rounds: Rounds,
    *,
    failure: Failure | None = None,
    keep_copies: bool = False,
    seen: Seen | None = None,
) -> tuple[tuple[Caption, ...], tuple[Rejection, ...]]:
    """The best attempt at every output of `template`, or why there is none; each output comes out exactly once.

    Best is one whose word count is accepted, else the closest one, the earlier of two equals. `failure` is what became
    of a request without any reply, the first or a later one: it is the reason for what no round settled.
    """
    attempts = [_parsed(rounds, number, video, keep_copies=keep_copies, seen=seen) for number in range(len(rounds))]
    captions: list[Caption] = []
    rejections: list[Rejection] = []
    for index, output in enumerate(template.outputs):
        texts = [
            (number, parsed.texts[output.code]) for number, parsed in enumerate(attempts) if output.code in parsed.texts
        ]
        if texts:
            asked = rounds[0][0].asked[index]
            number, text = min(texts, key=lambda attempt: _distance(attempt[1], asked))
            captions.append(_caption(template, video, rounds[number], asked, text))
        else:
            problems = [problem for parsed in attempts for problem in parsed.problems if problem.code == output.code]
            rejections.append(_rejection(template, video, output.code, failure, problems))
    return tuple(captions), tuple(rejections)


def _parsed(rounds: Rounds, number: int, video: Video, *, keep_copies: bool, seen: Seen | None) -> Parsed:
    if seen is None:
        return _read(rounds, number, video, keep_copies=keep_copies)
    if (number, keep_copies) not in seen:
        seen[number, keep_copies] = _read(rounds, number, video, keep_copies=keep_copies)
    return seen[number, keep_copies]


def _read(rounds: Rounds, number: int, video: Video, *, keep_copies: bool) -> Parsed:
    request, reply = rounds[number]
    codes = {output.code for output in request.asked}
    others = [output for output in rounds[0][0].asked if output.code not in codes]
    return parse(
        reply.body, reply.finish_reason, request.asked, video.paragraph, others=others, keep_copies=keep_copies
    )


def _distance(text: Text, asked: Asked) -> tuple[bool, int]:
    return "word_count" in text.flags, abs(text.words - asked.words)


def _caption(template: Template, video: Video, exchange: tuple[Request, Reply], asked: Asked, text: Text) -> Caption:
    request, reply = exchange
    events = range(len(video.events))
    start, end = video.span(events)
    return Caption(
        video_id=video.id,
        code=asked.code,
        axis=template.axis,
        text=text.text,
        words=text.words,
        words_asked=asked.words,
        model=reply.model,
        template=request.template,
        journal_key=reply.key,
        attempt=request.round,
        start=start,
        end=end,
        events=tuple(events),
        flags=text.flags,
    )


def _rejection(
    template: Template, video: Video, code: str, failure: Failure | None, problems: Sequence[Problem]
) -> Rejection:
    cause = failure or problems[-1]
    return Rejection(video_id=video.id, code=code, axis=template.axis, reason=cause.reason, detail=cause.detail)
