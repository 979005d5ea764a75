"""Files and batches in, what a provider's Batch API says of them out; replies are charged to the Provider's ledger."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import orjson

from misbehaving.batching import Batching, End
from misbehaving.dice import draw, seeded
from misbehaving.faults import ERRORS
from misbehaving.http import Handler, Request, Response, Routes, error, message
from misbehaving.ledger import Ledger
from misbehaving.provider import Provider
from misbehaving.replies import request_key

CHARACTERS_A_TOKEN = 4
LINES = 50_000

Line = dict[str, Any]


@dataclass
class Batch:
    """A batch as the server keeps it; `lines` are those of its input, by custom_id."""

    id: str
    file: str
    metadata: dict[str, str]
    lines: dict[str, Line]
    end: End
    hidden: int
    status: str = "validating"
    looks: int = 0
    output: str | None = None
    errors_file: str | None = None
    complaint: dict[str, Any] | None = None
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        return self.status in {"completed", "failed", "expired", "cancelled"}

    @property
    def tokens(self) -> int:
        messages = (one for line in self.lines.values() for one in line["body"]["messages"])
        return sum(len(one["content"]) for one in messages) // CHARACTERS_A_TOKEN

    def document(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "created_at": 0,
            "status": self.status,
            "input_file_id": self.file,
            "output_file_id": self.output,
            "error_file_id": self.errors_file,
            "errors": {"object": "list", "data": [self.complaint]} if self.complaint else None,
            "metadata": self.metadata,
            "request_counts": {"total": len(self.lines), "completed": 0, "failed": 0} | self.counts,
        }


class Batches:
    """The endpoints. `overlaps` counts requests that came in a batch while another that was not over held them."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self.reset()

    def reset(self) -> None:
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, Batch] = {}
        self.overlaps = 0
        self._creations = itertools.count()
        self._seen: Counter[str] = Counter()

    @property
    def ledger(self) -> Ledger:
        """What was charged, requests that came by themselves included."""
        return self._provider.ledger

    @property
    def behaviour(self) -> Batching:
        return self._provider.model.batching

    def routes(self) -> Routes:
        endpoints: dict[tuple[str, str], Handler] = {
            ("POST", "/v1/files"): self.upload,
            ("GET", "/v1/files/{file}/content"): self.content,
            ("POST", "/v1/batches"): self.create,
            ("GET", "/v1/batches"): self.listed,
            ("GET", "/v1/batches/{batch}"): self.retrieve,
            ("POST", "/v1/batches/{batch}/cancel"): self.cancel,
        }
        return {place: self._allowed(handler) for place, handler in endpoints.items()}

    def _allowed(self, handler: Handler) -> Handler:
        return lambda http: self._provider.refusal(http) or handler(http)

    def upload(self, http: Request) -> Response:
        boundary = re.search(r'boundary="?([^";]+)', http.headers["Content-Type"])
        assert boundary is not None, "multipart/form-data"
        parts = [part.partition(b"\r\n\r\n") for part in http.body.split(b"--" + boundary[1].encode())]
        (content,) = (body.removesuffix(b"\r\n") for head, _, body in parts if b'name="file"' in head)
        file = self._keep("input", content)
        return _said({"id": file, "object": "file", "bytes": len(content), "purpose": "batch", "status": "processed"})

    def content(self, http: Request) -> Response:
        content = self.files.get(http.names["file"])
        return Response(message(200, content)) if content is not None else _absent(http)

    def create(self, http: Request) -> Response:
        asked, number = http.json(), next(self._creations)
        go = self.behaviour.creations[number] if number < len(self.behaviour.creations) else "created"
        if go == "lost":
            return Response(b"", end="reset")
        if go in ERRORS or go == "429":
            status, said, code = ERRORS.get(go, (429, "Rate limit reached", "rate_limit_exceeded"))
            return Response(error(status, said, code=code, headers={"retry-after-ms": "10"}))
        lines = [orjson.loads(line) for line in self.files[asked["input_file_id"]].splitlines()]
        assert len(lines) <= LINES, "more lines than a batch may have"
        held = {key for batch in self.batches.values() if not batch.over for key in batch.lines}
        ends = self.behaviour.ends
        batch = Batch(
            id=f"batch_{len(self.batches)}",
            file=asked["input_file_id"],
            metadata=asked.get("metadata") or {},
            lines={line["custom_id"]: line for line in lines},
            end=ends[len(self.batches)] if len(self.batches) < len(ends) else "completed",
            hidden=self.behaviour.lag,
        )
        self.overlaps += len(held & batch.lines.keys())
        self.batches[batch.id] = batch
        self._provider.counts["batches"] += 1
        return Response(b"", end="reset") if go == "unheard" else _said(batch.document())

    def listed(self, http: Request) -> Response:
        """The newest first, but for those that the list has not caught up with."""
        shown = []
        for batch in reversed(self.batches.values()):
            if batch.hidden:
                batch.hidden -= 1
            else:
                shown.append(batch)
        ids = [batch.id for batch in shown]
        start = ids.index(http.query["after"]) + 1 if http.query.get("after") in ids else 0
        limit = int(http.query.get("limit", 20))
        data = [batch.document() for batch in shown[start : start + limit]]
        return _said({"object": "list", "data": data, "has_more": start + limit < len(shown)})

    def retrieve(self, http: Request) -> Response:
        batch = self.batches.get(http.names["batch"])
        if batch is None:
            return _absent(http)
        if not batch.over:
            batch.looks += 1
            self._go_on(batch)
        return _said(batch.document())

    def cancel(self, http: Request) -> Response:
        batch = self.batches.get(http.names["batch"])
        if batch is None:
            return _absent(http)
        if not batch.over:
            batch.status, batch.end = "cancelling", "cancelled"
        return _said(batch.document())

    def _go_on(self, batch: Batch) -> None:
        if complaint := self._complaint(batch):
            batch.status, batch.complaint = "failed", complaint
        elif batch.looks < self.behaviour.looks and batch.status != "cancelling":
            batch.status = "in_progress"
        else:
            self._finish(batch)
            batch.status = batch.end

    def _complaint(self, batch: Batch) -> dict[str, Any] | None:
        limit = self.behaviour.enqueued_tokens
        waiting = sum(other.tokens for other in self.batches.values() if not other.over)
        if (batch.status == "validating" and limit is not None and waiting > limit) or batch.end == "queue_full":
            said = f"Enqueued token limit reached for test-model. Limit: {limit or 1000:,} enqueued tokens."
            return {"code": "token_limit_exceeded", "message": said, "line": None, "param": None}
        if batch.end == "out_of_credit":
            return {"code": "billing_hard_limit_reached", "message": "Billing hard limit has been reached"}
        if batch.end == "invalid":
            return {"code": "invalid_json_line", "message": "This line is not parseable as valid JSON.", "line": 1}
        return {"code": None, "message": None} if batch.end == "unexplained" else None

    def _finish(self, batch: Batch) -> None:
        """Works on the requests, or a share of them, and writes the output and error files."""
        output: list[bytes] = []
        errors: list[bytes] = []
        behaviour, seed = self.behaviour, self._provider.model.seed
        worked_on = len(batch.lines) if batch.end == "completed" else int(behaviour.share * len(batch.lines))
        for number, (key, line) in enumerate(batch.lines.items()):
            if number >= worked_on:
                said = "This request could not be executed before the completion window expired."
                errors.append(_line(key, None, {"code": f"batch_{batch.end}", "message": said}))
                continue
            # Of the request, and not of its custom_id, which holds the port that this server happens to have.
            asked = request_key(line["body"])
            self._seen[asked] += 1
            dice = seeded(seed, asked, self._seen[asked], "batch")
            if fault := draw(behaviour.errors, dice):
                status, said, code = ERRORS[fault]
                body = {"error": {"message": said, "type": "error", "param": None, "code": code}}
                errors.append(_line(key, (status, body), None))
                continue
            known = self._provider.read(orjson.dumps(line["body"]))
            self._provider.charge(known, share=behaviour.price)
            answer = _line(key, (200, orjson.loads(known.reply)), None)
            if dice.random() < behaviour.left_out:
                continue
            output.append(answer[: len(answer) // 2] if dice.random() < behaviour.broken else answer)
            if dice.random() < behaviour.twice:
                output.append(answer)
        output += [_line(f"{number:064x}", (200, {}), None) for number in range(behaviour.strange)]
        seeded(seed, batch.id, "order").shuffle(output)
        batch.output = self._keep("output", b"\n".join(output) + b"\n") if output else None
        batch.errors_file = self._keep("errors", b"\n".join(errors) + b"\n") if errors else None
        batch.counts = {"completed": len(output), "failed": len(errors)}

    def _keep(self, kind: str, content: bytes) -> str:
        file = f"file-{kind}-{len(self.files)}"
        self.files[file] = content
        return file


def _line(key: str, response: tuple[int, Any] | None, fault: dict[str, str] | None) -> bytes:
    told = {"status_code": response[0], "request_id": "req", "body": response[1]} if response else None
    return orjson.dumps({"id": "batch_req", "custom_id": key, "response": told, "error": fault})


def _said(document: object) -> Response:
    return Response(message(200, document))


def _absent(http: Request) -> Response:
    return Response(error(404, f"No such object: {http.path}", kind="invalid_request_error"))
