"""Every output that the README shows is what its command prints."""

from __future__ import annotations

import pytest
from readme import README, with_real_output


@pytest.mark.slow
def test_the_readme_shows_real_output() -> None:
    text = README.read_text(encoding="utf-8")
    assert text == with_real_output(text), "python tests/readme.py --update, and read what changed"
