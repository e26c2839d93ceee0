"""Calibration boards in pictures: chessboards and ChArUco boards of any size.

Neither the board's size nor its dictionary need be told: a chessboard is measured by its
corners, a ChArUco board by the numbers of its markers. The size of a square does not
matter for the lens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats32 = NDArray[np.float32]

_DICTIONARIES: Final = (
    cv2.aruco.DICT_4X4_250,
    cv2.aruco.DICT_5X5_250,
    cv2.aruco.DICT_6X6_250,
    cv2.aruco.DICT_7X7_250,
    cv2.aruco.DICT_ARUCO_ORIGINAL,
)
_LEAST_CORNERS: Final = 8
_LONGEST: Final = 14


@dataclass(frozen=True, eq=False)
class BoardView:
    """The corners of a board in one picture."""

    points_board: Floats32
    """(N, 3) on the board, in squares, z = 0."""
    points_px: Floats32
    """(N, 2)."""


def board_views(pictures_bgr: Sequence[Image]) -> list[list[BoardView]]:
    """The views of the board in pictures, under each reading of the board that is possible.

    Returns:
        One list of views for each reading (a ChArUco board's size can be ambiguous); empty
        when no board is seen.
    """
    greys = [np.asarray(cv2.cvtColor(p, cv2.COLOR_BGR2GRAY), np.uint8) for p in pictures_bgr]
    charuco = _charuco_readings(greys)
    if charuco:
        return charuco
    chess = _chess_views(greys)
    return [chess] if chess else []


def _chess_views(greys: Sequence[Image]) -> list[BoardView]:
    found: list[tuple[tuple[int, int], Floats32]] = []
    quick = cv2.CALIB_CB_NORMALIZE_IMAGE | cv2.CALIB_CB_LARGER
    for grey in greys:
        for flags in (quick, quick | cv2.CALIB_CB_EXHAUSTIVE):
            done, corners, meta = cv2.findChessboardCornersSBWithMeta(grey, (3, 3), flags)
            if done and meta is not None:
                break
        else:
            continue
        rows, columns = meta.shape[:2]
        if len(corners) == rows * columns and rows * columns >= _LEAST_CORNERS:
            found.append(((columns, rows), corners.reshape(-1, 2).astype(np.float32)))
    if not found:
        return []
    # A board's true size is what most pictures show; a part of it would be another grid.
    size = Counter(tuple(sorted(size)) for size, _ in found).most_common(1)[0][0]
    return [
        BoardView(_grid(columns, rows), corners)
        for (columns, rows), corners in found
        if tuple(sorted((columns, rows))) == size
    ]


def _grid(columns: int, rows: int) -> Floats32:
    grid = np.zeros((rows * columns, 3), dtype=np.float32)
    grid[:, :2] = np.mgrid[0:columns, 0:rows].T.reshape(-1, 2)
    return grid


def _charuco_readings(greys: Sequence[Image]) -> list[list[BoardView]]:
    best: tuple[int, int, int] | None = None
    for code in _DICTIONARIES:
        detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(code))
        ids: list[int] = []
        for grey in greys:
            _, seen, _ = detector.detectMarkers(grey)
            if seen is not None:
                ids += [int(i) for i in np.ravel(seen)]
        if len(ids) >= 2 * len(greys) and (best is None or len(ids) > best[0]):
            steady = [i for i, count in Counter(ids).items() if count >= max(2, len(greys) // 5)]
            best = (len(ids), code, max(steady, default=0))
    if best is None:
        return []
    _, code, last_id = best
    readings = []
    for columns in range(3, _LONGEST + 1):
        for rows in range(3, _LONGEST + 1):
            if columns * rows // 2 == last_id + 1:
                for legacy in (False, True):
                    views = _charuco_views(greys, code, (columns, rows), legacy)
                    if views:
                        readings.append(views)
    return readings


def _charuco_views(
    greys: Sequence[Image], code: int, size: tuple[int, int], legacy: bool
) -> list[BoardView]:
    dictionary = cv2.aruco.getPredefinedDictionary(code)
    board = cv2.aruco.CharucoBoard(size, 1.0, 0.75, dictionary)
    board.setLegacyPattern(legacy)
    detector = cv2.aruco.CharucoDetector(board)
    corners_board = np.asarray(board.getChessboardCorners(), dtype=np.float32)
    views = []
    for grey in greys:
        corners, ids, _, _ = detector.detectBoard(grey)
        if ids is None or len(ids) < _LEAST_CORNERS:
            continue
        points = corners_board[np.ravel(ids)]
        if np.min(np.ptp(points[:, :2], axis=0)) < 1.0:
            continue
        views.append(BoardView(points, np.asarray(corners, np.float32).reshape(-1, 2)))
    return views
