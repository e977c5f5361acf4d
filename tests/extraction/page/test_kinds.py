"""What is not an HTML page is refused under its own name, in the crawl as elsewhere."""

import pytest
from scrapy.http import HtmlResponse, TextResponse

from newsclean.extraction.page import Page, PageError
from newsclean.middlewares.responses import page_of

WORDS = "It has rained in Bergen for nine days, and the river is as high as it ever was."
RSS = f"<rss version='2.0'><channel><item><description>{WORDS}</description></item></channel></rss>"
ATOM = f"<feed xmlns='http://www.w3.org/2005/Atom'><entry><summary>{WORDS}</summary></entry></feed>"
PROLOG = '<?xml version="1.0" encoding="UTF-8"?>\n<!-- made <today> -->\n'
XHTML = f'<html xmlns="http://www.w3.org/1999/xhtml"><body><p>{WORDS}</p></body></html>'


def refusal(html: str | bytes, content_type: str | None = None) -> str:
    with pytest.raises(PageError) as caught:
        Page.from_html(html, content_type=content_type)
    assert caught.value.reason == "not-html"
    return str(caught.value)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (RSS, "an RSS feed"),
        (PROLOG + RSS, "an RSS feed"),
        ("<rdf:RDF xmlns:rdf='x'><item>x</item></rdf:RDF>", "an RSS feed"),
        (PROLOG + ATOM, "an Atom feed"),
        (PROLOG + "<urlset><url><loc>https://example.org/</loc></url></urlset>", "a sitemap"),
        (f'{{"body": "<p>{WORDS}</p>"}}', "JSON"),
        (f'\n [["{WORDS}"]]\n', "JSON"),
        (f'{{"body": "<p>{WORDS}</p>"}}\n{{"body": "<p>{WORDS}</p>"}}\n', "JSON"),
    ],
)
def test_what_is_not_a_page_is_refused_under_its_own_name(source: str, name: str) -> None:
    for html in (source, source.encode(), b"\xef\xbb\xbf" + source.encode()):
        assert refusal(html) == f"not an HTML page: it is {name}"
    assert refusal(source.encode("utf-16")) == f"not an HTML page: it is {name}"


@pytest.mark.parametrize(
    ("content_type", "name"),
    [
        ("application/json; charset=utf-8", "JSON"),
        ("application/rss+xml", "an RSS feed"),
        ("application/atom+xml", "an Atom feed"),
        ("Text/Plain", "plain text"),
        ("image/png", "image/png"),
    ],
)
def test_what_the_server_calls_something_else_is_believed(content_type: str, name: str) -> None:
    assert f"it is {name}" in refusal(XHTML, content_type)


@pytest.mark.parametrize("content_type", [None, "application/xhtml+xml", "application/xml"])
def test_xhtml_is_a_page(content_type: str | None) -> None:
    doctype = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/x.dtd">'
    for source in (XHTML, PROLOG + XHTML, f"{PROLOG}{doctype}\n{XHTML}"):
        page = Page.from_html(source.encode(), content_type=content_type)
        assert page.blocks.text == [WORDS]


@pytest.mark.parametrize(
    "source", [f"[1] <p>{WORDS}", f"{{a}}<p>{WORDS}", "[" * 100_000 + f"<p>{WORDS}"]
)
def test_a_page_may_begin_with_brackets(source: str) -> None:
    assert Page.from_html(source).blocks.text[-1] == WORDS


def test_text_without_tags_is_a_page_if_the_server_says_so() -> None:
    assert Page.from_html(WORDS, content_type="text/html").blocks.text == [WORDS]


def test_many_declarations_are_read_once() -> None:
    source = "<!-- a -->" * 400 + "<!x>" * 400 + f"<p>{WORDS}"
    assert Page.from_html(source).blocks.text == [WORDS]


def test_the_crawl_refuses_the_same() -> None:
    url = "https://example.org/1"
    html = {"Content-Type": "text/html; charset=utf-8"}
    for body in (RSS, '{"a": 1}'):
        with pytest.raises(PageError, match=r"it is (an RSS feed|JSON)"):
            page_of(HtmlResponse(url, headers=html, body=body.encode()))
    with pytest.raises(PageError, match="it is plain text"):
        page_of(TextResponse(url, headers={"Content-Type": "text/plain"}, body=XHTML.encode()))
    assert page_of(HtmlResponse(url, headers=html, body=XHTML.encode())).blocks.text == [WORDS]


def test_what_a_server_calls_a_page_is_named_without_control_characters() -> None:
    assert (
        refusal("<p>x", "image/\x1b[31mpng\x9b")
        == "not an HTML page: it is image/\\x1b[31mpng\\x9b"
    )
