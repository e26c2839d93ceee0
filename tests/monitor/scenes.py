"""Observations made by hand, so that reports and overlays can be tested without a video."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np

from calibration.camera import Camera
from monitor.observation import Observation
from monitor.reviewed import Reviewed
from table.balls import BallName
from table.events import (
    Alternative,
    BallContact,
    BallPocketed,
    CushionContact,
    ShotEnded,
    ShotEvent,
    ShotStarted,
    Source,
)
from table.geometry import NINE_FOOT, Cushion, Pocket, Point
from table.state import BallState, TableState

FPS = 25.0
WIDTH, HEIGHT = 640, 360


def overhead_camera(width: int = WIDTH, height: int = HEIGHT) -> Camera:
    """Straight above the middle of the table, head end on the right of the picture."""
    focal = width * 0.95
    height_m = 3.1
    return Camera(
        image_size=(width, height),
        camera_matrix=np.array(
            [[focal, 0.0, width / 2], [0.0, focal, height / 2], [0.0, 0.0, 1.0]]
        ),
        dist=np.zeros(5),
        r_camera_from_table=np.array([[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]]),
        t_camera_from_table_m=np.array([0.0, 0.0, height_m]),
        table=NINE_FOOT,
        head="right",
        head_from="rack",
        error_mm={"rms": 1.3, "HEAD": 0.9, "FOOT": 1.1, "LEFT": 1.6, "RIGHT": 1.2},
    )


Leg = tuple[float, Point]


def at(legs: list[Leg], t_s: float) -> tuple[Point, Point]:
    """Position and velocity on a path of (time, corner) legs, straight between them."""
    if t_s <= legs[0][0]:
        return legs[0][1], (0.0, 0.0)
    for (t0, p0), (t1, p1) in pairwise(legs):
        if t0 <= t_s <= t1:
            part = (t_s - t0) / (t1 - t0)
            speed = ((p1[0] - p0[0]) / (t1 - t0), (p1[1] - p0[1]) / (t1 - t0))
            return (p0[0] + part * (p1[0] - p0[0]), p0[1] + part * (p1[1] - p0[1])), speed
    return legs[-1][1], (0.0, 0.0)


def states_of(paths: dict[BallName, list[Leg]], gone: dict[BallName, float]) -> list[TableState]:
    """One state a frame for 8 seconds."""
    states = []
    for index in range(round(8 * FPS)):
        t_s = 0.04 + index / FPS
        balls = {}
        for ball, legs in paths.items():
            if t_s > gone.get(ball, math.inf):
                continue
            (x, y), (vx, vy) = at(legs, t_s)
            balls[ball] = BallState(ball, x, y, vx, vy, sigma_m=0.0008)
        states.append(TableState(t_s, balls))
    return states


def pot_and_miss() -> Observation:
    """Shot 1 pots the 1, the cue ball meets the foot cushion; shot 2 hits the 7 first."""
    paths: dict[BallName, list[Leg]] = {
        "cue": [
            (1.0, (-0.70, -0.10)),
            (1.6, (0.55, 0.26)),
            (2.2, (1.24, 0.10)),
            (3.4, (0.40, -0.30)),
            (5.0, (0.40, -0.30)),
            (5.6, (-0.28, 0.16)),
            (6.6, (-0.60, 0.50)),
        ],
        "1": [(1.6, (0.60, 0.28)), (2.4, (1.30, 0.665))],
        "2": [(0.0, (0.10, -0.45))],
        "7": [(5.6, (-0.33, 0.19)), (6.9, (-1.10, 0.58))],
        "9": [(0.0, (-0.90, -0.30))],
    }
    before = {ball: legs[0][1] for ball, legs in paths.items()}
    between = {ball: at(legs, 4.0)[0] for ball, legs in paths.items() if ball != "1"}
    after = {ball: at(legs, 7.5)[0] for ball, legs in paths.items() if ball != "1"}
    events: tuple[ShotEvent, ...] = (
        ShotStarted(shot=1, t_s=1.0, dt_s=0.02, balls=before),
        BallContact(shot=1, t_s=1.6, dt_s=0.004, a="cue", b="1", confidence=0.995),
        CushionContact(shot=1, t_s=2.2, dt_s=0.006, ball="cue", cushion=Cushion.FOOT),
        BallPocketed(shot=1, t_s=2.4, dt_s=0.04, ball="1", pocket=Pocket.FL),
        ShotEnded(shot=1, t_s=3.4, dt_s=0.05, balls=between),
        ShotStarted(shot=2, t_s=5.0, dt_s=0.02, balls=between),
        BallContact(
            shot=2,
            t_s=5.6,
            dt_s=0.01,
            a="cue",
            b="7",
            confidence=0.64,
            alternatives=(Alternative("2", 0.35),),
        ),
        ShotEnded(shot=2, t_s=6.9, dt_s=0.05, balls=after),
    )
    source = Source(
        file="club.mp4", fps=FPS, frames=200, head="right", head_from="rack", ball_set="standard"
    )
    return Observation(
        source=source,
        events=events,
        states=tuple(states_of(paths, {"1": 2.4})),
        camera=overhead_camera(),
        notes=("The balls stood in no rack: phase normal.",),
    )


def rulings() -> list[dict[str, object]]:
    """What a rule engine says about `pot_and_miss`."""
    return [
        {
            "v": 1,
            "shot": 1,
            "t_s": 3.4,
            "legal": True,
            "fouls": [],
            "next_player": "A",
            "played": {"by": "A", "kind": "normal", "break": False, "made": "1", "pocketed": ["1"]},
            "questions": [],
            "assumptions": ["A is at the table"],
            "provisional": False,
            "sentence": "Shot 1: A pocketed the 1 in the called pocket & continues.",
        },
        {
            "v": 1,
            "shot": 2,
            "t_s": 6.9,
            "legal": True,
            "fouls": [],
            "next_player": "B",
            "played": {"by": "A", "kind": "normal", "break": False, "made": None, "pocketed": []},
            "questions": [
                {"article": "6.2", "ask": "Was the 2 hit first?", "clip": [5.4, 5.8]},
            ],
            "assumptions": ["A is at the table"],
            "provisional": True,
            "sentence": "Shot 2: provisional, first contact is to be confirmed.",
        },
        {
            "v": 1,
            "shot": None,
            "after_shot": 2,
            "legal": False,
            "fouls": ["6.2"],
            "next_player": "B",
            "played": {"by": "A", "kind": "normal", "break": False, "made": None, "pocketed": []},
            "provisional": False,
            "sentence": "Foul by A (6.2): the 7 was hit first, the 2 was on. Ball in hand for B.",
        },
    ]


def reviewed(video: Path = Path("club.mp4")) -> Reviewed:
    """Both together."""
    return Reviewed(video, pot_and_miss(), rulings(), ("Anna <A>", "Bořek"))
