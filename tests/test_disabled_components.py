"""Components of Scrapy's that a setting disables are left out, and only these."""

import pytest
from scrapy.settings import Settings

from newsclean.disabled_components import SWITCHES, DisabledComponents


@pytest.mark.parametrize(("switch", "name", "path"), SWITCHES)
def test_a_component_is_left_out_exactly_if_it_is_disabled(
    switch: str, name: str, path: str
) -> None:
    before = Settings().getdict(name)
    assert path in before  # else Scrapy has renamed it
    enabled = Settings({other: True for other, _, _ in SWITCHES})
    DisabledComponents().update_settings(enabled)
    assert enabled.getdict(name) == before

    disabled = Settings({other: other != switch for other, _, _ in SWITCHES})
    DisabledComponents().update_settings(disabled)
    assert disabled.getdict(name) == {key: n for key, n in before.items() if key != path}


def test_a_component_that_the_project_names_itself_stays() -> None:
    _, _, path = SWITCHES[0]
    settings = Settings({"EXTENSIONS": {path: 7}, "REMOTE_CONTROL_ENABLED": False})
    DisabledComponents().update_settings(settings)
    assert settings.getdict("EXTENSIONS") == {path: 7}
