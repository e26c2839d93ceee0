"""Every replay case: shot log and declarations in, the expected rows out."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.rules.replay.case_files import ReplayCase, read_cases, told

CASES = list(read_cases())


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file}: {case.name}")
def test_replay_rules_as_expected(case: ReplayCase) -> None:
    rows = case.rows()
    expected = [{"fouls": [], "questions": []} | row for row in case.expect]
    got = [told(row, want) for row, want in zip(rows, expected, strict=False)]
    assert got == expected
    assert len(rows) == len(expected), rows[len(expected) :]


def test_every_name_is_a_sentence_of_its_own() -> None:
    counted = Counter(case.name for case in CASES)
    assert [name for name, count in counted.items() if count > 1] == []
    assert [case.name for case in CASES if len(case.name.split()) < 4] == []
    assert len(CASES) >= 40
