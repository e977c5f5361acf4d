"""What docs/limits.md says that newsclean does not do. If one fails, the page is out of date."""

from pathlib import Path

import pytest

import newsclean
from newsclean.cli import main
from newsclean.extraction.page import Page

SENTENCE = (
    "The town clerk counted the wagons and lanterns of the fair and wrote it all in her book. "
)


def page(text: str, more: str = "") -> str:
    return f"<title>The fair</title><h1>The fair</h1><article><p>{text}</p></article>{more}"


def test_text_that_a_script_loads_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = f"<script>document.querySelector('#story').textContent = {SENTENCE * 8!r}</script>"
    path = tmp_path / "page.html"
    path.write_text(f"<title>The fair</title><div id=story></div>{script}")
    assert main(["extract", str(path)]) == 1
    assert SENTENCE not in capsys.readouterr().out


@pytest.mark.parametrize(("sentences", "is_article"), [(1, False), (12, True)])
def test_a_text_of_few_words_is_no_article(sentences: int, is_article: bool) -> None:
    text = "".join(f"<p>{SENTENCE} It was day {n} of the fair.</p>" for n in range(sentences))
    url = "https://example.org/2026/03/14/the-fair-of-the-town-begins.html"
    more = '<meta property="og:type" content="article"><time>2026-03-14</time>'
    assert newsclean.extract(page(text, more), url).is_article is is_article


def test_the_library_does_not_join_the_pages_of_an_article() -> None:
    second = '<a rel="next" href="/fair?page=2">Next page</a>'
    pages = [
        Page.from_html(page(SENTENCE * 8, second), "https://example.org/fair"),
        Page.from_html(page("The fair went on for days. " * 8), "https://example.org/fair?page=2"),
    ]
    first, later = newsclean.Extractor().extract_site(pages)
    assert first.text == (SENTENCE * 8).strip()
    assert later.text == ("The fair went on for days. " * 8).strip()
