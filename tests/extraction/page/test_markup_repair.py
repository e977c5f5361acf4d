"""Markup is read as browsers read it, and pages that are too complex are refused."""

import time

import pytest
from scrapy.http import HtmlResponse

import newsclean
from newsclean.extraction.page import Page, PageError, markup_repair
from newsclean.extraction.page.markup_repair import (
    as_browsers_read,
    close_tags,
    has_text_after_end_tag,
)
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


STORY = "".join(
    f"<p>On day {day} of the flood the river rose by another {day} inches, and the ferry stayed in "
    "its harbor until the evening, as the captain had said that it would.</p>\n"
    for day in range(1, 9)
)
UNCLOSED = (
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
    page = UNCLOSED.format(head=head, top="").replace("</article>", f"</article>{last}")
    for day in (1, 8):
        assert f"On day {day} of the flood" in text_of(page)


@pytest.mark.parametrize("top", TOP.values(), ids=TOP)
def test_what_follows_an_unclosed_tag_above_the_article_is_read(top: str) -> None:
    page = UNCLOSED.format(head="<title>Rain</title>", top=top)
    for day in (1, 8):
        assert f"On day {day} of the flood" in text_of(page)


def test_a_text_field_that_ends_with_another_one_does_not_hide_the_page() -> None:
    page = UNCLOSED.format(head="<title>Rain</title>", top="<form><textarea name=a></form>")
    page = page.replace("</article>", "</article><form><textarea name=b></textarea></form>")
    assert "On day 1 of the flood" in text_of(page)


def test_a_script_whose_end_is_that_of_another_one_does_not_hide_the_page() -> None:
    page = UNCLOSED.format(head="<title>Rain</title><script>var a = 1", top="")
    page = page.replace("On day 8", "<script>var b</script>On day 8")
    assert "On day 1 of the flood" in text_of(page)


def test_the_title_ends_where_the_next_tag_begins() -> None:
    article = newsclean.extract(UNCLOSED.format(head="<title>The river keeps rising", top=""))
    assert article.headline == "The river keeps rising"


def test_a_crawled_page_with_an_unclosed_title_is_read() -> None:
    body = UNCLOSED.format(head="<title>Rain", top="").encode()
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


MANY = 20_000  # a parse of so many attributes on one tag takes half a second
MAX_SECONDS = 0.3


def attributes(value: str = "") -> str:
    return "".join(f" a{n}{value}" for n in range(MANY))


HIDDEN = [
    f"<p{attributes()}>rain",
    f"<p{attributes('=1')}>rain",
    f"""<p{attributes("='>'")}>rain""",
    f"""<p{attributes('="<i>"')}>rain""",
    f"<p/{attributes().replace(' ', '/')}>rain",
    f"<!-- <i a=' --><p{attributes()}>rain",
    f"<title><i a='</title><p{attributes()}>rain",
    f"<script>if (a<b) c='</script><p{attributes()}>rain",
    f"<p{'x' * 5000}{attributes()}>rain",
    f"<p<1{attributes()}>rain",
    f"<\x00p{attributes()}>rain",
]


@pytest.mark.parametrize("html", HIDDEN)
def test_a_tag_of_many_attributes_is_refused_before_the_parse(html: str) -> None:
    before = time.process_time()
    with pytest.raises(PageError, match="more than 500 attributes on one <p") as error:
        Page.from_html(html)
    assert error.value.reason == "too-complex"
    assert time.process_time() - before < MAX_SECONDS


@pytest.mark.parametrize("html", HIDDEN)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1251"])
def test_a_response_is_refused_before_scrapy_parses_it(html: str, encoding: str) -> None:
    response = HtmlResponse("https://a.org/", body=html.encode(encoding), encoding=encoding)
    before = time.process_time()
    with pytest.raises(PageError) as error:
        page_of(response)
    assert error.value.reason in ("too-complex", "not-html")  # NUL in UTF-16 looks binary
    assert time.process_time() - before < MAX_SECONDS
    assert response._cached_selector is None


def test_a_page_of_too_many_elements_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markup_repair, "MAX_ELEMENTS", 100)
    with pytest.raises(PageError, match="more than 100 elements") as error:
        Page.from_html("<p>rain" * 200)
    assert error.value.reason == "too-complex"


def test_signs_in_a_script_are_not_elements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markup_repair, "MAX_ELEMENTS", 100)
    page = Page.from_html("<p>It has rained<script>" + "a<b;" * 200 + "</script>")
    assert "It has rained" in page.text.values()


def test_a_script_and_an_attribute_with_many_words_are_not_attributes() -> None:
    words = " ".join(f"w{n}" for n in range(2000))
    page = Page.from_html(f"<script>if (a<b) {words}</script><p data-json='{words}'>It has rained")
    assert "It has rained" in page.text.values()


def test_tag_starts_in_a_tag_cost_no_more_than_others() -> None:
    before = time.process_time()
    assert markup_repair.excess_of(b"<a " * 400 + b">" + b"<a" * 100_000) is None
    assert time.process_time() - before < 1
