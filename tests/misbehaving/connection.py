"""Bytes of HTTP/1.1 connections in, requests to a handler, its responses out: late, half, reset or never.

By hand on asyncio's transports: what a web framework spares its users (half a body, a reset) is what this is for, and
a server that shares a core with the client under test has to be quick. A request has a Content-Length or no body.
"""

from __future__ import annotations

import asyncio
import re
import socket
import struct
from typing import cast

from misbehaving.http import Handler, Request, Response, error

_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)", re.I)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding:", re.I)


class Connection(asyncio.Protocol):
    """One client: a request at a time, in their order."""

    def __init__(self, handle: Handler, connections: set[Connection]) -> None:
        self._handle = handle
        self._connections = connections
        self._buffer = bytearray()
        self._head: bytes | None = None
        self._length = 0
        self._busy = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self._loop = asyncio.get_running_loop()
        self._connections.add(self)

    def connection_lost(self, error: Exception | None) -> None:
        self._connections.discard(self)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        self._go_on()

    def _go_on(self) -> None:
        if self._busy or (request := self._next()) is None:
            return
        self._busy = True
        response = self._handle(request)
        if response.after > 0:
            self._loop.call_later(response.after, self._send, response)
        else:
            self._send(response)

    def _next(self) -> Request | None:
        if self._head is None:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return None
            self._head = bytes(self._buffer[: end + 2])
            del self._buffer[: end + 4]
            found = _LENGTH.search(self._head)
            self._length = int(found[1]) if found else 0
            if _CHUNKED.search(self._head):
                self.transport.write(error(411, "This server takes bodies with a Content-Length only"))
                self.transport.close()
                return None
        if len(self._buffer) < self._length:
            return None
        head, self._head = self._head, None
        body = bytes(self._buffer[: self._length])
        del self._buffer[: self._length]
        method, target, _ = head[: head.index(b"\r\n")].decode("latin-1").split(" ")
        return Request(method, target, head, body)

    def _send(self, response: Response) -> None:
        if response.due is not None:
            response.due()
        if self.transport.is_closing() or response.end == "hang":
            return
        if response.message:
            self.transport.write(response.message)
        if response.end == "keep":
            self._busy = False
            self._go_on()
        elif response.end == "close":
            self.transport.close()
        else:
            self._reset()

    def _reset(self) -> None:
        # Closed with a linger of zero seconds, a socket tells its peer by RST rather than by FIN.
        raw = cast(socket.socket, self.transport.get_extra_info("socket"))
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()


class Listener:
    """A port on loopback on which `handle` answers; an async context manager."""

    def __init__(self, handle: Handler, port: int = 0) -> None:
        self._handle = handle
        self.port = port
        self._connections: set[Connection] = set()

    async def __aenter__(self) -> Listener:
        self._server = await asyncio.get_running_loop().create_server(
            lambda: Connection(self._handle, self._connections), "127.0.0.1", self.port, backlog=2048
        )
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        self._server.close()
        for connection in list(self._connections):
            connection.transport.abort()
        await asyncio.sleep(0)
        await self._server.wait_closed()
