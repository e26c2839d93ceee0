"""One TOML file of settings -> frozen dataclasses; unknown keys are errors.

Every key has a default; docs/settings.md lists them. An example::

    [rules]
    decide_probability = 0.99

    [overlay]
    trail_s = 2.0
"""

from __future__ import annotations

import math
import re
import tomllib
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from monitor.failures import CannotBeDoneError, sentence_for

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RuleSettings:
    """How facts become rulings."""

    decide_probability: float = 0.98
    """A fact at least this probable is decided; a less probable one becomes a question."""

    def __post_init__(self) -> None:
        if not 0.5 < self.decide_probability <= 1.0:
            raise ValueError("decide_probability must be above 0.5 and at most 1")


@dataclass(frozen=True, slots=True)
class EvidenceSettings:
    """The pictures of deciding moments."""

    span_m: float = 0.6
    """Side of the square of table that a picture shows."""
    side_px: int = 360
    """Side of each of the pictures of one moment, in pixels."""
    step_s: float = 0.04
    """Time between the pictures of one moment."""
    quality: int = 88
    """JPEG quality, 1 to 100."""

    def __post_init__(self) -> None:
        if self.span_m <= 0.0 or self.step_s <= 0.0:
            raise ValueError("span_m and step_s must be above 0")
        if not 64 <= self.side_px <= 2048 or not 1 <= self.quality <= 100:
            raise ValueError("side_px must be 64 .. 2048 and quality 1 .. 100")


@dataclass(frozen=True, slots=True)
class OverlaySettings:
    """What --annotate draws."""

    trail_s: float = 1.5
    """How long a ball's path stays visible behind it."""
    event_s: float = 1.2
    """How long the mark and caption of an event stay."""
    crf: int = 23
    """H.264 quality: 0 lossless .. 51 worst."""

    def __post_init__(self) -> None:
        if self.trail_s < 0.0 or self.event_s < 0.0 or not 0 <= self.crf <= 51:
            raise ValueError("trail_s and event_s must be at least 0, crf 0 .. 51")


@dataclass(frozen=True, slots=True)
class LiveSettings:
    """A table that is watched live."""

    evidence_mb: float = 4000.0
    """Disk space for evidence clips; the oldest are deleted beyond it."""

    def __post_init__(self) -> None:
        if self.evidence_mb < 10.0:
            raise ValueError("evidence_mb must be at least 10")


@dataclass(frozen=True, slots=True)
class RecordSettings:
    """Recordings of a camera (`watch --record`)."""

    most_gb: float = 100.0
    """Disk space for them; the oldest pieces are deleted beyond it."""
    keep_free_gb: float = 2.0
    """Recording stops rather than leave less than this free."""
    piece_s: float = 60.0
    """Length of a piece."""

    def __post_init__(self) -> None:
        if self.most_gb < 0.01 or self.keep_free_gb < 0.0 or self.piece_s < 1.0:
            raise ValueError(
                "most_gb must be at least 0.01, keep_free_gb at least 0, piece_s at least 1"
            )


@dataclass(frozen=True, slots=True)
class MqttSettings:
    """Score, state and rulings over MQTT; off while `address` is empty."""

    address: str = ""
    """mqtt://host:1883 or mqtts://host:8883 (TLS)."""
    user: str = ""
    password_file: str = ""
    """A file that holds the password alone."""
    prefix: str = "table-monitor"
    """First part of every topic."""
    table: str = "table"
    """Second part: which table."""
    discovery: str = "homeassistant"
    """Prefix of the discovery topics; empty: none."""

    def __post_init__(self) -> None:
        for name in (self.prefix, self.table):
            if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name):
                raise ValueError("prefix and table are letters, digits, - and _")
        if not re.fullmatch(r"[A-Za-z0-9_/-]{0,64}", self.discovery):
            raise ValueError("discovery is letters, digits, -, _ and /")


@dataclass(frozen=True, slots=True)
class WebhookSettings:
    """Rulings and state as POST requests; off while `url` is empty."""

    url: str = ""
    secret_file: str = ""
    """A file with the secret that signs the bodies (HMAC-SHA256)."""


@dataclass(frozen=True, slots=True)
class NetworkSettings:
    """The learned detector beside the localizer."""

    on: bool = True
    """False: balls are found by the localizer alone."""
    every_frames: int = 6
    """It looks at every n-th frame, and when something happens."""
    device: str = "auto"
    """"auto" (a graphics processor when there is one), "cpu" or "gpu"."""
    file: str = ""
    """A network of one's own (.onnx, or .pt of plain tensors) instead of the shipped one."""

    def __post_init__(self) -> None:
        if self.every_frames < 1:
            raise ValueError("every_frames must be at least 1")
        if self.device not in ("auto", "cpu", "gpu"):
            raise ValueError('device must be "auto", "cpu" or "gpu"')


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, one section a component."""

    rules: RuleSettings = field(default_factory=RuleSettings)
    evidence: EvidenceSettings = field(default_factory=EvidenceSettings)
    overlay: OverlaySettings = field(default_factory=OverlaySettings)
    live: LiveSettings = field(default_factory=LiveSettings)
    record: RecordSettings = field(default_factory=RecordSettings)
    network: NetworkSettings = field(default_factory=NetworkSettings)
    mqtt: MqttSettings = field(default_factory=MqttSettings)
    webhook: WebhookSettings = field(default_factory=WebhookSettings)


def read_settings(path: Path | None) -> Settings:
    """Settings from a TOML file, the defaults without one.

    Raises:
        CannotBeDoneError: naming the file and the first key that is unknown or has a wrong value.
    """
    if path is None:
        return Settings()
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CannotBeDoneError(sentence_for(error)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CannotBeDoneError(f"{path.name} is not a TOML file: {error}") from None
    return read_section(Settings, values, path.name, "")


def read_section(kind: type[T], values: dict[str, Any], file: str, section: str) -> T:
    """One section of a settings file as the dataclass `kind`.

    Raises:
        CannotBeDoneError: naming the file and the first key that is unknown or has a wrong value.
    """
    types = get_type_hints(kind)
    known = [item.name for item in fields(kind)]  # type: ignore[arg-type]
    given: dict[str, Any] = {}
    for key, value in values.items():
        name = f"{section}.{key}" if section else key
        if key not in known:
            where = f"[{section}]" if section else "a settings file"
            raise CannotBeDoneError(
                f'{file}: "{name}" is not a setting; {where} knows {", ".join(known)}'
            )
        wanted = types[key]
        if is_dataclass(wanted) and isinstance(wanted, type):
            if not isinstance(value, dict):
                raise CannotBeDoneError(f'{file}: "{name}" is a section: write [{name}]')
            given[key] = read_section(wanted, value, file, name)
        else:
            given[key] = _checked(value, wanted, f'{file}: "{name}"')
    try:
        return kind(**given)
    except ValueError as error:
        raise CannotBeDoneError(f"{file}, [{section}]: {error}") from None


def _checked(value: object, wanted: type, place: str) -> object:
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not wanted or (isinstance(value, float) and not math.isfinite(value)):
        word = {float: "a number", int: "a whole number", bool: "true or false", str: "a text"}
        raise CannotBeDoneError(
            f"{place} must be {word.get(wanted, wanted.__name__)}, not {value!r}"
        )
    return value
