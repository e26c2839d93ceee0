"""Small videos of hand-made observations, drawn as an overhead camera would see them."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from pathlib import Path

import av
import cv2
import numpy as np

from monitor.ball_looks import look_of
from monitor.observation import Observation


def film(seen: Observation, path: Path, frames: int | None = None) -> Path:
    """Write the first `frames` states of `seen` as H.264 at their own times."""
    camera = seen.camera
    width, height = camera.image_size
    cloth = np.full((height, width, 3), (60, 45, 35), np.uint8)
    corners = camera.project_on_plane(
        [camera.table.nose_corners[p] for p in camera.table.nose_corners], 0.0
    )
    x0, y0 = np.rint(corners.min(axis=0)).astype(int)
    x1, y1 = np.rint(corners.max(axis=0)).astype(int)
    cv2.rectangle(cloth, (int(x0), int(y0)), (int(x1), int(y1)), (170, 120, 50), -1)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, 25)
        for index, state in enumerate(seen.states[:frames]):
            picture = cloth.copy()
            for ball in state.balls.values():
                x, y = camera.project_on_plane([ball.position])[0]
                radius = float(camera.px_per_m([ball.position])[0]) * camera.table.ball_radius_m
                colour = look_of(ball.name, "standard").bgr
                where = (round(float(x) * 16), round(float(y) * 16))
                cv2.circle(picture, where, round(radius * 16), colour, -1, cv2.LINE_AA, 4)
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = index + 1, Fraction(1, 25)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def first_packets(source: Path, target: Path, packets: int | None = None) -> None:
    """A copy of the first packets with the index in front, so that a cut-off copy opens."""
    with (
        av.open(str(source)) as read,
        av.open(str(target), "w", options={"movflags": "+faststart"}) as write,
    ):
        stream = write.add_stream_from_template(read.streams.video[0])
        for packet in islice(read.demux(read.streams.video[0]), packets):
            if packet.dts is not None:
                packet.stream = stream
                write.mux(packet)
