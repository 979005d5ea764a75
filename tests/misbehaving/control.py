"""Orders from the test in, what was seen out: the endpoint by which a running server is told how to behave."""

from __future__ import annotations

import orjson
from pydantic import ValidationError

from misbehaving.batches import Batches
from misbehaving.http import Request, Response, Routes, error, message
from misbehaving.model import Model
from misbehaving.provider import Provider


def routes(provider: Provider, batches: Batches) -> Routes:
    """POST /control/model (a Model), /control/script (a list), /control/reset; GET /control/counts and /control/ledger.

    GET /control/ledger?requests=1 says also how many times each request was charged.
    """

    def behave(http: Request) -> Response:
        try:
            model = Model.model_validate_json(http.body)
        except ValidationError as problem:
            return Response(error(400, str(problem)))
        provider.behave(model)
        return _said({})

    def script(http: Request) -> Response:
        provider.script.extend(orjson.loads(http.body))
        return _said({})

    def reset(http: Request) -> Response:
        provider.reset()
        batches.reset()
        return _said({})

    def counts(http: Request) -> Response:
        seen = {
            "in_flight": provider.in_flight,
            "most_in_flight": provider.most_in_flight,
            "overlaps": batches.overlaps,
        }
        return _said(seen | {"counts": provider.counts})

    def ledger(http: Request) -> Response:
        return _said(provider.ledger.statement(requests="requests" in http.query))

    return {
        ("POST", "/control/model"): behave,
        ("POST", "/control/script"): script,
        ("POST", "/control/reset"): reset,
        ("GET", "/control/counts"): counts,
        ("GET", "/control/ledger"): ledger,
    }


def _said(document: object) -> Response:
    return Response(message(200, document))
