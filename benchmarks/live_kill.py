"""kill -9 at random moments of a scripted match: what was shown against what is on record.

    python benchmarks/live_kill.py [--kills 100] [--seed 1] [--data DIR]

Each life: start on the same journal, two clients connect, a script of calls, shots by hand,
fouls and notes runs as fast as it is answered, kill -9 within 0 to 0.5 s, the file is
compared with all that the clients were sent and all that was answered; then a restart, and
every action once more, twice. Prints the counts; exit 1 when anything was lost or doubled.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.monitor.server.killing import kill_many  # noqa: E402


def main() -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", type=Path)
    options = parser.parse_args()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.data or Path(scratch)
        tally = kill_many(folder, options.kills, options.seed)
    print(f"kills                              {tally.kills}")
    print(f"actions sent                       {tally.actions}")
    print(f"rulings shown before the kills     {tally.rulings_shown}")
    print(f"unanswered when killed             {tally.unanswered}")
    print(f"  of them already on record        {tally.unanswered_on_record}")
    print(f"lost or doubled                    {len(tally.faults)}")
    for fault in tally.faults:
        print(f"  {fault}")
    print(f"wall time                          {time.monotonic() - start:.0f} s")
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
