"""The picture: one frame, or a stream of them for an `<img>`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any, Final

from fastapi import APIRouter
from fastapi.responses import Response, StreamingResponse

from monitor.server.problems import ProblemError
from monitor.server.serving import Anybody, Serving

router = APIRouter(tags=["video"])
MOST_VIEWERS: Final = 8
_EVERY_S: Final = 1 / 12
_LOOK_EVERY_S: Final = 0.02
_WITHOUT_NEWS_S: Final = 10.0
_BOUNDARY: Final = "frame"
JPEG: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {"image/jpeg": {}}}}


@router.get("/frame.jpg", responses=JPEG, response_class=Response)
async def frame(serving: Anybody) -> Response:
    """The newest picture."""
    newest = serving.live.newest_picture()
    if newest is None:
        raise ProblemError(404, "no_picture", "There is no picture: no camera, or none yet.")
    return Response(newest[1], media_type="image/jpeg")


@router.get(
    "/video.mjpg",
    responses={200: {"content": {"multipart/x-mixed-replace": {}}}},
    response_class=Response,
)
async def video(serving: Anybody) -> Response:
    """The newest pictures one after another; a slow reader gets fewer of them."""
    if serving.live.newest_picture() is None:
        raise ProblemError(404, "no_picture", "There is no picture: no camera, or none yet.")
    if serving.video_viewers >= MOST_VIEWERS:
        raise ProblemError(503, "busy", "Too many look at the video; ask for single frames.")
    return StreamingResponse(
        _stream(serving), media_type=f"multipart/x-mixed-replace; boundary={_BOUNDARY}"
    )


async def _stream(serving: Serving) -> AsyncIterator[bytes]:
    serving.video_viewers += 1
    try:
        last, last_at = -1, time.monotonic()
        yield f"--{_BOUNDARY}\r\n".encode()
        while time.monotonic() - last_at < _WITHOUT_NEWS_S:
            newest = serving.live.newest_picture()
            if newest is None or newest[0] == last:
                await asyncio.sleep(_LOOK_EVERY_S)
                continue
            last, last_at = newest[0], time.monotonic()
            head = f"Content-Type: image/jpeg\r\nContent-Length: {len(newest[1])}\r\n\r\n"
            # A browser shows a picture when it sees the boundary after it: that comes at once.
            yield head.encode() + newest[1] + f"\r\n--{_BOUNDARY}\r\n".encode()
            await asyncio.sleep(_EVERY_S)
    finally:
        serving.video_viewers -= 1
