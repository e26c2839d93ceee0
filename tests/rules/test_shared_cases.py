"""The shared rule cases, judged as `table-monitor judge` does.

They are found through the environment variable TABLE_MONITOR_SHARED and skipped without it.
"""

from __future__ import annotations

import json
import os
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from monitor.judging import judge

Row = dict[str, Any]
SHARED = os.environ.get("TABLE_MONITOR_SHARED")
FILE = Path(SHARED or "", "rules", "cases.json")
SETS = ("options", "spot", "balls_after", "restore")

pytestmark = pytest.mark.skipif(
    SHARED is None or not FILE.exists(),
    reason="TABLE_MONITOR_SHARED does not hold rules/cases.json",
)


@lru_cache(maxsize=1)
def cases() -> Row:
    """The shared cases, empty when they are not there."""
    if SHARED is None or not FILE.exists():
        return {"cases": [], "racks": []}
    return dict(json.loads(FILE.read_text(encoding="utf-8")))


@lru_cache(maxsize=1)
def judged() -> dict[str, Row]:
    """What the program answers, by id."""
    return {str(row["id"]): row for row in judge(cases())}


def assert_as_expected(wanted: Row, got: Row) -> None:
    """Every key of `expected` is answered; the optional fouls may be listed or not."""
    optional = set(wanted.get("fouls_may_also_list", ())) - set(wanted["fouls"])
    for key, value in wanted.items():
        if key == "fouls_may_also_list":
            continue
        if key == "fouls":
            assert set(got[key]) - optional == set(value)
        elif key in SETS:
            assert set(got.get(key) or ()) == set(value), key
        else:
            assert got.get(key) == value, key


@pytest.mark.parametrize("case", cases()["cases"], ids=lambda case: case["id"])
def test_shared_case(case: Row) -> None:
    assert_as_expected(case["expected"], judged()[case["id"]])


@pytest.mark.parametrize("state", ["events", "carried"])
@pytest.mark.parametrize("rack", cases()["racks"], ids=lambda rack: rack["id"])
def test_shared_rack(rack: Row, state: str) -> None:
    answers = judged()[rack["id"]][state]
    assert len(answers) == len(rack["events"])
    for event, answer in zip(rack["events"], answers, strict=True):
        assert_as_expected(event["expected"], answer)
    assert answers[-1]["winner"] == rack["winner"]
