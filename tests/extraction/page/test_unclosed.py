"""A tag that nobody closed does not hide the page that follows it."""

import time

import pytest
from scrapy.http import HtmlResponse

import newsclean
from newsclean.extraction.page import Page
from newsclean.extraction.page.markup_repair import close_tags
from newsclean.middlewares.responses import page_of

STORY = "".join(
    f"<p>On day {day} of the flood the river rose by another {day} inches, and the ferry stayed in "
    "its harbor until the evening, as the captain had said that it would.</p>\n"
    for day in range(1, 9)
)
PAGE = (
    "<html><head>{head}\n<meta name=author content=Ines></head>\n<body class=page>{top}"
    "<h1>The river keeps rising</h1><article>" + STORY + "</article></body></html>"
)

HEAD = {
    "title": "<title>The river keeps rising",
    "upper case": "<TITLE>The river keeps rising",
    "script": "<title>Rain</title><script>var a = 1 < 2;",
    "style": "<title>Rain</title><style>p { color: red }",
    "comment": "<title>Rain</title><!-- tracking",
    "noscript": "<title>Rain</title><noscript>",
    "textarea": "<title>Rain</title><textarea>",
}
TOP = {
    "textarea": "<form><textarea name=c>Your letter</form>",
    "select": "<select><option>North<option>South",
    "noscript": "<noscript>",
    "comment": "<!-- advertisement",
    "script": "<script>count();\n",
}


def text_of(page: str) -> str:
    return newsclean.extract(page).body


@pytest.mark.parametrize("head", HEAD.values(), ids=HEAD)
@pytest.mark.parametrize("last", ["", "<svg><title>Share</title></svg>"], ids=["", "picture"])
def test_what_follows_an_unclosed_tag_in_the_head_is_read(head: str, last: str) -> None:
    page = PAGE.format(head=head, top="").replace("</article>", f"</article>{last}")
    for day in (1, 8):
        assert f"On day {day} of the flood" in text_of(page)


@pytest.mark.parametrize("top", TOP.values(), ids=TOP)
def test_what_follows_an_unclosed_tag_above_the_article_is_read(top: str) -> None:
    page = PAGE.format(head="<title>Rain</title>", top=top)
    for day in (1, 8):
        assert f"On day {day} of the flood" in text_of(page)


def test_a_text_field_that_ends_with_another_one_does_not_hide_the_page() -> None:
    page = PAGE.format(head="<title>Rain</title>", top="<form><textarea name=a></form>")
    page = page.replace("</article>", "</article><form><textarea name=b></textarea></form>")
    assert "On day 1 of the flood" in text_of(page)


def test_a_script_whose_end_is_that_of_another_one_does_not_hide_the_page() -> None:
    page = PAGE.format(head="<title>Rain</title><script>var a = 1", top="")
    page = page.replace("On day 8", "<script>var b</script>On day 8")
    assert "On day 1 of the flood" in text_of(page)


def test_the_title_ends_where_the_next_tag_begins() -> None:
    article = newsclean.extract(PAGE.format(head="<title>The river keeps rising", top=""))
    assert article.headline == "The river keeps rising"


def test_a_crawled_page_with_an_unclosed_title_is_read() -> None:
    body = PAGE.format(head="<title>Rain", top="").encode()
    response = HtmlResponse("https://example.org/", body=body, encoding="utf-8")
    assert any("On day 8" in text for text in page_of(response).blocks.text)


WHOLE = [
    "<title>Rain <b>again</b></title><p>It rains.",
    "<script>document.write('<html><body><p>Print</p></body></html>')</script><body><p>It rains.",
    "<!--[if IE]><body class=ie><![endif]--><!--[if !IE]>--><body><!--<![endif]--><p>It rains.",
    "<textarea><p>Copy this</p></textarea><p>It rains.",
    "<p>It rains.<noscript>Please turn it on.</noscript><select><option>a</select></p>",
    "<p>It rains.</p><script>var a = '<div>'; write('</div>",
]


@pytest.mark.parametrize("page", WHOLE)
def test_a_page_whose_tags_are_closed_or_cut_off_stays_as_it_is(page: str) -> None:
    assert close_tags(page.encode()) == page.encode()
    assert Page.from_html(page).blocks.text[0] == "It rains."


@pytest.mark.parametrize(
    "piece", ["<title>", "<title><p>", "<!--", "<script><p>", "<select>", "<textarea><p>a"]
)
def test_the_time_grows_with_the_page_and_not_faster(piece: str) -> None:
    source = piece.encode() * (400_000 // len(piece))
    start = time.process_time()
    close_tags(source)
    assert time.process_time() - start < 3
