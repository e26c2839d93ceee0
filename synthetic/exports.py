"""Labels in the formats of training tools: YOLO boxes and COCO with keypoints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from synthetic.labels import Box, FrameLabels
from synthetic.scene.balls import BALL_ORDER

CLASSES: Final[tuple[str, ...]] = (*BALL_ORDER, "stick", "hand")
"""Class names in the order of their numbers: cue, 1 .. 10, stick, hand."""
LEAST_VISIBLE: Final = 0.25
"""Balls that show less of themselves are left out of training labels."""


def yolo_lines(labels: FrameLabels, size: tuple[int, int]) -> list[str]:
    """Lines "class x y w h", centre and size as shares of the picture."""
    lines = []
    for number, box in _boxes(labels, size):
        left, top, right, bottom = box
        width, height = size
        x, y = (left + right) / 2 / width, (top + bottom) / 2 / height
        w, h = (right - left) / width, (bottom - top) / height
        lines.append(f"{number} {x:.6f} {y:.6f} {w:.6f} {h:.6f}")
    return lines


def yolo_data(root: str) -> str:
    """The text of data.yaml for a folder with images/ and labels/."""
    names = "".join(f"  {i}: {name}\n" for i, name in enumerate(CLASSES))
    return f"path: {root}\ntrain: images\nval: images\nnames:\n{names}"


def coco(
    frames: Sequence[tuple[str, tuple[int, int], FrameLabels]],
) -> dict[str, object]:
    """One COCO object for many images (file name, size, labels)."""
    images: list[dict[str, object]] = []
    annotations: list[dict[str, object]] = []
    for image_id, (file, size, labels) in enumerate(frames, start=1):
        images.append({"id": image_id, "file_name": file, "width": size[0], "height": size[1]})
        for row in _coco_rows(labels, size):
            annotations.append({"id": len(annotations) + 1, "image_id": image_id, **row})
    categories: list[dict[str, object]] = [
        {"id": i, "name": name, "supercategory": "ball" if i < len(BALL_ORDER) else "thing"}
        for i, name in enumerate(CLASSES)
    ]
    categories[CLASSES.index("stick")]["keypoints"] = ["tip", "butt"]
    return {"images": images, "annotations": annotations, "categories": categories}


def _coco_rows(labels: FrameLabels, size: tuple[int, int]) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for ball in labels.balls:
        box = clipped(ball.box, size)
        if ball.visible < LEAST_VISIBLE or box is None:
            continue
        streak = [value for point in ball.streak_px for value in point]
        row = _row(BALL_ORDER.index(ball.ball), box)
        rows.append(
            row
            | {"visible": ball.visible, "center_px": list(ball.center_px), "streak_px": streak}
            | {"where": ball.where}
        )
    for stick in labels.sticks:
        box = clipped(_stick_box(stick.tip_px, stick.butt_px), size)
        if box is None:
            continue
        keypoints: list[float] = []
        for x, y in (stick.tip_px, stick.butt_px):
            inside = 0.0 <= x < size[0] and 0.0 <= y < size[1]
            keypoints += [x, y, 2.0] if inside else [0.0, 0.0, 0.0]
        shown = sum(value == 2.0 for value in keypoints[2::3])
        rows.append(
            _row(CLASSES.index("stick"), box) | {"keypoints": keypoints, "num_keypoints": shown}
        )
    for hand in labels.hands:
        box = clipped(hand, size)
        if box is not None:
            rows.append(_row(CLASSES.index("hand"), box))
    return rows


def _boxes(labels: FrameLabels, size: tuple[int, int]) -> list[tuple[int, Box]]:
    wanted = [(BALL_ORDER.index(b.ball), b.box) for b in labels.balls if b.visible >= LEAST_VISIBLE]
    wanted += [(CLASSES.index("stick"), _stick_box(s.tip_px, s.butt_px)) for s in labels.sticks]
    wanted += [(CLASSES.index("hand"), hand) for hand in labels.hands]
    return [(number, kept) for number, box in wanted if (kept := clipped(box, size)) is not None]


def clipped(box: Box, size: tuple[int, int]) -> Box | None:
    """The part of a box inside the picture, None when it is smaller than 2 pixels."""
    left, top = max(box[0], -0.5) + 0.5, max(box[1], -0.5) + 0.5
    right, bottom = min(box[2] + 0.5, size[0]), min(box[3] + 0.5, size[1])
    if right - left < 2.0 or bottom - top < 2.0:
        return None
    return (left, top, right, bottom)


def _row(category: int, box: Box) -> dict[str, object]:
    left, top, right, bottom = box
    w, h = right - left, bottom - top
    return {"category_id": category, "bbox": [left, top, w, h], "area": w * h, "iscrowd": 0}


def _stick_box(tip: tuple[float, float], butt: tuple[float, float]) -> Box:
    return (
        min(tip[0], butt[0]) - 3.0,
        min(tip[1], butt[1]) - 3.0,
        max(tip[0], butt[0]) + 3.0,
        max(tip[1], butt[1]) + 3.0,
    )
