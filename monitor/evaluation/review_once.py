"""One review in a process of its own, so that start-up is counted and a crash costs one clip.

Reads the case as JSON from the first argument; prints when the first frame was done and
when everything was, as seconds since the epoch.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TypedDict


class Times(TypedDict):
    """When the first frame was done and when all was, and what went wrong."""

    first_frame: float
    ended: float
    problem: str | None


def main(arguments: list[str] | None = None) -> int:
    """Review one clip and print its times and, if there was one, its problem."""
    print(json.dumps(review_asked((arguments if arguments is not None else sys.argv[1:])[0])))
    return 0


def review_asked(text: str) -> Times:
    """Review the clip that is asked for in JSON."""
    asked = json.loads(text)
    from monitor.review import ReviewRequest, review_video  # noqa: PLC0415
    from table.geometry import table_from_text  # noqa: PLC0415

    first_frame: list[float] = []

    def on_progress(_done: int, _expected: int | None) -> None:
        if not first_frame:
            first_frame.append(time.time())

    request = ReviewRequest(
        table=table_from_text(asked["table"]),
        head=asked["head"],
        ball_set=asked["ball_set"],
        declarations=Path(asked["declarations"]) if asked["declarations"] else None,
    )
    outcome = review_video(Path(asked["clip"]), Path(asked["out"]), request, on_progress)
    ended = time.time()
    return {
        "first_frame": first_frame[0] if first_frame else ended,
        "ended": ended,
        "problem": outcome.problem,
    }


if __name__ == "__main__":
    raise SystemExit(main())
