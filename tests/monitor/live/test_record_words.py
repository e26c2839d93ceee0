"""The journal as people read it."""

from __future__ import annotations

import pytest

from monitor.live.record_words import record_words
from monitor.store import Body, Record


@pytest.mark.parametrize(
    ("kind", "body", "english", "czech"),
    [
        ("shot", {"source": "hand"}, "shot 7 entered by hand", "strk 7 zadán ručně"),
        ("shot", {"source": "camera"}, "shot 7 seen", "strk 7 viděn kamerou"),
        ("ruling", {"row": {"sentence": "Foul.", "sentence_cs": "Faul."}}, "Foul.", "Faul."),
        ("ruling", {"row": None}, "ruling on shot 7 withdrawn", "rozhodnutí o strku 7 padá"),
        ("take_back", {"record": 3, "stands": False}, "taken back: record 3", "záznam 3"),
        ("take_back", {"record": 3, "stands": True}, "brought back: record 3", "záznam 3"),
        ("note", {"type": "note", "text": "Chalk"}, "note: Chalk", "poznámka: Chalk"),
        (
            "declaration",
            {"type": "call", "ball": "3", "pocket": "FL"},
            "call: 3, foot left",
            "hlášení: 3, zadní levá",
        ),
        ("declaration", {"type": "foul", "rule": "6.6", "by": "B"}, "called foul: 6.6, Bob", "Bob"),
        (
            "correction",
            {"type": "correct_fact", "fact": "first_contact"},
            "correction of a fact: first ball",
            "oprava skutečnosti: první koule",
        ),
    ],
)
def test_each_kind_of_record_says_what_it_is(
    kind: str, body: Body, english: str, czech: str
) -> None:
    """One line, in both languages."""
    record = Record(id=9, kind=kind, t_s=1.0, shot=7, body=body)
    said, said_cs = record_words(record, ("Anna", "Bob"))
    assert said == english
    assert czech in said_cs
