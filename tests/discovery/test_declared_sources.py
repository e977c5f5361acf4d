"""The feeds and sitemaps of a site."""

from newsclean.discovery.site_survey import MAX_SITEMAPS, Discovery, Source

URL = "https://example.org/news-sitemap.xml"


def index(number: int) -> bytes:
    """An index that names two others, which nobody has seen before."""
    names = (f"https://example.org/news-{number}-{name}.xml" for name in "ab")
    nested = "".join(f"<sitemap><loc>{name}</loc></sitemap>" for name in names)
    return f"<sitemapindex>{nested}</sitemapindex>".encode()


def test_indexes_that_name_ever_more_indexes_come_to_an_end() -> None:
    discovery = Discovery()
    waiting = discovery.new([Source(URL, "sitemap")])
    read = 0
    while waiting:
        source = waiting.pop()
        read += 1
        waiting += discovery.new(source.read(index(read), source.url).sources)
    assert read == MAX_SITEMAPS
    assert discovery.not_read == MAX_SITEMAPS + 1


def test_an_index_that_names_itself_is_read_once() -> None:
    discovery = Discovery()
    [source] = discovery.new([Source(URL, "sitemap")])
    body = f"<sitemapindex><sitemap><loc>{URL}</loc></sitemap></sitemapindex>".encode()
    assert discovery.new(source.read(body, URL).sources) == []


def test_a_feed_that_is_kept_elsewhere_gives_its_articles_if_it_was_named() -> None:
    links = [f"https://example.org/{number}" for number in range(3)] + ["https://other.example/"]
    items = "".join(f"<item><link>{link}</link></item>" for link in links)
    body, url = f"<rss>{items}</rss>".encode(), "https://feeds.example.net/times"
    named = Source(url, "feed", is_named=True).read(body, url)
    assert [entry.url for entry in named.pages] == links[:3]
    assert named.elsewhere == 1
    declared = Source(url, "feed").read(body, url)
    assert (declared.pages, declared.elsewhere) == ([], 4)
