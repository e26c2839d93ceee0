"""The self-test before a match: what `table-monitor check` measures and says."""
