"""Rounds of one video on one axis: what is asked again, and which attempt stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenk.prompting import Template, find_folder, load_templates, render
from tenk.records import Caption, Event, Failure, Rejection, Reply, Request, Video
from tenk.replies import MAX_REASKS, needs, settle

VIDEO = Video(
    id="v1",
    source_id="v_v1",
    split="train",
    events=(
        Event(text="A potter sets a lump of wet clay on the wheel and starts to spin it.", start=1.5, end=9.0),
        Event(
            text="Slowly she presses both thumbs into it until a bowl with thin walls has formed.", start=0.5, end=30.0
        ),
        Event(text="In the end she cuts it off with a wire and shows it to the camera."),
    ),
)
L = len(VIDEO.paragraph.split())
SHORT, MEDIUM, LONG = L // 7, L * 4 // 7, L


@pytest.fixture(scope="module")
def template() -> Template:
    templates = load_templates(find_folder(None, Path(__file__).parent))
    return next(template for template in templates if template.axis == "summarization")


def text(words: int, word: str = "clay") -> str:
    return " ".join([word] * words)


def reply(body: str, number: int = 0, finish_reason: str = "stop") -> Reply:
    return Reply(key=f"key{number}", body=body, finish_reason=finish_reason, model="some-model")


def play(
    template: Template, *bodies: str, finish_reason: str = "stop", reasks: int = MAX_REASKS
) -> list[tuple[Request, Reply]]:
    """The rounds of a model that answers `bodies` in turn; all of them must be asked for."""
    rounds: list[tuple[Request, Reply]] = []
    for number, body in enumerate(bodies):
        request = needs(template, VIDEO, rounds, reasks=reasks)
        assert request is not None
        assert request.round == number
        rounds.append((request, reply(body, number, finish_reason)))
    return rounds


GOOD = f"SUMMARY 1: {text(SHORT)}\nSUMMARY 4: {text(MEDIUM)}\nSUMMARY 7: {text(LONG)}"


def test_the_first_request_is_the_rendered_template(template: Template) -> None:
    assert needs(template, VIDEO, []) == render(template, VIDEO)


def test_a_good_reply_gives_every_caption_and_asks_nothing(template: Template) -> None:
    rounds = play(template, GOOD)
    assert needs(template, VIDEO, rounds) is None
    captions, rejections = settle(template, VIDEO, rounds)
    assert rejections == ()
    assert [caption.code for caption in captions] == ["s", "m", "l"]
    assert captions[1] == Caption(
        video_id="v1",
        code="m",
        axis="summarization",
        text=text(MEDIUM),
        words=MEDIUM,
        words_asked=MEDIUM,
        model="some-model",
        template=template.sha256,
        journal_key="key0",
        start=0.5,
        end=30.0,
        events=(0, 1, 2),
    )


def test_only_what_failed_is_asked_again_with_what_was_wrong(template: Template) -> None:
    body = f"SUMMARY 1: {text(SHORT)}\nSUMMARY 4: {text(2)}\nSUMMARY 7:"
    rounds = play(template, body)
    request = needs(template, VIDEO, rounds)
    assert request is not None
    assert [output.code for output in request.asked] == ["m", "l"]
    assert request.messages[:-2] == rounds[0][0].messages
    assert (request.messages[-2].role, request.messages[-2].content) == ("assistant", body)
    feedback = request.messages[-1].content
    assert f"SUMMARY 4 has 2 words; write {MEDIUM}." in feedback
    assert "SUMMARY 7 is empty." in feedback
    assert "SUMMARY 1" not in feedback


def test_an_output_is_asked_again_twice_at_most_and_the_closest_attempt_stays_flagged(template: Template) -> None:
    rounds = play(
        template, GOOD.replace(text(LONG), text(10, "one")), f"SUMMARY 7: {text(15, 'two')}", text(12, "three")
    )
    assert needs(template, VIDEO, rounds) is None
    captions, rejections = settle(template, VIDEO, rounds)
    assert rejections == ()
    assert (captions[2].text, captions[2].flags) == (text(15, "two"), ("word_count",))
    assert (captions[2].attempt, captions[2].journal_key) == (1, "key1")
    assert (captions[0].attempt, captions[0].journal_key) == (0, "key0")


def test_an_attempt_within_the_tolerance_wins_over_a_closer_one_outside(template: Template) -> None:
    # 6 words are asked for, 4 to 8 are accepted: 9 is as far off as 3, and only an accepted one ends the asking
    rounds = play(template, GOOD.replace(text(SHORT), text(9, "one"), 1), f"SUMMARY 1: {text(7, 'two')}")
    assert needs(template, VIDEO, rounds) is None
    assert settle(template, VIDEO, rounds)[0][0].text == text(7, "two")


def test_the_earlier_of_two_equally_close_attempts_stays(template: Template) -> None:
    rounds = play(template, GOOD.replace(text(LONG), text(9, "one")), f"SUMMARY 7: {text(9, 'two')}", "no")
    assert settle(template, VIDEO, rounds)[0][2].text == text(9, "one")


def test_a_reask_answered_with_everything_takes_only_what_was_asked(template: Template) -> None:
    again = GOOD.replace("clay", "bowl")
    rounds = play(template, GOOD.replace(f"SUMMARY 4: {text(MEDIUM)}", "SUMMARY 4:"), again)
    captions, rejections = settle(template, VIDEO, rounds)
    assert rejections == ()
    assert [caption.text.split()[0] for caption in captions] == ["clay", "bowl", "clay"]


def test_what_never_came_is_a_rejection_with_the_last_reason(template: Template) -> None:
    rounds = play(template, GOOD.replace("SUMMARY 4", "Also"), "I'm sorry, but I can't do that.", "SUMMARY 4: ...")
    captions, rejections = settle(template, VIDEO, rounds)
    assert [caption.code for caption in captions] == ["s", "l"]
    expected = Rejection(video_id="v1", code="m", axis="summarization", reason="empty", detail="SUMMARY 4 is empty.")
    assert rejections == (expected,)


def test_no_reasks_where_none_are_allowed(template: Template) -> None:
    rounds = play(template, "nothing of use", reasks=0)
    assert needs(template, VIDEO, rounds, reasks=0) is None
    assert [rejection.reason for rejection in settle(template, VIDEO, rounds)[1]] == ["missing"] * 3


def test_a_rejection_by_the_writer_is_final(template: Template) -> None:
    rounds = play(template, "not_english: the paragraph is not in English", finish_reason="rejected")
    assert needs(template, VIDEO, rounds) is None
    captions, rejections = settle(template, VIDEO, rounds)
    assert captions == ()
    assert {(r.reason, r.detail) for r in rejections} == {("not_english", "the paragraph is not in English")}


@pytest.mark.parametrize("reason", ["content_filter", "context_length"])
def test_what_the_provider_declined_is_not_asked_again(template: Template, reason: str) -> None:
    rounds = play(template, "", finish_reason=reason)
    assert needs(template, VIDEO, rounds) is None
    captions, rejections = settle(template, VIDEO, rounds)
    assert captions == ()
    assert [(r.code, r.reason) for r in rejections] == [("s", reason), ("m", reason), ("l", reason)]
    assert rejections[0].detail.startswith("SUMMARY 1 ")


def test_a_declined_request_is_sent_again_as_it_was_on_demand(template: Template) -> None:
    rounds = play(template, "", finish_reason="content_filter")
    again = needs(template, VIDEO, rounds, recheck=True)
    assert again == rounds[0][0].model_copy(update={"round": 1})
    rounds.append((again, reply(GOOD, 1)))
    assert needs(template, VIDEO, rounds, recheck=True) is None
    assert [caption.attempt for caption in settle(template, VIDEO, rounds)[0]] == [1, 1, 1]


def test_a_declined_reask_leaves_what_came_before(template: Template) -> None:
    rounds = play(template, GOOD.replace(text(LONG), text(9)))
    request = needs(template, VIDEO, rounds)
    assert request is not None
    rounds.append((request, reply("", 1, "content_filter")))
    assert needs(template, VIDEO, rounds) is None
    captions, rejections = settle(template, VIDEO, rounds)
    assert ([caption.flags for caption in captions], rejections) == ([(), (), ("word_count",)], ())


def test_a_reply_that_the_filter_cut_off_is_asked_again(template: Template) -> None:
    assert needs(template, VIDEO, play(template, "SUMMARY 1: A woman in", finish_reason="content_filter")) is not None


def test_a_copy_is_asked_again_and_in_the_end_rejected_or_kept_on_demand(template: Template) -> None:
    copy = GOOD.replace(text(LONG), VIDEO.paragraph)
    rounds = play(template, copy, f"SUMMARY 7: {VIDEO.paragraph.lower()}", VIDEO.paragraph)
    assert [rejection.reason for rejection in settle(template, VIDEO, rounds)[1]] == ["copied"]
    captions, rejections = settle(template, VIDEO, rounds[:1], keep_copies=True)
    assert rejections == ()
    assert (captions[2].text, captions[2].flags) == (VIDEO.paragraph, ("copied",))


def test_a_failure_is_the_reason_for_what_no_round_settled(template: Template) -> None:
    failure = Failure(reason="timeout", detail="no answer in 60 s")
    captions, rejections = settle(template, VIDEO, [], failure=failure)
    assert captions == ()
    assert [(r.code, r.reason) for r in rejections] == [("s", "timeout"), ("m", "timeout"), ("l", "timeout")]
    rounds = play(template, f"SUMMARY 1: {text(SHORT)}\nSUMMARY 7: {text(9)}")
    captions, rejections = settle(template, VIDEO, rounds, failure=failure)
    assert [(caption.code, caption.flags) for caption in captions] == [("s", ()), ("l", ("word_count",))]
    assert [(r.code, r.reason) for r in rejections] == [("m", "timeout")]


def test_an_edited_tolerance_changes_no_message(template: Template) -> None:
    outputs = tuple(
        output.model_copy(update={"tolerance": output.tolerance.model_copy(update={"low": 0.0})})
        for output in template.outputs
    )
    lenient = template.model_copy(update={"outputs": outputs, "sha256": "0" * 64})
    assert render(lenient, VIDEO).messages == render(template, VIDEO).messages
    rounds = play(template, GOOD.replace(text(LONG), text(9)))
    assert needs(template, VIDEO, rounds) is not None
    replayed = [(render(lenient, VIDEO), rounds[0][1])]
    assert needs(lenient, VIDEO, replayed) is None


def test_thoughts_are_not_repeated_to_the_model(template: Template) -> None:
    request = needs(template, VIDEO, play(template, "<think>" + "hm " * 9000 + "</think>SUMMARY 1: clay"))
    assert request is not None
    assert request.messages[-2].content == "SUMMARY 1: clay"


def test_a_runaway_reply_is_repeated_only_in_part(template: Template) -> None:
    request = needs(template, VIDEO, play(template, "SUMMARY 1: " + "clay " * 100_000, finish_reason="length"))
    assert request is not None
    assert sum(len(message.content) for message in request.messages) < 10_000


def test_after_an_empty_reply_the_roles_still_take_turns(template: Template) -> None:
    rounds = play(template, " \n")
    request = needs(template, VIDEO, rounds)
    assert request is not None
    assert [message.role for message in request.messages] == ["system", "user"]
    assert request.messages[-1].content.startswith(rounds[0][0].messages[-1].content)
    assert "SUMMARY 1 is missing." in request.messages[-1].content
