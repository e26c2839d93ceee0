"""`review`: video in; shot log, rulings, tracks, evidence, report and overlay out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from monitor import kept_review
from monitor.failures import AskedWronglyError, CannotBeDoneError
from monitor.observation import Observation, ObserveOptions, Progress, part_of, silent
from monitor.reporting.page import report_lines
from monitor.reviewed import Reviewed, RulingRow
from monitor.second_look import SecondLook
from monitor.settings import Settings
from monitor.staging import staged_folder
from monitor.state_file import StateFile
from table.geometry import NINE_FOOT, Pocket, Point, TableSpec
from table.log import write_log
from table.track_file import write_tracks

if TYPE_CHECKING:
    from calibration.camera import Camera

STORE: Final = ".segments"
"""Where the finished segments of a long video lie until it is reviewed."""
OUTPUTS: Final = (
    "camera.json",
    "shots.jsonl",
    "rulings.jsonl",
    "tracks.csv",
    "evidence",
    "annotated.mp4",
    "report.html",
    kept_review.NAME,
)
MADE_ANEW: Final = ("rulings.jsonl", "report.html", "annotated.mp4", kept_review.NAME)
"""What depends on the declarations as well."""


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
    take_up: bool = False
    """Use what an earlier run with the same video and options has seen, finished or not."""
    settings: Settings = field(default_factory=Settings)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one video."""

    video: Path
    folder: Path
    reviewed: Reviewed | None
    problem: str | None
    """One sentence: why nothing was made, or how far the video could be read."""
    taken_up: bool = False
    """True when what was seen came from an earlier run that had seen it all."""


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
    from monitor.segment_store import SegmentStore  # noqa: PLC0415
    from vision.frames import SourceError  # noqa: PLC0415

    try:
        _check_ball_set(request.ball_set)
        key = _key(video, request)
        kept = kept_review.read_kept(folder, key) if key and request.take_up else None
        owned = OUTPUTS if kept is None else MADE_ANEW
        with staged_folder(folder, owned) as stage:
            job = _Job(stage, folder, video, request, key, on_progress)
            reviewed = job.watched() if kept is None else job.ruled_anew(kept)
    except CalibrationError as error:
        return Outcome(video, folder, None, f"{video.name}: {str(error).rstrip('.')}.")
    except (SourceError, CameraFileError, CannotBeDoneError) as error:
        return Outcome(video, folder, None, str(error))
    reviewed = _at_home(reviewed, folder)
    if kept is None:
        SegmentStore(folder / STORE).remove()
    return Outcome(video, folder, reviewed, reviewed.observation.ended_early, kept is not None)


def _key(video: Path, request: ReviewRequest) -> str | None:
    """What the results are made from; None where that cannot be told."""
    try:
        return kept_review.key_of(video, request)
    except OSError:
        return None


def _at_home(reviewed: Reviewed, folder: Path) -> Reviewed:
    """The same with the places at which its files lie now."""
    seen = reviewed.observation
    if isinstance(seen.states, StateFile):
        seen = replace(seen, states=replace(seen.states, path=folder / "tracks.csv"))
    evidence = [folder / "evidence" / path.name for path in reviewed.evidence]
    return replace(reviewed, observation=seen, evidence=evidence)


@dataclass(frozen=True)
class _Job:
    """One review that is being made in `stage`, to be moved into `folder`."""

    stage: Path
    folder: Path
    video: Path
    request: ReviewRequest
    key: str | None
    on_progress: Progress

    def watched(self) -> Reviewed:
        """Look at the video, rule on it, and write everything."""
        # The second look seeks to its moments; with --annotate it draws every frame.
        share = 0.6 if self.request.annotate else 0.95
        seen = self._observe(part_of(self.on_progress, 0.0, share))
        reviewed = Reviewed(self.video, seen, _rule(seen, self.request), self.request.players)
        seen.camera.save(self.stage / "camera.json")
        (self.stage / "shots.jsonl").write_text(write_log(seen.log), encoding="utf-8")
        if not isinstance(seen.states, StateFile):
            write_tracks(seen.states, self.stage / "tracks.csv")
        self._write_rulings(reviewed)
        look = SecondLook(reviewed, self.stage, self.request.settings)
        evidence = look.run(self.request.annotate, part_of(self.on_progress, share, 1.0))
        return self._write_report(replace(reviewed, evidence=evidence))

    def ruled_anew(self, seen: Observation) -> Reviewed:
        """Rule again on what an earlier run saw; its log, tracks and pictures stay."""
        evidence = sorted((self.folder / "evidence").glob("*.jpg"))
        rulings = _rule(seen, self.request)
        reviewed = Reviewed(self.video, seen, rulings, self.request.players, evidence)
        self._write_rulings(reviewed)
        if self.request.annotate:
            look = SecondLook(reviewed, self.stage, self.request.settings, pictures=False)
            look.run(True, self.on_progress)
        return self._write_report(reviewed)

    def _observe(self, on_progress: Progress) -> Observation:
        from monitor.long_watch import is_long, observe_long  # noqa: PLC0415
        from monitor.pipeline import observe  # noqa: PLC0415

        request = self.request
        options = ObserveOptions(
            table=request.table,
            head=request.head,
            points_px=request.points_px,
            ball_set=request.ball_set,
            on_progress=on_progress,
            network=request.settings.network,
        )
        if not is_long(self.video):
            return observe(self.video, _camera(request), options)
        from monitor.segment_store import SegmentStore  # noqa: PLC0415

        store = SegmentStore(self.folder / STORE)
        if not (request.take_up and self.key):
            store.remove()
        plan = {"v": 1, "key": self.key}
        tracks = self.stage / "tracks.csv"
        return observe_long(self.video, _camera(request), options, store, plan, tracks)

    def _write_rulings(self, reviewed: Reviewed) -> None:
        text = ruling_lines(reviewed.rulings)
        (self.stage / "rulings.jsonl").write_text(text, encoding="utf-8")

    def _write_report(self, reviewed: Reviewed) -> Reviewed:
        with (self.stage / "report.html").open("w", encoding="utf-8") as out:
            out.writelines(f"{line}\n" for line in report_lines(reviewed))
        if self.key is not None:
            text = kept_review.kept_text(reviewed.observation, self.key)
            (self.stage / kept_review.NAME).write_text(text, encoding="utf-8")
        return reviewed


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


def ruling_lines(rulings: Sequence[RulingRow]) -> str:
    """The text of rulings.jsonl."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rulings)
