"""The shared vocabulary: balls, table geometry, states, shot events and the shot log.

Standard library only; imports nothing else of this project.
"""
