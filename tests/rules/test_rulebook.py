"""The rulebook: complete, pointing at real code, and printed into docs/rules.md."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from rules.article import Establishes
from rules.coverage import case_counts, main, markdown
from rules.declarations import Kind
from rules.edition import DEFAULT_EDITION, FIRST_2008, STANDARD_FOULS, Edition
from rules.fouls import FOULS
from rules.interpretations import INTERPRETATIONS
from rules.rack import Option
from rules.rulebook import RULEBOOK, article, option_article
from rules.spotting_drawing import PANELS, drawing

DOCS = Path(__file__).parents[2] / "docs"


def test_every_article_of_chapter_9_and_6_and_its_definitions_stands_in_it() -> None:
    numbers = [
        "9",
        *(f"9.{n}" for n in range(1, 13)),
        "9.3b",
        "6",
        *(f"6.{n}" for n in range(1, 18)),
    ]
    numbers += ["1.2", *(f"1.{n}" for n in range(4, 13)), "2.4", *(f"8.{n}" for n in range(1, 9))]
    assert set(numbers) <= set(RULEBOOK)
    assert article("6.11").who is Establishes.NOBODY


def test_every_article_says_something_in_one_sentence() -> None:
    for one in RULEBOOK.values():
        assert one.title
        assert one.title_cs
        assert one.restatement.endswith(".")


def _resolves(code: str) -> bool:
    parts = code.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for name in parts[length:]:
            found = getattr(found, name)
        return True
    return False


@pytest.mark.parametrize(
    "code", sorted({a.code for a in RULEBOOK.values()} | {i.code for i in INTERPRETATIONS})
)
def test_the_code_that_it_points_at_exists(code: str) -> None:
    assert _resolves(code)


def test_every_foul_function_is_an_article_and_the_standard_fouls_are_all_checked() -> None:
    checked = [number for number, _ in FOULS]
    assert set(checked) <= set(RULEBOOK)
    assert set(STANDARD_FOULS) <= set(checked)
    assert "6.11" not in checked
    for number, check in FOULS:
        assert check.__name__ == f"article_{number.replace('.', '_')}"
        assert check.__doc__


def test_every_option_cites_an_article() -> None:
    for option in Option:
        for kind in Kind:
            assert option_article(option, kind) in RULEBOOK


def test_all_decisions_are_numbered_through() -> None:
    assert [one.number for one in INTERPRETATIONS] == [f"J{n}" for n in range(1, 27)]


def test_docs_are_current() -> None:
    hint = "run: python -m rules.coverage --write docs"
    assert (DOCS / "rules.md").read_text(encoding="utf-8") == markdown(case_counts()), hint
    assert (DOCS / "spotting.svg").read_text(encoding="utf-8") == drawing(), hint


def test_the_command_writes_and_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["coverage", "--write", str(tmp_path)])
    main()
    assert (tmp_path / "rules.md").exists()
    monkeypatch.setattr(sys, "argv", ["coverage"])
    main()
    assert capsys.readouterr().out == (tmp_path / "rules.md").read_text(encoding="utf-8")


def test_the_drawing_shows_every_case() -> None:
    text = drawing()
    assert all(title in text for title, _ in PANELS)
    assert text.count("mm from the foot spot") == len(PANELS)


def test_an_edition_prints_its_own_numbers() -> None:
    other = Edition("2025", printed_numbers={"6.17": "3.16"})
    assert other.printed("6.17") == "3.16"
    assert other.printed("9.8") == "9.8"
    assert DEFAULT_EDITION.printed("6.17") == "6.17"
    assert "6.16" not in FIRST_2008.standard_fouls


def test_the_rules_import_nothing_but_the_standard_library_and_table() -> None:
    names = [path.stem for path in Path("rules").glob("*.py") if path.stem != "__init__"]
    program = (
        "import importlib, sys\n"
        f"for name in {names!r}: importlib.import_module('rules.' + name)\n"
        "ours = {'rules', 'table', 'sitecustomize'}\n"
        "tops = {name.split('.')[0] for name in sys.modules}\n"
        "bad = {'numpy', 'cv2', 'av', 'scipy', 'filterpy', 'ultralytics', 'torch'} & tops\n"
        "bad |= {'calibration', 'vision', 'monitor', 'synthetic', 'models'} & tops\n"
        "sys.exit(f'imported {sorted(bad)}' if bad else 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
