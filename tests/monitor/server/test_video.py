"""The stream of pictures: each is complete the moment it is sent."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

from monitor.server.routes_video import _stream


def test_the_boundary_follows_each_picture_at_once() -> None:
    """A browser shows a picture at the next boundary: a camera that has ended sends only one."""
    pictures = [(1, b"first"), (2, b"second")]
    live = SimpleNamespace(newest_picture=lambda: pictures[0])
    serving = SimpleNamespace(live=live, video_viewers=0)

    async def read() -> list[bytes]:
        stream = _stream(serving)  # type: ignore[arg-type]
        parts = [await anext(stream), await anext(stream)]
        assert serving.video_viewers == 1
        del pictures[0]
        parts.append(await anext(stream))
        await stream.aclose()
        return parts

    # Where a browser is driven in the same process, this thread has a loop that runs.
    with ThreadPoolExecutor(1) as beside:
        opening, first, second = beside.submit(asyncio.run, read()).result()
    assert opening == b"--frame\r\n"
    assert first.endswith(b"\r\n\r\nfirst\r\n--frame\r\n")
    assert b"Content-Length: 6\r\n" in second and second.endswith(b"second\r\n--frame\r\n")
    assert serving.video_viewers == 0
