"""Frames: an analytic ray caster, the camera sensor, and video files."""
