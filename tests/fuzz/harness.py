"""A target in, libFuzzer at it out: with the arguments of the command line (see run.py), until a crash or their end."""

from __future__ import annotations

import sys
from collections.abc import Callable

import atheris


def fuzz(target: Callable[[bytes], None]) -> None:
    atheris.Setup(sys.argv, target)
    atheris.Fuzz()
