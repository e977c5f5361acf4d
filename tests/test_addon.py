"""What the add-on changes in a project, and what it refuses."""

from typing import Any

import pytest
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import UsageError
from scrapy.extensions.feedexport import FileFeedStorage
from scrapy.settings import Settings
from scrapy.utils.misc import load_object

from newsclean.addon import Newsclean
from newsclean.extensions.feed_files import LineByLineStorage
from newsclean.items import DropPolicy
from newsclean.middlewares.politeness import (
    ConcurrentRobotsTxtMiddleware,
    StrictRobotsTxtMiddleware,
)
from newsclean.pipelines import DynamicNoisePipeline
from newsclean.settings import ITEM_PIPELINES


def updated(**values: Any) -> Settings:
    """The settings of a project with the add-on."""
    settings = Settings(values)
    Newsclean().update_settings(settings)
    return settings


def changed(before: Settings, after: Settings) -> set[str]:
    names = {str(name) for name in (*before, *after)}
    return {name for name in names if before[name] != after[name]}


def robots_of(settings: Settings) -> set[Any]:
    found = map(load_object, settings.getdict("DOWNLOADER_MIDDLEWARES_BASE"))
    return {kind for kind in found if issubclass(kind, RobotsTxtMiddleware)}


def storage_of(settings: Settings) -> Any:
    return load_object(settings.getdict("FEED_STORAGES_BASE")["file"])


#: Where components are added; Scrapy's own in `…_BASE` stay as they are.
ADDED_TO = {"ITEM_PIPELINES", "DOWNLOADER_MIDDLEWARES", "SPIDER_MIDDLEWARES", "EXTENSIONS"}


def test_the_add_on_changes_no_other_setting_than_the_documented_ones() -> None:
    others = {name for name in changed(Settings(), updated()) if "NEWSCLEAN_" not in name}
    assert others == ADDED_TO | {"DOWNLOADER_MIDDLEWARES_BASE", "FEED_STORAGES_BASE"}
    assert robots_of(updated()) == {ConcurrentRobotsTxtMiddleware}
    assert storage_of(updated()) is LineByLineStorage


def test_with_nothing_hardened_all_of_scrapys_own_is_as_it_was() -> None:
    settings = updated(NEWSCLEAN_HARDEN=[])
    others = {name for name in changed(Settings(), settings) if "NEWSCLEAN_" not in name}
    assert others == ADDED_TO
    assert robots_of(settings) == {RobotsTxtMiddleware}
    assert storage_of(settings) is FileFeedStorage


def test_each_can_be_switched_off_alone() -> None:
    assert robots_of(updated(NEWSCLEAN_HARDEN="feeds")) == {RobotsTxtMiddleware}
    assert storage_of(updated(NEWSCLEAN_HARDEN="robotstxt,truncated")) is FileFeedStorage


def test_who_asks_for_strict_robots_txt_gets_it() -> None:
    settings = updated(NEWSCLEAN_HARDEN=[], NEWSCLEAN_STRICT_ROBOTSTXT=True)
    assert robots_of(settings) == {StrictRobotsTxtMiddleware}


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("NEWSCLEAN_MIN_NEIGHBOURS", 3, "no such setting; did you mean NEWSCLEAN_MIN_NEIGHBORS?"),
        ("NEWSCLEAN_DROPS", "all", "no such setting; did you mean NEWSCLEAN_DROP?"),
        ("NEWSCLEAN_DROP", "unchnaged", "no reason 'unchnaged'; did you mean 'unchanged'?"),
        ("NEWSCLEAN_HARDEN", "feed", "'feed' is not one of .* did you mean 'feeds'?"),
    ],
)
def test_a_wrong_name_is_refused_with_the_nearest_one(name: str, value: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message) as refused:
        updated(**{name: value})
    assert name in str(refused.value)


def drops(reason: str, *, is_third_party: bool, **settings: Any) -> bool:
    return DropPolicy(updated(**settings)).drops(reason, is_third_party=is_third_party)


@pytest.mark.parametrize("reason", ["no-article/list", "unchanged", "duplicate", "http-404"])
def test_by_default_everything_drops_our_pages_and_nothing_those_of_others(reason: str) -> None:
    assert drops(reason, is_third_party=False)
    assert not drops(reason, is_third_party=True)
    assert drops(reason, is_third_party=True, NEWSCLEAN_DROP="all")


def test_only_the_named_reasons_drop() -> None:
    named = {"NEWSCLEAN_DROP": ["no-article", "http"]}
    for reason, is_dropped in (
        ("no-article/list", True),
        ("http-404", True),
        ("unchanged", False),
        ("empty", False),
    ):
        assert drops(reason, is_third_party=True, **named) is is_dropped, reason


def test_our_own_page_without_an_article_has_nothing_to_hand_on() -> None:
    for reason in ("http-404", "empty", "noindex"):
        assert drops(reason, is_third_party=False, NEWSCLEAN_DROP=[]), reason
    assert not drops("no-article/list", is_third_party=False, NEWSCLEAN_DROP=[])


@pytest.mark.parametrize("order", [50, 115, 300])
def test_no_pipeline_is_moved(order: int) -> None:
    own = "scrapy.pipelines.images.ImagesPipeline"
    orders = updated(ITEM_PIPELINES={own: order}).getdict("ITEM_PIPELINES")
    assert orders.pop(own) == order
    found = {f"newsclean.pipelines.{kind.__name__}": number for kind, number in orders.items()}
    assert found == ITEM_PIPELINES


def test_a_pipeline_that_is_switched_off_is_not_added_again() -> None:
    name = "newsclean.pipelines.DynamicNoisePipeline"
    orders = updated(ITEM_PIPELINES={name: None}).getdict("ITEM_PIPELINES")
    assert orders[name] is None
    assert DynamicNoisePipeline not in orders


@pytest.mark.parametrize("mode", ["never", "empty"])
def test_a_method_that_sees_rendered_pages_is_refused_where_not_all_are_rendered(mode: str) -> None:
    with pytest.raises(UsageError, match=r"NEWSCLEAN_METHOD=stadynot\+visual.*'always'"):
        updated(NEWSCLEAN_METHOD="stadynot+visual", NEWSCLEAN_RENDER=mode)
