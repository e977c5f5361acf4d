"""Which link of a section page leads to the section's next page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsclean.discovery.links import is_same_page
from newsclean.discovery.paging import (
    article_pages,
    is_numbered,
    may_have_pages,
    next_page,
    page_keys,
)
from newsclean.extraction.page import Page
from newsclean.urls import site_of

from .markup import SECTION, a

ORIGIN = "https://www.example.org"


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
        (a("?page=1", "2") + a("?page=2", "3"), "/sport/?page=1"),
        (a("?p=9", "Last") + a("?p=2", "›"), "/sport/?p=2"),
        (a("?page=11", "Next 10 pages") + a("?page=2", "Next"), "/sport/?page=2"),
    ],
)
def test_the_next_page_is_found(html: str, expected: str) -> None:
    assert following(html) == f"{ORIGIN}{expected}"


@pytest.mark.parametrize("page", ["http://example.org/sport", "https://www.example.org/sport/"])
@pytest.mark.parametrize("link", ["http://www.example.org/sport/", "https://example.org/sport"])
@pytest.mark.parametrize("text", ["2", "Next", "Πιο παλιά"])
def test_the_scheme_www_and_a_trailing_slash_do_not_matter(page: str, link: str, text: str) -> None:
    assert following(a(f"{link}?page=2", text), page) == f"{link}?page=2"


@pytest.mark.parametrize(
    ("page", "link"),
    [
        ("/sport/index.html", "/sport/index_2.html"),
        ("/sport/", "/sport/index_2.html"),
        ("/sport.html", "/sport,2.html"),
        ("/sport", "/sport/2"),
        ("/sport/2/", "/sport/3/"),
        ("/sport/", "/sport/page2.html"),
        ("/sport/", "/sport/p2"),
        ("/sport/", "/sport/page:2"),
        ("/sport/", "/sport/strona-2.html"),
        ("/", "/page/2/"),
        ("/", "/index.php?paged=2"),
        ("/2026/03/", "/2026/03/page/2/"),
        ("/list.php?cat=7", "/list.php?cat=7&PAGEN_1=2"),
        ("/list.php?cat=7", "/list.php?seite=2&cat=7"),
        ("/list?cat=7&page=2", "/list?cat=7&page=3"),
        ("/news", "/news?tx_ttnews[pointer]=1"),
        ("/news", "/news?b_start:int=20"),
        ("/news?from=20", "/news?from=40"),
        ("/news", "/news/(offset)/20"),
        ("/news", "/news?count=25&after=t3_x7"),
        ("/news?count=25&after=t3_x7", "/news?count=50&after=t3_y8"),
        ("/news", "/news?before=1762241520670"),
        ("/forum/topic.7/", "/forum/topic.7/page-2"),
        ("/topic.php?7-the-rain", "/topic.php?7-the-rain/page2"),
    ],
)
def test_next_is_followed_to_the_urls_that_pages_have(page: str, link: str) -> None:
    assert following(a(link, "Next"), f"{ORIGIN}{page}") == f"{ORIGIN}{link}"


@pytest.mark.parametrize(
    ("page", "links", "expected"),
    [
        ("/sport", {2: "/sport/2", 3: "/sport/3"}, "/sport/2"),
        ("/sport/2", {1: "/sport", 3: "/sport/3", 4: "/sport/4"}, "/sport/3"),
        ("/sport/3", {1: "/sport", 2: "/sport/2"}, None),
        ("/sport/", {2: "/sport/index_2.html", 3: "/sport/index_3.html"}, "/sport/index_2.html"),
        ("/sport?x=2", {1: "/sport?x=1", 3: "/sport?x=3"}, None),  # x may be anything
        ("/sport", {2: "/sport?x=2", 3: "/sport?x=3"}, "/sport?x=2"),
        ("/sport?start=20", {1: "/sport?start=0", 4: "/sport?start=60"}, None),
        ("/sport?start=20", {1: "/sport", 3: "/sport?start=40"}, "/sport?start=40"),
        ("/sport?first=11", {1: "/sport?first=1", 3: "/sport?first=21"}, "/sport?first=21"),
        ("/sport?page=1", {1: "/sport", 3: "/sport?page=2"}, "/sport?page=2"),  # counted from 0
        ("/2026/03/14/", {15: "/2026/03/15/", 16: "/2026/03/16/"}, None),  # a calendar
        ("/", {2: "/2026/03/02/", 3: "/2026/03/03/"}, None),
        ("/shoes", {40: "/shoes?size=40", 42: "/shoes?size=42"}, None),
        ("/", {1: "/story/1", 2: "/story/2", 3: "/story/3"}, None),
    ],
)
def test_numbers_are_enough_where_nothing_is_called_next(
    page: str, links: dict[int, str], expected: str | None
) -> None:
    html = "".join(f"<li>{a(href, str(number))}" for number, href in links.items())
    found = following(f"<ul>{html}</ul>", f"{ORIGIN}{page}")
    assert found == (expected and f"{ORIGIN}{expected}")


@pytest.mark.parametrize("label", ["[2]", "Page 2", "Seite 2", "Página 2", "- 2 -", "第2页"])
def test_the_number_of_a_page_may_be_dressed(label: str) -> None:
    assert following(a("/sport/2", label)) == f"{ORIGIN}/sport/2"


@pytest.mark.parametrize("label", ["2.x", "D2", "2 comments", "Part 2", "Top 2"])
def test_not_every_number_is_that_of_a_page(label: str) -> None:
    assert following(a("/sport/2", label)) is None


@pytest.mark.parametrize(
    "page", ["/", "/search/label/Rain", "/?m=1", "/search?updated-max=2026-03"]
)
@pytest.mark.parametrize("text", ["Older Posts", "Postagens mais antigas", "Vanemad postitused"])
def test_older_posts_of_blogger_are_found_in_any_language(page: str, text: str) -> None:
    query = "updated-max=2026-02-14T09:30:00%2B01:00&max-results=7"
    path, _, rest = page.partition("?")
    path = "/search" if path == "/" else path
    older = f"{path}?{query}" + ("&m=1" if rest == "m=1" else "")
    html = (
        f"<div id='blog-pager'><span id='blog-pager-newer-link'>{a('/', 'Newer Posts')}</span>"
        f"<span id='blog-pager-older-link'>"
        f"{a(older, text, id='Blog1_blog-pager-older-link')}</span></div>"
    )
    assert following(html, f"{ORIGIN}{page}") == f"{ORIGIN}{older}"


def test_the_older_post_of_blogger_is_an_article() -> None:
    link = a("/2026/02/snow.html", "Older Post", id="Blog1_blog-pager-older-link")
    assert following(link, f"{ORIGIN}/2026/03/rain.html") is None


@pytest.mark.parametrize(
    "html",
    [
        a("?at=x7y", "", **{"aria-label": "Next page"}),
        a("?at=x7y", "", title="Nächste Seite"),
        a("?at=x7y", "<img src=r.gif alt='Page suivante'>"),
        a("?at=x7y", "<i class=icon></i>", **{"class": "pagination-next"}),
        f"<li class='pager__item pager__item--next'>{a('?at=x7y', '<svg></svg>')}</li>",
        f"<div class='nav-previous older'>{a('?at=x7y', '← Vanemad')}</div>",
        a("?at=x7y", "⟩"),
        a("?at=x7y", "Load more"),
        a("?at=x7y", "Mehr laden"),
        a("?at=x7y", "もっと見る"),
        a("?at=x7y", "next", rel="nofollow"),
    ],
)
def test_labels_pictures_and_class_names_say_next_as_well(html: str) -> None:
    assert following(html) == f"{SECTION}?at=x7y"


def test_the_pages_of_a_front_page_may_be_below_another_url() -> None:
    assert following(a("/blog/page/2/", "Older posts"), f"{ORIGIN}/") == f"{ORIGIN}/blog/page/2/"
    assert following(a("/blog/page/2/", "More from the blog »"), f"{ORIGIN}/") is None


@pytest.mark.parametrize(
    "word",
    "Next|Nächste Seite|Page suivante »|Suivant|Siguiente|Próxima|Volgende|Neste side|Следующая"
    "|След.|下一页|下一頁|次へ|次のページ|다음|다음페이지|>|>>|»|→"
    "|Página siguiente|Pagina successiva|Strona następna|Další|Következő|Sonraki|Seuraava"
    "|Επόμενη|Ältere Beiträge|Articles plus anciens|Go to next page".split("|"),
)
def test_next_is_understood_in_other_languages(word: str) -> None:
    text = word.replace(">", "&gt;")
    assert following(a("?page=7", text)) == f"{SECTION}?page=7"
    assert following(a("?at=x7y", text)) == f"{SECTION}?at=x7y"


@pytest.mark.parametrize(
    "html",
    [
        "",
        a("?page=2", "2"),
        a("?page=1", "Next"),
        a("?page=3", "Next"),
        a("http://example.org/sport?page=3", "Next"),
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
        a("/sport/", "First"),
        a("#top", "Next"),
    ],
)
def test_the_third_page_never_leads_back_nor_elsewhere(html: str) -> None:
    assert following(html, f"{SECTION}?page=3") is None


@pytest.mark.parametrize(
    ("page", "link"),
    [
        ("/2026/03/rain/", "/2026/03/snow/"),
        ("/2026/03/14/rain/", "/2026/03/15/rain/"),
        ("/2026/10/04/rain-6/", "/2026/10/08/rain-7/"),
        ("/rain/", "/?page=1&list"),
        ("/archives/136740", "/archives/136759"),
        ("/story.php?id=12", "/story.php?id=13"),
        ("/?p=4711", "/?p=4712"),
        ("/topic.php?t=7", "/topic.php?t=7&goto=nextnewest"),
        ("/rain/", "/rain/comment-page-2/"),
        ("/rain/", "/rain/?cpage=2"),
        ("/rain/", "/rain/?commentpage=2"),
        ("/rain/", "/rain/?print=yes"),
    ],
)
@pytest.mark.parametrize("rel", ["", "next"])
def test_the_next_article_thread_or_comment_is_not_the_next_page(
    page: str, link: str, rel: str
) -> None:
    assert following(a(link, "Next", rel=rel), f"{ORIGIN}{page}") is None


@pytest.mark.parametrize(
    ("page", "link"),
    [
        ("/list/1-10/news.html", "/list/11-20/news.html"),
        ("/topic-k7-rain.html", "/topic-k7-o10-rain.html"),
        ("/rain/", "/rain/?photo=847"),
    ],
)
def test_a_number_anywhere_counts_if_the_page_declares_it_to_be_next(page: str, link: str) -> None:
    assert following(a(link, "Next", rel="next"), f"{ORIGIN}{page}") == f"{ORIGIN}{link}"
    assert following(a(link, "Next"), f"{ORIGIN}{page}") is None


def test_the_pages_of_comments_are_not_those_of_the_section() -> None:
    pager = a("?page=2", "2") + a("?page=2", "Next")
    assert following(f"<div class='comments-area'>{pager}</div>") is None


def test_a_page_number_of_thousands_of_digits_is_not_an_error() -> None:
    assert following(a(f"?page={'9' * 5000}", "Last")) is None
    assert following(a(f"/sport/page/{'9' * 5000}", "Next")) is None


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/sport?page=2", True),
        ("/sport/page/2/", True),
        ("/sport/seite-2.html", True),
        ("/sport?currentPage=2", True),
        ("/?p=4711", False),
        ("/sport/local-trails-pg194.htm", False),
        ("/news/pages/567", False),
        ("/rain/comment-page-2", False),
        ("/rain?from=123", False),
        ("/sport/2", False),
    ],
)
def test_lists_have_the_number_of_a_page_and_articles_have_not(path: str, expected: bool) -> None:
    assert is_numbered(f"{ORIGIN}{path}") == expected


addresses = st.text("/?&=#:.%-_a19é[]@ \t\n", max_size=15)


@given(st.lists(addresses, min_size=1, max_size=8))
def test_whatever_comes_next_is_another_page_of_the_site(hrefs: list[str]) -> None:
    found = following("".join(a(f"/{href}", rel="next") for href in hrefs))
    assert found is None or site_of(found) == site_of(SECTION)
    assert found is None or not is_same_page(found, SECTION)


STORY = "https://example.org/news/rain-in-oslo-1001.html"


def pages_of(links: str, url: str = STORY) -> dict[int, str] | None:
    found = article_pages(Page.from_html(links, url), url)
    assert found is None or may_have_pages(links.encode(), url)
    return None if found is None else found.urls


@pytest.mark.parametrize(
    "link",
    [
        '<a href="/news/rain-in-oslo-1001.html?page=2">2</a>',
        '<a href="?page=2">Next page</a>',
        '<a href="/news/rain-in-oslo-1001.html/2">weiter</a>',
        '<a href="/news/rain-in-oslo-1001.html?seite=2">Seite 2</a>',
        '<a rel=next href="/news/rain-in-oslo-1001.html/page-2">›</a>',
    ],
)
def test_the_second_page_of_an_article_is_found(link: str) -> None:
    found = pages_of(f"<p>Rain.</p>{link}")
    assert found is not None
    assert list(found) == [2]
    # Also without the page that links to it.
    assert page_keys(STORY).own in page_keys(found[2]).firsts


@pytest.mark.parametrize(
    "link",
    [
        '<a href="/news/rain-in-oslo-1002.html">Next</a>',  # another article
        '<a href="/news/?page=2">2</a>',  # a list
        '<a href="/news/rain-in-oslo-1001.html?a1b2c3_page=2">Next</a>',  # a list beside it
        '<a href="/news/rain-in-oslo-1001.html?sort=2">2</a>',
        '<div class=comments><a href="?page=2">2</a></div>',
        '<a href="?cpage=2">2</a>',
        '<a href="?page=2">Load more</a>',
        '<a href="?page=2">2</a><a href="?page=83">83</a>',  # a list is longer
        '<a href="/news/rain-in-oslo-1001-2/">Next</a>',  # an article with the same name
    ],
)
def test_what_is_no_page_of_an_article_is_not_taken_for_one(link: str) -> None:
    assert pages_of(f"<p>Rain.</p>{link}") is None


def test_the_number_of_pages_and_a_view_of_all_are_found() -> None:
    page = Page.from_html(
        '<p>Page 1 of 5</p><a href="?page=2">2</a><a href="?print=1">Print</a>'
        f'<a href="{STORY}?view=all">On one page</a>',
        STORY,
    )
    assert article_pages(page, STORY) == ({2: f"{STORY}?page=2"}, 5, f"{STORY}?view=all")


@pytest.mark.parametrize(
    "added", ["?view=all", "?print=1", "/print", "/komplettansicht", "?id=7&page=all"]
)
def test_the_url_of_a_view_of_all_pages_names_its_article(added: str) -> None:
    query = "?id=7" if "id=7" in added else ""
    assert page_keys(f"{STORY}{added}").firsts == {page_keys(f"{STORY}{query}").own}


@pytest.mark.parametrize(
    "url",
    [
        STORY,
        f"{STORY}?page=21",  # a list is longer
        f"{STORY}?cpage=2",
        "https://example.org/?page=2",
        "https://example.org/news/2026/11/02/rain",
        "http://[",
        "",
    ],
)
def test_other_urls_name_no_article(url: str) -> None:
    assert not page_keys(url).firsts


def test_a_url_with_a_page_number_is_not_that_of_a_first_page() -> None:
    assert page_keys(f"{STORY}?page=2").own is None
    assert page_keys(f"{STORY}/page/2").own is None
    assert page_keys(f"{STORY}?page=1").own == page_keys(STORY).own


@given(st.text(max_size=60), st.text(max_size=20))
def test_any_url_has_its_keys(path: str, query: str) -> None:
    keys = page_keys(f"https://example.org/{path}?{query}")
    assert keys.own not in keys.firsts


@pytest.mark.parametrize("path", ["2/" * 900, "a/all" * 9_000, "a2/" * 10_000])
def test_an_endless_url_names_no_article(path: str) -> None:
    assert page_keys(f"https://example.org/news/{path}?page=2") == (None, frozenset())
