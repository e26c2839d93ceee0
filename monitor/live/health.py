"""How well the table is seen, in words: what the page always shows."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from monitor.live.eye_words import Counted
from monitor.live.missed import Missed
from monitor.live.picture_watch import Condition
from monitor.live.table_now import Health, Reason
from monitor.live.words import Text
from monitor.live.words import counted as in_number

_FEW_FPS: Final = 20.0
_MUCH_DROPPED: Final = 0.1
_LITTLE_MB: Final = 500
_LATE_MS: Final = 400.0
_OLD_S: Final = 0.7
_UNNAMED: Final = (
    ("{n} ball cannot be named.", "{n} balls cannot be named."),
    ("{n} kouli nelze určit.", "{n} koule nelze určit.", "{n} koulí nelze určit."),
)
_FEW_FRAMES: Final = (
    ("Only {n} frame a second comes in.", "Only {n} frames a second come in."),
    (
        "Přichází jen {n} snímek za sekundu.",
        "Přichází jen {n} snímky za sekundu.",
        "Přichází jen {n} snímků za sekundu.",
    ),
)
_NO_RULINGS: Final = (" Nothing is ruled on.", " Nic se neposuzuje.")


@dataclass(frozen=True, slots=True)
class Felt:
    """All that health is told from."""

    camera: str
    problem: str | None
    calibrated: bool
    counted: Counted | None
    latency_ms: float | None
    folder: Path
    evidence_bytes: int = 0
    unwritten: int = 0
    """What the eyes brought and the journal could not take."""
    clock_step_s: float = 0.0
    """By how much the computer's clock was set lately."""
    camera_leapt: bool = False
    """The camera's clock was set lately."""
    missed: Missed | None = None


def health_of(felt: Felt) -> Health:
    """The health section, each state with its reason."""
    counted, free_mb = felt.counted, _free_mb(felt.folder)
    reasons = [*_of_source(felt.camera, felt.problem), *_of_journal(felt, free_mb)]
    if felt.camera == "on":
        reasons += _of_calibration(felt.calibrated)
        if counted is not None:
            reasons += _of_picture(counted)
            reasons += _of_speed(counted)
        reasons += _of_delay(felt.latency_ms, counted)
    if counted is not None and felt.camera != "ended":
        reasons += _of_recording(counted)
    reasons += _of_clock(felt)
    reasons += _of_missed(felt.missed)
    reasons.sort(key=lambda reason: reason.level != "red")
    return Health(
        camera=felt.camera,
        reasons=tuple(reasons),
        fps_in=0.0 if counted is None else counted.fps_in,
        fps_done=0.0 if counted is None else counted.fps_done,
        frames=0 if counted is None else counted.came,
        dropped=0 if counted is None else counted.dropped,
        latency_ms=felt.latency_ms,
        disk_free_mb=free_mb,
        evidence_mb=felt.evidence_bytes / 1e6,
        measures={} if counted is None else _measures(counted),
        missed=() if felt.missed is None else tuple(s.to_json() for s in felt.missed.spans),
    )


def _measures(counted: Counted) -> dict[str, object]:
    """What is measured, whether good or bad."""
    recording = counted.recording
    return {
        "fps_usual": round(counted.fps_usual, 1),
        "light": round(counted.light),
        "sharpness": round(counted.sharpness, 2),
        "shift_px": round(counted.shift_px, 1),
        "moved_mm": None if counted.moved_mm is None else round(counted.moved_mm, 1),
        "covered": round(1.0 - counted.agreeing, 2),
        "unknown": counted.unknown,
        "lag_ms": round(1000 * counted.lag_s),
        "clock_jumps": counted.jumps,
        "damaged": counted.damaged,
        "recording": None
        if recording is None
        else {"file": recording.file, "mb": round(recording.mb, 1), "lost": recording.lost},
    }


def _reason(name: str, level: str, text: Text) -> Reason:
    return Reason(name, level, *text)


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


def _of_journal(felt: Felt, free_mb: int | None) -> list[Reason]:
    if felt.unwritten:
        text = "The journal cannot be written: free space on the disk. Nothing seen is lost;"
        text += " it is ruled on as soon as it can be written."
        text_cs = "Záznam nelze zapsat: uvolněte místo na disku. Nic se neztratí;"
        text_cs += " posoudí se, jakmile půjde zapisovat."
        return [Reason("journal", "red", text, text_cs)]
    if free_mb is None or free_mb >= _LITTLE_MB:
        return []
    text = f"Only {free_mb} MB are left on the disk."
    return [Reason("disk", "amber", text, f"Na disku zbývá jen {free_mb} MB.")]


def _of_calibration(calibrated: bool) -> list[Reason]:
    if calibrated:
        return []
    text = "The table was not found: set the corners on the set-up page. Nothing is ruled on."
    text_cs = "Stůl nebyl nalezen: nastavte rohy na stránce nastavení. Nic se neposuzuje."
    return [Reason("calibration", "red", text, text_cs)]


def _of_picture(counted: Counted) -> list[Reason]:
    reasons = []
    for condition in counted.conditions:
        say = _CONDITIONS[condition.id]
        text, text_cs = say(condition)
        if condition.stops:
            text, text_cs = text + _NO_RULINGS[0], text_cs + _NO_RULINGS[1]
        reasons.append(Reason(condition.id, "red" if condition.stops else "amber", text, text_cs))
    if counted.unknown:
        reasons.append(_reason("unknown", "amber", in_number(counted.unknown, *_UNNAMED)))
    return reasons


def _rate_words(condition: Condition) -> Text:
    return in_number(round(condition.value), *_FEW_FRAMES)


def _moved_words(condition: Condition) -> Text:
    doing = f" {condition.detail}" if condition.detail else ""
    if condition.value > 10_000.0:
        return (
            f"The camera has moved (another view): put it back, or calibrate again.{doing}",
            "Kamera se pohnula (jiný záběr): vraťte ji, nebo znovu zkalibrujte.",
        )
    far = f"{condition.value:.0f} mm"
    return (
        f"The camera has moved by {far}: put it back, or calibrate again.{doing}",
        f"Kamera se pohnula o {far}: vraťte ji, nebo znovu zkalibrujte.",
    )


_CONDITIONS: Final[dict[str, Callable[[Condition], Text]]] = {
    "dark": lambda _: (
        "The picture is dark: the lens is covered, or the light is out.",
        "Obraz je tmavý: objektiv je zakrytý, nebo je zhasnuto.",
    ),
    "frozen": lambda c: (
        f"The picture is frozen (since {c.value:.0f} s): check the camera.",
        f"Obraz zamrzl (už {c.value:.0f} s): zkontrolujte kameru.",
    ),
    "no_view": lambda _: (
        "The table is not in view: the lens is covered, or the camera was turned.",
        "Stůl není vidět: objektiv je zakrytý, nebo je kamera otočená.",
    ),
    "moved": _moved_words,
    "anew": lambda _: (
        "The camera had moved and was calibrated anew: see that the lines lie on the noses.",
        "Kamera se pohnula a byla znovu zkalibrována: ověřte, že čáry leží na mantinelech.",
    ),
    "slow": lambda c: (
        f"This computer is too slow: it looks at {c.value:.0f} frames a second.",
        f"Počítač nestíhá: zpracuje jen {c.value:.0f} snímků za sekundu.",
    ),
    "misfit": lambda c: (
        f"The calibration is {c.value:.0f} mm off in this picture: calibrate again.",
        f"Kalibrace se od obrazu liší o {c.value:.0f} mm: zkalibrujte znovu.",
    ),
    "bright": lambda _: ("The picture is overexposed.", "Obraz je přesvícený."),
    "covered": lambda _: ("Somebody is over the table.", "Někdo je nad stolem."),
    "blurred": lambda _: (
        "The picture is blurred: check focus and lens.",
        "Obraz je rozmazaný: zkontrolujte zaostření a objektiv.",
    ),
    "rate": _rate_words,
}


def _of_speed(counted: Counted) -> list[Reason]:
    reasons = []
    has_rate = any(condition.id == "rate" for condition in counted.conditions)
    if not has_rate and 0.0 < counted.fps_in < _FEW_FPS:
        reasons.append(_reason("rate", "amber", in_number(round(counted.fps_in), *_FEW_FRAMES)))
    if counted.dropped_share > _MUCH_DROPPED:
        share = 100 * counted.dropped_share
        text = f"{share:.0f} % of the frames are dropped: the machine is too slow."
        text_cs = f"{share:.0f} % snímků se zahazuje: počítač nestíhá."
        reasons.append(Reason("dropping", "amber", text, text_cs))
    return reasons


def _of_delay(latency_ms: float | None, counted: Counted | None) -> list[Reason]:
    reasons = []
    if latency_ms is not None and latency_ms > _LATE_MS:
        text = f"Rulings lag {latency_ms:.0f} ms behind"
        reasons.append(Reason("late", "amber", text, f"Zpoždění {latency_ms:.0f} ms"))
    if counted is not None and counted.lag_s > _OLD_S:
        text = f"Frames come {counted.lag_s:.1f} s late: the network is too slow."
        text_cs = f"Snímky přicházejí o {counted.lag_s:.1f} s pozdě: síť nestíhá."
        reasons.append(Reason("lag", "amber", text, text_cs))
    return reasons


def _of_recording(counted: Counted) -> list[Reason]:
    recording = counted.recording
    if recording is None or recording.problem is None:
        return []
    text_cs = f"Nenahrává se: {recording.problem}"
    return [Reason("recording", "amber", f"Not recorded: {recording.problem}", text_cs)]


def _of_clock(felt: Felt) -> list[Reason]:
    reasons, step_s = [], felt.clock_step_s
    if step_s:
        text = f"The computer's clock was set by {step_s:+.0f} s; match time goes on unchanged."
        text_cs = f"Hodiny počítače byly přestaveny o {step_s:+.0f} s; čas zápasu běží dál."
        reasons.append(Reason("clock", "amber", text, text_cs))
    if felt.camera_leapt:
        text = "The camera's clock leapt; it was taken up anew."
        text_cs = "Hodiny kamery poskočily; čas byl převzat znovu."
        reasons.append(Reason("camera_clock", "amber", text, text_cs))
    return reasons


def _of_missed(missed: Missed | None) -> list[Reason]:
    if missed is None or missed.reminder is None:
        return []
    return [Reason("missed", "amber", missed.reminder.text, missed.reminder.text_cs)]


def _free_mb(folder: Path) -> int | None:
    with suppress(OSError):
        return int(shutil.disk_usage(folder).free // 1_000_000)
    return None
