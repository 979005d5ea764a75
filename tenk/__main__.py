"""`python -m tenk` is the `tenk` command."""

from __future__ import annotations

from tenk.cli.app import main

main()
