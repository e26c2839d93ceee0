"""Every mutant that mutmut made of the rules, against the rule tests, in one process.

    python benchmarks/rules_mutants.py COPY [MODULE...]

COPY is a copy of the repository in which `mutmut run` has made its `mutants` folder (its
own test runs may be stopped; they start a process a mutant, which takes hours). Tests that
need fixtures and property tests are left out. Prints, a module a line, how many mutants
were killed and the names of those that survived.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

TESTS = ("undecided", "questions", "state_after", "sentences", "match", "editions", "own_cases")
SECONDS = 20
"""A mutant that takes longer runs in circles: killed."""

Test = tuple[Callable[..., None], dict[str, Any]]


def tests() -> Iterator[Test]:
    """All rule tests with their arguments."""
    for name in (*TESTS, "spotting"):
        module = importlib.import_module(f"tests.rules.test_{name}")
        for function in vars(module).values():
            named = getattr(function, "__name__", "").startswith("test_")
            if named and not hasattr(function, "hypothesis"):
                for arguments in _arguments(function):
                    yield function, arguments


def _arguments(function: Callable[..., None]) -> Iterator[dict[str, Any]]:
    axes = []
    for mark in getattr(function, "pytestmark", []):
        names, rows = mark.args[0], mark.args[1]
        names = [names] if isinstance(names, str) else list(names)
        axes.append(
            [dict(zip(names, row if len(names) > 1 else (row,), strict=True)) for row in rows]
        )
    for combination in itertools.product(*axes):
        yield {key: value for part in combination for key, value in part.items()}


class _Slow(BaseException):
    """Raised by the alarm."""


def _ring(_: int, __: FrameType | None) -> None:
    raise _Slow


def survives(mutant: str, all_tests: list[Test]) -> bool:
    """Do all tests pass although the mutant is in place?"""
    os.environ["MUTANT_UNDER_TEST"] = mutant
    importlib.import_module("rules.fouls").checks_of.cache_clear()
    signal.alarm(SECONDS)
    try:
        for function, arguments in all_tests:
            function(**arguments)
    except (Exception, _Slow):
        return False
    finally:
        signal.alarm(0)
    return True


def main() -> None:
    """Run the mutants of the copy."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("copy", type=Path)
    parser.add_argument("modules", nargs="*")
    named = parser.parse_args()
    os.chdir(named.copy / "mutants")
    sys.path.insert(0, ".")
    signal.signal(signal.SIGALRM, _ring)
    all_tests = list(tests())
    if not survives("none", all_tests):
        sys.exit("the tests fail without a mutant")
    for meta in sorted(Path("rules").glob("*.meta")):
        module = meta.name.removesuffix(".py.meta")
        if named.modules and module not in named.modules:
            continue
        mutants = list(json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"])
        left = [mutant for mutant in mutants if survives(mutant, all_tests)]
        names = " ".join(mutant.split(".")[-1] for mutant in left)
        print(f"{module}: {len(mutants) - len(left)} of {len(mutants)} killed; {names}", flush=True)


if __name__ == "__main__":
    main()
