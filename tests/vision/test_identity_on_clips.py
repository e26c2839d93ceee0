"""Names of the resting balls in real clips, against hand-made truth."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from vision.appearance import Appearance, Bgr, measure_appearance, merge_appearances
from vision.ballset import BUILT_IN
from vision.frames import Image
from vision.identity import assign_names, choose_ball_set

SHARED = os.environ.get("TABLE_MONITOR_SHARED")
pytestmark = pytest.mark.skipif(not SHARED, reason="TABLE_MONITOR_SHARED is not set")

RADIUS_PX = 15.0
"""Balls of the overhead nine-ball clips."""

Labels = dict[str, tuple[float, float]]


def _clips() -> list[Path]:
    return sorted((Path(SHARED or "none") / "clips").glob("poolchamp_*"))


def _rests(clip: Path) -> Iterator[tuple[Labels, list[int]]]:
    """Ball centres at rest, and the frames (decode order) that show them."""
    for line in (clip / "truth.jsonl").read_text().splitlines():
        event = json.loads(line)
        still = event["kind"] == "shot_started" and not event.get("started_before_clip")
        ended = event["kind"] == "shot_ended" and not event.get("ended_after_clip")
        if (still or ended) and "balls_px" in event:
            first = event["balls_frame"]
            yield event["balls_px"], list(range(first, first + 12) if still else [first])


def _frames(clip: Path, wanted: set[int]) -> dict[int, Image]:
    found: dict[int, Image] = {}
    with av.open(str(clip / "clip.mp4")) as container:
        for index, frame in enumerate(container.decode(video=0)):
            if index in wanted:
                found[index] = np.asarray(frame.to_ndarray(format="bgr24"), np.uint8)
            if index >= max(wanted):
                break
    return found


def _cloth(image: Image, labels: Labels) -> Bgr:
    ring = np.zeros(image.shape[:2], np.uint8)
    for x, y in labels.values():
        cv2.circle(ring, (round(x), round(y)), 36, 255, -1)
    for x, y in labels.values():
        cv2.circle(ring, (round(x), round(y)), 24, 0, -1)
    blue, green, red = (float(level) for level in np.median(image[ring > 0], axis=0))
    return (blue, green, red)


def _rest_looks(clip: Path) -> Iterator[tuple[list[str], list[Appearance]]]:
    rests = list(_rests(clip))
    frames = _frames(clip, {index for _, indices in rests for index in indices} | {0})
    for labels, indices in rests:
        views = [frames[index] for index in indices if index in frames]
        cloth = _cloth(views[0], labels)
        looks = {
            name: merge_appearances([measure_appearance(v, at, RADIUS_PX, cloth) for v in views])
            for name, at in labels.items()
        }
        seen = [name for name, look in looks.items() if look.cloth_share < 0.9]
        yield seen, [looks[name] for name in seen]


def test_resting_balls_of_the_overhead_clips_are_named() -> None:
    verdicts: Counter[str] = Counter()
    swaps: list[str] = []
    for clip in _clips():
        for names, looks in _rest_looks(clip):
            for name, ball in zip(names, assign_names(looks, BUILT_IN["tv"]).balls, strict=True):
                verdict = "unknown" if ball.name is None else "right"
                if ball.name not in {None, name}:
                    verdict = "wrong"
                    swaps.append(f"{clip.name}: {name} named {ball.name}")
                verdicts[verdict] += 1
    assert not swaps
    assert sum(verdicts.values()) >= 80, verdicts
    assert verdicts["unknown"] <= 0.02 * sum(verdicts.values()), verdicts


def test_the_tv_set_is_recognised_where_the_four_or_the_seven_lies() -> None:
    for clip in _clips():
        for names, looks in _rest_looks(clip):
            if {"4", "7"} & set(names):
                assert choose_ball_set(looks)[0].name == "tv", clip.name


def test_no_picture_of_snooker_or_carom_makes_naming_fail() -> None:
    for name in ("snooker_pot", "carom_overhead"):
        image = _frames(Path(SHARED or "none") / "clips" / name, {0})[0]
        height, width = image.shape[:2]
        rng = np.random.default_rng(1)
        places = rng.uniform((0, 0), (width, height), (30, 2))
        looks = [measure_appearance(image, (float(x), float(y)), 9.0) for x, y in places]
        naming = assign_names(looks, BUILT_IN["standard"])
        assert len(naming.balls) == len(places)
