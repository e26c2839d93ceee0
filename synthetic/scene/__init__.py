"""What stands in the room: table, lamps, balls, cue, people, and how they look."""
