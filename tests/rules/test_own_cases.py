"""Every own rule case gives the ruling that its `expect` line says, and nothing else."""

from __future__ import annotations

import pytest

from rules.case_format import read_options, read_rack, read_shot
from rules.declaration_json import read_after, read_before
from rules.declarations import Declarations
from rules.rulebook import RULEBOOK, citations
from rules.ruling import Ruling
from rules.ruling_json import ruling_to_json
from rules.sentence import LANGUAGES, sentence
from rules.ten_ball import rule
from table.json_fields import Fields
from tests.rules.own_cases import Json, case_json, counts, expected, load

OWN = load()
SETS = ("fouls", "balls_after", "restore", "spot", "options")
ONLY_WHEN_SAID = ("restore", "replay", "rerack", "match_over", "lag_again", "refused", "prompt")


def judged(name: str, case: Json) -> Ruling:
    """The ruling on an own case."""
    row = case_json(name, case)
    parts = {key: Fields(value, name) for key, value in row.items() if isinstance(value, dict)}
    after = tuple(read_after(Fields(item, name)) for item in row["manual"])  # type: ignore[attr-defined]
    return rule(
        read_rack(parts["state_before"]),
        read_shot(parts["shot"]) if "shot" in parts else None,
        Declarations(read_before(parts["declaration"]), after),
        read_options(parts["config"]),
    )


@pytest.mark.parametrize(
    ("name", "case"),
    [(name, case) for _, name, case in OWN],
    ids=[f"{article}: {name}" for article, name, _ in OWN],
)
def test_own_case(name: str, case: Json) -> None:
    ruling = judged(name, case)
    got = ruling_to_json(ruling)
    wanted = expected(case)
    asked = wanted.pop("asked", [])
    assert [question.article for question in ruling.questions] == asked
    for key, value in wanted.items():
        if key in SETS:
            assert sorted(got.get(key, [])) == sorted(value), key  # type: ignore[call-overload]
        else:
            assert got.get(key) == value, key
    unsaid = [key for key in ONLY_WHEN_SAID if key in got and key not in wanted]
    assert not unsaid
    assert set(citations(ruling)) <= set(RULEBOOK)
    for phrases in LANGUAGES.values():
        assert "{" not in sentence(ruling, phrases=phrases)


def test_every_article_of_the_two_chapters_has_five_cases_of_its_own() -> None:
    ours = counts()
    articles = [number for number in RULEBOOK if number.startswith(("9", "6"))]
    few = {number: ours.get(number, 0) for number in articles if ours.get(number, 0) < 5}
    assert few == {}


def test_case_names_are_sentences_of_their_own() -> None:
    names = [name for _, name, _ in OWN]
    assert len(set(names)) == len(names)
    assert all(len(name.split()) >= 3 for name in names)
