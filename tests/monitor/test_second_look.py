"""Evidence pictures and the annotated video, made from a small drawn video."""

from dataclasses import replace
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from monitor.annotate import AnnotatedVideo
from monitor.evidence import EvidencePictures, deciding_moments
from monitor.overlay import Caption, Overlay, captions_for
from monitor.reviewed import Reviewed
from monitor.second_look import overlay_between
from monitor.settings import EvidenceSettings, OverlaySettings
from table.events import BallOffTable, ShotEnded
from tests.monitor import scenes
from tests.monitor.films import film
from vision.frames import VideoFile


@pytest.fixture(scope="module")
def reviewed(tmp_path_factory: pytest.TempPathFactory) -> Reviewed:
    path = tmp_path_factory.mktemp("film") / "club.mp4"
    seen = scenes.pot_and_miss()
    film(seen, path)
    return Reviewed(path, seen, scenes.rulings())


def overlay_of(reviewed: Reviewed) -> Overlay:
    return overlay_between(reviewed, 0.0, 99.0, OverlaySettings())


def test_the_annotated_video_keeps_every_frame_and_its_time(
    reviewed: Reviewed, tmp_path: Path
) -> None:
    out = AnnotatedVideo(tmp_path / "annotated.mp4", overlay_of(reviewed), fps=25.0)
    times = []
    for frame in VideoFile(reviewed.video):
        out.update(frame)
        times.append(frame.t_s)
    out.close()
    with av.open(str(tmp_path / "annotated.mp4")) as container:
        stream = container.streams.video[0]
        assert stream.codec_context.name == "h264"
        assert stream.codec_context.pix_fmt == "yuv420p"
        written = [float(f.pts * f.time_base) for f in container.decode(stream)]  # type: ignore[operator]
    assert written == pytest.approx(times, abs=1e-4)


def test_the_index_comes_first_so_that_browsers_play_at_once(
    reviewed: Reviewed, tmp_path: Path
) -> None:
    out = AnnotatedVideo(tmp_path / "a.mp4", overlay_of(reviewed), fps=25.0)
    for frame in VideoFile(reviewed.video):
        out.update(frame)
    out.close()
    content = (tmp_path / "a.mp4").read_bytes()
    assert 0 < content.find(b"moov") < content.find(b"mdat")


def test_odd_picture_sizes_lose_a_row_not_the_video(reviewed: Reviewed, tmp_path: Path) -> None:
    frame = next(iter(VideoFile(reviewed.video)))
    odd = replace(frame, image=np.ascontiguousarray(frame.image[:-1, :-1]))
    out = AnnotatedVideo(tmp_path / "odd.mp4", overlay_of(reviewed), fps=25.0)
    out.update(odd)
    out.close()
    with av.open(str(tmp_path / "odd.mp4")) as container:
        size = container.streams.video[0]
        assert (size.width, size.height) == (638, 358)


def test_closing_without_frames_writes_nothing(reviewed: Reviewed, tmp_path: Path) -> None:
    AnnotatedVideo(tmp_path / "none.mp4", overlay_of(reviewed), fps=25.0).close()
    assert not (tmp_path / "none.mp4").exists()


def test_the_overlay_marks_the_balls_where_they_are(reviewed: Reviewed) -> None:
    blank = np.zeros((scenes.HEIGHT, scenes.WIDTH, 3), np.uint8)
    drawn = blank.copy()
    overlay_of(reviewed).draw(drawn, 0.5)
    for point in ((-0.70, -0.10), (0.10, -0.45)):
        x, y = reviewed.camera.project_on_plane([point])[0].round().astype(int)
        assert drawn[y - 12 : y + 12, x - 12 : x + 12].any()
    assert not drawn[:20, :20].any()


def test_the_caption_stands_from_the_end_of_a_shot_to_the_next_start(reviewed: Reviewed) -> None:
    first, second = captions_for(reviewed.shots, reviewed.sentences)
    assert (first.start_s, first.end_s) == (3.4, 5.0)
    assert (second.start_s, second.end_s) == (6.9, float("inf"))
    bottom = slice(scenes.HEIGHT - 30, scenes.HEIGHT)
    before, during = (np.zeros((scenes.HEIGHT, scenes.WIDTH, 3), np.uint8) for _ in range(2))
    overlay_of(reviewed).draw(before, 3.3)
    overlay_of(reviewed).draw(during, 3.5)
    assert not before[bottom].any()
    assert during[bottom].any()


def test_a_shot_cut_off_by_the_clip_is_captioned_after_its_last_event(reviewed: Reviewed) -> None:
    shot = reviewed.shots[1]
    events = (*shot.events[:-1], ShotEnded(shot=2, t_s=None, ended_after_clip=True))
    captions = captions_for([replace(shot, events=events)], {2: "Incomplete."})
    assert captions == [Caption(5.6, float("inf"), "Incomplete.")]


def test_deciding_moments_are_the_first_contact_and_the_balls_that_left(
    reviewed: Reviewed,
) -> None:
    first, second = (deciding_moments(shot) for shot in reviewed.shots)
    assert [m.file_name for m in first] == [
        "shot001_first_contact.jpg",
        "shot001_pocketed_1.jpg",
    ]
    assert [m.name for m in second] == ["first_contact"]
    shot = reviewed.shots[1]
    flown = replace(shot, events=(*shot.events, BallOffTable(shot=2, t_s=6.5, ball="7")))
    assert [m.name for m in deciding_moments(flown)] == ["first_contact", "off_table_7"]


def test_evidence_shows_the_ball_before_at_and_after(reviewed: Reviewed, tmp_path: Path) -> None:
    moments = deciding_moments(reviewed.shots[0])[:1]
    settings = EvidenceSettings(side_px=200)
    pictures = EvidencePictures(
        tmp_path / "evidence",
        moments,
        reviewed.shots.number,
        reviewed.observation.camera_at,
        settings,
    )
    for frame in VideoFile(reviewed.video):
        if pictures.complete:
            break
        pictures.update(frame)
    (path,) = pictures.close()
    strip = cv2.imread(str(path))
    assert strip is not None
    assert strip.shape == (200, 3 * 200 + 2 * 6, 3)
    # The yellow 1 lies still before and at the contact, and has left its place after it.
    yellow = [_yellow_place(strip[:, k * 206 : k * 206 + 200]) for k in range(3)]
    assert yellow[0] == pytest.approx(yellow[1], abs=3)
    assert np.hypot(*np.subtract(yellow[2], yellow[1])) > 10


def test_a_moment_beyond_the_video_makes_no_picture(reviewed: Reviewed, tmp_path: Path) -> None:
    (moment,) = deciding_moments(reviewed.shots[1])
    late = replace(moment, t_s=99.0)
    pictures = EvidencePictures(
        tmp_path / "evidence", [late], reviewed.shots.number, reviewed.observation.camera_at
    )
    for frame in VideoFile(reviewed.video):
        pictures.update(frame)
    assert pictures.close() == []
    assert not (tmp_path / "evidence").exists()


def _yellow_place(square: np.ndarray) -> tuple[float, float]:
    hsv = cv2.cvtColor(np.ascontiguousarray(square[:170]), cv2.COLOR_BGR2HSV)
    rows, columns = np.nonzero(
        (hsv[..., 0] > 15) & (hsv[..., 0] < 35) & (hsv[..., 1] > 150) & (hsv[..., 2] > 150)
    )
    return float(columns.mean()), float(rows.mean())


def test_a_part_of_the_overlay_is_what_the_whole_shows_there(reviewed: Reviewed) -> None:
    whole = overlay_between(reviewed, 0.0, 99.0, OverlaySettings())
    for from_s in (0.5, 2.0, 5.2, 7.0):
        part = overlay_between(reviewed, from_s, from_s + 0.6, OverlaySettings())
        for t_s in (from_s, from_s + 0.4):
            expected, drawn = (np.zeros((360, 640, 3), np.uint8) for _ in range(2))
            whole.draw(expected, t_s)
            part.draw(drawn, t_s)
            assert expected.any()
            assert (drawn == expected).all()
