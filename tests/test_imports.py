"""What may be loaded when: rules are pure, ultralytics and torch are lazy."""

import subprocess
import sys

import pytest

HEAVY = "{'numpy', 'cv2', 'av', 'scipy', 'filterpy', 'torch', 'ultralytics', 'synthetic'}"


@pytest.mark.parametrize("package", ["table", "rules", "monitor.cli", "monitor.replaying"])
def test_rules_and_the_command_line_load_without_pixels(package: str) -> None:
    assert _loaded(package, HEAVY) == ""


@pytest.mark.parametrize("package", ["vision", "calibration", "monitor.pipeline", "monitor.review"])
def test_the_product_loads_without_torch_and_without_the_truth_generator(package: str) -> None:
    assert _loaded(package, "{'torch', 'ultralytics', 'synthetic', 'pooltool', 'numba'}") == ""


def _loaded(package: str, names: str) -> str:
    """Which of `names` a fresh interpreter holds after importing all of `package`."""
    program = (
        "import importlib, pkgutil, sys\n"
        f"top = importlib.import_module({package!r})\n"
        "for part in pkgutil.iter_modules(getattr(top, '__path__', [])):\n"
        f"    importlib.import_module({package!r} + '.' + part.name)\n"
        f"print(*sorted({names} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()
