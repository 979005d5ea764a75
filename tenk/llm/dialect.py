"""A model's name in, how to speak to it out: which parameters it takes, and how many tokens to leave it.

Known families are spoken to rightly from the start; what else a model refuses is learnt from its first refusal, once a
process. None of this is in the journal key, which holds what was requested: a `temperature` that a model does not take
is left out of what is sent, and is in the key all the same, so that the key never depends on what was learnt when.
"""

from __future__ import annotations

import logging
import math
import re
from functools import cache
from typing import Any

from tenk.records import Request
from tenk.words import word_count

log = logging.getLogger(__name__)

_OPENAI_REASONING = re.compile(r"(gpt-([5-9]|\d\d)(?!.*chat)|o\d)([.-]|$)")
_OTHER_REASONING = re.compile(r"reason|think|(^|[-/:])(r1|qwq|gpt-oss|magistral)", re.I)

OVERHEAD_TOKENS = 256
"""For labels, a preamble, JSON."""

TOKENS_A_WORD = 4
"""Three times what English needs."""

REASONING_TOKENS = 25_000
"""What OpenAI advises to leave for thinking that is charged as output but not shown."""


@cache
def dialect_of(base_url: str, model: str) -> Dialect:
    """The one dialect of a model in this process."""
    return Dialect(model)


class Dialect:
    """How one model at one URL takes its parameters."""

    def __init__(self, model: str) -> None:
        self.model = model
        name = model.rpartition("/")[2].removeprefix("ft:")
        self._fixed_sampling = bool(_OPENAI_REASONING.match(name))
        self.reasons = self._fixed_sampling or bool(_OTHER_REASONING.search(model))
        self._limit = "max_completion_tokens" if self._fixed_sampling else "max_tokens"
        self._left_out = {"temperature", "top_p"} if self._fixed_sampling else set()
        self._said: set[str] = set()

    def speak(self, parameters: dict[str, Any], limit: int) -> dict[str, Any]:
        """`parameters` as the model takes them, with its output limit in tokens, which is always sent."""
        for name in self._left_out & parameters.keys():
            self._say(name)
        sent = {name: value for name, value in parameters.items() if name not in self._left_out}
        return {**sent, self._limit: limit}

    def learn(self, refused: str) -> bool:
        """Takes note of a parameter that the model refused; whether the request can now be put another way."""
        if refused in {"max_tokens", "max_completion_tokens"}:
            self._limit = "max_completion_tokens" if refused == "max_tokens" else "max_tokens"
            return True
        if refused in {"temperature", "top_p", "seed"}:
            self._left_out.add(refused)
            return True
        return False

    def _say(self, name: str) -> None:
        if name not in self._said:
            self._said.add(name)
            log.warning("%s takes no %s: it is left out, and the model uses its own.", self.model, name)


def output_limit(request: Request, *, reasons: bool) -> int:
    """Tokens to allow for the reply to `request`: several times what it should need, so that only a runaway is cut.

    From the words asked for, at one token a byte of the source's mean word (no tokenizer needs more; where words are
    not set apart by spaces, a "word" is a whole sentence) and TOKENS_A_WORD at least.
    """
    source = " ".join(request.source)
    per_word = max(TOKENS_A_WORD, len(source.encode()) / max(1, word_count(source)))
    words = sum(asked.words for asked in request.asked)
    return OVERHEAD_TOKENS + math.ceil(words * per_word) + (REASONING_TOKENS if reasons else 0)
