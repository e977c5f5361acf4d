"""What follows an early end of the page is read, as browsers do."""

import pytest
from scrapy.http import HtmlResponse

from newsclean.extraction.page import Page
from newsclean.extraction.page.markup_repair import as_browsers_read, has_text_after_end_tag
from newsclean.middlewares.responses import page_of

ADVERT = "<table><tr><td><html><body>Buy now!</body></html></td></tr></table>"
PAGE = f"<html><body><p>Rain in Bergen.</p>{ADVERT}<p>The river is high.</p></body></html>"


@pytest.mark.parametrize(
    "page", [PAGE, PAGE.upper(), PAGE.replace("</body>", "</Body\n>"), PAGE.encode()]
)
def test_text_after_a_page_inside_the_page_is_read(page: str | bytes) -> None:
    texts = [text.lower() for text in Page.from_html(page).blocks.text]
    assert texts == ["rain in bergen.", "buy now!", "the river is high."]


def test_a_crawled_page_is_read_to_its_end() -> None:
    response = HtmlResponse("https://example.org/", body=PAGE.encode(), encoding="utf-8")
    assert page_of(response).blocks.text[-1] == "The river is high."


@pytest.mark.parametrize(
    "rest",
    ["", "\n", "<!-- served in 3 ms -->", "<script>var a = 'b'</script>", "<style>p {} </style>\n",
     "</html>", "<img src=count.gif>", "<!-- open", "<script>open"],
)  # fmt: skip
def test_a_page_that_ends_at_its_end_stays_as_it_is(rest: str) -> None:
    assert not has_text_after_end_tag(f"<p>Rain</p></body>{rest}</html>{rest}".encode())


OPENINGS = {
    "html": '<html lang="en"/><head><title>t</title></head><body>',
    "html after a doctype": "<!DOCTYPE html>\n<HTML lang=en />\n<body>",
    "head": "<html><head/><title>t</title></head><body>",
    "body": '<html><head><title>t</title></head><body class="news" />',
    "all three": "<html/><head/><title>t</title></head><body/>",
    "a box": '<html><body><div class="page"/>',
    "a box and its own": '<html><body><main/><article id="a" / class=b />',
    "no html": "<title/>t</title><section/>",
}


@pytest.mark.parametrize("opening", OPENINGS.values(), ids=OPENINGS)
@pytest.mark.parametrize("crawled", [False, True])
def test_a_slash_in_a_start_tag_does_not_end_what_it_opens(opening: str, crawled: bool) -> None:
    body = "<h1>Rain</h1><div><p>The river is high.</p></div>"
    page = opening + body + "</article></main></section></div></body></html>"
    plain = page_of_text(page.replace("/>", ">").replace(" / ", " "), crawled)
    read = page_of_text(page, crawled)
    assert read.blocks.text == ["Rain", "The river is high."]
    assert list(map(read.path, range(len(read)))) == list(map(plain.path, range(len(plain))))


def page_of_text(html: str, crawled: bool) -> Page:
    if not crawled:
        return Page.from_html(html)
    return page_of(HtmlResponse("https://example.org/", body=html.encode(), encoding="utf-8"))


def test_a_crawled_page_with_a_slash_is_read_whatever_its_encoding() -> None:
    body = '<html lang="sv"/><body><p>Älven stiger.'.encode("utf-16")
    response = HtmlResponse("https://example.org/", body=body, encoding="utf-16")
    assert page_of(response).blocks.text == ["Älven stiger."]


@pytest.mark.parametrize(
    "page",
    [
        "<p>Rain<br/><img src=a.png /><hr/></p>",
        "<p>Rain<a href=/news/>Snow</a></p>",
        "<p>Rain<a name=x /></p><p>Snow</p>",
        "<div title=\"a/>b\">Rain</div><div data-a='<div/>'>Snow</div>",
        "<div>Rain<svg><g/><a/><title/><path d=1 /></a></svg></div>",
        "<div>Rain<math><mi/></mi></math></div>",
        "<div>Rain<!-- <div/></div> --></div>",
        "<div>Rain<script>a = '<div/></div>'</script></div>",
        "<div>Rain<textarea><div/></div></textarea></div>",
        "<div>Rain</div><![CDATA[<div/>]]>",
        "Rain<div/",
    ],
)
def test_other_slashes_stay(page: str) -> None:
    source = page.encode()
    assert as_browsers_read(source) == source


def test_slashes_in_code_and_drawings_stay_beside_one_that_is_ignored() -> None:
    kept = (
        "<!-- <div/> --><script>'<div/>'</script><svg><a/><title/></svg><br/><a href=/b/>Rain</a>"
    )
    assert as_browsers_read(f"{kept}<div/>{kept}</div><a />{kept}</a>".encode()) == (
        f"{kept}<div>{kept}</div><a>{kept}</a>".encode()
    )
