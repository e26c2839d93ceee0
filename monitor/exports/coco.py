"""COCO: pictures and one JSON file of boxes.

Source: the object detection format at cocodataset.org (format-data). Boxes are left, top,
width, height; COCO counts pixel edges from 0, so half a pixel is added to our centres.
"""

from __future__ import annotations

import json
from pathlib import Path

from monitor.exports.ball_boxes import BallBox
from monitor.exports.pictures import CLASSES, LabelledPicture, class_of, write_pictures
from monitor.exports.reviewed_folder import ReviewedFolder


def write_coco(reviewed: ReviewedFolder, out: Path, every: int) -> list[Path]:
    """Write images/ and annotations.json."""
    images: list[dict[str, object]] = []
    annotations: list[dict[str, object]] = []
    for number, picture in enumerate(write_pictures(reviewed, out / "images", every), start=1):
        images.append(_image(number, picture))
        for box in picture.boxes:
            annotations.append(_annotation(len(annotations) + 1, number, box))
    content = {
        "info": {"description": f"Balls in {reviewed.log.source.file}, as table-monitor saw them"},
        "licenses": [],
        "images": images,
        "annotations": annotations,
        # Category ids count from 1, as label editors expect.
        "categories": [
            {"id": number, "name": name, "supercategory": "ball"}
            for number, name in enumerate(CLASSES, start=1)
        ],
    }
    path = out / "annotations.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return [out / "images", path]


def _image(number: int, picture: LabelledPicture) -> dict[str, object]:
    return {
        "id": number,
        "file_name": picture.path.name,
        "width": picture.width,
        "height": picture.height,
        "t_s": round(picture.t_s, 6),
    }


def _annotation(number: int, image: int, box: BallBox) -> dict[str, object]:
    left, top, size = box.left_top_size
    return {
        "id": number,
        "image_id": image,
        "category_id": class_of(box.ball) + 1,
        "bbox": [round(left + 0.5, 2), round(top + 0.5, 2), round(size, 2), round(size, 2)],
        "area": round(size * size, 2),
        "iscrowd": 0,
        "ball": box.ball,
    }
