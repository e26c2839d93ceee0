"""The two ways to run the network on a CPU, and which of them is faster on this machine.

OpenVINO and ONNX Runtime are called directly: neither torch nor ultralytics is imported.
The faster one is measured once and remembered for this network, input size and machine.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image
from vision.weights import WeightsError, sha256

_ROUNDS: Final = 4
_CHOICES: Final = "runtimes.json"


class Runtime(Protocol):
    """Runs one network on top views of one size."""

    @property
    def name(self) -> str:
        """What is recorded: "openvino", "onnxruntime" or "ultralytics"."""
        ...

    def run(self, picture: Image) -> NDArray[np.float32]:
        """(h, w, 3) uint8 BGR -> (4 + kinds, anchors) float32: centre, size, scores."""
        ...


class OpenVinoRuntime:
    """The network in OpenVINO, at the precision that this CPU does best."""

    name = "openvino"

    def __init__(self, path: Path, height: int, width: int, threads: int) -> None:
        import openvino as ov  # noqa: PLC0415
        from openvino.preprocess import ColorFormat, PrePostProcessor  # noqa: PLC0415

        core = ov.Core()
        model = core.read_model(path)
        model.reshape([1, 3, height, width])
        steps = PrePostProcessor(model)
        tensor = steps.input().tensor()
        tensor.set_element_type(ov.Type.u8).set_layout(ov.Layout("NHWC"))
        tensor.set_color_format(ColorFormat.BGR)
        steps.input().model().set_layout(ov.Layout("NCHW"))
        change = steps.input().preprocess().convert_element_type(ov.Type.f32)
        change.convert_color(ColorFormat.RGB).scale(255.0)
        options = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY"}
        self._request = core.compile_model(steps.build(), "CPU", options).create_infer_request()

    def run(self, picture: Image) -> NDArray[np.float32]:
        """See `Runtime.run`."""
        outputs: Any = self._request.infer([picture[None]])
        return np.asarray(outputs[0][0], np.float32)


class OnnxRuntime:
    """The network in ONNX Runtime."""

    name = "onnxruntime"

    def __init__(self, path: Path, height: int, width: int, threads: int) -> None:
        import onnxruntime  # noqa: PLC0415

        del height, width
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
        self._input = self._session.get_inputs()[0].name

    def run(self, picture: Image) -> NDArray[np.float32]:
        """See `Runtime.run`."""
        values = cv2.dnn.blobFromImage(picture, 1 / 255.0, swapRB=True)
        return np.asarray(self._session.run(None, {self._input: values})[0][0], np.float32)


Maker = Callable[[Path, int, int, int], Runtime]
MAKERS: Final[Mapping[str, Maker]] = {"openvino": OpenVinoRuntime, "onnxruntime": OnnxRuntime}


def threads_to_use() -> int:
    """OMP_NUM_THREADS when it is set, else all cores this program may use."""
    told = os.environ.get("OMP_NUM_THREADS", "")
    return int(told) if told.isdigit() and int(told) > 0 else len(os.sched_getaffinity(0))


def cache_folder() -> Path:
    """Where measured choices are kept: in the user's cache."""
    root = os.environ.get("XDG_CACHE_HOME")
    return (Path(root) if root else Path.home() / ".cache") / "table-monitor"


def fastest(
    path: Path,
    height: int,
    width: int,
    *,
    threads: int | None = None,
    folder: Path | None = None,
    makers: Mapping[str, Maker] = MAKERS,
) -> Runtime:
    """The faster runtime for this network and input size; measured once, then remembered.

    Raises:
        WeightsError: when no runtime can read the file.
    """
    threads = threads or threads_to_use()
    folder = folder or cache_folder()
    key = f"{sha256(path)[:16]} {width}x{height} {threads} {platform.processor()} {os.cpu_count()}"
    remembered = _remembered(folder).get(key)
    if remembered is not None and remembered in makers:
        try:
            return makers[remembered](path, height, width, threads)
        except (ImportError, RuntimeError):
            pass
    ready = list(_made(path, height, width, threads, makers))
    if not ready:
        raise WeightsError(f"Neither OpenVINO nor ONNX Runtime can run {path.name}.")
    best = ready[0]
    if len(ready) > 1:
        best = min(ready, key=lambda runtime: shortest_s(runtime, height, width))
        _remember(folder, key, best.name)
    return best


def _made(
    path: Path, height: int, width: int, threads: int, makers: Mapping[str, Maker]
) -> list[Runtime]:
    ready: list[Runtime] = []
    for make in makers.values():
        try:
            ready.append(make(path, height, width, threads))
        except Exception:  # each library has errors of its own, and one way is enough
            continue
    return ready


def shortest_s(runtime: Runtime, height: int, width: int) -> float:
    """The shortest of a few runs after a first one, seconds."""
    picture = np.full((height, width, 3), 114, np.uint8)
    runtime.run(picture)
    times = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        runtime.run(picture)
        times.append(time.perf_counter() - start)
    return min(times)


def _remembered(folder: Path) -> dict[str, str]:
    try:
        values = json.loads((folder / _CHOICES).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(k): str(v) for k, v in values.items()} if isinstance(values, dict) else {}


def _remember(folder: Path, key: str, name: str) -> None:
    """Keep a choice; a cache that cannot be written is measured again next time."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(_remembered(folder) | {key: name}, indent=1)
        (folder / _CHOICES).write_text(text + "\n", encoding="utf-8")
    except OSError:
        return
