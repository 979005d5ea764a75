"""The body of a Chat Completions request in, the response out; what is none is raised as the openai package would.

Through that package's HTTP client, with its headers, but with requests made here: its own way of making one costs
more than all that this project does with the reply, mostly for options that are the same every time.
"""

from __future__ import annotations

import json
from typing import Any

import httpx2
import openai
import orjson


class Endpoint:
    """An open connection pool to `url`/chat/completions, for one event loop; times are in seconds."""

    def __init__(self, url: str, key: str, *, connections: int, timeout: float, connect: float) -> None:
        self._http = openai.DefaultAioHttpClient(limits=httpx2.Limits(max_connections=connections))
        client = openai.AsyncOpenAI(api_key=key, base_url=url, http_client=self._http)
        headers = {**client.default_headers, **client.auth_headers}
        # What is not set there is an Omit.
        self._headers = httpx2.Headers({name: text for name, text in headers.items() if isinstance(text, str)})
        self._url = httpx2.URL(f"{url}/chat/completions")
        self._extensions = {"timeout": httpx2.Timeout(timeout, connect=min(connect, timeout)).as_dict()}

    async def post(self, body: dict[str, Any]) -> httpx2.Response:
        """The response, read to its end. Raises openai.APIStatusError, and httpx2.HTTPError where none came."""
        # A copy of its own size: orjson leaves room for 16 KB behind the text, which would be held until the answer.
        content = bytes(memoryview(orjson.dumps(body)))
        request = httpx2.Request("POST", self._url, headers=self._headers, content=content, extensions=self._extensions)
        response = await self._http.send(request)
        if response.is_error or response.is_redirect:
            raise _status_error(response)
        return response

    async def aclose(self) -> None:
        await self._http.aclose()


def _status_error(response: httpx2.Response) -> openai.APIStatusError:
    said: Any = response.text.strip()
    try:
        said = json.loads(said)
    except (ValueError, RecursionError):
        message = ""
    else:
        said = said.get("error", said) if isinstance(said, dict) else said
        message = said.get("message", "") if isinstance(said, dict) else ""
    text = f"Error code: {response.status_code}" + (f" - {message}" if message and isinstance(message, str) else "")
    return openai.APIStatusError(text, response=response, body=said)
