"""Reading video: true timestamps, damaged ends, and files that are no video."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from vision.frames import Frame, SourceError, VideoFile

SIZE = (96, 64)


def gray_of(index: int) -> int:
    """The brightness that tells frame `index`."""
    return 40 + 5 * (index % 40)


def video(
    path: Path,
    pts: Sequence[int],
    options: dict[str, str] | None = None,
    size: tuple[int, int] = SIZE,
    pix_fmt: str = "yuv420p",
    codec: str = "libx264",
    noise: int = 0,
) -> Path:
    """Write flat frames of known brightness at `pts` (in 1/100 s)."""
    rng = np.random.default_rng(0)
    with av.open(str(path), "w", options=options or {}) as container:
        stream = container.add_stream(codec, rate=100)
        stream.width, stream.height, stream.pix_fmt = *size, pix_fmt
        stream.time_base = stream.codec_context.time_base = Fraction(1, 100)
        for index, at in enumerate(pts):
            picture = np.full((size[1], size[0], 3), gray_of(index), np.uint8)
            if noise:
                picture = picture + rng.integers(0, noise, picture.shape, np.uint8)
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = at, Fraction(1, 100)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def in_time(path: Path, limit_s: float = 20.0) -> list[Frame]:
    """All frames, or a failure when reading does not come to an end."""
    found: list[Frame] = []
    reader = threading.Thread(target=lambda: found.extend(VideoFile(path)), daemon=True)
    reader.start()
    reader.join(limit_s)
    assert not reader.is_alive(), "reading hangs"
    return found


def test_a_frames_time_is_its_presentation_time(tmp_path: Path) -> None:
    """t_s is the container's presentation time; the first frame need not be at 0."""
    pts = [4, 8, 12, 16, 20]
    frames = list(VideoFile(video(tmp_path / "a.mp4", pts)))
    assert [round(f.t_s, 6) for f in frames] == [p / 100 for p in pts]
    assert [f.index for f in frames] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("suffix", ["mp4", "mkv"])
def test_a_variable_rate_is_read_as_it_is(tmp_path: Path, suffix: str) -> None:
    """Frames at uneven times keep them: time is never frame number over nominal rate."""
    pts = [0, 4, 6, 10, 14, 30, 31, 80]
    frames = list(VideoFile(video(tmp_path / f"v.{suffix}", pts)))
    assert [f.t_s for f in frames] == pytest.approx([p / 100 for p in pts], abs=1e-3)


def test_an_edit_list_that_hides_the_start_hides_its_frames(tmp_path: Path) -> None:
    """Frames before an edit list's start are not presented: times begin with the first shown."""
    source = video(tmp_path / "whole.mp4", range(0, 200, 4), {"movflags": "faststart"})
    cut = tmp_path / "cut.mp4"
    # A stream copy from the middle of a group of pictures writes an edit list.
    with av.open(str(source)) as whole, av.open(str(cut), "w") as part:
        stream = whole.streams.video[0]
        out = part.add_stream_from_template(stream)
        base = stream.time_base
        assert base is not None
        skipped = round(0.4 / base)
        for packet in whole.demux(stream):
            if packet.dts is None or packet.pts is None:
                continue
            packet.pts, packet.dts, packet.stream = packet.pts - skipped, packet.dts - skipped, out
            part.mux(packet)
    frames = list(VideoFile(cut))
    with av.open(str(cut)) as container:
        declared = container.streams.video[0].frames
    assert declared == 50
    assert len(frames) < declared
    assert frames[0].t_s >= 0
    hidden = declared - len(frames)
    assert round(float(frames[0].gray.mean())) == pytest.approx(gray_of(hidden), abs=3)
    assert VideoFile(cut).ended_early is None


def test_pictures_are_bgr_with_their_luma(tmp_path: Path) -> None:
    """image is (h, w, 3) uint8 BGR and gray its (h, w) luma of the same brightness."""
    for frame in VideoFile(video(tmp_path / "a.mp4", range(0, 40, 4))):
        assert frame.image.shape == (64, 96, 3)
        assert frame.image.dtype == frame.gray.dtype == np.uint8
        assert frame.image.mean() == pytest.approx(gray_of(frame.index), abs=2.5)


@pytest.mark.parametrize(
    ("pix_fmt", "size", "codec"),
    [
        ("yuv444p", (96, 64), "libx264"),
        ("yuv420p", (98, 70), "libx264"),
        ("yuvj420p", (96, 64), "mjpeg"),
        ("yuv444p", (97, 65), "libx264"),
    ],
)
def test_other_pixel_formats_show_the_same_colours(
    tmp_path: Path, pix_fmt: str, size: tuple[int, int], codec: str
) -> None:
    """Subsampling, odd sizes and full-range video change no colour."""
    path = tmp_path / "c.mkv"
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=25)
        stream.width, stream.height, stream.pix_fmt = *size, pix_fmt
        picture = np.full((size[1], size[0], 3), (180, 120, 60), np.uint8)
        container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        container.mux(stream.encode(None))
    (frame,) = VideoFile(path)
    assert frame.image.shape == (size[1], size[0], 3)
    assert frame.image.reshape(-1, 3).mean(axis=0) == pytest.approx((180, 120, 60), abs=4)


def test_a_whole_file_did_not_end_early(tmp_path: Path) -> None:
    """A whole file is read to its last frame and says nothing."""
    source = VideoFile(video(tmp_path / "a.mp4", range(0, 100, 4)))
    assert len(list(source)) == 25
    assert source.ended_early is None
    assert source.expected_frames == 25
    assert (source.width, source.height) == SIZE


def test_a_cut_off_file_is_read_up_to_the_cut(tmp_path: Path) -> None:
    """With its index in front, a cut-off file gives its frames and one sentence how far."""
    pts = range(0, 1000, 4)
    whole = video(tmp_path / "whole.mp4", pts, {"movflags": "faststart"}, noise=60)
    cut = tmp_path / "cut.mp4"
    content = whole.read_bytes()
    cut.write_bytes(content[: int(0.6 * len(content))])
    source = VideoFile(cut)
    frames = list(source)
    assert 100 < len(frames) < 200
    assert [round(f.t_s * 100) for f in frames] == list(pts)[: len(frames)]
    assert source.ended_early is not None
    assert f"{frames[-1].t_s:.2f} s" in source.ended_early
    assert source.ended_early.startswith("cut.mp4 ")
    assert source.ended_early.count(".") == source.ended_early.rstrip(".").count(".") + 1
    assert "\n" not in source.ended_early


def test_frames_before_a_cut_are_the_whole_files(tmp_path: Path) -> None:
    """What was read of a cut-off file equals what the whole one shows, but for its end."""
    whole = video(tmp_path / "whole.mp4", range(0, 400, 4), {"movflags": "faststart"}, noise=60)
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(whole.read_bytes()[: int(0.7 * whole.stat().st_size)])
    firsts = [f.image for f in VideoFile(cut)]
    for ours, theirs in zip(firsts[:-4], VideoFile(whole), strict=False):
        assert np.array_equal(ours, theirs.image)


def test_a_cut_off_file_with_its_index_behind_is_no_video(tmp_path: Path) -> None:
    """Without its index nothing of an mp4 can be read: one sentence, no traceback."""
    whole = video(tmp_path / "whole.mp4", range(0, 400, 4), noise=40)
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(whole.read_bytes()[: int(0.6 * whole.stat().st_size)])
    with pytest.raises(SourceError, match=r"^cut\.mp4 is not a video that can be read\.$"):
        VideoFile(cut)


def test_damage_in_the_middle_neither_crashes_nor_hangs(tmp_path: Path) -> None:
    """A file with overwritten bytes in its middle gives frames in order of time."""
    path = video(tmp_path / "d.mp4", range(0, 400, 4), {"movflags": "faststart"}, noise=60)
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 4000] = bytes(range(250)) * 16
    path.write_bytes(content)
    frames = in_time(path)
    times = [f.t_s for f in frames]
    assert len(times) > 40
    assert times == sorted(set(times))


def test_a_text_file_named_mp4_is_refused(tmp_path: Path) -> None:
    """A file that is no video is refused with its name."""
    path = tmp_path / "notes.mp4"
    path.write_text("not a video\n" * 300)
    with pytest.raises(SourceError, match=r"^notes\.mp4 .*\.$"):
        VideoFile(path)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    """An empty file is called empty."""
    path = tmp_path / "nothing.mp4"
    path.touch()
    with pytest.raises(SourceError, match=r"^nothing\.mp4 is empty\.$"):
        VideoFile(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """A missing file is called missing."""
    with pytest.raises(SourceError, match="does not exist"):
        VideoFile(tmp_path / "nowhere.mp4")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    """A folder is no video file."""
    with pytest.raises(SourceError, match="is a folder"):
        VideoFile(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_refused(tmp_path: Path) -> None:
    """A file that may not be read is refused with that reason."""
    path = video(tmp_path / "a.mp4", range(0, 40, 4))
    path.chmod(0)
    with pytest.raises(SourceError, match="permission"):
        VideoFile(path)


def test_sound_alone_is_no_video(tmp_path: Path) -> None:
    """A file with sound only holds no video."""
    path = tmp_path / "sound.wav"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("pcm_s16le", rate=8000)
        sound = av.AudioFrame.from_ndarray(np.zeros((1, 800), np.int16), "s16", "mono")
        sound.sample_rate = 8000
        container.mux(stream.encode(sound))
        container.mux(stream.encode(None))
    with pytest.raises(SourceError, match="holds no video"):
        VideoFile(path)


def test_leaving_early_never_hangs(tmp_path: Path) -> None:
    """Breaking out after any number of frames closes the file; a second pass starts anew."""
    path = video(tmp_path / "a.mp4", range(0, 400, 4), size=(160, 120), noise=30)

    def leave(after: int) -> None:
        for frame in VideoFile(path):
            if frame.index >= after:
                break

    def often() -> None:
        for after in (0, 1, 2, 5, 17, 60):
            leave(after)

    leaver = threading.Thread(target=often, daemon=True)
    leaver.start()
    leaver.join(30)
    assert not leaver.is_alive()
    source = VideoFile(path)
    assert next(iter(source)).index == 0
    assert [f.index for f in source][:3] == [0, 1, 2]


def test_decoder_messages_stay_silent(tmp_path: Path) -> None:
    """The decoder's own words on a damaged file reach neither stdout nor stderr."""
    path = video(tmp_path / "d.mp4", range(0, 200, 4), {"movflags": "faststart"}, noise=60)
    path.write_bytes(path.read_bytes()[: int(0.6 * path.stat().st_size)])
    program = (
        "import sys, pathlib; from vision.frames import VideoFile; "
        "print(len(list(VideoFile(pathlib.Path(sys.argv[1])))))"
    )
    command = [sys.executable, "-c", program, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) > 10
    assert done.stderr == ""


def test_colour_conversion_agrees_with_the_decoders_own(tmp_path: Path) -> None:
    """The fast colour conversion differs from the library's own by rounding only."""
    path = tmp_path / "colour.mp4"
    ramp = np.linspace(30, 225, 96).astype(np.uint8)
    picture = np.stack(
        (np.tile(ramp, (64, 1)), np.tile(ramp[::-1], (64, 1)), np.full((64, 96), 90)), 2
    )
    picture = cv2.GaussianBlur(picture.astype(np.uint8), (0, 0), 3)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25, options={"crf": "1"})
        stream.width, stream.height, stream.pix_fmt = 96, 64, "yuv420p"
        container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        container.mux(stream.encode(None))
    (frame,) = VideoFile(path)
    with av.open(str(path)) as container:
        (theirs,) = [f.to_ndarray(format="bgr24") for f in container.decode(video=0)]
    assert np.abs(frame.image.astype(int) - theirs).mean() < 2.0
