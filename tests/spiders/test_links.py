"""Which links of a section page lead to articles, and which one to its next page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsclean.page import Page
from newsclean.site import same_site
from newsclean.spiders.links import (
    article_links,
    belonging,
    is_inside,
    is_same_page,
    links_of,
    next_page,
    without_tracking,
)

SECTION = "https://www.example.org/sport/"
HEADLINE = "Who won on Sunday, and why"


def articles(html: str, section: str = SECTION) -> list[str]:
    return [link.url for link in article_links(Page.from_html(html, section), section)]


def a(href: str, text: str = HEADLINE, **attributes: str) -> str:
    more = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f'<a href="{href}"{more}>{text}</a>'


@pytest.mark.parametrize(
    "href",
    [
        "/2026/03/14/who-won",
        "/2026/mar/14/who-won-on-sunday-and-why",
        "/sport/20260314/who-won.html",
        "/sport/who-won-on-sunday-4711.html",
        "/sport/football-60123456",
        "/a/1234567",
        "/hi/sport/1234567.stm",
        "/story.php?id=48213",
        "/index.asp?lang=en&article=991234",
        "/who-won-on-sunday-and-why",
        "/sport/wer_hat_am_sonntag_gewonnen",
        "/articles/c0l2k3j4m5no",
        "/артикул/кой-спечели-в-неделя",
        "/%E4%BD%93%E8%82%B2/2026/03/14/%E8%B0%81",
        "https://sport.example.org/2026/03/14/who-won",
        "//example.org/2026/03/14/who-won",
    ],
)
def test_articles_are_known_in_any_style_of_address(href: str) -> None:
    (found,) = articles(a(href))
    assert same_site(found, SECTION)


@pytest.mark.parametrize(
    "href",
    [
        "/",
        "/sport",
        "/sport/#top",
        "/culture",
        "/about",
        "/kontakt",
        "/tag/football-world-cup-2026",
        "/author/ann-lee-of-the-example-times",
        "/video/2026/03/14/who-won",
        "/search?q=123456",
        "/newsletter/who-won-on-sunday-in-your-mail",
        "/login?next=/2026/03/14/who-won-12345",
        "/2026/03/14/results-of-the-season.pdf",
        "/2026/03/14/who-won-on-sunday.JPG",
        "/sport/page/2",
        "/sport?page=20260314",
        "https://other.example/2026/03/14/who-won-on-sunday",
        "https://example.org.evil.example/2026/03/14/who-won-on-sunday",
        "mailto:who-won-on-sunday-12345@example.org",
        "javascript:open(20260314)",
        "tel:20260314",
        "http://[2026/03/14/who-won-on-sunday",
        "",
    ],
)
def test_what_leads_elsewhere_is_no_article(href: str) -> None:
    assert articles(a(href)) == []


def test_a_word_of_the_sections_own_address_speaks_against_no_article() -> None:
    section = "https://example.org/topics/weather/"
    html = a("/topics/weather/storm-over-bergen-12345") + a("/video/storm-over-bergen-12345")
    assert articles(html, section) == ["https://example.org/topics/weather/storm-over-bergen-12345"]


def test_the_surest_articles_come_first() -> None:
    html = a("/who-won-on-sunday") + a("/2026/03/14/who-won-on-sunday-4711")
    assert articles(html)[0].endswith("4711")


def test_an_article_that_is_linked_thrice_is_followed_once() -> None:
    url = "/2026/03/14/who-won"
    html = a(url, "") + a(f"{url}?utm_source=home&fbclid=1") + a(f"{url}#comments", "3")
    assert articles(html) == ["https://www.example.org/2026/03/14/who-won"]
    (link,) = links_of(Page.from_html(html, SECTION))
    assert link.text == HEADLINE


def test_only_tracking_parameters_are_cut_off() -> None:
    url = "https://example.org/x?gclid=1&id=7&UTM_medium=a&page=2&utmost=3"
    assert without_tracking(url) == "https://example.org/x?id=7&page=2&utmost=3"
    assert without_tracking("https://example.org/x?") == "https://example.org/x"


def test_links_are_relative_to_the_base_of_the_page() -> None:
    html = "<base href=https://www.example.org/old/>" + a("2026/03/14/who-won")
    assert articles(html) == ["https://www.example.org/old/2026/03/14/who-won"]


@pytest.mark.parametrize(
    ("html", "place"),
    [
        (f"<h2>{a('/x')}</h2>", 2),
        (a("/x", f"<h3>{HEADLINE}</h3>"), 2),
        (f"<p>{a('/x')}</p>", 1),
        (f"<nav>{a('/x')}</nav>", 0),
        (f"<footer><h4>{a('/x')}</h4></footer>", 0),
        (f"<aside><ul><li>{a('/x')}</ul></aside>", 0),
        (f"<h2>Other</h2><nav></nav>{a('/x')}", 1),
    ],
)
def test_a_link_in_a_heading_is_prominent_and_one_in_a_side_column_is_not(
    html: str, place: int
) -> None:
    (link,) = links_of(Page.from_html(html, SECTION))
    assert link.place == place


def test_an_article_below_the_sections_address_belongs_to_it_most_surely() -> None:
    side = f"<aside>{a('/sport/who-won')}</aside><h2>{a('/culture/who-sang')}</h2>"
    inside, mentioned = links_of(Page.from_html(side, SECTION))
    assert belonging(inside, SECTION) > belonging(mentioned, SECTION)


@pytest.mark.parametrize(
    ("url", "inside"),
    [
        ("https://example.org/sport/who-won", True),
        ("https://www.example.org/sport/football/who-won", True),
        ("https://example.org/sports-car/new", False),
        ("https://example.org/culture/sport/x", False),
        ("https://other.example/sport/who-won", False),
        ("https://example.org/sport/", False),
    ],
)
def test_inside_means_below_the_sections_path_on_its_host(url: str, inside: bool) -> None:
    assert is_inside(url, SECTION) is inside


def test_nothing_is_inside_a_front_page() -> None:
    assert not is_inside("https://example.org/sport/who-won", "https://example.org/")


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


def test_a_page_number_of_thousands_of_digits_is_no_error() -> None:
    assert following(a(f"?page={'9' * 5000}", "Last")) is None


def test_a_slash_or_a_fragment_makes_no_other_page() -> None:
    assert is_same_page("https://a.org/x/#top", "https://a.org/x")
    assert not is_same_page("https://a.org/x?page=2", "https://a.org/x")


def test_many_links_at_a_great_depth_are_read_in_time() -> None:
    links = "".join(f"<p>{a(f'/2026/03/14/story-{n}')}</p>" for n in range(3000))
    assert len(articles("<div>" * 1500 + links)) == 3000


addresses = st.text("/?&=#:.%-_a19é[]@ \t\n", max_size=15)


@given(st.lists(addresses, min_size=1, max_size=8), st.booleans())
def test_any_address_is_an_article_of_the_site_or_nothing(hrefs: list[str], rel: bool) -> None:
    html = "".join(a(f"/{href}" if rel else href, rel="next" if rel else "") for href in hrefs)
    assert all(same_site(url, SECTION) for url in articles(html))
    found = following(html)
    assert found is None or (same_site(found, SECTION) and not is_same_page(found, SECTION))
