"""YOLO: pictures, one text file of boxes a picture, and data.yaml.

Source: the detection dataset format of ultralytics: class, centre and size, each as a part
of the picture's width and height.
"""

from __future__ import annotations

import json
from pathlib import Path

from monitor.exports.ball_boxes import BallBox
from monitor.exports.pictures import CLASSES, LabelledPicture, class_of, write_pictures
from monitor.exports.reviewed_folder import ReviewedFolder


def write_yolo(reviewed: ReviewedFolder, out: Path, every: int) -> list[Path]:
    """Write images/, labels/ and data.yaml."""
    (out / "labels").mkdir(parents=True, exist_ok=True)
    for picture in write_pictures(reviewed, out / "images", every):
        lines = "".join(f"{_line(box, picture)}\n" for box in picture.boxes)
        (out / "labels" / f"{picture.path.stem}.txt").write_text(lines, encoding="ascii")
    path = out / "data.yaml"
    # JSON strings are YAML strings.
    names = "".join(f"  {number}: {json.dumps(name)}\n" for number, name in enumerate(CLASSES))
    path.write_text(f"train: images\nval: images\nnames:\n{names}", encoding="utf-8")
    return [out / "images", out / "labels", path]


def _line(box: BallBox, picture: LabelledPicture) -> str:
    x, y = (box.x_px + 0.5) / picture.width, (box.y_px + 0.5) / picture.height
    size = 2.0 * box.radius_px
    return (
        f"{class_of(box.ball)} {x:.6f} {y:.6f} "
        f"{size / picture.width:.6f} {size / picture.height:.6f}"
    )
