"""One typed door to numba, so that compiled functions keep their signatures."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

_Function = TypeVar("_Function", bound=Callable[..., object])


def compiled(function: _Function) -> _Function:
    """Compile a numeric function; the machine code is cached beside its module."""
    return cast(_Function, njit(cache=True, fastmath=True, error_model="numpy")(function))
