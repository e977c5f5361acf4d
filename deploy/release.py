"""What a release needs beside the build: the right version, and the links of the project.

python deploy/release.py check v0.1.0    # fails if the tag is not the version of newsclean
python deploy/release.py links           # writes the links of the release into pyproject.toml

Where the repository and the documentation are is a setting of whoever releases newsclean, not of
the code: NEWSCLEAN_REPOSITORY_URL and NEWSCLEAN_DOCS_URL.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).parent.parent
#: The links on a package index, and the variables that have them.
LINKS = {"Repository": "NEWSCLEAN_REPOSITORY_URL", "Documentation": "NEWSCLEAN_DOCS_URL"}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Prepare a release.")
    actions = parser.add_subparsers(dest="action", required=True)
    check = actions.add_parser("check", help="fail if a tag is not the version of newsclean")
    check.add_argument("tag")
    links = actions.add_parser("links", help="write the links of the release into pyproject.toml")
    links.add_argument("--project", type=Path, default=ROOT / "pyproject.toml")
    options = parser.parse_args(arguments)
    if options.action == "check":
        version = version_of((ROOT / "newsclean" / "__init__.py").read_text("utf-8"))
        if options.tag != f"v{version}":
            print(f"the tag is {options.tag}, and the version {version}", file=sys.stderr)
            return 1
        return 0
    try:
        text = with_links(options.project.read_text("utf-8"), dict(os.environ))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    options.project.write_text(text, "utf-8")
    return 0


def version_of(source: str) -> str:
    found = re.search(r'^__version__ = "(.+)"$', source, re.MULTILINE)
    if found is None:
        raise ValueError("there is no __version__")
    return found[1]


def with_links(project: str, variables: dict[str, str]) -> str:
    """Return pyproject.toml with a table of links."""
    lines = []
    for name, variable in LINKS.items():
        url = variables.get(variable, "")
        if urlsplit(url).scheme != "https":
            raise ValueError(f"{variable}={url!r}: it takes an https URL")
        lines.append(f"{name} = {json.dumps(url)}")
    return project.replace(
        "[project.scripts]", "[project.urls]\n" + "\n".join(lines) + "\n\n[project.scripts]"
    )


if __name__ == "__main__":
    raise SystemExit(main())
