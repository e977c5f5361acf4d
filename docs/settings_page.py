"""Writes `settings.md` from the table of settings in `newsclean/settings.py`.

python docs/settings_page.py            # writes the page
python docs/settings_page.py --check    # only fails if it is out of date
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from newsclean import settings

PAGE = Path(__file__).parent / "settings.md"

HEAD = """# Settings

All settings of newsclean, with their defaults. Set them in the settings of your project, or for one
crawl with `-s NAME=VALUE`. A setting that does not exist and a value that makes no sense end the
crawl before its first request, with an error that names the setting.

This page is made from `newsclean/settings.py`: `python docs/settings_page.py` writes it."""


def page() -> str:
    """Return the page as Markdown: a table for each group of settings."""
    lines = [HEAD]
    for group, members in settings.groups.items():
        lines += ["", f"## {group}", "", "| setting | default | what it does |"]
        lines += ["| --- | --- | --- |"]
        lines += [f"| `{each.name}` | {default(each)} | {each.text} |" for each in members]
    return "\n".join(lines) + "\n"


def default(setting: settings.Setting) -> str:
    """Return the default of a setting, and the value in newsclean's own project if that differs."""
    own = getattr(settings, setting.name, setting.default)
    words = _written(setting.default)
    return words if own == setting.default else f"{words}; {_written(own)} in newsclean's project"


def _written(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, list) and value:
        return ", ".join(f"`{each}`" for each in value)
    return f"`{value}`"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    if options.check and PAGE.read_text("utf-8") != page():
        print(
            f"{PAGE.name} is out of date: python docs/settings_page.py writes it", file=sys.stderr
        )
        return 1
    if not options.check:
        PAGE.write_text(page(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
