"""The templates of `newsclean serve`, with those of the noise map among them."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from newsclean.noise_map.document import asset

#: The files that pages may ask for: from which package each is.
_STYLES = {"map.css": "text/css", "serve.css": "text/css"}
_SCRIPTS = dict.fromkeys(("map.js", "login.js", "teach.js"), "text/javascript")
_ASSETS = _STYLES | _SCRIPTS


@cache
def environment() -> Environment:
    """Jinja that escapes all that is put into a page."""
    made = Environment(
        loader=ChoiceLoader(
            [PackageLoader("newsclean.serve"), PackageLoader("newsclean.noise_map")]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals["site_path"] = site_path
    made.globals["page_path"] = page_path
    return made


def render(template: str, **values: Any) -> str:
    return environment().get_template(template).render(**values)


def static_file(name: str) -> tuple[str, str] | None:
    """The text and type of a file that pages may ask for."""
    if name not in _ASSETS:
        return None
    if name.startswith("map."):
        return asset(name), _ASSETS[name]
    folder = files("newsclean.serve") / "templates"
    return (folder / name).read_text("utf-8"), _ASSETS[name]


def site_path(site: str) -> str:
    """
    >>> site_path("127.0.0.1:8000")
    '/sites/127.0.0.1%3A8000'
    """
    return f"/sites/{quote(site, safe='')}"


def page_path(site: str, page: str, what: str = "") -> str:
    """The address of a page of a site, or of a part of it.

    >>> page_path("example.org", "news/a b.html", "frame")
    '/sites/example.org/frame/news/a%20b.html'
    """
    return f"{site_path(site)}/{what or 'pages'}/{quote(page)}"
