"""Exact motion of pool balls: event-based simulation, jumps, drops and orientation."""
