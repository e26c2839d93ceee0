"""Pixels in, shot events out."""
