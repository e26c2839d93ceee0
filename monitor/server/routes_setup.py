"""Set-up: the camera's place, the ball set, the check list."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from monitor.live.table_live import SetUp
from monitor.server.bodies import CalibrateBody, CornersBody, EmptyBody, NameBody
from monitor.server.problems import ProblemError
from monitor.server.routes_video import JPEG
from monitor.server.serving import Anybody, Referee, Serving

router = APIRouter(prefix="/setup", tags=["setup"])


def _set_up(serving: Serving) -> SetUp:
    if serving.live.set_up is None:
        raise ProblemError(409, "no_camera", "There is no camera: started with --no-camera.")
    return serving.live.set_up


async def _work(serving: Serving, work: Callable[[], dict[str, Any]]) -> JSONResponse:
    """One at a time, beside everything else."""
    if serving.busy.locked():
        raise ProblemError(409, "busy", "A calibration or enrolment is under way; wait for it.")
    async with serving.busy:
        return JSONResponse(await asyncio.to_thread(work))


@router.get("")
async def setup(serving: Anybody) -> JSONResponse:
    """The set-up as it is, with the check list."""
    if serving.live.set_up is None:
        return JSONResponse({"source": None, "picture": False, "calibrated": False, "checks": []})
    return JSONResponse(await asyncio.to_thread(serving.live.set_up.view))


@router.get("/picture.jpg", responses=JPEG, response_class=Response)
async def picture(serving: Anybody) -> Response:
    """A whole frame at full size."""
    found = await asyncio.to_thread(_set_up(serving).picture)
    if found is None:
        raise ProblemError(404, "no_picture", "There is no picture yet.")
    return Response(found, media_type="image/jpeg")


@router.get("/enrolled.jpg", responses=JPEG, response_class=Response)
async def enrolled(serving: Anybody) -> Response:
    """The picture to check an enrolment by."""
    found = await asyncio.to_thread(_set_up(serving).enrolled_picture)
    if found is None:
        raise ProblemError(404, "no_picture", "Nothing was enrolled yet.")
    return Response(found, media_type="image/jpeg")


@router.post("/play")
async def play(_: EmptyBody, serving: Referee) -> JSONResponse:
    """Let a file that waits (`--paused`) begin to play."""
    return await _work(serving, _set_up(serving).play)


@router.post("/calibrate")
async def calibrate(body: CalibrateBody, serving: Referee) -> JSONResponse:
    """Try to find the camera by itself; the proposal."""
    found = _set_up(serving)
    return await _work(serving, lambda: found.calibrate(body.table, body.head))


@router.post("/corners")
async def corners(body: CornersBody, serving: Referee) -> JSONResponse:
    """The camera from four corners put on the picture; the proposal."""
    found = _set_up(serving)
    points = {str(name): list(point) for name, point in body.corners_px.items()}
    return await _work(serving, lambda: found.corners(points, body.table, body.head))


@router.post("/use")
async def use(_: EmptyBody, serving: Referee) -> JSONResponse:
    """Take the last proposal."""
    return await _work(serving, _set_up(serving).use)


@router.post("/enroll")
async def enroll(body: NameBody, serving: Referee) -> JSONResponse:
    """Learn the balls as they lie now."""
    found = _set_up(serving)
    return await _work(serving, lambda: found.enroll(body.name))


@router.post("/ball-set")
async def ball_set(body: NameBody, serving: Referee) -> JSONResponse:
    """Take another ball set."""
    found = _set_up(serving)
    return await _work(serving, lambda: found.use_ball_set(body.name))
