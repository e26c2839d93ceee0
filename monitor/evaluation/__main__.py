"""`python -m monitor.evaluation FOLDER... --results DIR`: every miss, then the figures."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from monitor.evaluate import NothingToScore, evaluate
from monitor.evaluation.machine import evaluation_json
from monitor.evaluation.printing import report_text


def main(arguments: list[str] | None = None) -> int:
    """Score results that lie in a folder and print the report."""
    parser = argparse.ArgumentParser(prog="python -m monitor.evaluation", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, help="case folders with truth.jsonl")
    parser.add_argument("--results", type=Path, required=True, help="DIR/<case>/shots.jsonl ...")
    parser.add_argument("--no-misses", action="store_true", help="print the figures only")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there")
    options = parser.parse_args(arguments)
    try:
        scores = evaluate(options.folders, options.results)
    except NothingToScore as error:
        print(error, file=sys.stderr)
        return 1
    print(report_text(scores, with_misses=not options.no_misses), end="")
    if options.json:
        text = json.dumps(evaluation_json(scores), indent=1, ensure_ascii=False)
        options.json.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
