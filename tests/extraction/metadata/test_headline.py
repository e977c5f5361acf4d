"""Headline, kicker and lead."""

import pytest

from .pages import TITLE, meta, read, script, visible


@pytest.mark.parametrize(
    ("html", "headline"),
    [
        ("<title>Rain on Monday | Daily News</title>", "Rain on Monday"),
        ("<title>Daily News: Rain on Monday</title>", "Rain on Monday"),
        ("<title>Rain - a poem</title>", "Rain - a poem"),
        ("<title>example.org - Rain on Monday - Mar 1, 2024</title>", "Rain on Monday"),
        ("<title>Rain on Monday - Weather</title><h1>Rain on Monday</h1>", "Rain on Monday"),
        ("<title>Rain on Monday</title><h1>Weather</h1>", "Rain on Monday"),
        ("<title>Daily News</title><h1>Rain on Monday</h1>", "Rain on Monday"),
        ("<h1>Daily News</h1><h1>Rain on Monday</h1>", "Rain on Monday"),
        (meta(og__title="Rain on…") + "<h1>Rain on Monday</h1>", "Rain on Monday"),
        (meta(og__title="Rain &amp;amp; &lt;em&gt;wind&lt;/em&gt;\n now"), "Rain & wind now"),
        (script({"@type": "Article", "headline": "Rain &#8211; again"}), "Rain – again"),
    ],
)
def test_the_headline_is_the_one_that_readers_see(html: str, headline: str) -> None:
    assert read(meta(og__site_name="Daily News") + html).headline == headline


@pytest.mark.parametrize(
    ("title", "h1", "headline"),
    [
        ("Daily News", "It rains in Bergen for nine days", "It rains in Bergen for nine days"),
        ("It rains in Bergen | Daily News", "Daily News", "It rains in Bergen"),
        ("Rain", "Bergen sees the end of rain", "Bergen sees the end of rain"),
        ("Rain - Daily News", "Rain", "Rain"),
        ("Rain - The Daily News of Bergen", "Rain", "Rain"),
        ("Daily News | Weather | Rain on Monday", "Rain on Monday", "Rain on Monday"),
        ("Nine wet days", "It has rained for nine days in Bergen alone",
         "It has rained for nine days in Bergen alone"),
        ("Rain on Monday", "Weather in Bergen", "Rain on Monday"),
        ("Rain on Monday", "Follow the weather of Bergen", "Rain on Monday"),
        ("挪威连日降雨 - 每日新闻", "每日新闻", "挪威连日降雨"),
    ],
)  # fmt: skip
def test_a_title_and_an_h1_tell_headline_and_site_apart(title: str, h1: str, headline: str) -> None:
    assert read(f"<title>{title}</title><h1>{h1}</h1>").headline == headline


def test_opengraph_yields_only_to_an_h1_that_says_more() -> None:
    head = meta(og__title="A wet week")
    long = "It has rained for nine days in Bergen alone"
    assert read(f"{head}<h1>{long}</h1>").headline == long
    assert read(f"{head}<h1>{long}</h1><h1>Read on</h1>").headline == "A wet week"
    assert read(f"{head}<h1>Bergen under rain</h1>").headline == "A wet week"


@pytest.mark.parametrize(
    "logo",
    [
        '<a href="/">Daily News</a>',
        '<a href="https://www.example.org/"><img alt="Daily News"></a>',
        '<a href="//example.org" title="Daily News"></a>',
        '<h1><a href="/">Daily News</a></h1>',
    ],
)
def test_the_link_to_the_front_page_says_the_name_of_the_site(logo: str) -> None:
    html = f"<title>Daily News: Rain - Monday</title>{logo}"
    assert read(html, url="https://weather.example.org/x").headline == "Rain - Monday"


def test_a_link_to_another_front_page_says_nothing_of_this_site() -> None:
    html = '<title>Rain: Monday</title><a href="https://rain.example.net/">Rain</a>'
    assert read(html, url="https://example.org/x").headline == "Rain: Monday"


def test_a_page_with_a_title_has_a_headline_even_if_it_is_the_sites_name() -> None:
    page = read(meta(og__site_name="Daily News") + "<title>Daily News</title>")
    assert page.headline == "Daily News"


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
    page = visible(html)
    assert page.headline == "Rovers win again at last"
    assert (page.kicker or "").rstrip(":") == "Premier League"


def test_an_article_at_the_beginning_is_not_a_kicker() -> None:
    page = visible('<meta property="og:title" content="Rain of the year"><h1>The rain of the year')
    assert (page.headline, page.kicker) == ("The rain of the year", None)


def test_the_lead_is_what_the_description_says_below_the_headline() -> None:
    lead = "The river is higher than it ever was, and more rain is coming."
    head = f'{TITLE}<meta name="description" content="{lead}">'
    assert visible(f"{head}<h1>Nine wet days in Bergen</h1><p>{lead}</p>").lead == lead
    assert visible(f"{head}<h1>Nine wet days in Bergen</h1>").lead is None
