"""A review in the formats of other programs: tables, tracking and training labels, physics.

Every format is described in docs/exports.md and read back by its own consumer in the tests.
"""

from typing import Final

FORMATS: Final = ("mot", "coco", "yolo", "parquet", "csv", "pooltool")
DEFAULT_EVERY: Final = 25
"""Pictures for training: every so many frames one."""
