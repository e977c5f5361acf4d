"""Optional applications: each may import the rest of newsclean, and nothing else imports them.

Here are their commands, and the Jinja environment that they and the demo share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

#: The commands of the applications: help text and module.
COMMANDS = {
    "report": (
        "show the state of each site, now and in earlier runs",
        "newsclean.apps.report.report_command",
    ),
    "look": (
        "show on the original page what was kept, what was removed, and why",
        "newsclean.apps.look.look_command",
    ),
    "serve": (
        "browse sites and kept pages in the browser, and correct them with clicks",
        "newsclean.apps.serve.serve_command",
    ),
    "read": (
        "write articles as readable web pages, with lists and a feed",
        "newsclean.apps.reader.read_command",
    ),
    "index": ("make articles searchable", "newsclean.apps.search.index_command"),
    "search": ("find articles in an index", "newsclean.apps.search.search_command"),
}


def template_environment(*packages: str, **options: Any) -> Environment:
    """Return an environment with the templates of the packages; earlier packages win."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined  # for them only

    return Environment(
        loader=ChoiceLoader([PackageLoader(package) for package in packages]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        **options,
    )


def template_file(package: str, name: str) -> str:
    """Return the text of a style sheet or script in the templates folder of a package."""
    from importlib.resources import files

    return (files(package) / "templates" / name).read_text("utf-8")
