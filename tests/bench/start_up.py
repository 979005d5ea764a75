"""How long `tenk --help` and `import tenk` take, as whole processes: the median of eleven, after one not counted.

python tests/bench/start_up.py
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

TENK = Path(sysconfig.get_path("scripts")) / "tenk"
COMMANDS = {
    "tenk --help": [str(TENK), "--help"],
    "import tenk": [sys.executable, "-c", "import tenk"],
    "bare python": [sys.executable, "-c", ""],
}


def main() -> None:
    for name, command in COMMANDS.items():
        times = []
        for _ in range(12):
            start = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            times.append(time.perf_counter() - start)
        print(f"{name:12} {statistics.median(times[1:]):.3f} s")


if __name__ == "__main__":
    main()
