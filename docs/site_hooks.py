"""What MkDocs needs to know to build the site from pages that are written for the repository.

`index.md` is the one list of all pages: its headings and links are the navigation. Links that leave
`docs/` work in the repository; on the site the files that they lead to are below `project/`.
"""

from __future__ import annotations

import logging
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File, Files, InclusionLevel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
#: The folder of the site for files of the repository that are not in `docs/`.
PROJECT = "project"
_MERMAID = "assets/mermaid.min.js"

_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?P<path>[^)#:\s]+)(?P<anchor>#[^)\s]*)?\)")
# In the repository a bar in a table's code is escaped, on the site it must not be.
_CODE_WITH_BAR = re.compile(r"`[^`\n]*\\\|[^`\n]*`")
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)

logger = logging.getLogger("mkdocs.hooks.newsclean")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.nav = navigation()
    return config


def navigation() -> list[Any]:
    """Return the pages that `index.md` lists, by its headings and with its names."""
    _, *parts = _HEADING.split((DOCS / "index.md").read_text("utf-8"))
    sections: list[Any] = [{"Home": "index.md"}]
    for title, text in zip(parts[::2], parts[1::2], strict=True):
        listed = re.finditer(rf"^\| \[(?P<name>[^]]*){_LINK.pattern}", text, re.MULTILINE)
        pages = [
            {found["name"]: site_path(DOCS / found["path"])}
            for found in listed
            if found["path"].endswith(".md")
        ]
        sections.append({title: pages})
    return sections


def on_files(files: Files, config: MkDocsConfig) -> Files:
    waiting = sorted(DOCS.glob("*.md"))
    known = set(waiting)
    while waiting:
        for target in _targets(waiting.pop()):
            if target in known or target.is_relative_to(DOCS) or not target.is_file():
                continue
            known.add(target)
            files.append(
                File.generated(
                    config,
                    site_path(target),
                    abs_src_path=str(target),
                    inclusion=InclusionLevel.INCLUDED,
                )
            )
            if target.suffix == ".md":
                waiting.append(target)
    mermaid = ROOT / config.extra["mermaid"]
    if mermaid.is_file():
        files.append(File.generated(config, _MERMAID, abs_src_path=str(mermaid)))
    else:
        logger.warning("%s is missing, which draws the diagrams: make docs", mermaid)
    return files


def on_page_markdown(markdown: str, *, page: Page, **_: Any) -> str:
    """Let links lead to where the files are on the site."""
    source = _source_of(page.file.src_uri)
    folder = os.path.dirname(page.file.src_uri)

    def on_site(found: re.Match[str]) -> str:
        target = Path(os.path.normpath(source.parent / found["path"]))
        if not target.exists():
            return found[0]
        path = os.path.relpath(site_path(target), folder or ".")
        return f"]({path}{found['anchor'] or ''})"

    def prose(text: str) -> str:
        text = _CODE_WITH_BAR.sub(lambda found: found[0].replace("\\|", "|"), text)
        return _LINK.sub(on_site, text)

    return "".join(prose(text) if is_prose else text for is_prose, text in _parts(markdown))


def site_path(path: Path) -> str:
    """Return where a file of the repository is on the site.

    >>> site_path(DOCS / "fields.md"), site_path(DOCS / "../SECURITY.md")
    ('fields.md', 'project/SECURITY.md')
    """
    path = Path(os.path.normpath(path))
    if path.is_relative_to(DOCS):
        return path.relative_to(DOCS).as_posix()
    return f"{PROJECT}/{path.relative_to(ROOT).as_posix()}"


def _source_of(site_path: str) -> Path:
    if site_path.startswith(f"{PROJECT}/"):
        return ROOT / site_path.removeprefix(f"{PROJECT}/")
    return DOCS / site_path


def _targets(page: Path) -> Iterator[Path]:
    """Yield the files to which a page links."""
    for is_prose, text in _parts(page.read_text("utf-8")):
        if is_prose:
            for found in _LINK.finditer(text):
                yield Path(os.path.normpath(page.parent / found["path"]))


def _parts(markdown: str) -> Iterator[tuple[bool, str]]:
    """Yield the page in pieces: whether each is prose, which may have links, or code."""
    end = 0
    for found in _FENCED.finditer(markdown):
        yield True, markdown[end : found.start()]
        yield False, found[0]
        end = found.end()
    yield True, markdown[end:]
