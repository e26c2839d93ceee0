"""The players' figures, heat maps and pots by pocket, as HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Final

from monitor.reporting.heat import pocket_svg, rest_svg
from monitor.reporting.played_shots import PLAYERS
from monitor.reporting.racks import PlayedRack
from monitor.reporting.statistics import PlayerFigures, all_shots, figures_of, pots_by_pocket
from monitor.reviewed import Reviewed

Told = Callable[[PlayerFigures], str]


def _number(value: float | None, unit: str, digits: int = 2) -> str:
    return "-" if value is None else f"{value:.{digits}f} {unit}"


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole:.0%})" if whole else "-"


def _fouls(f: PlayerFigures) -> str:
    articles = ", ".join(
        article if count == 1 else f"{article} x {count}"
        for article, count in f.fouls_by_article.items()
    )
    return f"{f.fouls} ({articles})" if articles else str(f.fouls)


def _safeties(f: PlayerFigures) -> str:
    if not f.safeties:
        return "0"
    return f"{f.safeties} ({f.safeties_answered_by_foul} answered by a foul)"


def _runs(f: PlayerFigures) -> str:
    return ", ".join(str(run) for run in f.runs[:8]) + (", ..." if len(f.runs) > 8 else "")


ROWS: Final[tuple[tuple[str, Told], ...]] = (
    ("Racks won", lambda f: str(f.racks_won)),
    ("Break and run", lambda f: str(f.break_and_runs)),
    ("Shots", lambda f: str(f.shots)),
    ("Pots, of attempts", lambda f: _share(f.pots, f.attempts)),
    ("Misses", lambda f: str(f.misses)),
    ("Safeties", _safeties),
    ("Push outs", lambda f: str(f.push_outs)),
    ("Shots with a foul", _fouls),
    ("Breaks that made a ball", lambda f: _share(f.breaks_made, f.breaks)),
    ("Balls down", lambda f: str(f.balls_down)),
    ("Visits to the table", lambda f: str(f.visits)),
    ("Runs (balls a visit)", lambda f: _runs(f) or "none"),
    ("Time a shot, mean", lambda f: _number(f.seconds_a_shot, "s", 1)),
    ("Cue-ball speed, median", lambda f: _number(f.speed_mps, "m/s")),
    ("Break speed, mean", lambda f: _number(f.break_speed_mps, "m/s")),
    ("Cue-ball travel, mean", lambda f: _number(f.travel_m, "m")),
    ("Shots not judged", lambda f: str(f.unjudged)),
    ("Shots with an open question", lambda f: str(f.provisional)),
)


def figures_section(reviewed: Reviewed, racks: Sequence[PlayedRack]) -> Iterator[str]:
    """The section as lines of HTML; nothing when it is not known who played."""
    names = dict(zip(PLAYERS, reviewed.players, strict=True))
    figures = [figures_of(racks, player) for player in PLAYERS]
    figures = [one for one in figures if one.shots]
    if not figures:
        return
    yield '<section class="figures"><h2>Players</h2>'
    yield '<table class="score numbers"><thead><tr><th></th>'
    yield "".join(f"<th>{escape(names[one.player])}</th>" for one in figures)
    yield "</tr></thead><tbody>"
    for title, told in ROWS:
        cells = "".join(f"<td>{escape(told(one))}</td>" for one in figures)
        yield f"<tr><th>{title}</th>{cells}</tr>"
    yield "</tbody></table></section>"
    for one in figures:
        yield from _maps(reviewed, racks, one.player, names[one.player])


def _maps(reviewed: Reviewed, racks: Sequence[PlayedRack], player: str, name: str) -> Iterator[str]:
    table = reviewed.camera.table
    shots = [shot for shot in all_shots(racks) if shot.by == player]
    rests = [rest for shot in shots if (rest := shot.motion.cue_rest) is not None]
    pots = pots_by_pocket(racks, player)
    if not rests and not any(pots.values()):
        return
    known = escape(name)
    yield '<section class="maps">'
    yield f"<figure>{rest_svg(rests, table, f'Where the cue ball rested, {known}')}"
    yield f"<figcaption>{known}: where the cue ball came to rest ({len(rests)} shots)</figcaption>"
    yield f"</figure><figure>{pocket_svg(pots, table, f'Balls by pocket, {known}')}"
    yield (
        f"<figcaption>{known}: balls down without a foul, by pocket "
        f"({sum(pots.values())}); the head end lies on the left</figcaption>"
    )
    yield "</figure></section>"
