"""Results as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from monitor.reviewed import Reviewed, objects, texts
from monitor.wording import doubt_words, event_words
from table.events import ShotEvent

if TYPE_CHECKING:
    from calibration.camera import Camera


def review_lines(reviewed: Reviewed, folder: Path) -> Iterator[str]:
    """What a review found: each shot with its events, ruling and questions."""
    count = len(reviewed.shots)
    yield f"{reviewed.video.name}: {count} shot{'' if count == 1 else 's'}, {_camera(reviewed)}"
    for note in reviewed.observation.notes:
        yield f"  note: {note}"
    for shot in reviewed.shots:
        row = reviewed.ruling_of(shot.number)
        yield ""
        yield f"Shot {shot.number}"
        for event in shot.events:
            yield f"  {_event_line(event)}"
        if row is not None:
            yield f"  Ruling: {row.get('sentence', '')}"
            for question in objects(row, "questions"):
                yield f"  Question ({question.get('article', '')}): {question.get('ask', '')}"
    assumed = {text: None for row in reviewed.rulings for text in texts(row, "assumptions")}
    if assumed:
        yield ""
        yield "Assumed: " + "; ".join(assumed)
    yield ""
    yield f"Report: {folder / 'report.html'}"


def camera_lines(camera: Camera, file: Path) -> Iterator[str]:
    """How well a camera was found, and where it is written."""
    rails = ", ".join(f"{rail} {mm:.1f}" for rail, mm in camera.error_mm.items() if rail != "rms")
    yield f"Calibration error {camera.error_mm.get('rms', float('nan')):.1f} mm rms ({rails})"
    yield (
        f"Camera {camera.height_m:.2f} m above the cloth, tilted {camera.tilt_deg:.1f} degrees; "
        f"head end {camera.head} ({camera.head_from})"
    )
    yield f"Written to {file}"


def _camera(reviewed: Reviewed) -> str:
    error = reviewed.camera.error_mm.get("rms")
    quality = "calibration error unknown" if error is None else f"calibrated to {error:.1f} mm"
    return f"{quality}, head end {reviewed.camera.head} ({reviewed.camera.head_from})"


def _event_line(event: ShotEvent) -> str:
    when = "         " if event.t_s is None else f"{event.t_s:7.3f} s"
    doubt = doubt_words(event)
    return f"{when}  {event_words(event)}" + (f"  [{doubt}]" if doubt else "")
