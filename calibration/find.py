"""Find the camera over a table from ordinary frames of a table in use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from calibration.cloth import Image, cloth_regions, small_picture
from calibration.errors import NO_TABLE, CalibrationError
from calibration.refine import FittedCamera, camera_of_region
from calibration.solve import LensPrior
from table.geometry import TableSpec

_REGIONS: Final = 3


def fitted_camera(frames_bgr: Sequence[Image], table: TableSpec, prior: LensPrior) -> FittedCamera:
    """The camera of the likeliest cloth region.

    Raises:
        CalibrationError: the reason and what to do.
    """
    small, scale = small_picture(frames_bgr)
    regions = [region for region in cloth_regions(small, scale) if region.score > 0.1]
    if not regions:
        raise CalibrationError(NO_TABLE)
    first: CalibrationError | None = None
    for region in regions[:_REGIONS]:
        try:
            return camera_of_region(frames_bgr, region, table, prior)
        except CalibrationError as error:
            first = first or error
    raise first or CalibrationError(NO_TABLE)
