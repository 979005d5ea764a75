"""The flow on a schedule: a process that stays and starts a run whenever the cron expression says.

    python flows/serve.py CONFIG.yaml --cron "0 3 * * *"

A run picks up new and changed videos and pays for nothing twice. Ctrl-C ends it. With PREFECT_API_URL the schedule
lives on that server; without it, start one with `prefect server start`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from flows.augment import augment


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", type=Path, help="configuration file of the run")
    when = parser.add_mutually_exclusive_group(required=True)
    when.add_argument("--cron", help="when to run, such as '0 3 * * *' for every night at three")
    when.add_argument("--interval", type=float, help="seconds between two runs")
    parser.add_argument("--name", default="scheduled", help="name of the deployment")
    arguments = parser.parse_args()
    augment.serve(
        name=arguments.name,
        cron=arguments.cron,
        interval=arguments.interval,
        parameters={"config": str(arguments.config.resolve())},
        limit=1,
    )


if __name__ == "__main__":
    main()
