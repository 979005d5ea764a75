"""The lines of a batch's output and error files in, what became of each request out, by its custom_id.

Lines may come in any order, twice, broken, or for requests that nobody made: nothing here trusts them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

import httpx2
import openai

from tenk.errors import TenkError
from tenk.llm.chat import Chat
from tenk.llm.classify import refused_parameter
from tenk.llm.completion import storable
from tenk.llm.faults import Declined, Refused, Transient
from tenk.records import Draft

EXPIRED = "batch_expired"
UNSENT = "batch_unsent"
"""Reasons of requests that a batch did not get to; nothing is charged for them."""

PARAMETERS = dict.fromkeys(
    ("temperature", "top_p", "seed", "reasoning_effort", "max_tokens", "max_completion_tokens", "response_format")
)
"""What a request may have been sent with; a batch that is read today may have been sent by yesterday's process."""

Fault = Transient | Refused | TenkError


@dataclass
class Outcomes:
    """What the files of one batch say. `bad` lines could not be read at all, `unknown` ones name no request of it,
    `duplicates` say something of a request that an earlier line settled. `lines` counts all of them but those that say
    that a request failed: as many as the provider has completed at least.
    """

    drafts: dict[str, Draft] = field(default_factory=dict)
    faults: dict[str, Fault] = field(default_factory=dict)
    lines: int = 0
    bad: int = 0
    unknown: int = 0
    duplicates: int = 0


def read_files(files: Iterable[bytes], known: Collection[str], chat: Chat) -> Outcomes:
    """What `files` say of the requests whose custom_ids are `known`.

    The first line that holds a completion of a request counts; else the first line about it.
    """
    outcomes = Outcomes()
    for content in files:
        for line in content.split(b"\n"):
            if line.strip():
                _read_line(line, known, chat, outcomes)
    return outcomes


def _read_line(line: bytes, known: Collection[str], chat: Chat, outcomes: Outcomes) -> None:
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        outcomes.lines += 1
        outcomes.bad += 1
        return
    outcomes.lines += not _says_failed(document)
    key = document.get("custom_id") if isinstance(document, dict) else None
    if not isinstance(key, str):
        outcomes.bad += 1
    elif key not in known:
        outcomes.unknown += 1
    elif key in outcomes.drafts:
        outcomes.duplicates += 1
    else:
        outcome = _outcome(document, chat)
        if isinstance(outcome, Draft):
            outcomes.duplicates += outcomes.faults.pop(key, None) is not None
            outcomes.drafts[key] = outcome
        elif key in outcomes.faults:
            outcomes.duplicates += 1
        else:
            outcomes.faults[key] = outcome


def _says_failed(document: Any) -> bool:
    """Whether a line holds an error, by itself or as the body of an HTTP response."""
    response = document.get("response") if isinstance(document, dict) else None
    if not isinstance(response, dict):
        return isinstance(document, dict) and isinstance(document.get("error"), dict)
    status = response.get("status_code")
    return isinstance(status, int) and 300 <= status < 600


def _outcome(document: dict[str, Any], chat: Chat) -> Draft | Fault:
    response, error = document.get("response"), document.get("error")
    status = response.get("status_code") if isinstance(response, dict) else None
    if isinstance(response, dict) and isinstance(status, int) and not isinstance(status, bool) and 100 <= status < 600:
        body = response.get("body")
        return _read(body, chat) if status < 300 else _refusal(status, body, chat)
    if isinstance(error, dict):
        said = chat.scrub(_text(f"{error.get('code')}: {error.get('message')}"))
        return Transient(EXPIRED if error.get("code") == EXPIRED else UNSENT, said)
    return Transient("invalid_json", "the line of the output holds no response", charged=True)


def _read(body: Any, chat: Chat) -> Draft | Fault:
    try:
        # Half of a surrogate pair, which a reply that was cut may end in, is no reason to pay for it again.
        return chat.read(storable(json.dumps(body, ensure_ascii=False)).encode())
    except Transient as fault:
        return fault


def _refusal(status: int, body: Any, chat: Chat) -> Draft | Fault:
    """What an HTTP error in a line means: the same as that of a request sent by itself."""
    details = body.get("error", body) if isinstance(body, dict) else body
    said = details if isinstance(details, dict) else {"message": details}
    # Whatever a provider puts there: classify and the exception expect text.
    known = {name: _text(said[name]) for name in ("message", "code", "type", "param") if said.get(name) is not None}
    message = known.get("message", "None")
    # Of the request, the exception wants only that there is one.
    response = httpx2.Response(status, request=httpx2.Request("POST", chat.url))
    fault = openai.APIStatusError(message, response=response, body=known)
    refused = refused_parameter(fault, PARAMETERS)
    if refused is not None and chat.dialect.learn(refused):
        return Transient("unsupported_parameter", chat.scrub(message))
    explained = chat.explain(fault, refused=refused)
    if isinstance(explained, Declined):
        return chat.declined(explained.reason)
    assert isinstance(explained, (Transient, Refused, TenkError)), "classify makes nothing else"
    return explained


def _text(value: Any) -> str:
    return storable(str(value))
