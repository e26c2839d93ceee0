"""Shots of every kind: layouts, strokes, and what must come of them."""
