"""`tenk`: captioned long videos in, published 10k-words datasets out.

Importing this package is cheap: every heavy library stays in its own room and is imported when used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["__version__", "load"]

if TYPE_CHECKING:
    from tenk.dataset.load import load


def __getattr__(name: str) -> Any:
    if name == "load":
        from tenk.dataset.load import load

        return load
    raise AttributeError(f"module 'tenk' has no attribute {name!r}")
