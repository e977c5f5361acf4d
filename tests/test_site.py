"""The documentation site: no dead link, no page left out, nothing from elsewhere."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from lxml import html
from markdown_it import MarkdownIt
from mkdocs.commands.build import build
from mkdocs.config import load_config

from docs.site_hooks import navigation, site_path
from tests.browser.chromium_page import LOCAL_SCHEMES, NewPage
from tests.browser.installed import not_run
from tests.code_blocks import ROOT

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
#: What a page must show in the repository and on the site alike.
ELEMENTS = ("h1", "h2", "h3", "li", "table", "tr", "pre", "img", "blockquote")
MERMAID = ROOT / ".docs" / "node_modules" / "mermaid" / "dist" / "mermaid.min.js"


def built(folder: Path, mermaid: Path) -> Path:
    """Build the site; MkDocs raises if there is a warning, as for a link that leads nowhere."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NO_MKDOCS_2_WARNING", "1")
        config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder))
        assert config.strict
        config.extra["mermaid"] = str(mermaid)
        build(config)
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    (folder / "mermaid.js").write_text("// stands for Mermaid, which only `make docs` installs")
    return built(folder / "site", folder / "mermaid.js")


def content(page: Path) -> html.HtmlElement:
    (found,) = html.parse(page).getroot().cssselect("article.md-content__inner")
    return found


def counts(root: html.HtmlElement) -> dict[str, int]:
    found = Counter(element.tag for element in root.iter(*ELEMENTS))
    return {name: found[name] for name in ELEMENTS}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_has_the_same_parts_on_the_site_as_in_the_repository(page: Path, site: Path) -> None:
    commonmark = MarkdownIt("commonmark").enable("table").render(page.read_text("utf-8"))
    on_site = content(site / page.with_suffix(".html").name)
    assert counts(on_site) == counts(html.fromstring(f"<div>{commonmark}</div>"))
    codes = "".join(code.text_content() for code in on_site.cssselect("td code"))
    assert "\\|" not in codes


def test_every_page_is_in_the_navigation_and_the_other_way_round() -> None:
    sections = [pages for section in navigation()[1:] for pages in section.values()]
    listed = [path for pages in sections for page in pages for path in page.values()]
    assert all(sections)
    assert len(listed) == len(set(listed))
    inside = {page for page in listed if not page.startswith("project/")}
    assert inside == {page.name for page in PAGES} - {"index.md"}
    for name in ("CHANGELOG", "CODE_OF_CONDUCT", "CONTRIBUTING", "README", "SECURITY"):
        assert f"project/{name}.md" in listed


def test_a_link_that_leaves_the_docs_leads_to_a_file_of_the_site(site: Path) -> None:
    (link,) = content(site / "schedules.html").xpath('.//a[contains(@href, "example.toml")]/@href')
    published = site / link
    assert published.read_bytes() == (ROOT / "settings_examples/sites/example.toml").read_bytes()
    assert site_path(ROOT / "SECURITY.md") == "project/SECURITY.md"
    assert content(site / "project" / "SECURITY.html").xpath('.//a[@href="../reliability.html"]')


def loaded(page: Path) -> Iterator[str]:
    """Yield all addresses that a browser requests when it opens a page."""
    for element in html.parse(page).getroot().iter("script", "link", "img", "iframe", "source"):
        yield from (element.get(name) for name in ("src", "href") if element.get(name))


def test_no_page_requests_anything_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > len(PAGES)
    elsewhere = {
        (page.name, url) for page in pages for url in loaded(page) if re.match(r"\w+:|//", url)
    }
    assert elsewhere == set()
    styles = "".join(path.read_text("utf-8") for path in site.rglob("*.css"))
    assert not re.search(r"url\(['\"]?(?:https?:)?//|@import", styles)


def test_diagrams_are_drawn_without_a_network(
    tmp_path: Path, new_page: NewPage, requests: list[str]
) -> None:
    if not MERMAID.is_file():
        not_run("Mermaid is not installed: make docs")
    site = built(tmp_path / "site", MERMAID)
    page = new_page()
    page.goto((site / "architecture.html").as_uri())
    # The theme puts each drawing into an element of its own in place of the code.
    diagrams = len(content(site / "architecture.html").cssselect("pre.mermaid"))
    page.wait_for_function(f"document.querySelectorAll('div.mermaid').length == {diagrams}")
    boxes = [each.bounding_box() for each in page.query_selector_all("div.mermaid")]
    assert diagrams > 1
    assert all(box and box["height"] > 100 for box in boxes)
    assert {urlsplit(url).scheme for url in requests} <= {*LOCAL_SCHEMES}
