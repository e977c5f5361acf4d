"""Which link of a section page leads to the section's next page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsclean.page import Page
from newsclean.site import same_site
from newsclean.spiders.links import is_same_page
from newsclean.spiders.paging import next_page

from .markup import SECTION, a


def following(html: str, url: str = SECTION) -> str | None:
    return next_page(Page.from_html(f"<body>{html}", url), url)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<link rel=next href=/sport/2>", "/sport/2"),
        ("<link rel='nofollow NEXT' href='?after=x7'>", "/sport/?after=x7"),
        (a("?cursor=abc", "…", rel="next"), "/sport/?cursor=abc"),
        (a("?page=2", "2") + a("?page=3", "3"), "/sport/?page=2"),
        (a("/sport/page/3", "3") + a("/sport/page/2", "2"), "/sport/page/2"),
        (a("/sport/seite-2", "Weiter"), "/sport/seite-2"),
        (a("?start=20", "Older posts"), "/sport/?start=20"),
        (a("?offset=10", "2"), "/sport/?offset=10"),
        (a("?page=1", "Next"), "/sport/?page=1"),  # counted from 0
        (a("?p=9", "Last") + a("?p=2", "›"), "/sport/?p=2"),
    ],
)
def test_the_next_page_is_found(html: str, expected: str) -> None:
    assert following(html) == f"https://www.example.org{expected}"


@pytest.mark.parametrize(
    "word",
    "Next|Nächste Seite|Page suivante »|Suivant|Siguiente|Próxima|Volgende|Neste side|Следующая"
    "|След.|下一页|下一頁|次へ|次のページ|다음|다음페이지|>|>>|»|→".split("|"),
)
def test_next_is_understood_in_other_languages(word: str) -> None:
    assert following(a("?page=7", word.replace(">", "&gt;"))) == f"{SECTION}?page=7"


@pytest.mark.parametrize(
    "html",
    [
        "",
        a("?page=2", "2"),
        a("?page=1", "Next"),
        a("?page=3", "Next"),
        a("?page=2", "Next", rel="next"),
        "<link rel=next href='?page=3'>",
        "<link rel=next href='?page=1'>",
        "<link rel=next href='https://other.example/sport/?page=4'>",
        "<link rel=next>",
        "<link rel=prefetch href='?page=4'>",
        a("/culture/?page=4", "Next"),
        a("/sport/football/?page=4", "4"),
        a("https://other.example/sport/?page=4", "Next", rel="next"),
        a("/2026/03/14/who-won", "Next: who won"),
        a("?page=9", "9"),
        a("?page=9", "Last"),
    ],
)
def test_the_third_page_never_leads_back_nor_elsewhere(html: str) -> None:
    assert following(html, f"{SECTION}?page=3") is None


def test_a_page_number_of_thousands_of_digits_is_not_an_error() -> None:
    assert following(a(f"?page={'9' * 5000}", "Last")) is None


addresses = st.text("/?&=#:.%-_a19é[]@ \t\n", max_size=15)


@given(st.lists(addresses, min_size=1, max_size=8))
def test_whatever_comes_next_is_another_page_of_the_site(hrefs: list[str]) -> None:
    found = following("".join(a(f"/{href}", rel="next") for href in hrefs))
    assert found is None or (same_site(found, SECTION) and not is_same_page(found, SECTION))
