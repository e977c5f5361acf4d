"""Add-ons that set up scrapy-poet and Spidermon for newsclean.

```python
ADDONS = {
    "newsclean.extensions.package_addons.Poet": 300,
    "newsclean.addon.Newsclean": 500,
    "newsclean.extensions.package_addons.Spidermon": 600,
}
```

Each works by itself. Its package is imported when a crawl has the add-on.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from scrapy.settings import get_settings_priority
from scrapy.utils.misc import load_object

from newsclean.crawl_state import usage_error
from newsclean.error_hints import install_command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

_ORDER = 500  # as the documentation of both packages has it
_SUITES = "SPIDERMON_ENGINE_STOP_MONITORS"


class _PackageAddon:
    """What sets up another package, or names the extra that is missing."""

    #: how the package is called, what is imported of it, and the extra with it
    package: str
    module: str
    extra: str

    def __init__(self, crawler: Crawler | None = None) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    @contextmanager
    def importing(self) -> Iterator[None]:
        """Raise an error that says what to install if the package is not there."""
        try:
            yield
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != self.module:
                raise
            addon = f"{type(self).__module__}.{type(self).__qualname__}"
            told = f"{addon} needs {self.package}: {install_command(self.extra)}"
            raise usage_error(told, self.crawler) from None


class Poet(_PackageAddon):
    """Let scrapy-poet provide articles, as arguments of callbacks and of page objects.

    `scrapy_poet.Addon` is part of it.
    """

    package, module, extra = "scrapy-poet", "scrapy_poet", "poet"

    def update_settings(self, settings: BaseSettings) -> None:
        with self.importing():
            from scrapy_poet import Addon  # type: ignore[attr-defined]

            from newsclean.extensions.poet_provider import ArticleProvider
        Addon().update_settings(settings)
        settings.setdefault_in_component_priority_dict(
            "SCRAPY_POET_PROVIDERS", ArticleProvider, _ORDER
        )


class Spidermon(_PackageAddon):
    """Turn Spidermon on, with newsclean's suite at the end of the crawl.

    A subclass of the suite that the project names there takes its place.
    """

    package, module, extra = "Spidermon", "spidermon", "spidermon"

    def update_settings(self, settings: BaseSettings) -> None:
        with self.importing():
            from spidermon.contrib.scrapy.extensions import Spidermon as Extension

            from newsclean.extensions.spidermon_monitors import SiteMonitorSuite
        settings.set("SPIDERMON_ENABLED", True, priority="addon")
        settings.setdefault_in_component_priority_dict("EXTENSIONS", Extension, _ORDER)
        try:
            suites = [load_object(suite) for suite in settings.getlist(_SUITES)]
            is_there = any(issubclass(suite, SiteMonitorSuite) for suite in suites)
        except (ImportError, NameError, TypeError, ValueError) as error:
            told = f"{_SUITES} names what is no suite: {error}"
            raise usage_error(told, self.crawler) from None
        if not is_there:
            priority = max(settings.getpriority(_SUITES) or 0, get_settings_priority("addon"))
            settings.set(_SUITES, [*suites, SiteMonitorSuite], priority=priority)
