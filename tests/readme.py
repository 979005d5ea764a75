"""The README's `console` blocks in, what their commands really print out.

    python tests/readme.py --update       writes the real output into the README

Blocks run in order, in one empty folder. A line `$ command` is run by bash; the lines below it are its stdout. A block
below a comment `<!-- first N lines -->` shows only so many of a command's lines, and then `...`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"
BLOCK = re.compile(r"(?:<!-- first (?P<lines>\d+) lines -->\n)?```console\n(?P<body>.*?)```\n", re.DOTALL)


def with_real_output(text: str) -> str:
    """`text` with every block's output replaced by what its commands print."""
    with tempfile.TemporaryDirectory() as folder:

        def real(block: re.Match[str]) -> str:
            keep = int(block["lines"]) if block["lines"] else None
            printed = "".join(
                f"$ {command}\n{_shown(run(command, Path(folder)), keep)}" for command in commands(block["body"])
            )
            return block[0].replace(block["body"], printed)

        return BLOCK.sub(real, text)


def commands(body: str) -> list[str]:
    """The commands of a block; one that ends in a backslash goes on in the next line."""
    return re.findall(r"^\$ ((?:.*\\\n)*.*)$", body, re.MULTILINE)


def run(command: str, folder: Path) -> str:
    """What `command` prints to stdout, run in `folder` as on a terminal of 120 columns without colours."""
    environment = {
        **os.environ,
        "PATH": f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}",
        "NO_COLOR": "1",
        "COLUMNS": "120",
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_CACHE": str(folder / ".cache"),
        "HF_DATASETS_DISABLE_PROGRESS_BARS": "1",
    }
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, f"$ {command}\n{done.stdout}{done.stderr}"
    return done.stdout


def _shown(output: str, keep: int | None) -> str:
    lines = [line.rstrip() + "\n" for line in output.splitlines()]
    return "".join(lines if keep is None or len(lines) <= keep else [*lines[:keep], "...\n"])


if __name__ == "__main__":
    text = README.read_text(encoding="utf-8")
    real = with_real_output(text)
    if "--update" in sys.argv:
        README.write_text(real, encoding="utf-8")
    sys.exit(real != text and "--update" not in sys.argv)
