"""No byte that a run writes or says holds the key, whatever the provider sends back; no dataset tells how it went."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import aiohttp
import pytest
from aiohttp import web
from cli_helpers import Outcome, Tenk, annotate, contents, sample_videos
from openai_server import Model, Server

import tenk as library

KEY = "sk-planted-4f1c0a7e9b2d"
ESCAPED = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
"""The same to whoever reads JSON."""

FAULTS = {"429": 0.06, "429_bare": 0.04, "500": 0.05, "503": 0.04, "error_200": 0.06, "reset": 0.04, "half_body": 0.03}
CONFIG = """\
source: activitynet
annotations: val_1.json
writer:
  name: openai
  model: test-model
  prices: {input: 100, output: 400}
  first_wait: 0.01
  longest_wait: 0.05
"""


class Echo:
    """A gateway to `server` that repeats the key: in headers, in errors, and, if `in_replies`, in replies.

    It counts what it did: `repeated`.
    """

    def __init__(self, server: Server) -> None:
        self.server = server
        self.in_replies = False
        self.repeated = 0
        self.base_url = ""
        self._loop = asyncio.new_event_loop()

    @contextmanager
    def listening(self) -> Iterator[Self]:
        thread = threading.Thread(target=self._loop.run_forever)
        thread.start()
        try:
            runner = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result(10)
            yield self
            asyncio.run_coroutine_threadsafe(runner.cleanup(), self._loop).result(10)
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            thread.join(10)
            self._loop.close()

    async def _listen(self) -> web.AppRunner:
        app = web.Application()
        app.router.add_post("/{path:.*}", self._pass_on)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.base_url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        return runner

    async def _pass_on(self, http: web.Request) -> web.Response:
        sent = {name: http.headers[name] for name in ("Authorization", "Content-Type")}
        try:
            async with (
                aiohttp.ClientSession() as client,
                client.post(
                    self.server.base_url.removesuffix("/v1") + http.path, data=await http.read(), headers=sent
                ) as got,
            ):
                status, text, wait = got.status, await got.text(), got.headers.get("Retry-After")
        except aiohttp.ClientError:
            assert http.transport is not None
            http.transport.abort()
            return web.Response()
        headers = {"x-request-id": KEY, "x-ratelimit-remaining-requests": KEY, "Set-Cookie": f"key={KEY}"}
        headers |= {"Retry-After": wait} if wait else {}
        self.repeated += 1
        return web.Response(text=self._with_key(text), status=status, headers=headers, content_type="application/json")

    def _with_key(self, text: str) -> str:
        try:
            said = json.loads(text)
        except ValueError:
            return text + KEY
        if "error" in said:
            said["error"] |= {"message": f"{said['error']['message']} (key {KEY})", "param": KEY}
        elif self.in_replies:
            said["model"] += f" {KEY}"
            message = said["choices"][0]["message"]
            message["content"] = message["content"].replace(".", f" and types {KEY}.")
        return json.dumps(said).replace(f"types {KEY}", f"types {ESCAPED}")


@pytest.fixture
def server(openai_server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Echo]:
    with Echo(openai_server).listening() as echo:
        monkeypatch.setenv("OPENAI_BASE_URL", echo.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        annotate(tmp_path, sample_videos(12))
        (tmp_path / "run.yaml").write_text(CONFIG)
        yield echo


def leaves_no_key(folder: Path, *outcomes: Outcome) -> None:
    """Neither in what was said nor in any file, databases and their write-ahead logs included."""
    for outcome in outcomes:
        assert KEY not in outcome.out + outcome.err
    files = [file for file in folder.rglob("*") if file.is_file()]
    assert any(file.name == "events.jsonl" for file in files)
    assert [file for file in files if KEY.encode() in file.read_bytes()] == []


def test_a_run_through_faults(tenk: Tenk, server: Echo, tmp_path: Path) -> None:
    server.server.model = Model(seed=5, key=KEY, faults=FAULTS, flaws={"word_count": 0.2, "null": 0.1})
    done = tenk("run", "run.yaml", "--yes", "--json")
    assert done.code == 0, done.err
    assert min(server.server.counts[fault] for fault in ("error_200", "429", "500")) > 0
    others = [tenk("runs", "list"), tenk("runs", "show", "--json"), tenk("watch"), tenk("doctor"), tenk("config")]
    others.append(tenk("journal", "export", tmp_path / "outputs" / "journal.jsonl"))
    assert server.repeated > 40
    leaves_no_key(tmp_path, done, *others)


@pytest.mark.parametrize("fault", ["quota", "403", "404", "402", "bad_request", "500", "error_200", "invalid_json"])
def test_a_run_that_ends_in_an_error(tenk: Tenk, server: Echo, tmp_path: Path, fault: str) -> None:
    server.server.model = Model(key=KEY, faults={fault: 1.0})
    (tmp_path / "run.yaml").write_text(CONFIG + "  deadline: 0.2\n")
    done = tenk("run", "run.yaml", "--yes")
    assert done.code != 0
    assert server.repeated > 0
    leaves_no_key(tmp_path, done, tenk("runs", "show"))


@pytest.mark.parametrize("faults", [{}, {"503": 0.3}])
def test_a_wrong_key(tenk: Tenk, server: Echo, tmp_path: Path, faults: dict[str, float]) -> None:
    server.server.model = Model(key="sk-the-right-one-77aa", faults=faults)
    done = tenk("run", "run.yaml", "--yes")
    assert done.code == 5
    leaves_no_key(tmp_path, done, tenk("runs", "show"))


def test_a_model_that_repeats_the_key(tenk: Tenk, server: Echo, tmp_path: Path) -> None:
    server.server.model, server.in_replies = Model(key=KEY), True
    done = tenk("run", "run.yaml", "--yes", "--json")
    assert done.code == 0, done.err
    leaves_no_key(tmp_path, done, tenk("show", "outputs/datasets/ActivityNet10k"), tenk("runs", "show"))
    captions = library.load(tmp_path / "outputs" / "datasets" / "ActivityNet10k", split="val_1")
    assert any("[key]" in caption["text"] for caption in captions), "the rest of the reply is as it was"


@pytest.mark.parametrize("where", ["?code={key}", "/{key}", "?api-version=1&sig={key}"])
@pytest.mark.parametrize("by", ["flag", "file", "environment"])
def test_a_base_url_that_holds_the_key_is_refused(
    tenk: Tenk, server: Echo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, by: str
) -> None:
    url = server.base_url + where.format(key=KEY)
    flags: tuple[str, ...] = ()
    if by == "flag":
        flags = ("--base-url", url)
    elif by == "file":
        (tmp_path / "run.yaml").write_text(CONFIG + f"  base_url: {url}\n")
    else:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
    done = tenk("run", "run.yaml", "--yes", *flags)
    assert (done.code, server.server.counts["requests"]) == (2, 0)
    assert KEY not in done.out + done.err
    assert not (tmp_path / "outputs" / "journal.sqlite").exists()


def test_how_a_run_went_is_not_in_its_dataset(tenk: Tenk, server: Echo, tmp_path: Path) -> None:
    flaws = {"word_count": 0.2, "missing_label": 0.1, "null": 0.05}
    seen: list[tuple[dict[str, str], Counter[str]]] = []
    for outputs, faults, latency, concurrency in (("quick", {}, 0.0, 32), ("slow", FAULTS, 0.05, 3)):
        server.server.reset()
        server.server.model = Model(seed=5, key=KEY, flaws=flaws, faults=faults, latency=latency)
        (tmp_path / "run.yaml").write_text(CONFIG + f"  concurrency: {concurrency}\n")
        done = tenk("run", "run.yaml", "--yes", "--outputs", outputs)
        assert done.code == 0, done.err
        dataset = tmp_path / outputs / "datasets" / "ActivityNet10k"
        seen.append((contents(dataset), server.server.counts.copy()))
        (run,) = (tmp_path / outputs / "runs").iterdir()
        assert [file for file in dataset.rglob("*") if file.is_file() and run.name.encode() in file.read_bytes()] == []
    (quick, undisturbed), (slow, disturbed) = seen
    assert disturbed["requests"] > undisturbed["requests"] + 5
    assert disturbed["answered"] == undisturbed["answered"]
    assert quick == slow
