"""The ten-ball referee: facts -> fouls -> ruling with the next rack. Pure Python."""
