"""Pages that would cost more than they are worth are refused before they are parsed."""

import time

import pytest
from scrapy.http import HtmlResponse

from newsclean.extraction.page import Page, PageError
from newsclean.extraction.page import markup_repair as complexity
from newsclean.middlewares.responses import page_of

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
    monkeypatch.setattr(complexity, "MAX_ELEMENTS", 100)
    with pytest.raises(PageError, match="more than 100 elements") as error:
        Page.from_html("<p>rain" * 200)
    assert error.value.reason == "too-complex"


def test_signs_in_a_script_are_not_elements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(complexity, "MAX_ELEMENTS", 100)
    page = Page.from_html("<p>It has rained<script>" + "a<b;" * 200 + "</script>")
    assert "It has rained" in page.text.values()


def test_a_script_and_an_attribute_with_many_words_are_not_attributes() -> None:
    words = " ".join(f"w{n}" for n in range(2000))
    page = Page.from_html(f"<script>if (a<b) {words}</script><p data-json='{words}'>It has rained")
    assert "It has rained" in page.text.values()


def test_tag_starts_in_a_tag_cost_no_more_than_others() -> None:
    before = time.process_time()
    assert complexity.excess_of(b"<a " * 400 + b">" + b"<a" * 100_000) is None
    assert time.process_time() - before < 1
