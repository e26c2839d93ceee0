"""The settings file: defaults, sections, and complaints that name the key."""

from pathlib import Path

import pytest

from monitor.failures import CannotBeDoneError
from monitor.settings import Settings, read_settings


def test_without_a_file_the_defaults_hold() -> None:
    settings = read_settings(None)
    assert settings == Settings()
    assert settings.rules.decide_probability == 0.98


def test_given_keys_replace_defaults_and_only_those(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("[rules]\ndecide_probability = 0.9\n[overlay]\ntrail_s = 3\n", "utf-8")
    settings = read_settings(path)
    assert settings.rules.decide_probability == 0.9
    assert settings.overlay.trail_s == 3.0
    assert settings.overlay.crf == Settings().overlay.crf
    assert settings.evidence == Settings().evidence


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("colour = 1", '"colour" is not a setting'),
        ("[rules]\ndecide = 1", '"rules.decide" is not a setting; [rules] knows'),
        ("rules = 3", '"rules" is a section'),
        ("[rules]\ndecide_probability = 'high'", '"rules.decide_probability" must be a number'),
        ("[rules]\ndecide_probability = true", "must be a number"),
        ("[rules]\ndecide_probability = nan", "must be a number"),
        ("[rules]\ndecide_probability = 0.2", "decide_probability must be above 0.5"),
        ("[overlay]\ncrf = 2.5", '"overlay.crf" must be a whole number'),
        ("[overlay]\ncrf = 99", "crf 0 .. 51"),
        ("[evidence]\nside_px = 3", "side_px must be 64"),
        ("[evidence]\nspan_m = 0", "must be above 0"),
        ("not toml", "is not a TOML file"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "my.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(CannotBeDoneError) as caught:
        read_settings(path)
    assert complaint in str(caught.value)
    assert "my.toml" in str(caught.value)


def test_a_missing_settings_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(CannotBeDoneError, match="does not exist"):
        read_settings(tmp_path / "none.toml")
