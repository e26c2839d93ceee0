"""The score sheet: the racks with the score, and each rack shot by shot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from monitor.reporting.played_shots import PlayedShot, last_ruling
from monitor.reporting.racks import PlayedRack
from monitor.reporting.ruling_words import chips, clock, sentence
from monitor.reviewed import Reviewed


def score_sheet(reviewed: Reviewed, racks: Sequence[PlayedRack]) -> Iterator[str]:
    """All racks in one table."""
    a, b = (escape(name) for name in reviewed.players)
    yield '<section class="sheet"><h2>Score sheet</h2><table class="score"><thead><tr>'
    yield f"<th>Rack</th><th>Break</th><th>Shots</th><th>Time</th><th>Won by</th><th>{a} : {b}</th>"
    yield "</tr></thead><tbody>"
    for rack in racks:
        score = rack.score_after
        yield (
            f'<tr><td><a href="#rack{rack.number}">{rack.number}</a></td>'
            f"<td>{_name(reviewed, rack.breaker) or 'not in the video'}</td>"
            f"<td>{len(rack.shots)}</td><td>{_lasted(rack)}</td><td>{_won(reviewed, rack)}</td>"
            f"<td>{score[0]} : {score[1]}</td></tr>"
        )
    yield "</tbody></table></section>"


def rack_sheet(reviewed: Reviewed, rack: PlayedRack) -> Iterator[str]:
    """One rack: a line a shot."""
    yield f'<h2 class="rack" id="rack{rack.number}">Rack {rack.number}: {_outcome(reviewed, rack)}'
    yield '</h2><div class="wide"><table class="score shots"><thead><tr>'
    yield "<th>Shot</th><th>At</th><th>Player</th><th>Cue ball</th><th>Ruling</th></tr></thead>"
    yield "<tbody>"
    for shot in rack.shots:
        row = last_ruling(reviewed.rulings, shot.number)
        yield (
            f'<tr><td><a href="#shot{shot.number}">{shot.number}</a></td>'
            f"<td>{clock(shot.motion.start_s)}</td><td>{_name(reviewed, shot.by) or '?'}</td>"
            f"<td>{motion_words(shot)}</td><td>{chips(row)} {escape(sentence(row))}</td></tr>"
        )
    yield "</tbody></table></div>"


def motion_words(shot: PlayedShot) -> str:
    """Speed and way of the cue ball, as far as they are known."""
    motion = shot.motion
    parts = []
    if motion.speed_mps is not None:
        parts.append(f"{motion.speed_mps:.1f} m/s")
    if motion.travel_m is not None:
        parts.append(f"{motion.travel_m:.2f} m")
    return ", ".join(parts) or "-"


def _name(reviewed: Reviewed, player: str | None) -> str:
    return escape(dict(zip("AB", reviewed.players, strict=True)).get(player or "", ""))


def _won(reviewed: Reviewed, rack: PlayedRack) -> str:
    if not rack.is_over:
        return "not over"
    how = " (break and run)" if rack.is_break_and_run else ""
    return (_name(reviewed, rack.winner) or "nobody") + how


def _outcome(reviewed: Reviewed, rack: PlayedRack) -> str:
    if not rack.is_over:
        return "its end is not in the video"
    if rack.is_break_and_run:
        return f"{_name(reviewed, rack.winner)} breaks and runs"
    return f"won by {_name(reviewed, rack.winner) or 'nobody'}"


def _lasted(rack: PlayedRack) -> str:
    span = rack.span_s
    return "-" if span is None else clock(span[1] - span[0])
