"""How well the table is seen, in words: what the page always shows."""

from __future__ import annotations

import shutil
import statistics
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from monitor.live.eye_words import Counted
from monitor.live.table_now import Health, Reason
from monitor.live.words import counted as in_number

_DARK: Final = 30.0
_BRIGHT: Final = 225.0
_BLURRED: Final = 1.0
_SHIFTED_PX: Final = 6.0
_COVERED: Final = 0.3
_FEW_FPS: Final = 20.0
_MUCH_DROPPED: Final = 0.1
_LITTLE_MB: Final = 500
_LATE_MS: Final = 400.0
_UNNAMED: Final = (
    ("{n} ball cannot be named.", "{n} balls cannot be named."),
    ("{n} kouli nelze určit.", "{n} koule nelze určit.", "{n} koulí nelze určit."),
)
_FEW_FRAMES: Final = (
    ("Only {n} frame a second comes in.", "Only {n} frames a second come in."),
    (
        "Přichází jen {n} snímek za sekundu.",
        "Přicházejí jen {n} snímky za sekundu.",
        "Přichází jen {n} snímků za sekundu.",
    ),
)


def health_of(
    camera: str,
    problem: str | None,
    calibrated: bool,
    counted: Counted | None,
    latencies_ms: Sequence[float],
    folder: Path,
    evidence_bytes: int,
) -> Health:
    """The health section, each state with its reason."""
    free_mb = _free_mb(folder)
    latency_ms = round(statistics.median(latencies_ms), 1) if latencies_ms else None
    reasons = [*_of_source(camera, problem), *_of_disk(free_mb)]
    if camera == "on":
        reasons += _of_calibration(calibrated)
        if counted is not None:
            reasons += _of_picture(counted)
        if latency_ms is not None and latency_ms > _LATE_MS:
            text = f"Rulings lag {latency_ms:.0f} ms behind"
            reasons.append(Reason("late", "amber", text, f"Zpoždění {latency_ms:.0f} ms"))
    return Health(
        camera=camera,
        reasons=tuple(reasons),
        fps_in=0.0 if counted is None else counted.fps_in,
        fps_done=0.0 if counted is None else counted.fps_done,
        frames=0 if counted is None else counted.came,
        dropped=0 if counted is None else counted.dropped,
        latency_ms=latency_ms,
        disk_free_mb=free_mb,
        evidence_mb=evidence_bytes / 1e6,
    )


def _of_source(camera: str, problem: str | None) -> list[Reason]:
    match camera:
        case "failed" | "missing":
            text = problem or "The camera failed."
            return [Reason("source", "red", text, f"Kamera nefunguje: {text}")]
        case "starting":
            return [Reason("source", "amber", "The camera is starting.", "Kamera se spouští.")]
        case "ended":
            text = problem or "The video has ended; facts can be entered by hand."
            return [Reason("source", "amber", text, "Video skončilo; údaje lze zadat ručně.")]
    return []


def _of_disk(free_mb: int | None) -> list[Reason]:
    if free_mb is None or free_mb >= _LITTLE_MB:
        return []
    text = f"Only {free_mb} MB are left on the disk."
    level = "red" if free_mb < _LITTLE_MB / 10 else "amber"
    return [Reason("disk", level, text, f"Na disku zbývá jen {free_mb} MB.")]


def _of_calibration(calibrated: bool) -> list[Reason]:
    if calibrated:
        return []
    text = "The table was not found: set the corners on the set-up page. Nothing is ruled on."
    text_cs = "Stůl nebyl nalezen: nastavte rohy na stránce nastavení. Nic se neposuzuje."
    return [Reason("calibration", "red", text, text_cs)]


def _of_picture(counted: Counted) -> list[Reason]:
    reasons = []

    def say(name: str, level: str, text: str, text_cs: str) -> None:
        reasons.append(Reason(name, level, text, text_cs))

    if counted.brightness < _DARK:
        say("dark", "red", "The picture is dark.", "Obraz je tmavý.")
    elif counted.brightness > _BRIGHT:
        say("bright", "amber", "The picture is overexposed.", "Obraz je přesvícený.")
    if counted.sharpness < _BLURRED:
        say("blurred", "amber", "The picture is blurred.", "Obraz je rozmazaný.")
    if not counted.has_view:
        say("no_view", "red", "The table is not in view.", "Stůl není vidět.")
    elif counted.agreeing < _COVERED:
        say("covered", "amber", "Somebody covers the table.", "Někdo zakrývá stůl.")
    if counted.shift_px > _SHIFTED_PX:
        text = f"The camera has moved by {counted.shift_px:.0f} px: calibrate again."
        say("moved", "amber", text, f"Kamera se posunula o {counted.shift_px:.0f} px.")
    if 0.0 < counted.fps_in < _FEW_FPS:
        say("rate", "amber", *in_number(round(counted.fps_in), *_FEW_FRAMES))
    if counted.came and counted.dropped > _MUCH_DROPPED * counted.came:
        share = 100 * counted.dropped / counted.came
        text = f"{share:.0f} % of the frames are dropped: the machine is too slow."
        say("dropping", "amber", text, f"{share:.0f} % snímků se zahazuje: počítač nestíhá.")
    if counted.unknown:
        say("unknown", "amber", *in_number(counted.unknown, *_UNNAMED))
    return reasons


def _free_mb(folder: Path) -> int | None:
    with suppress(OSError):
        return int(shutil.disk_usage(folder).free // 1_000_000)
    return None
