"""docs/case-format.md names every word that the case format reads and answers."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from rules import case_format, ruling_json
from rules.facts import RailDetail
from rules.rack import Phase

PAGE = Path(__file__).parents[2] / "docs" / "case-format.md"


def words_in(source: str) -> set[str]:
    """Quoted lower-case words that a reader looks up or a writer sets."""
    asked = re.findall(r'(?:fields|other|item|f|values)[.\w]*\((?:\w+, )?"([a-z_]+)"', source)
    asked += re.findall(
        r"(?:optional|_counts|_flags|texts|balls|object_balls|one_or_more|_pocketed"
        r'|optional_ball|named_ball|player)\(\w+, "([a-z_]+)"',
        source,
    )
    return set(asked) | set(re.findall(r'^\s+"([a-z_]+)": ', source, re.MULTILINE))


def test_every_word_is_explained() -> None:
    named = set(re.findall(r"`\"?([a-z_]+)\"?`", PAGE.read_text(encoding="utf-8")))
    read = words_in(inspect.getsource(case_format))
    written = words_in(inspect.getsource(ruling_json))
    assert {"rail_detail", "balls_on_table", "late_drop"} <= read
    assert {"legal", "push_out_available", "lag_again"} <= written
    assert (read | written) - named <= {"anywhere"}
    assert {*RailDetail, *Phase} <= named
