"""A review in the formats of other programs: tables, tracking and training labels, physics.

Every format is described in docs/exports.md and read back by its own consumer in the tests.
"""
