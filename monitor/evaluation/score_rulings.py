"""Scoring rulings against expected.jsonl: right, wrong, or hanging on a question.

An expected line holds the keys of `expected` (docs/formats.md), on the line itself or
under "expected", and the shot they belong to; a line with "shot": null is about the
declaration after `after_shot`. Only keys that the line holds are compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from monitor.evaluation.matching import ShotPairs
from monitor.evaluation.scores import Miss, RulingScore
from monitor.evaluation.truth import Truth

RULING_KEYS: Final = (
    "legal",
    "fouls",
    "penalised",
    "next_player",
    "cue_ball",
    "spot",
    "options",
    "fouls_after",
    "game_over",
    "winner",
    "next_phase",
    "push_out_available",
    "balls_after",
    "warn_prompt",
    "warned_after",
    "restore",
    "replay",
    "prompt",
    "rerack",
    "match_over",
    "lag_again",
    "refused",
    "clock",
    "stalemate_turns_left",
    "spot_position",
)
Row = Mapping[str, object]


def score_rulings(
    truth: Truth, pairs: ShotPairs, rulings: Sequence[Row]
) -> tuple[RulingScore | None, list[Miss]]:
    """Compare rulings shot by shot; None when the right ones are not known."""
    if truth.expected is None:
        return None, []
    ours = {true.number: our.number for true, our in pairs.pairs if our is not None}
    score, misses = RulingScore(), []
    for row in truth.expected:
        shot = row.get("shot")
        expected = row.get("expected", row)
        if not isinstance(expected, dict) or not any(key in expected for key in RULING_KEYS):
            continue
        label = f"shot {shot}" if shot is not None else f"after shot {row.get('after_shot')}"
        ruling = _find(rulings, row, ours)
        if ruling is None:
            score += RulingScore(wrong=1)
            misses.append(Miss(truth.name, "ruling", "missed", None, label, "no ruling"))
            continue
        wrong = differences(expected, ruling)
        if ruling.get("questions"):
            score += RulingScore(questions=1, questions_agreeing=int(not wrong))
            asked = _asked(ruling) + (f"; provisional: {'; '.join(wrong)}" if wrong else "")
            misses.append(Miss(truth.name, "ruling", "question", None, label, asked, False))
        elif wrong:
            score += RulingScore(wrong=1)
            misses.append(Miss(truth.name, "ruling", "wrong", None, label, "; ".join(wrong)))
        else:
            score += RulingScore(right=1)
    return score, misses


def differences(expected: Row, ours: Row) -> list[str]:
    """The keys in which our ruling is not the expected one, with both values."""
    wrong = []
    for key in RULING_KEYS:
        if key not in expected:
            continue
        if key == "fouls":
            needed, claimed = _set(expected[key]), _set(ours.get(key))
            extras = _set(expected.get("fouls_may_also_list"))
            same = needed <= claimed <= needed | extras
        elif key == "legal":  # null says that nothing was played, false that a foul stands
            same = ours.get(key, "absent") == expected[key]
        else:
            same = _plain(expected[key]) == _plain(ours.get(key))
        if not same:
            wrong.append(f"{key}: expected {expected[key]!r}, ours {ours.get(key)!r}")
    return wrong


def _find(rulings: Sequence[Row], expected: Row, ours: Mapping[int, int]) -> Row | None:
    shot, after = expected.get("shot"), expected.get("after_shot")
    if isinstance(shot, int):
        number = ours.get(shot)
        return next((r for r in rulings if number is not None and r.get("shot") == number), None)
    return next(
        (r for r in rulings if r.get("shot") is None and r.get("after_shot") == after), None
    )


def _set(value: object) -> set[object]:
    return set(value) if isinstance(value, (list, tuple)) else set()


def _plain(value: object) -> object:
    """Lists without their order; what is absent, false or empty is the same."""
    if isinstance(value, (list, tuple)):
        return frozenset(str(item) for item in value) or None
    return None if value is False else value


def _asked(ruling: Row) -> str:
    questions = ruling.get("questions")
    if not isinstance(questions, list):
        return ""
    articles = [str(q.get("article", "?")) if isinstance(q, dict) else str(q) for q in questions]
    return "asks about " + ", ".join(articles)
