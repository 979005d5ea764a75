"""The body of a reply in, what of it is meant for us out: no thoughts, no tokens of a chat format, no wrapping tags."""

from __future__ import annotations

import re

_THOUGHT = r"(?:think|thinking|thoughts?|reasoning|reflection|analysis|scratchpad)"
_OPENING = re.compile(rf"\s*(?:<{_THOUGHT}>|\[{_THOUGHT}\]|◁think▷)", re.IGNORECASE)
_CLOSING = re.compile(rf"</{_THOUGHT}>|\[/{_THOUGHT}\]|◁/think▷|<\|channel\|>final<\|message\|>", re.IGNORECASE)
_END = re.compile(
    r"<\|(?:im_end|eot_id|eom_id|end|end_of_text|endoftext|return|user)\|>|<(?:end_of_turn|eos)>|</s>|\[/?INST\]"
)
"""What ends a turn in the chat formats of local models; servers with another format let it through."""

_BLOCK = re.compile(
    r"</?(?:answer|output|response|result|final|p|div|ul|ol|li|h[1-6]|table|tbody|tr|td|th)>|<br\s?/?>|<!--[^<>]{0,200}-->",
    re.IGNORECASE,
)
_INLINE = re.compile(r"</?(?:b|strong|i|em|u|span)>", re.IGNORECASE)


def answer(body: str) -> str:
    """`body` from the end of the thoughts to the end of the turn; nothing where the thoughts never end."""
    said = _marked_up(body) if any(mark in body for mark in "<[◁") else body
    if "\\n" in said and "\n" not in said.strip() and not said.lstrip().startswith(("{", "[")):
        said = said.replace("\\n", "\n")  # a reply that was escaped once too often
    return said


def _marked_up(body: str) -> str:
    closings = list(_CLOSING.finditer(body))
    if not closings and _OPENING.match(body):
        return ""
    said = body[closings[-1].end() :] if closings else body
    end = _END.search(said)
    return _INLINE.sub("", _BLOCK.sub("\n", said[: end.start()] if end else said))
