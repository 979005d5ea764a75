"""Requests in, what asking them would take out: calls, tokens and US dollars, before anything is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from tenk.llm.dialect import dialect_of
from tenk.llm.journal import Journal
from tenk.llm.keys import journal_key
from tenk.llm.pricing import BATCH_FACTOR, pricing
from tenk.llm.protocol import Writer
from tenk.llm.settings import WriterSettings
from tenk.llm.tokens import TokenCounter, by_length, token_counter
from tenk.records import Record, Request, Usage

TOKENS_A_WORD = 4 / 3
TOKENS_A_MESSAGE = 4
FEEDBACK_TOKENS = 80
"""What a re-ask says about what was wrong, beyond repeating the conversation."""

CHUNK = 1000

BY_LENGTH = "Tokens are estimated as characters / 4 of the prompts and 4/3 of the words asked for."
COUNTED = "Tokens of the prompts are counted by tiktoken ({}), those of the replies estimated as 4/3 of the words."
RETRIES = "Re-asks are in the high figure; attempts that fail on their way and are charged all the same are in none."
THINKING = "The model thinks before it answers: its thoughts are charged as output and are in none of the figures."


class Estimate(Record):
    """What a run would ask. Dollars are None where the model's price is not known.

    `calls`, `prompt_tokens`, `completion_tokens` and `expected` are for every request answered at once, with the words
    asked for; `low` is with the fewest words that its tolerance accepts, `high` with the most, and every request asked
    again as often as it may be. Attempts that fail on their way and are sent again are in none of them, and no more are
    the thoughts, charged too, of a model that `thinks`: nobody knows them before. `replayed` requests are in the
    journal and cost nothing. `notes` are for people.
    """

    calls: int
    replayed: int
    prompt_tokens: int
    completion_tokens: int
    low: float | None
    expected: float | None
    high: float | None
    thinks: bool
    notes: tuple[str, ...]


def estimate(
    requests: Iterable[Request], settings: WriterSettings, writer: Writer, journal: Journal | None, *, reasks: int
) -> Estimate:
    """What asking `requests` takes, less what `journal` (None: there is none yet) holds; needs no key and no network.

    `reasks` is how often a request may be asked again at most. Raises JournalError.
    """
    counter = token_counter(settings.model or "")
    calls = replayed = 0
    prompt = low = expected = high = 0.0
    for request, there in _looked_up(requests, writer, journal):
        if there:
            replayed += 1
            continue
        calls += 1
        prompt += prompt_tokens(request, counter.tokens)
        low += completion_tokens(request, "low")
        expected += completion_tokens(request, "words")
        high += completion_tokens(request, "high")
    rounds = 1 + (reasks if writer.worth_reasking else 0)
    # Round n repeats the prompt and n - 1 replies, each with feedback on it.
    again = rounds * (rounds - 1) / 2
    most = prompt * rounds + again * (high + FEEDBACK_TOKENS * calls)
    a_prompt_token, a_completion_token = _rates(settings) if calls else (0.0, 0.0)

    def dollars(prompt_tokens: float, completion_tokens: float) -> float | None:
        if a_prompt_token is None or a_completion_token is None:
            return None
        return prompt_tokens * a_prompt_token + completion_tokens * a_completion_token

    return Estimate(
        calls=calls,
        replayed=replayed,
        prompt_tokens=round(prompt),
        completion_tokens=round(expected),
        low=dollars(prompt, low),
        expected=dollars(prompt, expected),
        high=dollars(most, high * rounds),
        thinks=_thinks(settings),
        notes=_notes(settings, counter),
    )


def prompt_tokens(request: Request, count: Callable[[str], float] = by_length) -> float:
    """Tokens of the messages, their texts by `count`."""
    return sum(count(message.content) + TOKENS_A_MESSAGE for message in request.messages)


def completion_tokens(request: Request, end: str) -> float:
    """Tokens of a reply with the `words` asked for, or at the `low` or `high` end of its tolerances; labels too."""
    words = 0.0
    for asked in request.asked:
        share = 1.0 if end == "words" else getattr(asked.tolerance, end)
        words += asked.words * share + len(asked.label.split())
    return words * TOKENS_A_WORD


def _looked_up(requests: Iterable[Request], writer: Writer, journal: Journal | None) -> Iterator[tuple[Request, bool]]:
    """Each request with whether it is paid for: in the journal, or the same as an earlier one."""
    seen: set[str] = set()
    rest = iter(requests)
    while chunk := list(islice(rest, CHUNK)):
        keys = [journal_key(writer.payload(request)) for request in chunk]
        known = set(journal.get_many(keys)) if journal is not None else set()
        for key, request in zip(keys, chunk, strict=True):
            yield request, key in known or key in seen
            seen.add(key)


def _rates(settings: WriterSettings) -> tuple[float | None, float | None]:
    """US dollars for a prompt token and for a completion token, at the rate of small requests."""
    price = pricing(settings, factor=BATCH_FACTOR if settings.name == "openai-batch" else 1.0)
    rates = (
        price(settings.model or "", usage, 0) for usage in (Usage(prompt_tokens=1000), Usage(completion_tokens=1000))
    )
    a_prompt, a_completion = (None if rate is None else rate / 1000 for rate in rates)
    return a_prompt, a_completion


def _notes(settings: WriterSettings, counter: TokenCounter) -> tuple[str, ...]:
    if settings.name == "offline":
        return ()
    notes = (COUNTED.format(counter.name) if counter.name else BY_LENGTH, RETRIES)
    return (*notes, THINKING) if _thinks(settings) else notes


def _thinks(settings: WriterSettings) -> bool:
    if settings.name == "offline":
        return False
    if settings.reasoning is not None:
        return settings.reasoning
    return dialect_of(settings.endpoint(), settings.model or "").reasons
