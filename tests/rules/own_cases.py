"""The project's own rule cases: tests/rules/cases/<article>.toml, one table a case.

The heading of a case is its name, a sentence. Everything has a default, so a case says
only what it is about:

    ["A scratch gives the opponent the cue ball in hand"]
    state = "B normal in_hand fouls 1-0 warned A"    who, phase, cue ball, counters...
    on = "3 5 7 9 10"          object balls on the table; default all ten
    call = "3 FL"              the called ball and pocket
    kind = "safety"            or "push_out"
    frozen = ["cue 3 referee"] declared before the stroke
    hit = "3"                  first contact; "3+7" at one instant; "-" none
    before = "cue"             rails before the hit
    after = "cue 3"            rails after it
    down = "3 FL, cue HR"      pocketed
    off = "7"                  off the table
    moving = "7"               moving at the start
    facts = {...}              other facts, as in the case format
    said = ["foul rule=6.4 by=A"]    after the stroke, or instead of one
    config = {...}             event options
    expect = "foul 6.1; B in hand; fouls 1-0"

Without `hit`, nothing was played. What `expect` does not name must not have happened:
counters 0-0 (or as they were, when nothing was said of them), balls as they were, no
option, nothing spotted, restored or asked.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

CASES = Path(__file__).parent / "cases"
ALL = "1 2 3 4 5 6 7 8 9 10"
Json = dict[str, object]

_PHASES = ("break", "second_shot", "normal", "rack_over")
_IN_HAND = {"in_hand": "anywhere", "behind": "behind_head_string"}
_PAIR_STATE = {"turns": "stalemate_turns_left", "extensions": "extensions_used"}


def load() -> list[tuple[str, str, Json]]:
    """(article, name, case) for every own case, in file order."""
    return [
        (path.stem, name, case)
        for path in sorted(CASES.glob("*.toml"))
        for name, case in tomllib.loads(path.read_text(encoding="utf-8")).items()
    ]


def counts() -> dict[str, int]:
    """How many own cases each article has."""
    counted: dict[str, int] = {}
    for article, _, _ in load():
        counted[article] = counted.get(article, 0) + 1
    return counted


def case_json(name: str, case: Json) -> Json:
    """The case in the case format."""
    known = {"state", "on", "call", "kind", "frozen", "withdrawn", "hit", "before", "after"}
    known |= {"down", "off", "moving", "facts", "said", "config", "expect", "why"}
    assert set(case) <= known, f"{name}: unknown {set(case) - known}"
    return {
        "id": name,
        "state_before": _state(str(case.get("state", "A")), _words(case, "on", ALL)),
        "declaration": _declaration(case),
        "shot": _shot(case) if "hit" in case else None,
        "manual": [_said(text) for text in case.get("said", ())],  # type: ignore[attr-defined]
        "config": case.get("config", {}),
    }


def expected(case: Json) -> Json:
    """The keys of `expected` that the case's `expect` line stands for."""
    state = _state(str(case.get("state", "A")), _words(case, "on", ALL))
    after: Json = {
        "legal": True if "hit" in case else None,
        "fouls": [],
        "penalised": None,
        "cue_ball": "in_place",
        "options": [],
        "spot": [],
        "fouls_after": state["fouls"],
        "game_over": False,
        "winner": None,
        "push_out_available": False,
        "next_phase": "normal",
        "balls_after": state["balls_on_table"],
    }
    for clause in str(case["expect"]).split(";"):
        _expect(clause.split(), after)
    return after


def _words(case: Json, name: str, default: str = "") -> list[str]:
    return str(case.get(name, default)).split()


def _counts(text: str) -> Json:
    a, b = text.split("-")
    return {"A": int(a), "B": int(b)}


def _state(text: str, on: list[str]) -> Json:
    state: Json = {"balls_on_table": on, "at_table": "A", "breaker": "A", "phase": "normal"}
    state |= {"fouls": {"A": 0, "B": 0}, "cue_ball_in_hand": None}
    state |= {"warned": {"A": False, "B": False}}
    words = text.split()
    while words:
        word = words.pop(0)
        if word in ("A", "B"):
            state["at_table"] = word
        elif word in _PHASES:
            state["phase"] = word
            if word == "break":
                state |= {"cue_ball_in_hand": "behind_head_string", "breaker": state["at_table"]}
        elif word in _IN_HAND:
            state["cue_ball_in_hand"] = _IN_HAND[word]
        elif word == "fouls":
            state["fouls"] = _counts(words.pop(0))
        elif word == "warned":
            who = words.pop(0)
            state["warned"] = {"A": who == "A", "B": who == "B"}
        elif word == "breaker":
            state["breaker"] = words.pop(0)
        elif word == "clock":
            state["clock"] = dict.fromkeys(("A", "B"), words.pop(0) == "on")
        elif word in _PAIR_STATE:
            state[_PAIR_STATE[word]] = _counts(words.pop(0))
        elif word == "options":
            state["pending_options"] = words.pop(0).split(",")
        elif word == "back_to":
            state["hand_back_to"] = words.pop(0)
        else:
            raise ValueError(f"{word!r} in state {text!r}")
    return state


def _declaration(case: Json) -> Json:
    said: Json = {"called": None, "kind": case.get("kind", "normal")}
    if "call" in case:
        ball, pocket = str(case["call"]).split()
        said["called"] = {"ball": ball, "pocket": pocket}
    if "withdrawn" in case:
        said["withdrawn"] = case["withdrawn"]
    frozen = [str(text).split() for text in case.get("frozen", ())]  # type: ignore[attr-defined]
    return said | {"frozen": [{"a": a, "b": b, "by": by} for a, b, by in frozen]}


def _shot(case: Json) -> Json:
    hit = str(case["hit"])
    first: object = None if hit == "-" else hit
    if "+" in hit:
        first = hit.split("+")
    down = [text.split() for text in str(case.get("down", "")).split(",") if text.strip()]
    return {
        "first_contact": first,
        "rails_before_contact": _words(case, "before"),
        "rails_after_contact": _words(case, "after"),
        "pocketed": [{"ball": ball, "pocket": pocket} for ball, pocket in down],
        "off_table": _words(case, "off"),
        "moving_at_start": _words(case, "moving"),
        "other_facts": case.get("facts", {}),
    }


def _said(text: str) -> Json:
    kind, *fields = text.split()
    return {"type": kind} | dict(_field(field) for field in fields)


def _field(text: str) -> tuple[str, object]:
    name, value = text.split("=", 1)
    if value in ("true", "false"):
        return name, value == "true"
    if name == "balls":
        return name, value.split(",")
    if name in ("from", "to"):
        ball, pocket = value.split(",")
        return name, {"ball": ball, "pocket": pocket}
    if name in ("A", "B"):
        return name, {"good": value == "good"}
    return name, value


def _expect(words: list[str], after: Json) -> None:  # noqa: PLR0915
    match words:
        case ["no", "foul"]:
            after["legal"] = True
        case ["nothing", "ruled"]:
            after["legal"] = None
        case ["foul", *articles]:
            after |= {"legal": False, "fouls": articles, "penalised": articles[0]}
        case [player, "plays"]:
            after["next_player"] = player
        case [player, "in", "hand"]:
            after |= {"next_player": player, "cue_ball": "in_hand_anywhere"}
        case [player, "breaks"]:
            after |= {"next_player": player, "cue_ball": "behind_head_string"}
            after["next_phase"] = "break"
        case [player, "decides"]:
            after |= {"next_player": player, "options": ["accept", "hand_back"]}
        case [player, "decides", "three", "point"]:
            options = ["accept_no_push_out", "hand_back_push_out_allowed"]
            after |= {"next_player": player, "options": options}
        case [player, "chooses", "who", "breaks"]:
            options = ["self_breaks", "opponent_breaks"]
            after |= {"next_player": player, "options": options, "next_phase": "break"}
            after["cue_ball"] = "behind_head_string"
        case ["push", "out"]:
            after |= {"push_out_available": True, "next_phase": "second_shot"}
        case [player, "wins", scope]:
            after |= {"game_over": True, "winner": player, "next_player": None}
            after |= {"cue_ball": None, "next_phase": None}
            if scope == "match":
                after["match_over"] = True
        case ["fouls", counts]:
            after["fouls_after"] = _counts(counts)
        case ["on", *balls]:
            after["balls_after"] = balls
        case ["spot"]:
            after["spot"] = ["10"]
        case ["spot", position]:
            after |= {"spot": ["10"], "spot_position": position}
        case ["restore", *balls]:
            after["restore"] = balls
        case ["warn", player]:
            after["warn_prompt"] = player
        case ["warned", player]:
            after["warned_after"] = {"A": player == "A", "B": player == "B"}
        case ["turns", counts]:
            after["stalemate_turns_left"] = None if counts == "none" else _counts(counts)
        case ["clock", "on"]:
            after["clock"] = {"A": True, "B": True}
        case ["refused", name]:
            after["refused"] = name
        case ["prompt"]:
            after["prompt"] = "ten_last_ball_timing"
        case ["lag", "again"]:
            after |= {"lag_again": True, "next_player": None, "next_phase": "break"}
            after["cue_ball"] = "behind_head_string"
        case [("replay" | "rerack") as flag]:
            after[flag] = True
        case ["asked", *articles]:
            after["asked"] = articles
        case _:
            raise ValueError(f"expect: {' '.join(words)!r}")
