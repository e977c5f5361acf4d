"""What waits until all sources of a site are read."""

from newsclean.discovery.entries import Entry, Window
from newsclean.discovery.link_choice import ANNOUNCED_PRIORITY, SiteCrawl
from newsclean.discovery.links import Link, rank_link
from newsclean.discovery.site_files import SiteFile, section_at

FRONT = section_at("https://example.org/")
SPORT = section_at("https://example.org/sport")
URL = "https://example.org/sport/who-won-the-cup-4711"


def site() -> SiteCrawl:
    return SiteCrawl(SiteFile(sections=(FRONT, SPORT)), (FRONT, SPORT))


def test_an_article_that_several_sources_name_comes_once_with_its_last_change() -> None:
    crawl = site()
    crawl.defer(rank_link(Link(URL, "Who won the cup this year"), FRONT.url), FRONT)
    crawl.announce([Entry(URL, "2026-03-14")], FRONT)
    crawl.announce([Entry(URL, "2026-03-16", date_changed="2026-03-17")], FRONT)
    [found] = crawl.take_candidates(Window())
    assert found.entry.date == "2026-03-14"
    assert found.entry.changed is not None
    assert found.entry.changed.date().isoformat() == "2026-03-17"
    assert (found.category, found.priority) == ("sport", ANNOUNCED_PRIORITY)
    assert crawl.take_candidates(Window()) == []


def test_a_link_of_the_menu_is_still_followed_where_its_words_are_a_headline() -> None:
    crawl = site()
    label = rank_link(Link("https://example.org/sport/all-cup-results", "Cup"), FRONT.url)
    headline = rank_link(Link(label.link.url, "All results of the cup in one list"), SPORT.url)
    for _ in range(3):
        crawl.menu_links.add_page(FRONT.url, [label])
    crawl.defer(label, FRONT)
    crawl.defer(headline, SPORT)
    assert crawl.take_links_of_menu() == [label]
    assert [found.entry.url for found in crawl.take_candidates(Window())] == [label.link.url]
