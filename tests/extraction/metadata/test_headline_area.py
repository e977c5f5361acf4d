"""What a page shows beside its headline: dates, bylines, kicker, lead."""

import pytest

from newsclean.extraction.metadata import PageMetadata
from newsclean.extraction.metadata.site_facts import SiteFacts
from newsclean.extraction.methods.keys import metadata_of
from newsclean.extraction.page import Page

from .pages import script

TEXT = "<p>" + "It has rained in Bergen for nine days, and nobody knows when it will end. " * 4
TITLE = "<title>Nine wet days in Bergen</title>"


def shown(html: str, url: str | None = None, facts: SiteFacts | None = None) -> PageMetadata:
    page = metadata_of(Page.from_html(f"{html}{TEXT}{TEXT}", url))
    return page if facts is None else page.with_facts(facts)


def beside(line: str, lang: str = "en") -> PageMetadata:
    return shown(f"<html lang={lang}>{TITLE}<h1>Nine wet days in Bergen</h1><div>{line}</div>")


@pytest.mark.parametrize(
    ("line", "lang"),
    [
        ("March 4, 2024", "en"),
        ("4 de marzo de 2024 – 5 minutos", "es"),
        ("Bergen, 4. März 2024", "de"),
        ("Mo 04.03.24 | 14:07 Uhr", "de"),
        ("4 mars 2024 à 9:30", "fr"),
        ("4 марта 2024", "ru"),
        ("2024年3月4日", "ja"),
        ("4 Mart 2024", "tr"),
        ("04/03/2024", "fr"),
        ("03/04/2024", "en-US"),
        ("Words by Mona Tveit and Ole Berg | 04/03/2024 14:30", "en-GB"),
    ],
)
def test_a_date_beside_the_headline_is_read_in_many_languages(line: str, lang: str) -> None:
    page = beside(line, lang)
    assert (page.date_published or "")[:10] == "2024-03-04"
    assert page.date_source == "shown"


def test_a_date_of_which_nobody_knows_the_order_is_not_guessed() -> None:
    assert beside("03/04/2024").date_published is None


def test_the_country_of_a_site_tells_the_order_of_a_date() -> None:
    page = shown(f"<html lang=en-US>{TITLE}<h1>Nine wet days in Bergen</h1><p>04/03/2024</p>",
                 "https://example.co.uk/rain")  # fmt: skip
    assert page.date_published == "2024-03-04"


def test_a_date_in_the_running_text_is_not_the_article_s() -> None:
    page = beside(
        "The storm of 3 March 1987, older people in the town say to whoever asks, was worse by far "
        "than this one, and it took many more of the houses"
    )
    assert page.date_published is None


def test_a_date_that_only_tells_of_an_update_says_so() -> None:
    page = beside("<div>Last updated:</div><div>4 March 2024</div>")
    assert page.date_published == page.date_modified == "2024-03-04"
    assert page.date_source == "update"


def test_an_earlier_date_beside_the_headline_counts_more_than_that_of_a_new_system() -> None:
    head = script({"@type": "Article", "datePublished": "2025-08-01", "headline": "Nine wet days"})
    page = shown(f"{head}<h1>Nine wet days</h1><p>Published 4 March 2024</p>")
    assert (page.date_published, page.date_source) == ("2024-03-04", "shown")


def test_a_later_date_beside_the_headline_does_not_replace_that_of_the_head() -> None:
    head = script({"@type": "Article", "datePublished": "2024-03-04", "headline": "Nine wet days"})
    page = shown(f"{head}<h1>Nine wet days</h1><p>1 August 2025</p>")
    assert (page.date_published, page.date_source) == ("2024-03-04", "json-ld")


@pytest.mark.parametrize(
    ("html", "source"),
    [
        ('<div itemprop="datePublished" content="2024-03-04"></div>', "microdata"),
        ('<meta name="citation_publication_date" content="2024 Mar 4">', "meta"),
        ('<meta name="published_on" content="2024-03-04">', "meta"),
        ('<meta name="w-published-date" content="2024-03-04">', "meta"),
        ('<script>var s = {"datePublished":"2024-03-04T10:00:00Z"}</script>', "script"),
    ],
)
def test_a_date_for_machines_is_read_wherever_it_is(html: str, source: str) -> None:
    page = shown(html)
    assert ((page.date_published or "")[:10], page.date_source) == ("2024-03-04", source)


def test_neither_an_expiry_nor_an_update_is_a_publication() -> None:
    page = shown('<meta name="unpublish_date" content="2024-03-04">')
    assert page.date_published is None


@pytest.mark.parametrize(
    ("line", "lang", "names"),
    [
        ("By Ann Lee and Bob Ray", "en", ["Ann Lee", "Bob Ray"]),
        ("By Ann Lee, Senior Correspondent | March 4, 2024", "en", ["Ann Lee"]),
        ("<p>Written by</p><p>Ann Lee</p>", "en", ["Ann Lee"]),
        ("04.03.2024 | Von Jutta Müller-Lang", "de", ["Jutta Müller-Lang"]),
        ("Par Jean Dupont", "fr", ["Jean Dupont"]),
        ("Por Ana Pérez", "es", ["Ana Pérez"]),
        ("Автор: Иван Петров", "ru", ["Иван Петров"]),
        ("by Amanda · March 4, 2024", "en", ["Amanda"]),
        ("By The Harbour Team", "en", ["The Harbour Team"]),
        ("<p>Ann Lee</p><p>March 4, 2024</p>", "en", ["Ann Lee"]),
    ],
)
def test_a_byline_beside_the_headline_is_read(line: str, lang: str, names: list[str]) -> None:
    assert beside(line, lang).authors == names


@pytest.mark.parametrize(
    "line", ["By clicking here you agree", "Share this article", "Von der Küste bis in die Berge"]
)
def test_what_only_begins_like_a_byline_is_none(line: str) -> None:
    assert beside(line).authors == []


def test_a_byline_counts_more_than_an_organisation() -> None:
    author = {"@type": "Organization", "name": "Harbour Media Group"}
    head = script({"@type": "Article", "headline": "Nine wet days", "author": author})
    assert shown(f"{head}<h1>Nine wet days</h1><p>By Ann Lee</p>").authors == ["Ann Lee"]


def test_co_authors_that_only_the_byline_names_are_not_missed() -> None:
    head = script({"@type": "Article", "headline": "Nine wet days", "author": "Ann Lee"})
    page = shown(f"{head}<h1>Nine wet days</h1><p>By Ann Lee, Bob Ray and Cy Moe</p>")
    assert page.authors == ["Ann Lee", "Bob Ray", "Cy Moe"]


def test_a_degree_is_not_an_author_and_an_agency_is() -> None:
    head = '<meta name="author" content="Ann Lee, CFP, AFP">'
    assert shown(head).authors == ["Ann Lee", "AFP"]


@pytest.mark.parametrize(
    "html",
    [
        "<h1><span class=kicker>Premier League</span> Rovers win again at last</h1>",
        "<h1><span class='article-topline'>Premier League:</span> Rovers win again at last</h1>",
        "<p class=overline>Premier League</p><h1>Rovers win again at last</h1>",
        '<meta property="og:title" content="Rovers win again at last">'
        "<h1>Premier League Rovers win again at last</h1>",
    ],
)
def test_a_kicker_is_not_a_part_of_the_headline(html: str) -> None:
    page = shown(html)
    assert page.headline == "Rovers win again at last"
    assert (page.kicker or "").rstrip(":") == "Premier League"


def test_an_article_at_the_beginning_is_not_a_kicker() -> None:
    page = shown('<meta property="og:title" content="Rain of the year"><h1>The rain of the year')
    assert (page.headline, page.kicker) == ("The rain of the year", None)


def test_the_lead_is_what_the_description_says_below_the_headline() -> None:
    lead = "The river is higher than it ever was, and more rain is coming."
    head = f'{TITLE}<meta name="description" content="{lead}">'
    assert shown(f"{head}<h1>Nine wet days in Bergen</h1><p>{lead}</p>").lead == lead
    assert shown(f"{head}<h1>Nine wet days in Bergen</h1>").lead is None


@pytest.mark.parametrize(
    ("html", "is_free"),
    [
        (script({"@type": "NewsArticle", "isAccessibleForFree": False}), False),
        (script({"@type": "NewsArticle", "isAccessibleForFree": "True"}), True),
        ('<meta property="article:content_tier" content="locked">', False),
        ('<meta property="article:content_tier" content="free">', True),
        ('<meta name="paywall" content="true">', False),
        ("<p>Subscribe now", None),
    ],
)
def test_a_page_says_whether_it_is_free(html: str, is_free: bool | None) -> None:
    assert shown(html).free_access is is_free


def test_the_publisher_is_the_one_of_the_article() -> None:
    publisher = {"@type": "Organization", "name": "Harbour Media"}
    head = '<meta property="og:site_name" content="Harbour News">'
    assert shown(head).publisher == "Harbour News"
    page = shown(head + script({"@type": "NewsArticle", "publisher": publisher}))
    assert page.publisher == "Harbour Media"


def test_the_order_of_a_site_s_dates_resolves_that_of_a_page() -> None:
    html = f"<html lang=en>{TITLE}<h1>Nine wet days in Bergen</h1><p>03/04/2024</p>"
    assert shown(html, facts=SiteFacts(4, day_first=True)).date_published == "2024-04-03"
    assert shown(html, facts=SiteFacts(4, day_first=False)).date_published == "2024-03-04"


def test_the_name_that_all_pages_have_is_the_house_s_where_another_one_signed() -> None:
    head = script({"@type": "Article", "headline": "Nine wet days", "author": "Max Berg"})
    html = f"{head}<h1>Nine wet days</h1><p>Max Berg</p><p>By Ann Lee</p>"
    assert shown(html).authors == ["Max Berg"]
    assert shown(html, facts=SiteFacts(5, authors={"maxberg": 5})).authors == ["Ann Lee"]
    alone = f"{head}<h1>Nine wet days</h1>"
    assert shown(alone, facts=SiteFacts(5, authors={"maxberg": 5})).authors == ["Max Berg"]


def test_who_signs_all_pages_and_this_one_visibly_is_its_author_and_a_place_beside_it_is_not() -> (
    None
):
    html = (
        '<meta name="author" content="Max Berg"><h1>Rain in Oslo again</h1>'
        '<div class="by">Sport</div><div class="by"><a href="/max">Max Berg</a>, Gazette</div>'
        "<p>It has rained in Oslo for nine days, and the river is as high as ever.</p>"
        '<div class="by">Tags: <a href="/tag/moss">North Moss</a></div>'
    )
    assert shown(html).authors == ["Max Berg"]
    assert shown(html, facts=SiteFacts(5, authors={"maxberg": 5})).authors == ["Max Berg"]


@pytest.mark.parametrize(
    "facts",
    [
        SiteFacts(4, day_first=True),
        SiteFacts(4, day_first=False),
        SiteFacts(4, zone="+02:00"),
        SiteFacts(5, authors={"maxberg": 5}),
        SiteFacts(5, bylines={"p.who": 4}),
    ],
)
@pytest.mark.parametrize(
    "html",
    [
        f"<html lang=en>{TITLE}<h1>Nine wet days in Bergen</h1><p>03/04/2024</p>",
        f"{TITLE}<meta property=article:published_time content=2024-04-03T08:00:00>",
        f"{TITLE}<meta name=author content='Max Berg'><h1>Nine wet days</h1><p>By Ann Lee</p>",
        f"{TITLE}<h1>Nine wet days in Bergen</h1><p class=who>Ann Lee</p><p>It rained.</p>",
    ],
)
def test_what_was_read_of_a_page_alone_does_not_change_what_its_neighbors_tell(
    html: str, facts: SiteFacts
) -> None:
    alone = shown(html)
    read = alone.as_dict(), alone.known_facts, alone.asked_facts
    assert alone.with_facts(facts).as_dict() == shown(html, facts=facts).as_dict()
    assert (alone.as_dict(), alone.known_facts, alone.asked_facts) == read
