"""What the server calls itself."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version


@cache
def server_name() -> str:
    """Program and version, as the hello says them."""
    try:
        return f"table-monitor {version('table-monitor')}"
    except PackageNotFoundError:
        return "table-monitor"
