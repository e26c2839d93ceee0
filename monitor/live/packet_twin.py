"""Packets copied out of a stream: what ring, evidence and recording write without encoding again.

A stream must not be used after its connection is closed; its twin may.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

import av
from av.container import OutputContainer
from av.video.stream import VideoStream

TIME_BASE: Final = Fraction(1, 90_000)

_NOT_COMPRESSED: Final = frozenset(("rawvideo", "wrapped_avframe"))


@dataclass(eq=False)
class PacketTwin:
    """The description of a stream, kept apart from the connection it came through.

    Raises:
        ValueError: for pictures that are not compressed: they cannot be kept as packets.
    """

    kind: VideoStream = field(init=False)
    """A stream that is never written to, to make others after."""
    _holder: OutputContainer = field(init=False)

    def __init__(self, stream: VideoStream) -> None:
        if stream.codec_context.name in _NOT_COMPRESSED:
            raise ValueError("not compressed")
        self._holder = av.open(io.BytesIO(), "w", format="matroska")
        self.kind = self._holder.add_stream_from_template(stream)

    def add_to(self, made: OutputContainer) -> VideoStream:
        """A stream of this kind in another file."""
        twin = made.add_stream_from_template(self.kind)
        twin.time_base = TIME_BASE
        return twin


@dataclass(frozen=True, slots=True)
class KeptPacket:
    """One packet as bytes, and when its picture is shown, in the source's time."""

    bytes: bytes
    t_s: float
    is_key: bool
    shown_after_s: float
    """From decoding to showing (B frames)."""

    @property
    def size(self) -> int:
        """Bytes."""
        return len(self.bytes)

    @property
    def decoded_s(self) -> float:
        """When it has to be decoded, in the source's time."""
        return self.t_s - self.shown_after_s


@dataclass(eq=False)
class PacketWriter:
    """Writes kept packets into a file; the picture of the first one is shown at 0."""

    made: OutputContainer
    twin: PacketTwin
    start_s: float
    _stream: VideoStream = field(init=False)
    _last_dts: int | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._stream = self.twin.add_to(self.made)

    def write(self, kept: KeptPacket) -> None:
        """Write the next packet, in the order of decoding."""
        packet = av.Packet(kept.bytes)
        dts = _ticks(kept.decoded_s - self.start_s)
        if self._last_dts is not None:
            # Containers want times that grow; a sender's clock may have stepped back a little.
            dts = max(dts, self._last_dts + 1)
        self._last_dts = dts
        packet.time_base = TIME_BASE
        packet.dts, packet.pts = dts, max(dts, _ticks(kept.t_s - self.start_s))
        packet.is_keyframe = kept.is_key
        packet.stream = self._stream
        self.made.mux(packet)


def kept_packet(packet: av.Packet[Any], t_s: float) -> KeptPacket | None:
    """A copy of a packet whose picture is shown at `t_s`; None for one without content."""
    if not packet.size:
        return None
    late = 0.0
    if packet.pts is not None and packet.dts is not None and packet.time_base is not None:
        late = max(0.0, float((packet.pts - packet.dts) * packet.time_base))
    return KeptPacket(bytes(packet), t_s, packet.is_keyframe, late)


def _ticks(seconds: float) -> int:
    return round(seconds / TIME_BASE)
