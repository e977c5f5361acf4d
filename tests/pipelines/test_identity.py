"""An article is one address of one site: no other site can silence it or speak in its name."""

import json

import pytest
from scrapy.http import HtmlResponse

from newsclean.article import Article
from newsclean.items import PageItem, UnusablePage

from .pages import Chain, story

TOWNS = "Bergen Oslo Moss Narvik Hamar Molde Horten Skien Larvik Halden Gol Voss".split()

CLAIMS = {
    "canonical": '<link rel="canonical" href="{url}">',
    "og:url": '<meta property="og:url" content="{url}">',
    "JSON-LD": '<script type="application/ld+json">{data}</script>',
}


def address(host: str, town: str) -> str:
    return f"https://{host}/news/rain-in-{town.lower()}-goes-on-1"


def claiming(html: str, kind: str, url: str) -> str:
    """The page with a URL that it calls its own."""
    data = json.dumps({"@type": "NewsArticle", "headline": "Rain", "url": url})
    claim = CLAIMS[kind].replace("{url}", url).replace("{data}", data)
    return html.replace("</head>", f"{claim}</head>")


def crawl(chain: Chain, pages: dict[str, str]) -> list[Article]:
    """What comes out of a crawl of these pages."""
    articles = []
    for url, html in pages.items():
        response = HtmlResponse(url, body=html.encode(), encoding="utf-8")
        try:
            article = chain.work(PageItem(response, category="news")).article
            assert article is not None
            articles.append(article)
        except UnusablePage as drop:
            if drop.reason not in ("unchanged", "duplicate"):
                raise
    return articles


def pages_of(
    host: str, *, claims: str = "", kind: str = "canonical", lie: bool = False
) -> dict[str, str]:
    """Twelve articles at a host, which may claim those of another, under false headlines."""
    pages = {}
    for town in TOWNS:
        html = story(town)
        if lie:
            html = html.replace(f"Rain in {town} goes on", f"All of {town} is under water")
        pages[address(host, town)] = claiming(html, kind, address(claims, town)) if claims else html
    return pages


@pytest.fixture
def chain() -> Chain:
    return Chain(NEWSCLEAN_MIN_NEIGHBORS=0)


@pytest.mark.parametrize("kind", CLAIMS)
@pytest.mark.parametrize("lie", [False, True], ids=["true headline", "false headline"])
@pytest.mark.parametrize(
    ("copyist", "author"),
    [("copyist.org", "author.org"), ("copyist.blogspot.com", "author.blogspot.com")],
)
def test_a_site_that_claims_anothers_articles_does_not_silence_it(
    chain: Chain, copyist: str, author: str, kind: str, lie: bool
) -> None:
    copies = crawl(chain, pages_of(copyist, claims=author, kind=kind, lie=lie))
    articles = crawl(chain, pages_of(author))
    assert [article.url for article in articles] == [address(author, town) for town in TOWNS]
    assert [article.headline for article in articles] == [
        f"Rain in {town} goes on" for town in TOWNS
    ]
    assert {article.revision for article in articles} == {1}
    assert [copy.canonical_url for copy in copies] == [article.url for article in articles]


def test_a_copyist_who_comes_later_is_a_site_of_its_own_too(chain: Chain) -> None:
    crawl(chain, pages_of("author.org"))
    copies = crawl(chain, pages_of("copyist.org", claims="author.org"))
    assert [copy.site for copy in copies] == ["copyist.org"] * 12
    assert crawl(chain, pages_of("author.org")) == []


def test_a_host_cannot_keep_a_false_headline_under_an_address_of_another_host(
    chain: Chain,
) -> None:
    crawl(chain, pages_of("blogs.author.org", claims="www.author.org", lie=True))
    articles = crawl(chain, pages_of("www.author.org"))
    assert [article.headline for article in articles] == [
        f"Rain in {town} goes on" for town in TOWNS
    ]
    assert crawl(chain, pages_of("blogs.author.org", claims="www.author.org", lie=True)) == []
    assert crawl(chain, pages_of("www.author.org")) == []


def test_the_mobile_copy_of_an_article_comes_out_as_one_with_it(
    chain: Chain,
) -> None:
    crawl(chain, pages_of("m.author.org", claims="www.author.org"))
    assert crawl(chain, pages_of("www.author.org")) == []
