"""What is given back is given back: the resident memory of this process shrinks."""

from __future__ import annotations

import platform
import resource
from pathlib import Path

import pytest

from tenk import memory

KB = 1024


def resident() -> int:
    """In bytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc's allocator can be asked")
def test_pages_in_the_middle_of_the_heap_go_back() -> None:
    texts = ["x" * (8 * KB) for _ in range(8 * KB)]
    kept = texts[::512]
    texts.clear()
    before = resident()
    memory.give_back()
    assert resident() < before - 32 * KB * KB
    assert len(kept) == 16


def test_elsewhere_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_library(name: None) -> None:
        raise OSError

    monkeypatch.setattr(memory.ctypes, "CDLL", no_library)
    memory._trim.cache_clear()
    memory.give_back()
    memory._trim.cache_clear()
