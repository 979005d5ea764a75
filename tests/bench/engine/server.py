"""Chat completions over loopback in a process of their own, each valid and `latency` seconds late: nothing else.

    python tests/bench/engine/server.py LATENCY

Prints its port. It speaks just enough HTTP/1.1 for the clients measured, so that it takes little of the two cores.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson

_ASKED = re.compile(r"Label this \w+ ([^.\n]+)\. Number of words: (?:exactly )?(\d+)")
_PARAGRAPH = re.compile(r"PARAGRAPH:\s*(.+)")


def reply(body: bytes) -> bytes:
    """The completion of a rendered request: for every label as many words as were asked for."""
    asked = orjson.loads(body)
    prompt = asked["messages"][-1]["content"]
    paragraph = _PARAGRAPH.search(prompt)
    words = paragraph[1].split() if paragraph else ["Nothing"]
    # From the last word to the first one: no copy of the paragraph, whatever the length asked for.
    turned = words[::-1]
    text = "\n\n".join(
        f"{label}: {' '.join((turned * (int(count) // len(turned) + 1))[: int(count)])}"
        for label, count in _ASKED.findall(prompt)
    )
    usage = {"prompt_tokens": len(prompt) // 4, "completion_tokens": len(text) // 4, "total_tokens": 0}
    message = {"role": "assistant", "content": text, "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    head = {"id": "chatcmpl-bench", "object": "chat.completion", "created": 0, "model": asked["model"]}
    return orjson.dumps({**head, "choices": [choice], "usage": usage})


class Connection(asyncio.Protocol):
    """One client's connection: a request at a time, each answered `latency` seconds after it came in."""

    def __init__(self, latency: float) -> None:
        self._latency = latency
        self._buffer = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._loop = asyncio.get_running_loop()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        head = bytes(self._buffer[:end])
        length = re.search(rb"(?i)content-length: *(\d+)", head)
        size = end + 4 + (int(length[1]) if length else 0)
        if len(self._buffer) < size:
            return
        body = bytes(self._buffer[end + 4 : size])
        del self._buffer[:size]
        self._loop.call_later(self._latency, self._answer, body)

    def _answer(self, body: bytes) -> None:
        content = reply(body)
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        self._transport.write(head.encode() + content)


@contextmanager
def serving(latency: float) -> Iterator[str]:
    """The base URL of a server in a process of its own, which ends with the block."""
    command = [sys.executable, str(Path(__file__).resolve()), str(latency)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.terminate()


async def serve(latency: float) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(latency), "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1])))
