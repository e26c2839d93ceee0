"""`review` from a real video file to its folder, and when that cannot be done."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from html import unescape
from pathlib import Path

import av
import numpy as np
import pytest

from calibration.camera import Camera
from monitor import review as review_module
from monitor.cli import main
from monitor.failures import AskedWronglyError
from monitor.kept_review import key_of
from monitor.observation import Observation
from monitor.review import OUTPUTS, ReviewRequest, folders_for, review_video
from table.log import read_log
from tests.monitor import scenes
from tests.monitor.films import film, first_packets

SAMPLE = Path(__file__).parents[2] / "fixtures" / "videos" / "pot" / "clip.mp4"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of the sample clip, made once through the command line."""
    out = tmp_path_factory.mktemp("review") / "out"
    assert main(["review", str(SAMPLE), "--out", str(out), "--annotate"]) == 0
    return out


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Observation:
    """Reviews see this instead of looking at the video."""
    observation = scenes.pot_and_miss()
    monkeypatch.setattr("monitor.pipeline.observe", lambda *_: observation)
    return observation


def test_the_sample_clip_gives_every_output(sample: Path) -> None:
    assert {path.name for path in sample.iterdir()} == set(OUTPUTS)


def test_its_shot_log_and_rulings_fit_together(sample: Path) -> None:
    log = read_log(sample / "shots.jsonl")
    rows = [json.loads(line) for line in (sample / "rulings.jsonl").read_text().splitlines()]
    assert list(log.shots()) == [row["shot"] for row in rows]
    assert all(row["sentence"] in (sample / "report.html").read_text() for row in rows)


def test_its_tracks_have_a_row_a_ball_a_frame(sample: Path) -> None:
    with (sample / "tracks.csv").open() as file:
        rows = list(csv.DictReader(file))
    frames = read_log(sample / "shots.jsonl").source.frames or 0
    # The first frames may pass before the balls are established.
    assert 0.95 * frames < len({row["t_s"] for row in rows}) <= frames
    assert len({(row["t_s"], row["ball"]) for row in rows}) == len(rows)


def test_its_camera_can_be_used_again(
    sample: Path, seen: Observation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[Camera | None] = []

    def observe(_video: Path, camera: Camera | None, *_: object) -> Observation:
        used.append(camera)
        return seen

    monkeypatch.setattr("monitor.pipeline.observe", observe)
    video = film(seen, tmp_path / "club.mp4", 10)
    file = sample / "camera.json"
    assert main(["review", str(video), "--out", str(tmp_path / "o"), "--camera", str(file)]) == 0
    (camera,) = used
    assert camera is not None
    assert camera.head == "right"
    # The camera was over the table: its own corners lie within the picture.
    corners = np.array(list(camera.corner_pixels().values()))
    assert ((corners > 0) & (corners < (1280, 720))).all()


def test_replay_of_its_log_gives_its_rulings_but_for_the_assumed_call(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(sample / "shots.jsonl")]) == 0
    replayed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    reviewed = [json.loads(line) for line in (sample / "rulings.jsonl").read_text().splitlines()]
    assert [row["fouls"] for row in replayed] == [row["fouls"] for row in reviewed]
    assert [row["balls_after"] for row in replayed] == [row["balls_after"] for row in reviewed]


def test_the_readable_form_tells_shots_events_rulings_and_where_the_report_is(
    seen: Observation, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    video = film(seen, tmp_path / "club.mp4")
    assert main(["review", str(video), "--out", str(tmp_path / "o")]) == 0
    out, err = capsys.readouterr()
    assert "club.mp4: 2 shots, calibrated to 1.3 mm, head end right (rack)" in out
    assert "1.600 s  The cue ball hits the 1" in out
    assert "Ruling: " in out
    assert out.rstrip().endswith(f"Report: {tmp_path / 'o' / 'report.html'}")
    assert "9-foot" in err


def test_the_machine_form_is_the_rulings_file(
    seen: Observation, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    video = film(seen, tmp_path / "club.mp4")
    assert main(["review", str(video), "--out", str(tmp_path / "o"), "--json"]) == 0
    assert capsys.readouterr().out == (tmp_path / "o" / "rulings.jsonl").read_text("utf-8")


def test_several_videos_get_a_folder_each_and_one_bad_one_costs_only_itself(
    seen: Observation, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = (film(seen, tmp_path / name, 60) for name in ("a.mp4", "b.mp4"))
    broken = tmp_path / "c.mp4"

    def observe(video: Path, *_: object) -> Observation:
        from vision.frames import SourceError  # noqa: PLC0415

        if video == broken:
            raise SourceError("c.mp4 is not a video that can be read.")
        return seen

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("monitor.pipeline.observe", observe)
        videos = [str(v) for v in (first, broken, second)]
        assert main(["review", *videos, "--out", str(tmp_path / "o")]) == 1
    out, err = capsys.readouterr()
    assert sorted(p.name for p in (tmp_path / "o").iterdir()) == ["a", "b"]
    assert "c.mp4 is not a video" in err
    assert out.count("Report: ") == 2


def test_two_videos_of_one_name_are_asked_wrongly() -> None:
    with pytest.raises(AskedWronglyError, match='called "a"'):
        folders_for([Path("x/a.mp4"), Path("y/a.mkv")], Path("o"))


def test_a_file_that_ends_early_is_reviewed_as_far_as_it_goes_and_exits_1(
    seen: Observation,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = "club.mp4 can be read up to 8.00 s (200 frames); the rest is cut off or damaged."
    monkeypatch.setattr("monitor.pipeline.observe", lambda *_: replace(seen, ended_early=said))
    video = film(seen, tmp_path / "club.mp4")
    assert main(["review", str(video), "--out", str(tmp_path / "o")]) == 1
    out, err = capsys.readouterr()
    assert said in err
    assert "Shot 2" in out
    assert said in (tmp_path / "o" / "report.html").read_text("utf-8")


def test_a_really_cut_off_file_says_how_far_it_goes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = tmp_path / "whole.mp4"
    first_packets(SAMPLE, whole)
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size * 7 // 10])
    assert main(["review", str(cut), "--out", str(tmp_path / "o")]) == 1
    err = capsys.readouterr().err
    assert "cut.mp4 can be read up to" in err
    assert (tmp_path / "o" / "shots.jsonl").exists()


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), MemoryError()])
def test_a_disk_that_fills_up_leaves_nothing_and_is_told(
    error: Exception,
    seen: Observation,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def full(*_: object) -> None:
        raise error

    monkeypatch.setattr(review_module, "write_tracks", full)
    video = film(seen, tmp_path / "club.mp4", 30)
    assert main(["review", str(video), "--out", str(tmp_path / "o")]) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "full" in err or "memory" in err
    assert not (tmp_path / "o").exists()


def test_a_file_in_the_way_of_the_folder_is_told(
    seen: Observation, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    video = film(seen, tmp_path / "club.mp4", 30)
    assert main(["review", str(video), "--out", str(video)]) == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "club.mp4" in err


def test_a_folder_without_write_permission_is_told(seen: Observation, tmp_path: Path) -> None:
    """As a user who is not root, because root may write everywhere."""
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("root may write everywhere, and setpriv is not there to be somebody else")
    video = film(seen, tmp_path / "club.mp4", 30)
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o555)
    for path in (tmp_path, *tmp_path.parents[:3]):
        path.chmod(path.stat().st_mode | 0o055)
    program = (
        "import sys\nfrom monitor.staging import staged_folder\nfrom monitor.cli import main\n"
        "from pathlib import Path\nimport monitor.review as r\n"
        "def review(*_):\n    with staged_folder(Path(sys.argv[1])):\n        pass\n"
        "r.review_video = review\n"
        "sys.exit(main(['review', sys.argv[2], '--out', sys.argv[1]]))\n"
    )
    command = [sys.executable, "-c", program, str(folder), str(video)]
    if os.geteuid() == 0:
        command = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", *command]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "No module named" in done.stderr or "Permission denied: " in done.stderr:
        pytest.skip("another user cannot read this checkout")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "No permission for" in done.stderr


def test_a_killed_run_leaves_no_half_file_and_the_next_one_is_whole(
    seen: Observation, tmp_path: Path
) -> None:
    out = tmp_path / "o"
    video = film(seen, tmp_path / "club.mp4")
    program = (
        "import os, sys\nfrom pathlib import Path\nimport monitor.pipeline\n"
        "import monitor.review as r\nfrom tests.monitor import scenes\n"
        "def die(*_):\n    os.kill(os.getpid(), 9)\n"
        "monitor.pipeline.observe = lambda *_: scenes.pot_and_miss()\n"
        "r.report_lines = die\n"
        "r.review_video(Path(sys.argv[1]), Path(sys.argv[2]), r.ReviewRequest())\n"
    )
    killed = subprocess.run(
        [sys.executable, "-c", program, str(video), str(out)],
        check=False,
        capture_output=True,
        cwd=Path(__file__).parents[2],
    )
    assert killed.returncode == -9, killed.stderr
    assert [p.name for p in out.iterdir() if not p.name.startswith(".")] == []
    review_video(video, out, ReviewRequest())
    assert {p.name for p in out.iterdir()} == set(OUTPUTS) - {"annotated.mp4"}


def test_a_second_review_without_annotate_removes_the_old_film(
    seen: Observation, tmp_path: Path
) -> None:
    video = film(seen, tmp_path / "club.mp4")
    review_video(video, tmp_path / "o", ReviewRequest(annotate=True))
    assert (tmp_path / "o" / "annotated.mp4").exists()
    review_video(video, tmp_path / "o", ReviewRequest())
    assert not (tmp_path / "o" / "annotated.mp4").exists()


def test_videos_in_parallel_give_what_they_give_one_by_one(tmp_path: Path) -> None:
    videos = [tmp_path / "a.mp4", tmp_path / "b.mp4"]
    for video in videos:
        first_packets(SAMPLE, video, packets=20)
    names = [str(v) for v in videos]
    assert main(["review", *names, "--out", str(tmp_path / "two"), "--jobs", "2"]) == 0
    assert main(["review", names[0], "--out", str(tmp_path / "one")]) == 0
    once = (tmp_path / "one" / "tracks.csv").read_text("utf-8")
    assert once.count("\n") > 40
    for name in ("a", "b"):
        assert (tmp_path / "two" / name / "tracks.csv").read_text("utf-8") == once
        assert (tmp_path / "two" / name / "report.html").exists()


def test_a_video_without_a_table_is_told_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # A grey room with a bright window.
    room = np.tile(np.linspace(40, 200, 640, dtype=np.uint8)[None, :, None], (360, 1, 3))
    room[40:120, 80:140] = 250
    video = tmp_path / "room.mp4"
    with av.open(str(video), "w") as container:
        stream = container.add_stream("libx264", rate=25)
        stream.height, stream.width = room.shape[:2]
        stream.pix_fmt = "yuv420p"
        for _ in range(20):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(room, format="bgr24")))
        container.mux(stream.encode(None))
    assert main(["review", str(video), "--out", str(tmp_path / "o")]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("room.mp4: ")
    assert not (tmp_path / "o").exists()


def test_a_question_answered_needs_no_second_look(
    seen: Observation,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    video, out = film(seen, tmp_path / "club.mp4"), tmp_path / "o"
    command = ["review", str(video), "--out", str(out)]
    assert main(command) == 0
    report = (out / "report.html").read_text("utf-8")
    # Without declarations the plain pot counted as called, and its line is offered.
    (call,) = re.findall("{[^}]*obvious_call[^}]*}", unescape(report))
    assert "6.2" in report.split("Score sheet")[0]

    def look(*_: object) -> Observation:
        raise AssertionError("looked again")

    monkeypatch.setattr("monitor.pipeline.observe", look)
    said = tmp_path / "said.jsonl"
    answer = '{"v": 1, "shot": 2, "type": "confirm", "rule": "6.2"}'
    said.write_text(f"{call}\n{answer}\n", "utf-8")
    before = {name: (out / name).read_bytes() for name in ("shots.jsonl", "tracks.csv")}
    pictures = sorted(path.name for path in (out / "evidence").iterdir())
    capsys.readouterr()
    assert main([*command, "--declarations", str(said)]) == 0
    assert "seen before" in capsys.readouterr().err
    assert "To be decided" not in (out / "report.html").read_text("utf-8")
    assert "6.2" in (out / "rulings.jsonl").read_text("utf-8")
    assert before == {name: (out / name).read_bytes() for name in before}
    assert pictures == sorted(path.name for path in (out / "evidence").iterdir())
    # Without the answer it is the first report again, drawn from what was kept.
    assert main(command) == 0
    assert (out / "report.html").read_text("utf-8").count("<svg") == report.count("<svg")
    with pytest.raises(AssertionError, match="looked again"):
        main([*command, "--again", "--debug"])


def test_another_camera_or_another_video_is_looked_at_again(
    seen: Observation, tmp_path: Path
) -> None:
    video = film(seen, tmp_path / "club.mp4", 30)
    known = key_of(video, ReviewRequest())
    assert key_of(video, ReviewRequest(players=("X", "Y"))) == known
    assert key_of(video, ReviewRequest(head="left")) != known
    seen.camera.save(tmp_path / "camera.json")
    assert key_of(video, ReviewRequest(camera=tmp_path / "camera.json")) != known
    os.utime(video, (1.0, 1.0))
    assert key_of(video, ReviewRequest()) != known
