"""How far the figures can be trusted, said before the figures."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from monitor.reviewed import Reviewed, objects, texts
from monitor.wording import SURE
from table.events import BallContact


def quality_section(reviewed: Reviewed) -> Iterator[str]:
    """The section as lines of HTML."""
    yield '<section class="quality"><h2>Quality of the data</h2><dl>'
    for term, text in (*_camera_rows(reviewed), *_seen_rows(reviewed)):
        yield f"<div><dt>{term}</dt><dd>{escape(text)}</dd></div>"
    yield "</dl>"
    seen = reviewed.observation
    notes = [*([seen.ended_early] if seen.ended_early else []), *seen.notes]
    notes += _health(reviewed) + _assumptions(reviewed)
    if notes:
        yield "<ul>" + "".join(f"<li>{escape(note)}</li>" for note in notes) + "</ul>"
    yield "</section>"


def _camera_rows(reviewed: Reviewed) -> Iterator[tuple[str, str]]:
    camera, source = reviewed.camera, reviewed.observation.source
    error = camera.error_mm.get("rms")
    rails = ", ".join(f"{k} {v:.1f}" for k, v in camera.error_mm.items() if k != "rms")
    yield "Calibration error", "unknown" if error is None else f"{error:.1f} mm rms"
    yield "By rail (mm)", rails or "not given"
    yield "Camera", f"{camera.height_m:.2f} m above the cloth, tilted {camera.tilt_deg:.1f}°"
    yield "Table", f"{camera.table.length_m:.3f} x {camera.table.width_m:.3f} m"
    yield "Head end", f"{camera.head} of the picture ({camera.head_from})"
    yield "Ball set", source.ball_set or "not known"


def _seen_rows(reviewed: Reviewed) -> Iterator[tuple[str, str]]:
    seen = reviewed.observation
    frames = seen.source.frames or len(seen.states)
    fps = f"{seen.source.fps:.2f} a second" if seen.source.fps else "unknown rate"
    yield "Frames", f"{frames}, {fps}"
    share = min(1.0, len(seen.states) / frames) if frames else 0.0
    yield "With the table in view", f"{share:.0%}"
    yield "Balls without a name", ", ".join(reviewed.unknown_balls) or "none"
    first, unsure = _first_contacts(reviewed)
    yield "First contacts", f"{first - unsure} of {first} sure" if first else "none seen"
    shots = len(reviewed.shots)
    asked = sum(bool(objects(row, "questions")) for row in reviewed.standing)
    unseen = sum(row is None or row.get("legal") is None for row in reviewed.standing)
    yield "Shots with a question", f"{asked} of {shots}"
    yield "Shots not judged", f"{unseen} of {shots}"


def _first_contacts(reviewed: Reviewed) -> tuple[int, int]:
    """First contacts of all shots, and how many of them are less sure than a ruling needs."""
    count = unsure = 0
    for shot in reviewed.shots:
        contacts = (e for e in shot.events if isinstance(e, BallContact) and e.a == "cue")
        first = next(contacts, None)
        count += first is not None
        unsure += first is not None and first.confidence < SURE
    return count, unsure


def _health(reviewed: Reviewed) -> list[str]:
    return list(dict.fromkeys(note for row in reviewed.rulings for note in texts(row, "health")))


def _assumptions(reviewed: Reviewed) -> list[str]:
    found = dict.fromkeys(text for row in reviewed.rulings for text in texts(row, "assumptions"))
    return [f"Assumed: {'; '.join(found)}."] if found else []
