"""A Provider in, the handler of all its endpoints out."""

from __future__ import annotations

from misbehaving import control
from misbehaving.batches import Batches
from misbehaving.http import Router, Routes
from misbehaving.provider import Provider


def mount(provider: Provider, batches: Batches | None = None) -> Router:
    """Raises ValueError where two endpoints claim one path."""
    batches = batches or Batches(provider)
    routes: Routes = {}
    for more in (provider.routes(), batches.routes(), control.routes(provider, batches)):
        if both := routes.keys() & more.keys():
            raise ValueError(f"two handlers for {sorted(both)}")
        routes = {**routes, **more}
    return Router(routes)
