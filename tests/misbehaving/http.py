"""What is asked and answered over HTTP: requests, responses and how they end, and a router that finds the handler."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit

import orjson
from multidict import CIMultiDict

End = Literal["keep", "close", "reset", "hang"]

REASONS = {200: "OK", 400: "Bad Request", 404: "Not Found", 411: "Length Required", 429: "Too Many Requests"}


@dataclass
class Request:
    """What came in. `names` holds the parts of the path that the route names."""

    method: str
    target: str
    head: bytes
    body: bytes
    names: dict[str, str] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    @cached_property
    def query(self) -> dict[str, str]:
        return {name: values[-1] for name, values in parse_qs(urlsplit(self.target).query).items()}

    @cached_property
    def headers(self) -> CIMultiDict[str]:
        lines = self.head.decode("latin-1").split("\r\n")[1:]
        pairs = (line.partition(":") for line in lines if line)
        return CIMultiDict((name, value.strip()) for name, _, value in pairs)

    def json(self) -> Any:
        """Raises orjson.JSONDecodeError."""
        return orjson.loads(self.body)


@dataclass(slots=True)
class Response:
    """What goes out: `message` (head and body as they are sent) `after` seconds, then the `end` of the connection.

    `hang` sends nothing and leaves the connection as it is. `due` is called when the time has come, whether or not
    anybody is there to hear the answer.
    """

    message: bytes
    after: float = 0.0
    end: End = "keep"
    due: Callable[[], None] | None = None


Handler = Callable[[Request], Response]
Routes = Mapping[tuple[str, str], Handler]
"""(method, path) to handler; a part of a path in braces, as in /v1/files/{file}, stands for any and is in `names`."""


def message(status: int, document: object, headers: Mapping[str, str] | None = None) -> bytes:
    """A whole answer; `document` is bytes as they are, or what becomes JSON."""
    body = document if isinstance(document, bytes) else orjson.dumps(document)
    extra = "".join(f"{name}: {value}\r\n" for name, value in (headers or {}).items())
    head = f"HTTP/1.1 {status} {REASONS.get(status, 'Status')}\r\nContent-Type: application/json\r\n{extra}"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode("latin-1") + body


def error(
    status: int,
    said: str,
    *,
    code: str | None = None,
    kind: str = "error",
    parameter: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> bytes:
    """An answer that says what is wrong, in the form of OpenAI's API."""
    return message(status, {"error": {"message": said, "type": kind, "param": parameter, "code": code}}, headers)


class Router:
    """A handler that looks for the handler of a request's path."""

    def __init__(self, routes: Routes) -> None:
        self._exact = dict(routes)
        self._patterns = [
            (method, re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(path))), handler)
            for (method, path), handler in routes.items()
            if "{" in path
        ]

    def __call__(self, request: Request) -> Response:
        if handler := self._exact.get((request.method, request.path)):
            return handler(request)
        for method, pattern, handler in self._patterns:
            if method == request.method and (found := pattern.fullmatch(request.path)):
                request.names = found.groupdict()
                return handler(request)
        return Response(error(404, f"Unknown request URL: {request.method} {request.path}", code="unknown_url"))
