"""Template and Video in, Request out; a Request, what was wrong and the previous reply in, the re-ask out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from tenk.errors import TemplateError
from tenk.prompting import jinja
from tenk.prompting.template import Template, fault
from tenk.records import Asked, Event, Message, Request, Video
from tenk.words import clean, word_count, words_asked

VARIABLES = {"paragraph", "events", "length", "outputs"}

TRIALS = tuple(
    Video(id="trial", source_id="trial", split="trial", events=tuple(Event(text=text) for text in texts))
    for texts in (
        ("A gardener kneels by the tulips.", "She pulls out weeds with both hands.", "Then she waters the whole bed."),
        ("Snow.",),
    )
)
"""Videos that every template is tried on as it is loaded: one of several events, and the shortest there can be."""

ECHO_FLOOR, ECHO_PER_WORD = 2000, 20
"""Characters of a previous reply that a re-ask repeats, at least and a word asked for: a runaway reply would fill the
model's context again, and the re-ask would fail for good."""


def render(template: Template, video: Video) -> Request:
    """The first-round request for the outputs of `template`: a system message, if it has one, and a user message.

    The template knows `paragraph` (clean text), `events` (their texts, in time order), `length` (words of the
    paragraph) and `outputs` (each with code, label, words, register).
    """
    events, paragraph, length = _texts(video)
    asked = tuple(
        Asked(
            code=output.code,
            label=output.label,
            words=words_asked(length, output.share),
            register_name=output.register_name,
            tolerance=output.tolerance,
        )
        for output in template.outputs
    )
    outputs = [
        {"code": output.code, "label": output.label, "words": output.words, "register": output.register_name}
        for output in asked
    ]
    values = {"paragraph": paragraph, "events": list(events), "length": length, "outputs": outputs}
    messages = []
    if template.system:
        system = jinja.fill(template.system, values, path=template.path, first_line=template.system_line)
        messages.append(Message(role="system", content=system))
    user = jinja.fill(template.user, values, path=template.path, first_line=template.user_line)
    messages.append(Message(role="user", content=user))
    return Request(
        video_id=video.id,
        axis=template.axis,
        template=template.sha256,
        source=tuple(event.text for event in video.events),
        asked=asked,
        messages=tuple(messages),
    )


@lru_cache(maxsize=8)
def _texts(video: Video) -> tuple[tuple[str, ...], str, int]:
    """The clean texts of the events, the paragraph and its words: the same for every template, which come in turn."""
    events = tuple(clean(event.text) for event in video.events)
    paragraph = clean(" ".join(events))
    return events, paragraph, word_count(paragraph)


def reask(request: Request, faults: Mapping[str, str], previous: str) -> Request:
    """The next round's request: only the outputs whose codes are in `faults`, a sentence each on what was wrong.

    The conversation goes on: `previous` (the reply to `request`) is added as the assistant's message, then the
    feedback. After an empty reply the feedback joins the user's last message, since many chat formats demand that the
    roles take turns and that no message is empty.
    """
    asked = tuple(output for output in request.asked if output.code in faults)
    labels = " and ".join(output.label for output in asked)
    wrong = "\n".join(f"- {faults[output.code]}" for output in asked)
    feedback = (
        f"Not all of it is as asked:\n{wrong}\n\n"
        f"Write {labels} again, by the rules above, with the label and a colon first. Write nothing else."
    )
    limit = ECHO_FLOOR + ECHO_PER_WORD * sum(output.words for output in request.asked)
    echo = previous.strip()[:limit]
    if echo:
        messages = (*request.messages, Message(role="assistant", content=echo), Message(role="user", content=feedback))
    else:
        *before, last = request.messages
        messages = (*before, Message(role="user", content=f"{last.content}\n\n{feedback}"))
    return request.model_copy(update={"round": request.round + 1, "asked": asked, "messages": messages})


def trial(template: Template) -> None:
    """Renders `template` for made-up videos; raises TemplateError with file and line for what would fail in a run.

    A prompt that leaves out a part of the paragraph or a label is such a fault: no reply to it could be used.
    """
    if template.system:
        jinja.check_names(template.system, VARIABLES, path=template.path, first_line=template.system_line)
    jinja.check_names(template.user, VARIABLES, path=template.path, first_line=template.user_line)
    for video in TRIALS:
        prompt = clean(" ".join(message.content for message in render(template, video).messages)).casefold()
        if any(event.text.casefold() not in prompt for event in video.events):
            place = f"{template.path}:{template.user_line}"
            raise TemplateError(
                f"{place}: the prompt does not show the whole paragraph. Put {{{{ paragraph }}}} into it."
            )
        for index, output in enumerate(template.outputs):
            if output.label.casefold() not in prompt:
                message = f"the prompt never names the label {output.label!r}. Ask for it, as {{{{ output.label }}}}."
                raise fault(template.path, ["outputs", index, "label"], message)
