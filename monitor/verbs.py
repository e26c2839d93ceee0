"""What each verb of the command line does; imports wait until a verb runs."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from monitor.failures import AskedWronglyError, CannotBeDoneError

if TYPE_CHECKING:
    from monitor.review import Outcome, ReviewRequest
    from table.geometry import TableSpec

SEEN_BEFORE = "seen before, ruled on anew (--again looks at the video again)."


def calibrate(asked: Namespace) -> int:
    """Find the camera and write camera.json."""
    from monitor.calibrating import CalibrationRequest, calibrate_source  # noqa: PLC0415
    from monitor.camera_preview import write_preview  # noqa: PLC0415
    from monitor.corners import read_corners  # noqa: PLC0415
    from monitor.printing import camera_lines  # noqa: PLC0415
    from table.geometry import NINE_FOOT  # noqa: PLC0415

    request = CalibrationRequest(
        table=asked.table or NINE_FOOT,
        head=asked.head,
        points_px=read_corners(asked.points) if asked.points else None,
        lens_file=asked.lens,
    )
    found, picture = calibrate_source(asked.source, request)
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    if asked.preview is not None:
        write_preview(picture, found.camera, asked.preview, found.sigma)
    found.camera.save(asked.out)
    _say_table(asked.table)
    for note in found.notes:
        print(f"{note}.", file=sys.stderr)
    if asked.json:
        print(json.dumps(found.camera.to_json(), ensure_ascii=False))
    else:
        for line in camera_lines(found.camera, asked.out):
            print(line)
    return 0


def _say_table(table: TableSpec | None) -> None:
    if table is None:
        print("Taken as a 9-foot table (--table says otherwise).", file=sys.stderr)


def _check_camera_options(asked: Namespace) -> None:
    if asked.camera is not None and (asked.table or asked.head or asked.points):
        raise AskedWronglyError(
            "--camera already says table, head end and corners; "
            "leave out --table, --head and --points."
        )


def review(asked: Namespace) -> int:
    """Review one or several videos."""
    from monitor.review import folders_for  # noqa: PLC0415

    if asked.declarations is not None and len(asked.videos) > 1:
        raise AskedWronglyError("--declarations belongs to one video; review the others apart.")
    request = _review_request(asked, annotate=asked.annotate, take_up=not asked.again)
    folders = folders_for(asked.videos, asked.out)
    code = 0
    for outcome in _outcomes(folders, request, asked.jobs):
        if outcome.reviewed is not None:
            if asked.camera is None:
                _say_table(asked.table)
            if outcome.taken_up:
                print(f"{outcome.video.name}: {SEEN_BEFORE}", file=sys.stderr)
            _print_outcome(outcome, asked.json, several=len(folders) > 1)
        if outcome.problem is not None:
            print(outcome.problem, file=sys.stderr)
            code = 1
    return code


def _review_request(
    asked: Namespace, *, annotate: bool = False, take_up: bool = False
) -> ReviewRequest:
    from monitor.corners import read_corners  # noqa: PLC0415
    from monitor.review import ReviewRequest  # noqa: PLC0415
    from monitor.settings import read_settings  # noqa: PLC0415
    from table.geometry import NINE_FOOT  # noqa: PLC0415

    _check_camera_options(asked)
    return ReviewRequest(
        camera=asked.camera,
        table=asked.table or NINE_FOOT,
        head=asked.head,
        points_px=read_corners(asked.points) if asked.points else None,
        ball_set=asked.ball_set,
        declarations=asked.declarations,
        players=asked.players or ("A", "B"),
        annotate=annotate,
        take_up=take_up,
        settings=read_settings(asked.settings),
    )


def _outcomes(folders: dict[Path, Path], request: ReviewRequest, jobs: int) -> Iterable[Outcome]:
    """The outcomes in the order of the videos, one as soon as it and those before are done."""
    from monitor.progress import ProgressBar  # noqa: PLC0415
    from monitor.review import review_video  # noqa: PLC0415

    if jobs > 1 and len(folders) > 1:
        from monitor.parallel import review_in_parallel  # noqa: PLC0415

        yield from review_in_parallel(folders, request, jobs)
        return
    for video, folder in folders.items():
        bar = ProgressBar(video.name)
        try:
            outcome = review_video(video, folder, request, bar)
        finally:
            bar.close()
        yield outcome


def _print_outcome(outcome: Outcome, as_json: bool, several: bool) -> None:
    from monitor.printing import review_lines  # noqa: PLC0415

    reviewed = outcome.reviewed
    if reviewed is None:
        return
    if as_json:
        for row in reviewed.rulings:
            named = {"video": str(outcome.video)} | dict(row) if several else row
            print(json.dumps(named, ensure_ascii=False))
        return
    for line in review_lines(reviewed, outcome.folder):
        print(line)


def watch(asked: Namespace) -> int:
    """Run a table for an evening."""
    from monitor.live.watching import NO_CAMERA, WatchRequest, data_folder  # noqa: PLC0415
    from monitor.live.watching import watch as watched  # noqa: PLC0415
    from monitor.settings import read_settings  # noqa: PLC0415
    from table.geometry import NINE_FOOT  # noqa: PLC0415

    if asked.source is None and not asked.no_camera:
        raise AskedWronglyError(
            'Say what to watch: a video file, or "none" to enter the facts by hand.'
        )
    _check_camera_options(asked)
    return watched(
        WatchRequest(
            source=NO_CAMERA if asked.no_camera else asked.source,
            folder=asked.data or data_folder(),
            host=asked.host,
            port=asked.port,
            realtime=asked.realtime,
            paused=asked.paused,
            players=asked.players or ("A", "B"),
            table=asked.table or NINE_FOOT,
            camera=asked.camera,
            head=asked.head,
            points=asked.points,
            ball_set=asked.ball_set,
            record=asked.record,
            settings=read_settings(asked.settings),
        )
    )


def check(asked: Namespace) -> int:
    """The self-test before a match: a list, green, amber and red."""
    from monitor.checks.check_list import RED, CheckRequest, check_source  # noqa: PLC0415
    from monitor.corners import read_corners  # noqa: PLC0415
    from monitor.live.watching import data_folder  # noqa: PLC0415
    from monitor.settings import read_settings  # noqa: PLC0415
    from table.geometry import NINE_FOOT  # noqa: PLC0415

    _check_camera_options(asked)
    checks = check_source(
        CheckRequest(
            source=asked.source,
            seconds=float(asked.seconds),
            camera=asked.camera,
            table=asked.table or NINE_FOOT,
            head=asked.head,
            points_px=read_corners(asked.points) if asked.points else None,
            ball_set=asked.ball_set,
            folder=asked.data or data_folder(),
            settings=read_settings(asked.settings),
        )
    )
    if asked.json:
        print(json.dumps({"v": 1, "checks": [one.to_json() for one in checks]}))
    else:
        for one in checks:
            print(f"{one.level.upper():5}  {one.text}" + (f"  {one.todo}" if one.todo else ""))
    return 1 if any(one.level == RED for one in checks) else 0


def replay(asked: Namespace) -> int:
    """Rule on a shot log: rulings.jsonl on stdout."""
    from monitor.replaying import read_declarations  # noqa: PLC0415
    from monitor.replaying import replay as replayed  # noqa: PLC0415
    from monitor.settings import read_settings  # noqa: PLC0415
    from table.log import read_log  # noqa: PLC0415

    settings = read_settings(asked.settings)
    given = None if asked.declarations is None else read_declarations(asked.declarations)
    rows = replayed(
        read_log(asked.log),
        given,
        players=asked.players or ("A", "B"),
        decide_probability=settings.rules.decide_probability,
    )
    for row in rows:
        print(json.dumps(row, ensure_ascii=False))
    return 0


def judge(asked: Namespace) -> int:
    """Rule on written cases: a JSON array on stdout."""
    from monitor.judging import CaseError, judge_file  # noqa: PLC0415

    try:
        answers = judge_file(asked.cases)
    except CaseError as error:
        raise CannotBeDoneError(str(error)) from None
    print(json.dumps(answers, ensure_ascii=False, indent=1))
    return 0


def evaluate(asked: Namespace) -> int:
    """Measure reviews against clips with truth."""
    from monitor.evaluate import evaluate as evaluated  # noqa: PLC0415
    from monitor.evaluate import write_json  # noqa: PLC0415
    from monitor.evaluation.printing import report_text  # noqa: PLC0415

    def tell(name: str) -> None:
        print(f"scoring {name}", file=sys.stderr)

    scores = evaluated(asked.folders, asked.results, on_case=tell)
    print(report_text(scores), end="")
    if asked.json is not None:
        write_json(scores, asked.json)
    return 0


def enroll(asked: Namespace) -> int:
    """Learn how this table's balls look and write the ball set."""
    from monitor.calibrating import CalibrationRequest  # noqa: PLC0415
    from monitor.corners import read_corners  # noqa: PLC0415
    from monitor.enrolling import EnrolRequest, enroll_source, save_enrolment  # noqa: PLC0415
    from table.geometry import NINE_FOOT  # noqa: PLC0415
    from vision.ballset import ball_set_fields  # noqa: PLC0415

    _check_camera_options(asked)
    calibration = CalibrationRequest(
        table=asked.table or NINE_FOOT,
        head=asked.head,
        points_px=read_corners(asked.points) if asked.points else None,
    )
    request = EnrolRequest(asked.camera, calibration)
    learned = enroll_source(asked.source, asked.out.stem, request)
    preview = asked.preview or asked.out.with_suffix(".png")
    save_enrolment(learned, asked.out, preview)
    for note in learned.notes:
        print(note, file=sys.stderr)
    if asked.json:
        print(json.dumps(ball_set_fields(learned.ball_set), ensure_ascii=False))
    else:
        names = ", ".join(learned.ball_set.names)
        print(f"{len(learned.ball_set.names)} balls learned ({names}): {asked.out}")
        print(f"Check the colours in {preview}")
    return 0


def export(asked: Namespace) -> int:
    """Write a review in the format of another program."""
    from monitor.exports.exporting import ExportRequest  # noqa: PLC0415
    from monitor.exports.exporting import export as exported  # noqa: PLC0415

    out = asked.out or asked.folder / "export" / asked.format
    request = ExportRequest(asked.folder, asked.format, out, asked.video, asked.every)
    for path in exported(request):
        print(path)
    return 0


def clips(asked: Namespace) -> int:
    """Cut a reviewed video into one file a shot."""
    from monitor.exports.reviewed_folder import ReviewedFolder  # noqa: PLC0415
    from monitor.shot_clips import write_shot_clips  # noqa: PLC0415

    reviewed = ReviewedFolder(asked.folder, asked.video)
    for clip in write_shot_clips(reviewed, asked.out or asked.folder / "clips"):
        print(clip.path)
    return 0


def record_case(asked: Namespace) -> int:
    """Make a regression test of one shot of a video."""
    from monitor.cases.recording import CaseRequest  # noqa: PLC0415
    from monitor.cases.recording import record_case as recorded  # noqa: PLC0415
    from monitor.printing import review_lines  # noqa: PLC0415
    from monitor.progress import ProgressBar  # noqa: PLC0415

    request = CaseRequest(asked.video, asked.shot, asked.out, _review_request(asked))
    bar = ProgressBar(asked.video.name)
    try:
        approved = recorded(request, bar)
    finally:
        bar.close()
    for line in review_lines(approved, asked.out):
        # A case has no report.
        if not line.startswith("Report:"):
            print(line)
    print(f"Case: {asked.out} (look it over: what the program saw is now what is expected)")
    return 0


def synth(asked: Namespace) -> int:
    """Make clips with exact truth."""
    try:
        from synthetic import make_clips  # noqa: PLC0415
    except ImportError as error:
        raise CannotBeDoneError(
            f"The truth generator is not installed ({error.name} is missing); "
            '"make install-dev" brings it.'
        ) from None
    try:
        clips = make_clips(asked.out, asked.shots, asked.seed, asked.preset)
    except ValueError as error:
        raise AskedWronglyError(f"{error}.") from None
    for folder in clips:
        print(folder, flush=True)
    return 0
