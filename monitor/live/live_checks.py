"""The part of the set-up's check list that is measured while the camera runs."""

from __future__ import annotations

from typing import Final

from monitor.live.table_now import Health
from monitor.live.words import Text
from monitor.store import Body

_TODO: Final[dict[str, Text]] = {
    "source": ("Check cable, power and address", "Zkontrolujte kabel, napájení a adresu"),
    "frozen": ("Restart the camera", "Restartujte kameru"),
    "dark": ("Uncover the lens, switch on the light", "Odkryjte objektiv, rozsviťte"),
    "no_view": ("Uncover the lens, turn the camera back", "Odkryjte objektiv, otočte kameru zpět"),
    "moved": ("Put the camera back, or calibrate again", "Vraťte kameru, nebo znovu zkalibrujte"),
    "misfit": ("Calibrate again", "Znovu zkalibrujte"),
    "blurred": ("Focus on the cloth, clean the lens", "Zaostřete na plátno, očistěte objektiv"),
    "bright": ("Less exposure", "Zmenšete expozici"),
    "rate": ("More light, a cable, 30 frames a second", "Více světla, kabel, 30 snímků za sekundu"),
    "slow": ("Close other programs", "Zavřete jiné programy"),
    "dropping": ("Close other programs", "Zavřete jiné programy"),
    "unknown": ("Choose or enrol the ball set", "Zvolte nebo naučte sadu koulí"),
    "covered": ("Step back from the table", "Odstupte od stolu"),
    "disk": ("Free space on the disk", "Uvolněte místo na disku"),
    "journal": ("Free space on the disk", "Uvolněte místo na disku"),
    "recording": ("Look at the recording's disk", "Zkontrolujte disk pro nahrávku"),
    "lag": ("Use a cable, or a lower bit rate", "Použijte kabel, nebo nižší datový tok"),
}
_ELSEWHERE: Final = frozenset(("calibration", "missed"))
"""Has a line of its own, or is nothing to be checked."""


def live_checks(health: Health) -> list[Body]:
    """A line for each thing that is wrong, and what is measured when nothing is."""
    lines = [
        _line(f"live_{reason.id}", reason.level, (reason.text, reason.text_cs), reason.id)
        for reason in health.reasons
        if reason.id not in _ELSEWHERE
    ]
    if health.camera == "on":
        lines += _measured(health, {reason.id for reason in health.reasons})
    return lines


def _measured(health: Health, wrong: set[str]) -> list[Body]:
    measures, lines = health.measures, []
    if not wrong & {"rate", "slow", "dropping"}:
        text = f"{health.fps_in:.0f} frames a second, {health.dropped} dropped so far"
        text_cs = f"{health.fps_in:.0f} snímků za sekundu, zatím {health.dropped} zahozeno"
        lines.append(_line("rate", "green", (text, text_cs), ""))
    if not wrong & {"dark", "bright", "blurred", "frozen"} and "light" in measures:
        sharp = 100 * float(str(measures["sharpness"]))
        text = f"Light {measures['light']} of 255, sharpness {sharp:.0f} % of the first seconds"
        text_cs = f"Světlo {measures['light']} z 255, ostrost {sharp:.0f} % oproti začátku"
        lines.append(_line("light", "green", (text, text_cs), ""))
    if not wrong & {"moved", "no_view"} and measures.get("moved_mm") is not None:
        text = f"The camera stands still ({measures['moved_mm']} mm)"
        text_cs = f"Kamera stojí ({measures['moved_mm']} mm)"
        lines.append(_line("steady", "green", (text, text_cs), ""))
    if "disk" not in wrong and health.disk_free_mb is not None:
        free_gb = health.disk_free_mb / 1000
        text, text_cs = f"{free_gb:.0f} GB free", f"Volno {free_gb:.0f} GB"
        lines.append(_line("disk", "green", (text, text_cs), ""))
    return lines


def _line(name: str, level: str, text: Text, todo: str) -> Body:
    ways = _TODO.get(todo, (None, None))
    return {
        "id": name,
        "level": level,
        "text": text[0].rstrip("."),
        "text_cs": text[1].rstrip("."),
        "todo": ways[0],
        "todo_cs": ways[1],
    }
