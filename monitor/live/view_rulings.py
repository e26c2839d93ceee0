"""The rulings of the live state, newest first, each with its facts and evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from monitor.live.book import MatchBook
from monitor.live.view_facts import fact_rows
from monitor.match import MatchFold, Ruled
from monitor.match_header import BREAK
from monitor.store import Body, EvidenceRow
from rules.article import Establishes
from rules.rack import Phase, Rack
from rules.rulebook import RULEBOOK, citations
from table.events import ShotStarted

SHOWN: Final = 20
RulingKey = tuple[int, int]
"""The shot, and which of its rulings: 0 the stroke's own, 1.. after a declaration."""

_MOMENT_WORDS: Final = {
    "first_contact": ("first contact", "první zásah"),
    "pocketed": ("ball falls", "koule padá"),
    "rail": ("ball reaches a rail", "koule dojíždí na mantinel"),
    "off_table": ("ball leaves the table", "koule opouští stůl"),
    "question": ("what is asked", "sporný okamžik"),
}


def keyed(match: MatchFold) -> dict[RulingKey, Ruled]:
    """The rulings that stand, by shot and place."""
    found: dict[RulingKey, Ruled] = {}
    counts: dict[int, int] = {}
    for ruled in match.ruled:
        place = counts.get(ruled.shot, 0)
        counts[ruled.shot] = place + 1
        found[(ruled.shot, place)] = ruled
    return found


def rulings_section(
    book: MatchBook,
    match: MatchFold,
    written: Mapping[RulingKey, tuple[int, bool]],
    evidence: Sequence[EvidenceRow],
    *,
    on_lip: bool = False,
) -> list[Body]:
    """The last rulings; `written`: record number and whether it replaced another, by key.

    `on_lip`: a ball may still fall by itself, the last stroke's ruling is provisional (8.3).
    """
    rulings = list(keyed(match).items())
    rows = []
    for index in range(len(rulings) - 1, max(-1, len(rulings) - 1 - SHOWN), -1):
        key, ruled = rulings[index]
        before = rulings[index - 1][1].ruling.rack if index else None
        was_break = is_break(book, ruled.shot, before)
        record, was_changed = written.get(key, (0, False))
        clips = [row for row in evidence if row.shot == ruled.shot]
        row = ruling_view(ruled, clips) | {"record": record, "changed": was_changed}
        row["source"] = _source(book, ruled.shot)
        if on_lip and book.last_shot is not None and ruled.shot == book.last_shot.number:
            row["provisional"] = True
        row["facts"] = (
            [] if ruled.by_declaration else fact_rows(ruled.facts, clips, is_break=was_break)
        )
        rows.append(row)
    return rows


def is_break(book: MatchBook, shot: int, before: Rack | None) -> bool:
    """Was a shot a break? `before`: the rack that the ruling before it left; None: the first."""
    if before is not None:
        return before.phase is Phase.BREAK
    played = book.shots.get(shot)
    starts = () if played is None else (e for e in played.events if isinstance(e, ShotStarted))
    return book.header.opening == BREAK or any(start.racked for start in starts)


def ruling_view(ruled: Ruled, clips: Sequence[EvidenceRow]) -> Body:
    """One ruling as the pages show it."""
    ruling, row = ruled.ruling, ruled.row
    cited = citations(ruling)
    worst = None if ruling.penalised is None else ruling.penalised.article
    return {
        "shot": row.get("shot"),
        "after_shot": row.get("after_shot"),
        "t_s": row.get("t_s"),
        "shooter": None if ruling.shooter is None else ruling.shooter.value,
        "sentence": row["sentence"],
        "sentence_cs": row["sentence_cs"],
        "legal": row["legal"],
        "article": worst or next(iter(cited), None),
        "articles": list(cited),
        "fouls": row["fouls"],
        "next_player": row["next_player"],
        "provisional": row["provisional"],
        "complete": row["complete"],
        "findings": [_with_czech(finding) for finding in _rows(row["findings"])],
        "questions": row["questions"],
        "declared": row["declared"],
        "assumptions": row["assumptions"],
        "health": row.get("health", []),
        "row": dict(row),
        "evidence": [] if ruled.by_declaration else [evidence_view(clip) for clip in clips],
    }


def _rows(value: object) -> list[Body]:
    return value if isinstance(value, list) else []


def _with_czech(finding: Body) -> Body:
    found = RULEBOOK.get(str(finding["article"]))
    return finding | {"title_cs": "" if found is None else found.title_cs}


def evidence_view(clip: EvidenceRow) -> Body:
    """One clip of evidence as the pages show it."""
    kind, _, ball = clip.what.partition("_")
    kind = clip.what if clip.what in _MOMENT_WORDS else kind
    if clip.what.startswith("off_table"):
        kind, ball = "off_table", clip.what.removeprefix("off_table_")
    english, czech = _MOMENT_WORDS.get(kind, (clip.what, clip.what))
    about = f" ({ball})" if ball and kind in ("pocketed", "rail", "off_table") else ""
    return {
        "id": clip.id,
        "what": clip.what,
        "t_s": clip.t_s,
        "span": [clip.from_s, clip.until_s],
        "ready": clip.state == "ready",
        "state": clip.state,
        "text": english + about,
        "text_cs": czech + about,
    }


def _source(book: MatchBook, shot: int) -> str | None:
    played = book.shots.get(shot)
    if played is None:
        return None
    return "hand" if played.by_hand else "camera"


def not_judged() -> list[Body]:
    """What no camera judges: advisories and what only a person may call."""
    return [
        {
            "article": article.number,
            "title": article.title,
            "title_cs": article.title_cs,
            "note": article.note,
            "who": article.who.value,
        }
        for article in RULEBOOK.values()
        if article.who in (Establishes.ADVISORY, Establishes.PERSON)
        and article.number.startswith("6.")
    ]
