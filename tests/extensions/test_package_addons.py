"""What the add-ons for other packages set, and what they say without the package."""

import sys
from pathlib import Path
from typing import Any

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings
from scrapy.utils.misc import load_object
from scrapy_poet.downloadermiddlewares import InjectionMiddleware
from spidermon import MonitorSuite
from spidermon.contrib.scrapy.extensions import Spidermon as Extension

from newsclean.extensions.package_addons import Poet, Spidermon
from newsclean.extensions.poet_provider import ArticleProvider
from newsclean.extensions.spidermon_monitors import SiteMonitorSuite
from tests.crawl.scrapy_command import crawl_plainly

SUITES = "SPIDERMON_ENGINE_STOP_MONITORS"
OURS = f"{SiteMonitorSuite.__module__}.{SiteMonitorSuite.__qualname__}"


class WithActions(SiteMonitorSuite):
    """A subclass, as a project may have one."""


class OtherSuite(MonitorSuite):  # type: ignore[misc]
    """A suite that has nothing to do with newsclean."""


def hide(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a package as one that is not installed."""
    for name in [package, *sys.modules]:
        if name.partition(".")[0] == package:
            monkeypatch.setitem(sys.modules, name, None)


def updated(addon: type[Poet | Spidermon], **values: Any) -> Settings:
    settings = Settings(values)
    addon().update_settings(settings)
    return settings


def test_poet_adds_the_provider_and_the_add_on_of_scrapy_poet() -> None:
    settings = updated(Poet)
    assert settings["SCRAPY_POET_PROVIDERS"] == {ArticleProvider: 500}
    assert InjectionMiddleware in settings["DOWNLOADER_MIDDLEWARES"]


def test_poet_leaves_the_project_its_own_order_and_its_own_providers() -> None:
    path = f"{ArticleProvider.__module__}.{ArticleProvider.__qualname__}"
    others = {"scrapy_poet.page_input_providers.HttpResponseProvider": 100}
    for named in ({path: 900}, {path: 900} | others):
        assert updated(Poet, SCRAPY_POET_PROVIDERS=named)["SCRAPY_POET_PROVIDERS"] == named
    both = updated(Poet, SCRAPY_POET_PROVIDERS=others)["SCRAPY_POET_PROVIDERS"]
    assert both == others | {ArticleProvider: 500}


def test_spidermon_is_on_with_the_suite_at_the_end_of_the_crawl() -> None:
    settings = updated(Spidermon)
    assert settings["EXTENSIONS"][Extension] == 500
    assert settings.getbool("SPIDERMON_ENABLED")
    assert settings[SUITES] == [SiteMonitorSuite]


def test_a_project_that_turns_spidermon_off_has_it_off() -> None:
    assert not updated(Spidermon, SPIDERMON_ENABLED=False).getbool("SPIDERMON_ENABLED")


@pytest.mark.parametrize(
    ("named", "run"),
    [
        (OURS, [SiteMonitorSuite]),
        ([f"{__name__}.WithActions"], [WithActions]),
        (f"{__name__}.OtherSuite", [OtherSuite, SiteMonitorSuite]),
    ],
)
def test_the_suite_is_added_once_and_a_subclass_takes_its_place(
    named: Any, run: list[type[MonitorSuite]]
) -> None:
    suites = updated(Spidermon, **{SUITES: named}).getlist(SUITES)
    assert [load_object(suite) for suite in suites] == run


@pytest.mark.parametrize("named", ["no.such.Suite", "nothing", [__name__], [None]])
def test_what_is_no_suite_is_named_with_its_setting(named: Any) -> None:
    with pytest.raises(UsageError, match=f"{SUITES} names what is no suite: "):
        updated(Spidermon, **{SUITES: named})


@pytest.mark.parametrize(
    ("addon", "module", "message"),
    [
        (Poet, "scrapy_poet", r"package_addons\.Poet needs scrapy-poet: .*\[poet\]"),
        (Spidermon, "spidermon", r"package_addons\.Spidermon needs Spidermon: .*\[spidermon\]"),
    ],
)
def test_the_extra_is_named_if_the_package_is_missing(
    addon: type[Poet | Spidermon], module: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide(module, monkeypatch)
    with pytest.raises(UsageError, match=message):
        updated(addon)


@pytest.mark.slow
def test_a_crawl_without_the_package_ends_with_one_line_that_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide("spidermon", monkeypatch)
    addons = '{"newsclean.extensions.package_addons.Spidermon": 600}'
    run = crawl_plainly(tmp_path, "http://127.0.0.1:9/", ADDONS=addons)
    assert run.exit_code == 1
    assert "package_addons.Spidermon needs Spidermon: " in run.log
    assert "[spidermon]" in run.log
    assert "Traceback" not in run.log
