"""The hand-made HTTP: bodies in pieces, requests one after the other, paths with names, what it does not take."""

from __future__ import annotations

import asyncio

import orjson
import pytest

from misbehaving.connection import Listener
from misbehaving.http import Request, Response, Router, message


def echo(http: Request) -> Response:
    said = {"names": http.names, "query": http.query, "body": http.body.decode(), "type": http.headers.get("x-type")}
    return Response(message(200, said))


ROUTES = {("POST", "/echo"): echo, ("GET", "/files/{file}/content"): echo}


async def exchange(*pieces: bytes, answers: int = 1) -> list[bytes]:
    """What comes back for `pieces`, each sent on its own."""
    async with Listener(Router(ROUTES)) as listener:
        reader, writer = await asyncio.open_connection("127.0.0.1", listener.port)
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0.01)
        got = []
        for _ in range(answers):
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            got.append(head + await reader.readexactly(length))
        writer.close()
        await writer.wait_closed()
    return got


def document(answer: bytes) -> dict[str, object]:
    found: dict[str, object] = orjson.loads(answer.partition(b"\r\n\r\n")[2])
    return found


async def test_a_body_in_pieces() -> None:
    (answer,) = await exchange(b"POST /echo?a=1 HTTP/1.1\r\nX-Type: t\r\nContent-Le", b"ngth: 4\r\n\r\nab", b"cd")
    assert document(answer) == {"names": {}, "query": {"a": "1"}, "body": "abcd", "type": "t"}


async def test_requests_one_after_the_other() -> None:
    one = b"POST /echo HTTP/1.1\r\nContent-Length: 1\r\n\r\n"
    answers = await exchange(one + b"x" + one + b"y", answers=2)
    assert [document(answer)["body"] for answer in answers] == ["x", "y"]


async def test_a_path_with_names() -> None:
    (answer,) = await exchange(b"GET /files/file-1/content HTTP/1.1\r\n\r\n")
    assert document(answer)["names"] == {"file": "file-1"}


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET /elsewhere HTTP/1.1\r\n\r\n", b"404"),
        (b"GET /echo HTTP/1.1\r\n\r\n", b"404"),
        (b"POST /echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n", b"411"),
    ],
)
async def test_what_it_does_not_take(sent: bytes, status: bytes) -> None:
    (answer,) = await exchange(sent)
    assert answer.split(b" ")[1] == status
