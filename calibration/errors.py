"""Why a camera cannot be found."""


class CalibrationError(ValueError):
    """The camera cannot be found: one sentence with the reason and what to do."""


NO_TABLE = (
    "no table found: no large four-sided cloth of one colour is in view; "
    "show the whole table from above, or give its corners with --points"
)
NOISE = (
    "the picture is nothing but noise: check the camera, its cable and its exposure, "
    "and give it light"
)
NO_NOSES = (
    "the cushion noses cannot be made out around the cloth; "
    "give more even light, or the corners of the nose lines with --points"
)
ONE_END_HIDDEN = (
    "the noses of one end cannot be made out: the side pockets and sights do not lie in the "
    "middle of what was found; give more even light, or the corners with --points"
)


def too_oblique(tilt_deg: float, limit_deg: float) -> str:
    """The sentence for a view that is not from overhead."""
    return (
        f"the camera looks at the table from the side (about {tilt_deg:.0f} degrees from straight "
        f"down, at most {limit_deg:.0f} work): this is beyond overhead; mount it above the table"
    )


def too_inexact(worst_mm: float, limit_mm: float) -> str:
    """The sentence for a camera that would not place balls well enough."""
    return (
        f"the table is found, but too inexactly to rule on (balls to {worst_mm:.0f} mm, at most "
        f"{limit_mm:.0f}): give a larger or sharper picture, more even light, or the corners of "
        "the nose lines with --points"
    )


def bad_fit(error_mm: float, limit_mm: float, worst: str) -> str:
    """The sentence for a camera that does not fit its landmarks."""
    return (
        f"the table's lines do not fit a camera over this table ({error_mm:.1f} mm rms, "
        f"at most {limit_mm:.0f}; worst at {worst}): "
        "check --table, or give the corners of the nose lines with --points"
    )
