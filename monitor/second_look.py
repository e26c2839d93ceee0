"""The second look at a video: pictures of the deciding moments, and the annotated video.

Names and contact times are known only after a shot, so what is drawn is drawn in a second
pass. Without the annotated video only the deciding moments are decoded.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from monitor.observation import Progress
from monitor.reviewed import Reviewed
from monitor.settings import OverlaySettings, Settings
from monitor.state_file import states_between
from monitor.tracks import Tracks

if TYPE_CHECKING:
    from monitor.evidence import EvidencePictures
    from monitor.overlay import Overlay

_GAP_S: Final = 4.0
"""A longer time without a wanted frame is skipped, not decoded."""
_AHEAD_S: Final = 0.3
WINDOW_S: Final = 60.0
"""So much of a video is drawn at once: its tracks lie in memory, not those of the whole match."""
_SHOTS_BEFORE_S: Final = 600.0
"""Shots so long ago still say which balls are down."""


@dataclass
class SecondLook:
    """Makes evidence/ and annotated.mp4 in `stage`."""

    reviewed: Reviewed
    stage: Path
    settings: Settings = field(default_factory=Settings)
    pictures: bool = True

    def run(self, annotate: bool, on_progress: Progress) -> list[Path]:
        """Go through the video; returns the pictures.

        Raises:
            OSError: when the disk refuses.
        """
        from monitor.evidence import EvidencePictures, deciding_moments  # noqa: PLC0415

        shots = self.reviewed.shots
        moments = [m for shot in shots for m in deciding_moments(shot)] if self.pictures else []
        moments.sort(key=lambda moment: moment.t_s)
        gathered = EvidencePictures(
            self.stage / "evidence",
            moments,
            shots.number,
            self.reviewed.observation.camera_at,
            self.settings.evidence,
        )
        if annotate:
            self._film(gathered, on_progress)
        else:
            self._seek(gathered, on_progress)
        return gathered.close()

    def _seek(self, gathered: EvidencePictures, on_progress: Progress) -> None:
        """Decode only around the wanted frames."""
        from vision.frames import SourceError  # noqa: PLC0415

        with suppress(SourceError):
            # Beyond the video's end there is no frame.
            self._seek_each(gathered, on_progress)

    def _seek_each(self, gathered: EvidencePictures, on_progress: Progress) -> None:
        from vision.frames import VideoFile  # noqa: PLC0415

        whole_s = max(self.reviewed.duration_s, 1e-9)
        while gathered.next_s is not None:
            wanted_s = gathered.next_s
            for frame in VideoFile(self.reviewed.video, from_s=max(0.0, wanted_s - _AHEAD_S)):
                gathered.update(frame)
                on_progress(round(1000 * frame.t_s / whole_s), 1000)
                if gathered.next_s is None or gathered.next_s > frame.t_s + _GAP_S:
                    break
            if gathered.next_s == wanted_s:
                # The video ends before it.
                return

    def _film(self, gathered: EvidencePictures, on_progress: Progress) -> None:
        """Draw every frame, and take the pictures on the way."""
        from monitor.annotate import AnnotatedVideo  # noqa: PLC0415
        from vision.frames import VideoFile  # noqa: PLC0415

        source = self.reviewed.observation.source
        film: AnnotatedVideo | None = None
        until_s = 0.0
        for frame in VideoFile(self.reviewed.video):
            if film is None or frame.t_s >= until_s:
                until_s = frame.t_s + WINDOW_S
                overlay = overlay_between(self.reviewed, frame.t_s, until_s, self.settings.overlay)
                if film is None:
                    place = self.stage / "annotated.mp4"
                    film = AnnotatedVideo(place, overlay, source.fps or 0.0)
                film.overlay = overlay
            film.update(frame)
            gathered.update(frame)
            on_progress(frame.index, source.frames)
        if film is not None:
            film.close()


def overlay_between(
    reviewed: Reviewed, from_s: float, until_s: float, settings: OverlaySettings
) -> Overlay:
    """What is drawn between two times: the tracks of these, and the shots around them."""
    from monitor.overlay import Overlay, captions_for  # noqa: PLC0415

    seen = reviewed.observation
    states = states_between(seen.states, from_s - settings.trail_s - 1.0, until_s + 1.0)
    shots = reviewed.shots.around(from_s - _SHOTS_BEFORE_S, until_s, Tracks.from_states(states))
    captions = captions_for(shots, reviewed.sentences)
    return Overlay(
        seen.camera, Tracks.from_states(states), shots, captions, settings, seen.later_cameras
    )
