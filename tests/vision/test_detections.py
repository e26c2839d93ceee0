"""Detections are checked at the door and read-only behind it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.detections import Detections


def columns(n: int) -> dict[str, np.ndarray]:
    """Columns of n detections that fit each other."""
    return {
        "centers_m": np.zeros((n, 2)),
        "streaks_m": np.zeros((n, 2)),
        "quality": np.ones(n),
        "colors": np.zeros((n, 3)),
        "sigma_m": np.full(n, 1e-3),
        "alone": np.ones(n, bool),
    }


@pytest.mark.parametrize("name", list(columns(1)))
def test_columns_of_different_lengths_are_refused(name: str) -> None:
    """Every column has one row a detection; the error names the column."""
    with pytest.raises(ValueError, match=r"expected"):
        Detections(**columns(3) | {name: columns(2)[name]})


@pytest.mark.parametrize("name", ["centers_m", "streaks_m", "quality", "colors", "sigma_m"])
def test_numbers_that_are_not_finite_are_refused(name: str) -> None:
    """NaN and infinity do not get in; the error names the column."""
    bad = columns(2)[name].copy()
    bad.flat[0] = np.nan
    with pytest.raises(ValueError, match=name):
        Detections(**columns(2) | {name: bad})


def test_columns_are_read_only() -> None:
    """What was seen cannot be changed afterwards."""
    seen = Detections(**columns(2))
    for name in columns(1):
        with pytest.raises(ValueError, match="read-only"):
            getattr(seen, name)[0] = 0


def test_making_detections_leaves_the_callers_arrays_writable() -> None:
    """The caller's own arrays are not locked behind his back."""
    given = columns(2)
    Detections(**given)
    given["quality"][0] = 0.5
    given["alone"][0] = False


def test_no_detection_is_a_table_of_no_rows() -> None:
    """empty() has every column, with no row."""
    none = Detections.empty()
    assert len(none) == 0
    assert none.centers_m.shape == (0, 2)
    assert none.colors.shape == (0, 3)
