"""What follows an early end of the page is read, as browsers do."""

import pytest
from scrapy.http import HtmlResponse

from newsclean.page import Page
from newsclean.page.ends import has_text_after_end_tag
from newsclean.responses import page_of

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
