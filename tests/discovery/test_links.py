"""The links of a section page: their URLs, texts and places, and which lead to articles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsclean.discovery.links import (
    Link,
    MenuLinks,
    RankedLink,
    is_inside,
    is_same_page,
    links_of,
    rank_link,
    rank_links,
    section_match,
)
from newsclean.extraction.is_article.link_target import NEVER_ARTICLES, RESERVED, SELDOM_ARTICLES
from newsclean.extraction.page import Page
from newsclean.urls import same_site, without_tracking

from .markup import HEADLINE, SECTION, a


def test_a_url_that_is_linked_thrice_is_one_link_with_its_longest_text() -> None:
    url = "/2026/03/14/who-won"
    html = a(url, "") + a(f"{url}?utm_source=home&fbclid=1") + a(f"{url}#comments", "3")
    (link,) = links_of(Page.from_html(html, SECTION))
    assert link.url == "https://www.example.org/2026/03/14/who-won"
    assert link.text == HEADLINE


@pytest.mark.parametrize(
    "html",
    [
        a("/x", f"<img src=1.jpg alt='{HEADLINE}'>"),
        a("/x", "<img src=1.jpg>", title=HEADLINE),
        '<a href="/x" aria-label="Who won on Sunday, and why"><svg></svg></a>',
    ],
)
def test_a_link_around_a_picture_has_the_words_that_describe_it(html: str) -> None:
    (link,) = links_of(Page.from_html(html, SECTION))
    assert link.text == HEADLINE


@pytest.mark.parametrize(
    ("text", "is_headline"),
    [
        (HEADLINE, True),
        ("Bundesverfassungsgericht entscheidet", True),
        ("谁赢得了周日的比赛", True),
        ("More", False),
        ("Log in", False),
        ("体育", False),
        ("", False),
    ],
)
def test_several_words_are_a_headline_and_a_few_are_a_label(text: str, is_headline: bool) -> None:
    assert Link("https://example.org/x", text).is_headline is is_headline


def test_only_tracking_parameters_are_cut_off() -> None:
    url = "https://example.org/x?gclid=1&id=7&UTM_medium=a&page=2&utmost=3"
    assert without_tracking(url) == "https://example.org/x?id=7&page=2&utmost=3"
    assert without_tracking("https://example.org/x?") == "https://example.org/x"


def test_links_are_relative_to_the_base_of_the_page() -> None:
    html = "<base href=https://www.example.org/old/>" + a("2026/03/14/who-won")
    (link,) = links_of(Page.from_html(html, SECTION))
    assert link.url == "https://www.example.org/old/2026/03/14/who-won"


@pytest.mark.parametrize(
    ("html", "prominence"),
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
    html: str, prominence: int
) -> None:
    (link,) = links_of(Page.from_html(html, SECTION))
    assert link.prominence == prominence


def test_an_article_below_the_sections_url_belongs_to_it_most_surely() -> None:
    side = f"<aside>{a('/sport/who-won')}</aside><h2>{a('/culture/who-sang')}</h2>"
    inside, mentioned = links_of(Page.from_html(side, SECTION))
    assert section_match(inside, SECTION) > section_match(mentioned, SECTION)


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


def test_a_slash_or_a_fragment_makes_no_other_page() -> None:
    assert is_same_page("https://a.org/x/#top", "https://a.org/x")
    assert not is_same_page("https://a.org/x?page=2", "https://a.org/x")


def articles(html: str, section: str = SECTION) -> list[str]:
    found = rank_links(Page.from_html(html, section), section)
    return [ranked.link.url for ranked in found if not ranked.reason]


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
        "/weather/who-won-on-sunday-and-why",
        "/topics/legal/who-won-on-sunday",
        "/sport/wer_hat_am_sonntag_gewonnen",
        "/articles/c0l2k3j4m5no",
        "/артикул/кой-спечели-в-неделя",
        "/%E4%BD%93%E8%82%B2/2026/03/14/%E8%B0%81",
        "https://sport.example.org/2026/03/14/who-won",
        "//example.org/2026/03/14/who-won",
    ],
)
def test_articles_are_known_in_any_style_of_url(href: str) -> None:
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
def test_what_leads_elsewhere_is_not_an_article(href: str) -> None:
    assert articles(a(href)) == []


def test_a_word_of_the_sections_own_url_speaks_against_no_article() -> None:
    section = "https://example.org/topics/weather/"
    html = a("/topics/weather/storm-over-bergen-12345") + a("/video/storm-over-bergen-12345")
    assert articles(html, section) == ["https://example.org/topics/weather/storm-over-bergen-12345"]


def test_the_surest_articles_come_first() -> None:
    html = a("/who-won-on-sunday") + a("/2026/03/14/who-won-on-sunday-4711")
    assert articles(html)[0].endswith("4711")


def test_many_links_at_a_great_depth_are_read_in_time() -> None:
    links = "".join(f"<p>{a(f'/2026/03/14/story-{n}')}</p>" for n in range(3000))
    assert len(articles("<div>" * 1500 + links)) == 3000


addresses = st.text("/?&=#:.%-_a19é[]@ \t\n", max_size=15)


@given(st.lists(addresses, min_size=1, max_size=8), st.sampled_from(["", "/"]))
def test_any_url_is_an_article_of_the_site_or_nothing(hrefs: list[str], root: str) -> None:
    html = "".join(a(f"{root}{href}") for href in hrefs)
    assert all(same_site(url, SECTION) for url in articles(html))


def reason(href: str, text: str = HEADLINE, section: str = SECTION) -> str:
    (ranked,) = rank_links(Page.from_html(a(href, text), section), section)
    return ranked.reason


@pytest.mark.parametrize(
    ("href", "text", "why"),
    [
        ("/2026/03/14/results.pdf", HEADLINE, "file"),
        ("/", HEADLINE, "section"),
        ("/sport/?page=2", HEADLINE, "section"),
        ("/gallery/who-won-on-sunday-4711", HEADLINE, "url"),
        ("/2026/03/14/pictures/who-won", HEADLINE, "url"),
        ("/login?next=/2026/03/14/who-won-4711", HEADLINE, "url"),
        ("/topics/football-world-cup", "Football World Cup", "url"),
        ("/topics/football", HEADLINE, "url"),
        ("/culture", HEADLINE, "url"),
        ("/culture/index.html", HEADLINE, "url"),
        ("/weather.html", HEADLINE, "url"),
        ("/subscribe.html", HEADLINE, "url"),
        ("/bridge.html", "Bridge", "url"),
        ("/kvhc7x2", "Bridge", "url"),
        ("https://other.example/2026/03/14/who-won", HEADLINE, "other-site"),
        ("/shop.php?item=4711", HEADLINE, "url"),
        ("/sport/football/", "Football", "label"),
        ("/team/ann-lee", "Ann Lee", "label"),
    ],
)
def test_what_is_surely_no_article_has_a_reason(href: str, text: str, why: str) -> None:
    assert reason(href, text) == why


@pytest.mark.parametrize(
    ("href", "text"),
    [
        ("/sport/football", HEADLINE),  # no date, no number, one word
        ("/sport/who-won/", HEADLINE),
        ("/bridge.html", HEADLINE),
        ("/kvhc7x2", HEADLINE),
        ("/art898,12,story.html", HEADLINE),
        ("/sport/video-shows-who-won-4711.html", HEADLINE),
        ("/2026/03/14/the-gallery-of-the-winners", HEADLINE),
        ("/archive/63076", HEADLINE),
        ("/weather/2026/03/14/storm", HEADLINE),
        ("/legal/2026/03/14/who-won-in-court/", HEADLINE),
        ("/?p=4711", HEADLINE),
        ("/podcast/4711/who-won-on-sunday", HEADLINE),
        ("/sport/who-won-on-sunday/index.html", HEADLINE),
        ("/who-won-on-sunday", "Who won"),
        ("/2026/03/14/who-won", ""),
        ("/sport/4711.html", "Video"),
    ],
)
def test_what_may_be_an_article_is_not_given_up(href: str, text: str) -> None:
    assert reason(href, text) == ""


def test_a_word_that_rules_an_article_out_speaks_against_one_in_any_url() -> None:
    assert NEVER_ARTICLES <= RESERVED
    assert {"legal", "weather"} == SELDOM_ARTICLES - RESERVED
    assert not NEVER_ARTICLES & SELDOM_ARTICLES


def test_the_section_above_a_section_is_none_of_its_articles() -> None:
    assert reason("/sport/", HEADLINE, "https://www.example.org/sport/football/") == "section"


def test_what_surely_is_not_article_comes_after_all_that_may_be_one() -> None:
    video = f"<h2>{a('/video/2026/03/14/who-won-on-sunday-and-why-4711')}</h2>"
    html = video + f"<aside>{a('/sport/who')}</aside>" + a("/about", "About")
    found = rank_links(Page.from_html(html, SECTION), SECTION)
    assert [bool(ranked.reason) for ranked in found] == [False, True, True]


def test_of_two_like_urls_the_one_with_a_headline_comes_first() -> None:
    html = a("/sport/4711.html", "4") + f"<h2>{a('/sport/4712.html')}</h2>"
    assert articles(html)[0].endswith("4712.html")


def menu_after(pages: int, ranked: RankedLink, *, missing: int = 0) -> bool:
    menus = MenuLinks()
    for number in range(pages):
        menus.add_page(f"{SECTION}?page={number + 1}", [ranked] if number >= missing else [])
    return menus.has(ranked, SECTION)


ENTRY = rank_link(Link("https://www.example.org/bicycles-cats-and-sofas", "Small ads"), SECTION)


def test_a_label_on_every_section_page_is_an_entry_of_a_menu() -> None:
    assert not ENTRY.reason
    assert menu_after(3, ENTRY)
    assert not menu_after(2, ENTRY)
    assert not menu_after(4, ENTRY, missing=1)


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("https://www.example.org/bicycles-cats-and-sofas", HEADLINE),
        ("https://www.example.org/2026/03/14/who-won", "Who won?"),
        ("https://www.example.org/sport/who-won-4711.html", "Who won?"),
    ],
)
def test_a_story_that_appears_on_every_section_page_is_not_an_entry(url: str, text: str) -> None:
    assert not menu_after(9, rank_link(Link(url, text), SECTION))


def test_the_pages_of_one_site_say_nothing_of_anothers_menu() -> None:
    menus = MenuLinks()
    menus.add_page(SECTION, [ENTRY])
    for number in range(5):
        menus.add_page(f"https://other.example/sport?page={number}", [])
    assert not menus.has(ENTRY, SECTION)
