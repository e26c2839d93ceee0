"""Clips as regression tests: a reviewed shot recorded as a case, and cases checked by pytest.

A case is a folder: clip.mp4, camera.json, perhaps declarations.jsonl, and what was approved:
approved.jsonl (a shot log) and rulings.jsonl. Folders with truth.jsonl and expected.jsonl
(those of the truth generator) are cases too; truth is never overwritten.
"""
