"""Reply in, Caption | Rejection out: labels found, texts checked, what failed asked again, the best attempt kept."""

from tenk.replies.parse import parse
from tenk.replies.records import Parsed, Problem, Text
from tenk.replies.settle import MAX_REASKS, Seen, look, needs, settle
from tenk.replies.structured import json_schema

__all__ = ["MAX_REASKS", "Parsed", "Problem", "Seen", "Text", "json_schema", "look", "needs", "parse", "settle"]
