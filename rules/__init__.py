"""The ten-ball referee: facts -> fouls -> ruling with the next rack. Standard library and table/ only."""
