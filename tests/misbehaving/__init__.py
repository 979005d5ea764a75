"""An OpenAI-compatible server that misbehaves on purpose, in a process of its own: `Misbehaving` starts and stops it.

    with Misbehaving(Model(latency=0.2, faults={"500": 0.1})) as server:
        ...                        # OPENAI_BASE_URL=server.base_url
        server.behave(Model())     # from now on it behaves well
        server.ledger().again      # charges beyond the first of each request

Replies are a function of (seed, request), faults and latencies of (seed, request, times seen).
"""

from misbehaving.client import Misbehaving, Observed, Statement
from misbehaving.model import Model
from misbehaving.replies import request_key

__all__ = ["Misbehaving", "Model", "Observed", "Statement", "request_key"]
