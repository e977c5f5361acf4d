"""The report of a run as monitors of Spidermon (extra `spidermon`).

The add-on `newsclean.extensions.package_addons.Spidermon` names the suite in
`SPIDERMON_ENGINE_STOP_MONITORS`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spidermon import Monitor, MonitorSuite, monitors

from newsclean.crawl_state import CrawlState
from newsclean.memory.site_health import State

if TYPE_CHECKING:
    from collections.abc import Callable


@monitors.name("newsclean")
class SiteMonitor(Monitor):  # type: ignore[misc]
    """Fails for each kind of trouble that the report of the run has found.

    There is a test for each state of a site that means trouble (`newsclean report` says the same).
    """

    @property
    def crawl(self) -> CrawlState:
        return CrawlState.of(self.data.crawler)

    @monitors.name("the report is there")  # type: ignore[untyped-decorator]
    def test_report(self) -> None:
        if not self.data.crawler.settings.getbool("NEWSCLEAN_REPORTS"):
            self.fail("there is no report: NEWSCLEAN_REPORTS is off, or newsclean's add-on is")
        if not self.crawl.reports and not self.crawl.has_failed:
            self.fail(
                "the report is not ready: name the suite in SPIDERMON_ENGINE_STOP_MONITORS, not in "
                "SPIDERMON_SPIDER_CLOSE_MONITORS"
            )

    @monitors.name("memory and output can be written")  # type: ignore[untyped-decorator]
    def test_storage(self) -> None:
        if self.crawl.has_failed:
            self.fail("the memory or a feed could not be written; the log says why")


def _test_of(state: State) -> Callable[[Any], None]:
    def test(self: SiteMonitor) -> None:
        found = [report.line() for report in self.crawl.reports if report.state is state]
        if found:
            self.fail("\n".join(found))

    named: Callable[[Any], None] = monitors.name(f"no site is in the state '{state}'")(test)
    return named


for _state in State:
    if _state.is_trouble:
        setattr(SiteMonitor, f"test_{_state.name.lower()}", _test_of(_state))


class SiteMonitorSuite(MonitorSuite):  # type: ignore[misc]
    """All monitors of newsclean; a subclass may add actions, such as a message to a chat."""

    monitors = [SiteMonitor]  # noqa: RUF012
