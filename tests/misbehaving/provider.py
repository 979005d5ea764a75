"""A Chat Completions request in, the response of a provider that behaves as its Model says out.

All that the server knows is here: other endpoints share the Provider with this one; `mount` puts them side by side.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections import Counter, deque
from dataclasses import dataclass

import orjson

from misbehaving.dice import draw, seeded
from misbehaving.faults import CHARGED, ERRORS, faulty, http_date
from misbehaving.http import Request, Response, Routes, error, message
from misbehaving.ledger import Ledger
from misbehaving.limits import Gate
from misbehaving.model import Model, Told
from misbehaving.replies import completion, flaw_of, request_key

REMEMBERED = 120_000
"""Bodies whose replies are kept: the same requests, sent over and over by a benchmark, are computed once."""


@dataclass(frozen=True, slots=True)
class Known:
    """A body that has been read: the key of its request, the names of its parameters, and what comes of it.

    `flaw` is the one of REPLY_FAULTS that spoils its reply, if any.
    """

    key: str
    parameters: frozenset[str]
    prompt_tokens: int
    completion_tokens: int
    flaw: str | None
    reply: bytes

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


class Provider:
    """What the server is like and what it has seen.

    counts      `requests`, `answered`, every fault and flaw by name, and where rates are enforced `allowed`,
                `allowed_tokens` and `violations` (the 429 that they cost)
    script      faults for the next requests, in order, before those of the model (None: no fault)
    ledger      what was charged
    """

    def __init__(self) -> None:
        self.model = Model()
        self._known: dict[bytes, Known] = {}
        self._numbers = itertools.count()
        self.reset()

    def reset(self) -> None:
        """Forgets all it has seen and behaves well."""
        self.counts: Counter[str] = Counter()
        self.script: deque[str | None] = deque()
        self.ledger = Ledger()
        self.most_in_flight = 0
        self._in_flight: set[int] = set()
        self._seen: Counter[str] = Counter()
        self.behave(Model())

    def behave(self, model: Model) -> None:
        """From now on; buckets of limits start full."""
        if (model.seed, model.flaws) != (self.model.seed, self.model.flaws):
            self._known.clear()
        self.model = model
        self._gate = Gate(model.requests_per_minute, model.tokens_per_minute)

    @property
    def in_flight(self) -> int:
        return len(self._in_flight)

    def routes(self) -> Routes:
        return {("POST", "/v1/chat/completions"): self.chat}

    def chat(self, http: Request) -> Response:
        """Checks come first and take no time, then limits, then a fault or the answer after the latency."""
        self.counts["requests"] += 1
        if refusal := self.refusal(http):
            return refusal
        try:
            known = self.read(http.body)
        except (orjson.JSONDecodeError, LookupError, TypeError) as problem:
            return Response(error(400, f"We could not read the body of your request: {problem!r}"))
        for name in sorted(self.model.refuses & known.parameters):
            self.counts["refused_parameter"] += 1
            return Response(unsupported(name))
        if limited := self._limited(known):
            return limited
        self._seen[known.key] += 1
        return self._attempt(http, known, self._seen[known.key])

    def refusal(self, http: Request) -> Response | None:
        """The answer to a wrong key, or to anybody when the credit is used up."""
        model = self.model
        if model.key is not None and http.headers.get("Authorization") != f"Bearer {model.key}":
            self.counts["401"] += 1
            given = http.headers.get("Authorization", "")
            return Response(error(401, f"Incorrect API key provided: {given}", code="invalid_api_key"))
        if model.credit is not None and self.ledger.total.cost >= model.credit:
            self.counts["quota"] += 1
            status, said, code = ERRORS["quota"]
            return Response(error(status, said, code=code))
        return None

    def read(self, body: bytes) -> Known:
        """The reply to a body, by the model as it is now; raises what comes of a body that is no request."""
        digest = hashlib.sha256(body).digest()
        if known := self._known.get(digest):
            return known
        asked = orjson.loads(body)
        document = completion(asked, self.model)
        usage = document["usage"]
        known = Known(
            key=request_key(asked),
            parameters=frozenset(asked),
            prompt_tokens=usage["prompt_tokens"],
            completion_tokens=usage["completion_tokens"],
            flaw=flaw_of(asked, self.model),
            reply=orjson.dumps(document),
        )
        if len(self._known) >= REMEMBERED:
            del self._known[next(iter(self._known))]
        self._known[digest] = known
        return known

    def charge(self, known: Known, *, share: float = 1.0) -> None:
        """Writes the reply into the ledger, at `share` of its price."""
        cost = share * self.model.price(known.prompt_tokens, known.completion_tokens)
        self.ledger.charge(known.key, known.prompt_tokens, known.completion_tokens, cost)

    def _limited(self, known: Known) -> Response | None:
        model = self.model
        if model.requests_per_minute is None and model.tokens_per_minute is None:
            return None
        wait = self._gate.admit(known.tokens)
        if not wait:
            self.counts["allowed"] += 1
            self.counts["allowed_tokens"] += known.tokens
            return None
        self.counts["violations"] += 1
        headers = told(model.told, wait, self._gate)
        return Response(error(429, "Rate limit reached", code="rate_limit_exceeded", headers=headers))

    def _attempt(self, http: Request, known: Known, seen: int) -> Response:
        model, key = self.model, known.key
        fault = self.script.popleft() if self.script else None
        if fault is None and model.faults:
            fault = draw(model.faults, seeded(model.seed, key, seen))
        if fault is None and model.declines:
            fault = draw(model.declines, seeded(model.seed, key, "declined"))
        latency = model.latency_of(key, seen)
        if fault is None:
            response = Response(self._answer(known), latency)
        else:
            proof = http.headers.get("Authorization", "none")
            response = faulty(fault, model, latency, answer=self._answer(known), authorization=proof)
        return self._observed(response, fault, known)

    def _answer(self, known: Known) -> bytes:
        return message(200, known.reply, self._gate.headers() if self.model.told == "headers" else None)

    def _observed(self, response: Response, fault: str | None, known: Known) -> Response:
        """`response`, which is counted and charged when it is due, heard or not."""
        counts, flying, number = self.counts, self._in_flight, next(self._numbers)
        flying.add(number)
        self.most_in_flight = max(self.most_in_flight, len(flying))

        def due() -> None:
            flying.discard(number)
            counts[fault or "answered"] += 1
            if fault is None and known.flaw is not None:
                counts[known.flaw] += 1
            if fault is None or fault in CHARGED:
                self.charge(known)

        response.due = due
        return response


def told(how: Told, wait: float, gate: Gate) -> dict[str, str]:
    """The headers of a 429 after which a request may come again in `wait` seconds."""
    if how == "headers":
        return gate.headers()
    # Retry-After has whole seconds only, and must not be too early.
    if how == "retry_after":
        return {"Retry-After": str(math.ceil(wait))}
    return {"Retry-After": http_date(wait + 1)} if how == "retry_date" else {}


def unsupported(name: str) -> bytes:
    """In the words that OpenAI's API uses for it."""
    said = f"Unsupported parameter: '{name}' is not supported with this model."
    if name == "max_tokens":
        said += " Use 'max_completion_tokens' instead."
    return error(400, said, code="unsupported_parameter", kind="invalid_request_error", parameter=name)
