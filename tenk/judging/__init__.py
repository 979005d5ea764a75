"""Pairs and texts in, judgements by a language model out: prompt.py asks, reply.py reads, judge.py does both.

A model is one more annotator, and always says so: its judgements are of kind `llm` and name it. Requests go through the
project's writers and its journal, so that none is paid for twice.
"""

from __future__ import annotations
