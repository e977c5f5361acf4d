"""The demo site, asked over HTTP as a crawler asks it."""

import http.client
import re
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree

import pytest
from parsel import Selector

from newsclean.demo import DemoServer
from newsclean.demo.demo_site import Kind


@pytest.fixture(scope="module")
def server() -> Iterator[DemoServer]:
    with DemoServer(seed=7) as running:
        yield running


@pytest.fixture(scope="module")
def redesigned() -> Iterator[DemoServer]:
    with DemoServer(seed=7) as running:
        running.redesign()
        yield running


def get(url: str) -> str:
    with urllib.request.urlopen(url) as response:
        text: str = response.read().decode()
    return text


def select(html: str, xpath: str) -> list[str]:
    return Selector(html).xpath(xpath).getall()


def text_of(html: str) -> str:
    """The words a reader sees."""
    texts = select(html, "//body//text()[not(parent::script or parent::style)]")
    return " ".join("".join(texts).split())


def pages_of(section_url: str) -> list[str]:
    """A section's pages, found by following its next and numbered links."""
    found = [section_url]
    for url in found:
        hrefs = select(get(url), "//a[@rel='next']/@href|//*[@class='pages']//a/@href")
        found.extend(new for href in hrefs if (new := urljoin(url, href)) not in found)
    return found


def assert_every_article_is_whole(running: DemoServer) -> None:
    for publisher in running.publishers:
        for article in publisher.articles:
            text = text_of(get(article.url))
            position = 0
            for paragraph in article.gold.split("\n\n"):
                position = text.find(paragraph, position)
                assert position >= 0, (article.url, paragraph)
            assert article.headline in text


def test_every_article_is_served_with_all_its_gold_in_order(server: DemoServer) -> None:
    assert_every_article_is_whole(server)


def test_a_redesign_changes_the_template_but_not_the_gold(
    server: DemoServer, redesigned: DemoServer
) -> None:
    assert_every_article_is_whole(redesigned)
    for old, new in zip(server.publishers, redesigned.publishers, strict=True):
        assert [a.gold for a in old.articles] == [a.gold for a in new.articles]
        noise = [
            text_of(get(p.articles[0].url)).replace(p.articles[0].gold, "") for p in (old, new)
        ]
        footers = [text[-60:] for text in noise]
        assert footers[0] != footers[1]


def test_a_running_server_can_be_redesigned_at_any_moment() -> None:
    with DemoServer(seed=7) as running:
        url = running.publishers[1].articles[0].url
        assert "aspnetForm" in get(url)
        running.redesign()
        assert "aspnetForm" not in get(url)


@pytest.mark.parametrize("index", [0, 1])
def test_two_loads_differ_in_noise_but_not_in_the_body(server: DemoServer, index: int) -> None:
    article = server.publishers[index].articles[0]
    first, second = get(article.url), get(article.url)
    assert first != second
    for paragraph in article.gold.split("\n\n"):
        assert paragraph in text_of(first)
        assert paragraph in text_of(second)


@pytest.mark.parametrize("which", ["server", "redesigned"])
def test_section_pagination_reaches_every_article_exactly_once(
    which: str, request: pytest.FixtureRequest
) -> None:
    running: DemoServer = request.getfixturevalue(which)
    for publisher in running.publishers:
        known = {article.url: article for article in publisher.articles}
        for section, section_url in zip(publisher.sections, publisher.section_urls, strict=True):
            pages = pages_of(section_url)
            assert len(pages) > 1
            teasers: Counter[str] = Counter()
            for page in pages:
                titles = select(
                    get(page),
                    "//*[@class='teaser']//h2/a/@href|//*[@class='css-card']/a/@href"
                    "|//tr/td[2]/a[b]/@href|//*[@class='card']/h3/a/@href",
                )
                teasers.update(urljoin(page, href) for href in titles)
            reached = {url: count for url, count in teasers.items() if url in known}
            assert set(reached.values()) == {1}
            assert set(reached) == {
                url for url, article in known.items() if article.section == section.name
            }


def test_pages_that_are_no_articles_exist_and_some_are_among_the_teasers(
    server: DemoServer,
) -> None:
    for publisher in server.publishers:
        article_urls = {article.url for article in publisher.articles}
        assert len(publisher.non_article_urls) > 10
        assert not article_urls & set(publisher.non_article_urls)
        for url in publisher.non_article_urls:
            assert get(url)
        section = publisher.section_urls[0]
        linked = {urljoin(section, href) for href in select(get(section), "//a/@href")}
        assert linked & set(publisher.non_article_urls)


def test_every_link_on_the_site_leads_somewhere_except_the_missing_one(server: DemoServer) -> None:
    for publisher in server.publishers:
        pending, seen, dead = [publisher.base_url + "/"], {publisher.base_url + "/"}, set()
        while pending:
            url = pending.pop()
            try:
                html = get(url) if not url.endswith((".pdf", ".svg")) else ""
            except urllib.error.HTTPError:
                dead.add(url)
                continue
            hrefs = re.findall(r'href="([^"#]+)"', html)
            for new in (urljoin(url, href) for href in hrefs):
                if new.startswith(publisher.base_url) and new not in seen:
                    seen.add(new)
                    pending.append(new)
        assert dead == {publisher.missing_url}
        assert {article.url for article in publisher.articles} <= seen
        assert set(publisher.non_article_urls) <= seen
        assert {publisher.pdf_url, publisher.empty_url, *dict(publisher.copies)} <= seen


def test_a_copy_names_its_original_as_canonical(server: DemoServer) -> None:
    for publisher in server.publishers:
        for copy, original in publisher.copies:
            html = get(copy)
            assert select(html, "//link[@rel='canonical']/@href") == [original]
            article = next(a for a in publisher.articles if a.url == original)
            assert all(text in text_of(html) for text in article.gold.split("\n\n"))


def test_robots_txt_forbids_the_search_page_that_pages_link(server: DemoServer) -> None:
    for publisher in server.publishers:
        rules = RobotFileParser()
        rules.parse(get(publisher.base_url + "/robots.txt").splitlines())
        assert rules.can_fetch("newsclean", publisher.articles[0].url)
        assert not any(rules.can_fetch("newsclean", url) for url in publisher.forbidden_urls)
        assert rules.site_maps() == [publisher.base_url + "/sitemap.xml"]
        assert "/search" in get(publisher.base_url + "/")


def test_sitemap_and_feed_list_every_article(server: DemoServer) -> None:
    for publisher in server.publishers:
        urls = {article.url for article in publisher.articles}
        sitemap = ElementTree.fromstring(get(publisher.base_url + "/sitemap.xml"))
        assert urls <= {element.text for element in sitemap.iter() if element.tag.endswith("loc")}
        (feed,) = select(get(publisher.base_url + "/"), "//link[@rel='alternate']/@href")
        items = ElementTree.fromstring(get(urljoin(publisher.base_url, feed))).findall(".//item")
        assert sorted(item.findtext("link") or "" for item in items) == sorted(urls)


def test_first_templates_give_date_and_authors_in_the_head(server: DemoServer) -> None:
    for publisher in server.publishers:
        html = get(publisher.articles[0].url)
        head = html[: html.find("<style")]
        assert publisher.articles[0].date_published in head
        assert all(author in head for author in publisher.articles[0].authors)


def test_head_and_get_agree_on_one_kept_connection(server: DemoServer) -> None:
    publisher = server.publishers[0]
    connection = http.client.HTTPConnection(urlsplit(publisher.base_url).netloc)
    for path, status, kind in (
        ("/about", 200, "text/html; charset=utf-8"),
        (urlsplit(publisher.missing_url).path, 404, "text/html; charset=utf-8"),
        (urlsplit(publisher.pdf_url).path, 200, "application/pdf"),
        (urlsplit(publisher.empty_url).path, 200, "text/html; charset=utf-8"),
        ("/images/1.svg", 200, "image/svg+xml; charset=utf-8"),
    ):
        for method in ("HEAD", "GET"):
            connection.request(method, path)
            response = connection.getresponse()
            body = response.read()
            assert (response.status, response.getheader("Content-Type")) == (status, kind)
            if method == "GET":
                assert len(body) == int(str(response.getheader("Content-Length")))
            else:
                assert body == b""
    connection.close()


def test_hits_count_each_request_by_publisher_and_path() -> None:
    with DemoServer(seed=7) as running:
        first, second = running.publishers
        get(first.section_urls[0])
        get(first.section_urls[0])
        get(second.section_urls[0] + "?page=2")
    assert running.hits[first.name] == Counter({"/politics": 2})
    assert running.hits[second.name] == Counter({"/sport/?page=2": 1})


def test_every_page_that_links_lead_to_has_a_kind_and_every_kind_occurs() -> None:
    with DemoServer(seed=7) as running:
        for publisher in running.publishers:
            pending = [publisher.base_url + "/", *publisher.section_urls]
            linked = {urljoin(url, href) for url in pending for href in hrefs_of(url)}
            for url in {*linked, *publisher.non_article_urls}:
                if url.startswith(publisher.base_url) and url != publisher.missing_url:
                    get(url)
            with pytest.raises(urllib.error.HTTPError):
                get(publisher.missing_url)
        kinds = running.fetched()
    for publisher in running.publishers:
        count = kinds[publisher.name]
        assert set(count) >= {*Kind} - {Kind.FILE, Kind.WALL}
        assert count[Kind.TOPIC] == len(publisher.places)
        assert count[Kind.AUTHOR] == len(publisher.staff)
        assert count[Kind.MISSING] == 1
    assert kinds[running.publishers[0].name][Kind.WALL] == 1


def hrefs_of(url: str) -> list[str]:
    return select(get(url), "//a/@href[not(starts-with(., '#'))]")


def test_kinds_tell_articles_from_their_copies_and_from_other_pages() -> None:
    with DemoServer(seed=7) as running:
        first, second = running.publishers
        get(first.articles[3].url)
        get(first.copies[0][0])  # the print page
        get(first.section_urls[1] + "/page/2")
        get(first.base_url + "/robots.txt")
        get(second.articles[0].url)
        get(second.section_urls[0] + "?page=3")
        get(second.non_article_urls[0])
        assert running.fetched() == {
            first.name: {Kind.ARTICLE: 1, Kind.COPY: 1, Kind.SECTION: 1},
            second.name: {Kind.ARTICLE: 1, Kind.SECTION: 1, Kind.ABOUT: 1},
        }


def test_the_same_seed_serves_the_same_pages_in_the_same_order() -> None:
    loads = []
    for _ in range(2):
        with DemoServer(seed=11) as running:
            article = running.publishers[0].articles[5]
            loads.append([get(article.url).replace(article.base_url, "") for _ in range(3)])
    assert loads[0] == loads[1]


def test_a_wrong_number_of_ports_is_named() -> None:
    with pytest.raises(ValueError, match="one for each publisher"):
        DemoServer(ports=(0,))
