"""Write the complete pins (*.txt) that follow from the chosen ones (*.in).

Run by `make lock`. pip resolves; nothing is installed. The order matters: what the full
set resolves to constrains the others, so that both installs agree on every version.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
LEFT_OUT = frozenset(("openvino-telemetry",))
"""Sends usage figures; OpenVINO runs without it. Installs use --no-deps, so it stays out."""
NO_DEPS = "# no-deps:"
HEADER = "# Written by `make lock` from {name}.in: change that file, not this one.\n"


def resolved(name: str, *more: str) -> dict[str, str]:
    """Names and exact versions that pip would install for `name`.in."""
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed"]
    command += ["--quiet", "--report", "-", "-r", str(HERE / f"{name}.in"), *more]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    wanted = (item["metadata"] for item in json.loads(answer.stdout)["install"])
    pins = {item["name"].lower().replace("_", "-"): item["version"] for item in wanted}
    kept = {package: pins[package] for package in pins if package not in LEFT_OUT}
    return kept | without_dependencies(name)


def without_dependencies(name: str) -> dict[str, str]:
    """What `name`.in wants as it is, its own dependency pins ignored: `# no-deps: a==1`."""
    rows = (HERE / f"{name}.in").read_text(encoding="utf-8").splitlines()
    wanted = (row.removeprefix(NO_DEPS) for row in rows if row.startswith(NO_DEPS))
    return dict(row.strip().split("==") for row in wanted)


def write(name: str, pins: dict[str, str]) -> None:
    """Write `name`.txt, sorted."""
    rows = "".join(f"{package}=={pins[package]}\n" for package in sorted(pins))
    (HERE / f"{name}.txt").write_text(HEADER.format(name=name) + rows, encoding="utf-8")
    print(f"requirements/{name}.txt: {len(pins)} packages")


def main() -> None:
    """Resolve the sets, the largest first."""
    write("full", resolved("full"))
    bound = ("-c", str(HERE / "full.txt"))
    for name in ("small", "dev", "build", "synthetic"):
        write(name, resolved(name, *bound))


if __name__ == "__main__":
    main()
