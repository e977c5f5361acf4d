"""Which entries of a source a crawl takes, and which further sources it reads."""

import pytest

from newsclean.discovery.entries import moment_of
from newsclean.discovery.sources import MAX_SITEMAPS, KnownSources, Source

URL = "https://example.org/news-sitemap.xml"


def index(number: int) -> bytes:
    """An index that names two others, which nobody has seen before."""
    names = (f"https://example.org/news-{number}-{name}.xml" for name in "ab")
    nested = "".join(f"<sitemap><loc>{name}</loc></sitemap>" for name in names)
    return f"<sitemapindex>{nested}</sitemapindex>".encode()


def test_indexes_that_name_ever_more_indexes_come_to_an_end() -> None:
    known = KnownSources()
    waiting = known.new([Source(URL, "sitemap")])
    read = 0
    while waiting:
        source = waiting.pop()
        read += 1
        waiting += known.new(source.read(index(read), source.url).sources)
    assert read == MAX_SITEMAPS
    assert known.not_read == MAX_SITEMAPS + 1


def test_an_index_that_names_itself_is_read_once() -> None:
    known = KnownSources()
    [source] = known.new([Source(URL, "sitemap")])
    body = f"<sitemapindex><sitemap><loc>{URL}</loc></sitemap></sitemapindex>".encode()
    assert known.new(source.read(body, URL).sources) == []


def test_a_feed_that_is_kept_elsewhere_gives_its_articles_if_it_was_named() -> None:
    links = [f"https://example.org/{number}" for number in range(3)] + ["https://other.example/"]
    items = "".join(f"<item><link>{link}</link></item>" for link in links)
    body, url = f"<rss>{items}</rss>".encode(), "https://feeds.example.net/times"
    named = Source(url, "feed", is_named=True).read(body, url)
    assert [entry.url for entry in named.pages] == links[:3]
    assert named.elsewhere == 1
    declared = Source(url, "feed").read(body, url)
    assert (declared.pages, declared.elsewhere) == ([], 4)


def test_of_a_general_sitemap_only_urls_that_may_be_articles_are_taken_if_it_was_named() -> None:
    urls = [f"https://example.org/2026/03/14/who-won-the-cup-{number}" for number in range(3)]
    other = ["https://example.org/login", "https://example.org/tag/bridges"]
    pages = "".join(f"<url><loc>{url}</loc></url>" for url in urls + other)
    body, url = f"<urlset>{pages}</urlset>".encode(), "https://example.org/sitemap.xml"
    named = Source(url, "sitemap", is_named=True).read(body, url)
    assert [entry.url for entry in named.pages] == urls
    assert named.unlikely == len(other)
    assert Source(url, "sitemap").read(body, url).pages == []


@pytest.mark.parametrize(("is_named", "names"), [(True, ["a", "news", "b"]), (False, ["news"])])
def test_a_robots_txt_gives_all_sitemaps_if_it_was_named_and_else_those_of_news(
    is_named: bool, names: list[str]
) -> None:
    lines = ["User-agent: *", "Disallow: /x", "sitemap: /a.xml", " Sitemap: /news.xml"]
    lines += ["Sitemap: https://example.org/b.xml", "Sitemap: https://other.example/c.xml"]
    url = "https://example.org/robots.txt"
    found = Source(url, "robots", is_named).read("\n".join(lines).encode(), url)
    assert found.sources == [
        Source(f"https://example.org/{name}.xml", "sitemap", is_named) for name in names
    ]
    assert found.elsewhere == 1


def test_a_sitemap_that_last_changed_before_the_wanted_time_is_not_read() -> None:
    dates = ["2026-03-13", "2026-03-14", "2026-03-14T11:59:00Z", "2026-03-14T12:01:00Z"]
    nested = "".join(
        f"<sitemap><loc>/{number}.xml</loc><lastmod>{date}</lastmod></sitemap>"
        for number, date in enumerate(dates)
    )
    body = f"<sitemapindex>{nested}<sitemap><loc>/4.xml</loc></sitemap></sitemapindex>".encode()
    known = KnownSources(moment_of("2026-03-14T12:00:00Z"))
    found = known.new(Source(URL, "sitemap", is_named=True).read(body, URL).sources)
    read = {source.url.rpartition("/")[2] for source in found}
    assert read == {"1.xml", "3.xml", "4.xml"}  # of a day alone, any time of it may be meant
    assert known.not_read == 0


def test_all_sources_that_a_user_names_are_read_each_once() -> None:
    urls = [f"https://example.org/{number % 150}.xml" for number in range(151)]
    named = KnownSources().named(Source(url, "sitemap", is_named=True) for url in urls)
    assert [source.url for source in named] == urls[:150]
