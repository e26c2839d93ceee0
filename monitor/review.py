"""`review`: video in; shot log, rulings, tracks, evidence, report and overlay out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from monitor.failures import AskedWronglyError, CannotBeDoneError
from monitor.observation import Observation, ObserveOptions, Progress, silent
from monitor.reporting.page import report_html
from monitor.reviewed import Reviewed, RulingRow
from monitor.settings import Settings
from monitor.staging import staged_folder
from table.geometry import NINE_FOOT, Pocket, Point, TableSpec
from table.log import write_log
from table.track_file import write_tracks

if TYPE_CHECKING:
    from calibration.camera import Camera

OUTPUTS: Final = (
    "camera.json",
    "shots.jsonl",
    "rulings.jsonl",
    "tracks.csv",
    "evidence",
    "annotated.mp4",
    "report.html",
)


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """What the user asked of a review, the same for every video of one call."""

    camera: Path | None = None
    table: TableSpec = NINE_FOOT
    head: str | None = None
    points_px: Mapping[Pocket, Point] | None = None
    ball_set: str | None = None
    declarations: Path | None = None
    players: tuple[str, str] = ("A", "B")
    annotate: bool = False
    settings: Settings = field(default_factory=Settings)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one video."""

    video: Path
    folder: Path
    reviewed: Reviewed | None
    problem: str | None
    """One sentence: why nothing was made, or how far the video could be read."""


def folders_for(videos: Sequence[Path], out: Path) -> dict[Path, Path]:
    """Where each video's results go: DIR itself for one video, DIR/<stem> for several.

    Raises:
        AskedWronglyError: when two videos would share a folder.
    """
    if len(videos) == 1:
        return {videos[0]: out}
    folders: dict[Path, Path] = {}
    for video in videos:
        folder = out / video.stem
        if folder in folders.values():
            raise AskedWronglyError(
                f'Two videos are called "{video.stem}", so their results would share {folder}; '
                "rename one or review them in two calls."
            )
        folders[video] = folder
    return folders


def review_video(
    video: Path, folder: Path, request: ReviewRequest, on_progress: Progress = silent
) -> Outcome:
    """Review one video into `folder`; what cannot be done is told in the outcome.

    Raises:
        OSError: when the results cannot be written.
    """
    from calibration.camera_file import CameraFileError  # noqa: PLC0415
    from calibration.errors import CalibrationError  # noqa: PLC0415
    from vision.frames import SourceError  # noqa: PLC0415

    try:
        _check_ball_set(request.ball_set)
        with staged_folder(folder, OUTPUTS) as stage:
            reviewed = _review_into(stage, video, request, on_progress)
    except CalibrationError as error:
        return Outcome(video, folder, None, f"{video.name}: {str(error).rstrip('.')}.")
    except (SourceError, CameraFileError, CannotBeDoneError) as error:
        return Outcome(video, folder, None, str(error))
    evidence = [folder / "evidence" / path.name for path in reviewed.evidence]
    reviewed = replace(reviewed, evidence=evidence)
    return Outcome(video, folder, reviewed, reviewed.observation.ended_early)


def _review_into(
    stage: Path, video: Path, request: ReviewRequest, on_progress: Progress
) -> Reviewed:
    from monitor.pipeline import observe  # noqa: PLC0415

    options = ObserveOptions(
        table=request.table,
        head=request.head,
        points_px=request.points_px,
        ball_set=request.ball_set,
        on_progress=_share_of_two(on_progress, first=True),
        network=request.settings.network,
    )
    seen = observe(video, _camera(request), options)
    reviewed = Reviewed(video, seen, _rule(seen, request), request.players)
    _write_lines(stage, seen, reviewed.rulings)
    evidence = _look_again(stage, reviewed, request, _share_of_two(on_progress, first=False))
    reviewed = replace(reviewed, evidence=evidence)
    (stage / "report.html").write_text(report_html(reviewed), encoding="utf-8")
    return reviewed


def _share_of_two(on_progress: Progress, first: bool) -> Progress:
    """The progress of one of the two passes over the video as a part of both."""

    def report(done: int, expected: int | None) -> None:
        if expected is None:
            on_progress(done, None)
        else:
            on_progress(done if first else expected + done, 2 * expected)

    return report


def _check_ball_set(text: str | None) -> None:
    from vision.ballset import ball_set_named  # noqa: PLC0415

    if text is None:
        return
    try:
        ball_set_named(text)
    except ValueError as error:
        known = "--ball-set takes standard, tv or a ball set file"
        raise CannotBeDoneError(f"{str(error).rstrip('.')}; {known}.") from None


def _camera(request: ReviewRequest) -> Camera | None:
    from calibration.camera import Camera  # noqa: PLC0415

    return None if request.camera is None else Camera.load(request.camera)


def _rule(seen: Observation, request: ReviewRequest) -> list[RulingRow]:
    """The rulings on what was seen; a review without declarations may assume obvious calls."""
    from monitor.replaying import read_declarations, replay  # noqa: PLC0415

    given = None if request.declarations is None else read_declarations(request.declarations)
    return list(
        replay(
            seen.log,
            given,
            players=request.players,
            decide_probability=request.settings.rules.decide_probability,
            assume_obvious=given is None,
        )
    )


def _write_lines(stage: Path, seen: Observation, rulings: Sequence[RulingRow]) -> None:
    seen.camera.save(stage / "camera.json")
    (stage / "shots.jsonl").write_text(write_log(seen.log), encoding="utf-8")
    (stage / "rulings.jsonl").write_text(ruling_lines(rulings), encoding="utf-8")
    write_tracks(seen.states, stage / "tracks.csv")


def ruling_lines(rulings: Sequence[RulingRow]) -> str:
    """The text of rulings.jsonl."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rulings)


def _look_again(
    stage: Path, reviewed: Reviewed, request: ReviewRequest, on_progress: Progress
) -> list[Path]:
    """Go through the video once more for evidence pictures and the annotated video."""
    from monitor.annotate import AnnotatedVideo  # noqa: PLC0415
    from monitor.evidence import EvidencePictures, deciding_moments  # noqa: PLC0415
    from monitor.overlay import Overlay, captions_for  # noqa: PLC0415
    from vision.frames import VideoFile  # noqa: PLC0415

    shots = reviewed.shots
    moments = [moment for shot in shots for moment in deciding_moments(shot)]
    by_number = {shot.number: shot for shot in shots}
    settings = request.settings
    pictures = EvidencePictures(
        stage / "evidence", moments, by_number, reviewed.camera, settings.evidence
    )
    captions = captions_for(shots, reviewed.sentences)
    overlay = Overlay(reviewed.camera, reviewed.tracks, shots, captions, settings.overlay)
    fps = reviewed.observation.source.fps or 0.0
    film = AnnotatedVideo(stage / "annotated.mp4", overlay, fps) if request.annotate else None
    expected = len(reviewed.observation.states)
    for frame in VideoFile(reviewed.video):
        if film is not None:
            film.update(frame)
        elif pictures.complete:
            break
        pictures.update(frame)
        on_progress(frame.index, expected)
    if film is not None:
        film.close()
    return pictures.close()
