"""Say in one sentence when a system library that OpenCV needs is missing.

OpenCV's wheel brings its codecs but not libGL and glib, which servers and containers
often lack.
"""

from __future__ import annotations

import sys


def main() -> int:
    """Import what needs system libraries; 0 when all is there."""
    try:
        import cv2  # noqa: F401, PLC0415
    except ImportError as error:
        print(
            f"OpenCV cannot be loaded ({error}). On Debian and Ubuntu: "
            "apt-get install libgl1 libglib2.0-0",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
