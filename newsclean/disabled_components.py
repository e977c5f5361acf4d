"""Leaves out components of Scrapy's own that the settings disable.

Scrapy imports a component before the component says that it is disabled. The remote control alone
brings a web framework with it, and takes longer than any module of newsclean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

#: The setting that enables a component, where Scrapy lists it, and its path.
SWITCHES = (
    (
        "REMOTE_CONTROL_ENABLED",
        "EXTENSIONS_BASE",
        "scrapy.extensions.remote_control.RemoteControl",
    ),
    (
        "TELNETCONSOLE_ENABLED",
        "EXTENSIONS_BASE",
        "scrapy.extensions.telnet.TelnetConsole",
    ),
    (
        "COOKIES_ENABLED",
        "DOWNLOADER_MIDDLEWARES_BASE",
        "scrapy.downloadermiddlewares.cookies.CookiesMiddleware",
    ),
)


class DisabledComponents:
    """An add-on for projects whose other add-ons replace none of these."""

    def update_settings(self, settings: BaseSettings) -> None:
        for switch, name, path in SWITCHES:
            if not settings.getbool(switch):
                components = settings.getdict(name)
                components.pop(path, None)  # older versions do not have all of them
                settings.set(name, components, priority=settings.getpriority(name) or 0)
