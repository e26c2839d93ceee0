"""`python -m monitor.evaluation FOLDER...`: every miss, then the figures.

With `--results DIR` the output of earlier reviews is scored; otherwise every clip is
reviewed first, and `--keep DIR` keeps what the reviews wrote.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from monitor.evaluate import evaluate, write_json
from monitor.evaluation.printing import report_text
from monitor.failures import CannotBeDoneError


def main(arguments: list[str] | None = None) -> int:
    """Score case folders and print the report; exit code 1 when nothing can be scored."""
    parser = argparse.ArgumentParser(prog="python -m monitor.evaluation", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, help="case folders with truth.jsonl")
    parser.add_argument("--results", type=Path, metavar="DIR", help="DIR/<case>/shots.jsonl ...")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the reviews' output there")
    parser.add_argument("--no-misses", action="store_true", help="print the figures only")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there")
    options = parser.parse_args(arguments)
    try:
        scores = evaluate(
            options.folders,
            options.results,
            keep=options.keep,
            on_case=lambda name: print(f"scoring {name}", file=sys.stderr),
        )
    except CannotBeDoneError as error:
        print(error, file=sys.stderr)
        return 1
    print(report_text(scores, with_misses=not options.no_misses), end="")
    if options.json:
        write_json(scores, options.json)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
