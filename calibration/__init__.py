"""Image pixels <-> table metres: camera model, landmarks, solving, drift."""
