"""The table of settings: its defaults and its checks."""

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings, default_settings

import newsclean.settings
from newsclean.addon import Newsclean
from newsclean.extraction.methods.registry import DEFAULT_METHOD
from newsclean.extraction.neighborhood import WINDOW
from newsclean.settings import Setting, defaults, table


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("NEWSCLEAN_WINDOW", "big", "NEWSCLEAN_WINDOW='big': it takes a whole number"),
        ("NEWSCLEAN_WINDOW", "-5", "NEWSCLEAN_WINDOW='-5': it takes a whole number, 1 or more"),
        ("NEWSCLEAN_WINDOW", 0, "NEWSCLEAN_WINDOW=0: it takes a whole number, 1 or more"),
        ("NEWSCLEAN_MIN_NEIGHBORS", -1, "NEWSCLEAN_MIN_NEIGHBORS=-1: .* number, 0 or more"),
        ("NEWSCLEAN_MAX_PAGE_SIZE", "-1", "NEWSCLEAN_MAX_PAGE_SIZE='-1': .* number, 0 or more"),
        ("NEWSCLEAN_SECTION_PAGES", "0", "NEWSCLEAN_SECTION_PAGES='0': .* number, 1 or more"),
        ("NEWSCLEAN_IMAGES", "oui", "NEWSCLEAN_IMAGES='oui': it takes True or False"),
        ("NEWSCLEAN_INDEX_WAIT", "inf", "NEWSCLEAN_INDEX_WAIT='inf': it takes a number, 0 or more"),
        ("NEWSCLEAN_MEMORY", 5, "NEWSCLEAN_MEMORY=5: it takes a string"),
        ("NEWSCLEAN_FIELDS", 5, "NEWSCLEAN_FIELDS=5: it takes a dict"),
        ("NEWSCLEAN_ALLOWED_HOSTS", 5, "NEWSCLEAN_ALLOWED_HOSTS=5: it takes a list"),
        ("NEWSCLEAN_RENDER", "alway", "NEWSCLEAN_RENDER: 'alway' is not .* did you mean 'always'?"),
        ("NEWSCLEAN_METHOD", "", "NEWSCLEAN_METHOD: no method named ''"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named(name: str, value: object, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Newsclean().update_settings(Settings({name: value}))


@pytest.mark.parametrize("setting", table.values(), ids=table.keys())
def test_every_default_and_every_minimum_is_taken(setting: Setting) -> None:
    values = [setting.default, *setting.choices]
    if setting.kind in (int, float):
        values.append(setting.minimum)
    for value in values:
        setting.check(Settings({setting.name: value}))


def test_defaults_that_the_library_has_too_are_the_same() -> None:
    assert defaults["NEWSCLEAN_METHOD"] == DEFAULT_METHOD
    assert defaults["NEWSCLEAN_WINDOW"] == WINDOW


def test_the_own_project_sets_only_settings_that_exist() -> None:
    names = {name for name in vars(newsclean.settings) if name.isupper()}
    assert names <= defaults.keys() | vars(default_settings).keys()
