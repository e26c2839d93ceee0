"""Evidence: clips and pictures of deciding moments, by number; nothing else is a path."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from fastapi.responses import FileResponse, Response

from monitor.server.problems import ProblemError
from monitor.server.serving import Anybody, Serving

router = APIRouter(tags=["evidence"])
Number = Annotated[int, Path(ge=1, le=2**53)]


@router.get(
    "/evidence/{number}/clip.mp4",
    responses={200: {"content": {"video/mp4": {}}}},
    response_class=Response,
)
def clip(number: Number, serving: Anybody) -> Response:
    """2 s before to 1 s after a deciding moment, as recorded."""
    return _file(serving, number, "mp4", "video/mp4")


@router.get(
    "/evidence/{number}/picture.jpg",
    responses={200: {"content": {"image/jpeg": {}}}},
    response_class=Response,
)
def picture(number: Number, serving: Anybody) -> Response:
    """Just before, at and just after a deciding moment."""
    return _file(serving, number, "jpg", "image/jpeg")


def _file(serving: Serving, number: int, name: str, media: str) -> Response:
    state = serving.live.desk.evidence_state(number)
    path = serving.live.evidence_file(number, name)
    if state is None:
        raise ProblemError(404, "not_found", f"There is no evidence {number}.")
    if state != "ready" or not path.is_file():
        why = {"wanted": "is not ready yet", "gone": "was deleted to save space"}
        raise ProblemError(
            404, "not_found", f"Evidence {number} {why.get(state, 'could not be cut')}."
        )
    return FileResponse(path, media_type=media, headers={"Cache-Control": "max-age=3600"})
