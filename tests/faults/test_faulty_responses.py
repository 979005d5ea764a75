"""A run during which three responses in ten are faulty; a thousand videos: tests/bench/faults/faulty.py."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.faults.faulty import SPOILT, TRANSPORT, measure
from misbehaving.faults import CHARGED, FAULTS, WAITS


@pytest.mark.slow
def test_every_video_is_done_or_set_aside_with_its_reason(tmp_path: Path) -> None:
    fate = measure(tmp_path, videos=60, share=0.3)
    assert fate.code in {0, 3}, fate.said
    assert fate.share == pytest.approx(0.3, abs=0.06), "of some 270 responses"
    assert (fate.missing, fate.twice, fate.unjournaled) == (0, 0, 0)
    assert fate.videos + fate.set_aside == 60
    assert fate.captions + sum(fate.reasons.values()) == 60 * 11


@pytest.mark.slow
def test_what_cannot_be_mended_is_set_aside_with_its_reason(tmp_path: Path) -> None:
    fate = measure(tmp_path, videos=8, share=0.95)
    assert fate.code in {0, 3}, fate.said
    assert fate.set_aside > 0
    assert (fate.missing, fate.twice, fate.unjournaled) == (0, 0, 0)
    assert fate.videos + fate.set_aside == 8


def test_faults_are_of_every_kind_that_may_pass() -> None:
    assert (
        CHARGED | {"reset", "slow", "error_200", "429_headers", "429_bare", "500", "503"} <= TRANSPORT.keys() <= FAULTS
    )
    assert len(TRANSPORT.keys() & WAITS.keys()) >= 3
    assert {"refusal", "length", "wrong_label", "word_count"} <= SPOILT.keys()
