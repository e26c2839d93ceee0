"""docs/rules.md, made of the rulebook: which article is ruled how, by whom, and where.

python -m rules.coverage --write DIR    writes DIR/rules.md and DIR/spotting.svg
python -m rules.coverage                prints rules.md
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from rules.article import Article, Establishes
from rules.edition import DEFAULT_EDITION, FIRST_2008
from rules.interpretations import INTERPRETATIONS
from rules.rulebook import CHAPTERS
from rules.spotting_drawing import drawing

CASES: Final = Path(__file__).parents[1] / "tests" / "rules" / "cases"
_FILES: Final = {"Reg break requirements": "reg_three_point"}

_WHO: Final = {
    Establishes.CAMERA: "the camera",
    Establishes.ADVISORY: "the camera suspects, a person confirms",
    Establishes.PERSON: "a person",
    Establishes.NOBODY: "nobody",
}

_HEAD: Final = """# The rules and how they are ruled

Made by `python -m rules.coverage --write docs`; a test checks that it is current.

Restatements are in our own words. *Established by* says who can make the article apply: the
camera (ruled at once when the fact is sure), a person on a suspicion of the camera, or a
person only. *Cases* counts the project's own rule cases in tests/rules/cases; the facts of
a shot log are tested apart from them in tests/rules/replay.

## How an event is ruled

1. Declarations that are impossible here are refused and named (J16).
2. The definitions turn raw facts into rule facts (`rules.stroke`): five seconds, rebound,
   support, off the table, frozen balls, settling.
3. Every article runs; all fouls are reported (`rules.fouls`). A person's word on an article
   governs. An undecided fact makes a question (J26).
4. The gravest foul is punished, once (`rules.penalty`); without a foul 9.3 to 9.9 apply
   (`rules.outcome`).
5. What was said apart from the stroke follows in order (`rules.apart`, `rules.decisions`).
6. The ruling contains the next state; until the next stroke it can be confirmed, dismissed,
   undone or corrected, and everything after it is ruled again (`rules.match`).
"""

_SPOTTING: Final = """## Where the ten is spotted (1.4)

![Five cases of spotting the ten](spotting.svg)

x runs along the long string from the foot spot to the foot rail. A ball of diameter D whose
centre lies y beside the string blocks the open interval x ± sqrt(D² − y²); for the cue ball
D grows by the gap of 1 mm. The ten goes to the smallest free x ≥ 0 that leaves it on the
cloth, else to the largest free x < 0 (`rules.spotting.spot`).
"""

_EDITIONS: Final = f"""## Editions

The default is **{DEFAULT_EDITION.name}**. **{FIRST_2008.name}** is there as a second one,
because its differences are data: no safety call, the ten on a legal break wins, a called ten
wins at any time, no template foul.

The 2025 text would change, as data: no safety call (a safety is a plain miss; a ball that
falls on it is an uncalled ball), a visible counter counts as the warning
(`visible_counter_is_warning`), and printed numbers (fouls are chapter 3, ten-ball chapter 6;
6.16 and 6.17 become 3.15 and 3.16). As code: its break requirement (three balls past the
centre) needs one more fact of the break. The ten wins only as the only object ball, as here.

`Edition.printed` gives the printed number of an article where it differs from ours; event
options and editions are chosen in `EventOptions`.
"""


def markdown(cases: Mapping[str, int]) -> str:
    """The text of docs/rules.md; `cases` counts the own cases of an article."""
    parts = [_HEAD]
    for title, articles in CHAPTERS:
        parts.append("\n".join(_chapter(title, articles, cases)))
    parts += ["\n".join(_interpretations()), _SPOTTING, _EDITIONS, _limits()]
    return "\n".join(part.rstrip() + "\n" for part in parts)


def _chapter(title: str, articles: tuple[Article, ...], cases: Mapping[str, int]) -> Iterator[str]:
    yield f"## {title}"
    yield ""
    yield "| article | title | what it says | established by | where | cases |"
    yield "|---|---|---|---|---|---|"
    for article in articles:
        says = article.restatement + (f" *{article.note}*" if article.note else "")
        count = cases.get(_FILES.get(article.number, article.number), 0) or ""
        yield (
            f"| {article.number} | {article.title} / {article.title_cs} | {says} | "
            f"{_WHO[article.who]} | `{article.code}` | {count} |"
        )


def _interpretations() -> Iterator[str]:
    yield "## Decisions on what the text leaves open"
    yield ""
    yield "| | question | decision | where |"
    yield "|---|---|---|---|"
    for one in INTERPRETATIONS:
        yield f"| {one.number} | {one.question} | {one.decision} | `{one.code}` |"


def _limits() -> str:
    by_hand = [
        article.number
        for _, articles in CHAPTERS
        for article in articles
        if article.who is Establishes.ADVISORY
    ]
    return (
        "## What is never ruled without a person\n\n"
        f"{', '.join(by_hand)}, unsporting conduct (6.17), frozen balls, whether a shot was "
        "obvious, and every choice. The camera's suspicion is shown as a question with its clip "
        "and lapses when the next stroke begins.\n"
    )


def case_counts(folder: Path = CASES) -> dict[str, int]:
    """How many own cases each article has."""
    return {
        path.stem: len(tomllib.loads(path.read_text(encoding="utf-8")))
        for path in sorted(folder.glob("*.toml"))
    }


def main() -> None:
    """Print or write the documentation."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=Path, metavar="DIR")
    target = parser.parse_args().write
    text = markdown(case_counts())
    if target is None:
        print(text, end="")
        return
    (target / "rules.md").write_text(text, encoding="utf-8")
    (target / "spotting.svg").write_text(drawing(), encoding="utf-8")


if __name__ == "__main__":  # pragma: no cover
    main()
