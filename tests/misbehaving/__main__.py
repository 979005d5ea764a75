"""The server as a process of its own, until it is terminated.

    PYTHONPATH=tests python -m misbehaving --control FILE [--port 8000] [--model '{"latency": 0.2}'] [--with-parent]

FILE gets the base URL, as JSON, as soon as the server listens.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
from pathlib import Path

from misbehaving.connection import Listener
from misbehaving.model import Model
from misbehaving.mount import mount
from misbehaving.provider import Provider


async def serve(arguments: argparse.Namespace) -> None:
    provider = Provider()
    provider.behave(arguments.model)
    over, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, over.set)
    if arguments.with_parent:
        # Nothing is ever written to it: it is readable when the parent is gone.
        loop.add_reader(sys.stdin, over.set)
    async with Listener(mount(provider), arguments.port) as listener:
        unfinished = arguments.control.with_suffix(".unfinished")
        unfinished.write_text(json.dumps({"base_url": f"http://127.0.0.1:{listener.port}/v1"}), encoding="utf-8")
        unfinished.rename(arguments.control)
        await over.wait()


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m misbehaving", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--port", type=int, default=0, help="0, which is the default, for any that is free")
    parser.add_argument("--control", type=Path, required=True, metavar="FILE")
    parser.add_argument("--model", type=Model.model_validate_json, default=Model(), metavar="JSON")
    parser.add_argument("--with-parent", action="store_true", help="stop when standard input is closed")
    asyncio.run(serve(parser.parse_args()))


main()
