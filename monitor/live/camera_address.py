"""What a camera is opened with: address or device, protocol, time-outs, lowest delay."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qs

import av
import av.error
from av.container import InputContainer

from monitor.failures import CannotBeDoneError

_ADDRESSES: Final = ("rtsp://", "rtsps://", "http://", "https://", "udp://", "tcp://", "rtp://")
_DEVICE: Final = "/dev/video"
OPEN_WITHIN_S: Final = 8.0
NEXT_WITHIN_S: Final = 2.5
"""A camera that sends nothing for so long is taken for lost."""
_PROBE_BYTES: Final = "1000000"
_PROBE_US: Final = "1000000"
_DEVICE_WORDS: Final = {"size": "video_size", "fps": "framerate", "format": "input_format"}
_WITHOUT_TIMES: Final = frozenset(("mpjpeg", "mjpeg", "jpeg_pipe"))
"""Formats whose timestamps are only counted: the time of arrival is the better one."""


@dataclass(frozen=True, slots=True)
class CameraAddress:
    """How to open one camera."""

    place: str
    format: str | None = None
    options: dict[str, str] = field(default_factory=dict)

    def opened(self) -> InputContainer:
        """Connect.

        Raises:
            av.error.FFmpegError, OSError, ValueError: when it does not answer.
        """
        if self.format == "v4l2" and "input_format" not in self.options:
            # USB cameras give full size at full rate as JPEG only, and JPEG can be recorded.
            with suppress(av.error.FFmpegError, OSError):
                return self._opened({"input_format": "mjpeg"} | self.options)
        return self._opened(self.options)

    def _opened(self, options: dict[str, str]) -> InputContainer:
        timeout = (OPEN_WITHIN_S, NEXT_WITHIN_S)
        return av.open(self.place, format=self.format, options=dict(options), timeout=timeout)


def is_camera(source: str) -> bool:
    """True for an address or a video device, False for a file or a folder."""
    return source.startswith((*_ADDRESSES, _DEVICE))


def carries_times(container: InputContainer) -> bool:
    """Do its packets carry the sender's own time?"""
    return container.format.name not in _WITHOUT_TIMES


def camera_address(source: str) -> CameraAddress:
    """How a camera is opened.

    A device takes its mode as an address does: `/dev/video0?size=1920x1080&fps=60&format=mjpeg`.

    Raises:
        CannotBeDoneError: when the mode of a device is written wrongly.
    """
    if source.startswith(_DEVICE):
        return _device(source)
    # Not "nobuffer": it lets go of the packets that were looked at, and with them the only
    # key frame for seconds.
    quick = {
        "probesize": _PROBE_BYTES,
        "analyzeduration": _PROBE_US,
        "max_delay": "0",
    }
    if source.startswith(("rtsp://", "rtsps://")):
        # Over UDP a lost packet is a torn picture; over TCP nothing has to be put in order.
        quick |= {"rtsp_transport": "tcp", "reorder_queue_size": "0"}
    return CameraAddress(source, None, quick)


def _device(source: str) -> CameraAddress:
    place, _, query = source.partition("?")
    options: dict[str, str] = {}
    for word, values in parse_qs(query, keep_blank_values=True).items():
        if word not in _DEVICE_WORDS or not values[-1]:
            known = ", ".join(f"{name}=.." for name in _DEVICE_WORDS)
            raise CannotBeDoneError(f'{place}: "{word}" is no mode of a camera; it takes {known}.')
        options[_DEVICE_WORDS[word]] = values[-1]
    # The kernel stamps frames with its monotonic clock: the sender's own time.
    return CameraAddress(place, "v4l2", {"timestamps": "default"} | options)
