"""The search page: what it finds and shows, and what it says of what it cannot understand."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from lxml import html

from newsclean.extraction.body.html import TAGS
from tests.attack.vectors import VECTORS

from .indexed import FLOOD, article, copies_of_the_flood, write_index
from .served import serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .served import Served

#: Tags of the templates.
OURS = frozenset(
    "main div article section nav header h1 h2 h3 form input button label select option details "
    "summary span bdi time mark".split()
)
SITES = ("alpha.example", "beta.example", "gamma.example")


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with an index of 25 stories, and of one text on three sites."""
    folder = tmp_path_factory.mktemp("searched")
    lines = [article(number) for number in range(25)]
    lines += copies_of_the_flood(SITES)
    lines += [
        article(50, section="Sport", site="sport.example", headline="Cup final"),
        article(51, headline="مطر غزير", language="ar", body="هطل مطر غزير على المدينة اليوم"),
        article(53, id="odd/../id ?&#%", headline="Odd id"),
    ]
    with serving(folder, index=write_index(folder / "index.sqlite", lines)) as found:
        yield found


def search(served: Served, **fields: str) -> tuple[int, str]:
    status, text, _ = served.ask(f"/search?{urlencode(fields)}")
    return status, text


def headlines(page: str) -> list[str]:
    return [unescape(found) for found in re.findall(r"<h3[^>]*><a [^>]*>(.*?)</a>", page)]


def test_a_phrase_of_a_body_finds_its_article_with_the_words_marked(searched: Served) -> None:
    status, page = search(searched, q='"water falls again"')
    assert status == 200
    assert headlines(page) == ["Flood goes on"]
    assert "<mark>water falls again</mark>, which may take a week" in page
    assert 'datetime="2026-03-07T12:00:00+00:00">7 March 2026, 12:00 UTC<' in page
    assert "News" in page


def test_near_copies_are_one_result_that_names_the_other_sites(searched: Served) -> None:
    _, page = search(searched, q="river", site="beta.example")
    assert headlines(page) == ["Flood goes on"]
    assert "1 result<" in page
    also = page.partition("Also on")[2].partition("</p>")[0]
    assert re.findall("<bdi>(.*?)</bdi>", also) == ["alpha.example", "gamma.example"]


def test_filters_are_kept_and_obeyed(searched: Served) -> None:
    assert headlines(search(searched, q="lantern", section="sport")[1]) == ["Cup final"]
    _, page = search(searched, q="lantern", site="sport.example", since="2026-03-01")
    assert headlines(page) == ["Cup final"]
    assert '<option value="sport.example" selected>' in page
    assert 'type="date" value="2026-03-01"' in page
    assert '<details class="filters" open>' in page
    # The last day belongs to what is wanted.
    _, page = search(
        searched, q="lantern", site="example.org", since="2026-03-03", until="2026-03-03"
    )
    assert headlines(page) == ["Story 2"]
    _, page = search(searched, q="lantern", site="sport.example", until="2020-01-01")
    assert "Nothing was found" in page
    assert 'href="/search?q=lantern">Search without filters' in page


def test_the_newest_come_first_on_request_and_where_nothing_was_asked_for(searched: Served) -> None:
    _, page = search(searched, q="lantern", site="example.org", newest="1")
    assert headlines(page)[:3] == ["Odd id", "Story 24", "Story 23"]
    _, page = search(searched)
    assert "Newest articles" in page
    assert headlines(page)[0] == "Odd id"


def test_results_come_in_pages_that_keep_the_search(searched: Served) -> None:
    seen: list[str] = []
    path: str | None = f"/search?{urlencode({'q': 'lantern', 'newest': '1'})}"
    for _ in range(3):
        assert path is not None
        _, page, _ = searched.ask(path)
        seen += headlines(page)
        found = re.search('<a href="([^"]*)" rel="next"', page)
        path = unescape(found[1]) if found else None
    assert path is None
    assert len(seen) == len(set(seen)) == 27
    assert "21 to 27" in page
    status, page = search(searched, q="lantern", page="9")
    assert status == 200
    assert "There are only 27" in page
    assert 'href="/search?q=lantern&amp;page=3" rel="prev"' in page


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"q": '"not closed'}, "A quote that is not closed"),
        ({"q": "rain OR"}, "OR needs a word after it"),
        ({"q": "-rain"}, "A word to look for is needed"),
        ({"q": "x" * 3000}, "more than 2,000 characters"),
        ({"q": "title:rain"}, "title"),
        ({"since": "soon"}, "The first day must be a date such as 2026-03-14"),
        ({"until": "9999-12-31"}, "The last day must be a date"),
        ({"since": "2026-03-02", "until": "2026-03-01"}, "The last day is before the first"),
        ({"page": "0"}, "a number from 1"),
        ({"page": "9" * 30}, "a number from 1"),
    ],
)
def test_what_cannot_be_understood_is_said_in_the_page(
    searched: Served, fields: dict[str, str], reason: str
) -> None:
    status, page = search(searched, **fields)
    assert status == 400
    problem = re.search('<p class="problem" id="problem" role="alert"[^>]*>(.*?)</p>', page)
    assert problem is not None
    assert reason in unescape(problem[1])
    if "q" in fields:
        assert f'value="{fields["q"]}"'.replace('""', '"&#34;') in page
        assert 'aria-invalid="true"' in page


@pytest.mark.parametrize("query", ["NEAR(a b)", "a;DROP TABLE article", "^x {y} : z", "\x00", "😀"])
def test_operators_of_the_database_are_text_like_any_other(searched: Served, query: str) -> None:
    status, page = search(searched, q=query)
    assert status in (200, 400)
    assert "sqlite" not in page.lower()


def test_a_result_leads_to_the_clean_article_and_back(searched: Served) -> None:
    _, page = search(searched, q="milk", site="alpha.example")
    path = re.search(r'<h3[^>]*><a href="([^"]*)"', page)
    assert path is not None
    status, shown, _ = searched.ask(unescape(path[1]))
    assert status == 200
    assert f"<p>{FLOOD}</p>" in shown
    assert '<h1 dir="auto">Flood goes on</h1>' in shown
    assert 'href="https://example.org/900" rel="noopener noreferrer"' in shown
    assert 'href="/search?q=milk&amp;site=alpha.example">← Back to the results' in shown


def test_every_id_has_a_url(searched: Served) -> None:
    _, page = search(searched, q='headline:"Odd id"')
    path = re.search(r'<h3[^>]*><a href="([^"]*)"', page)
    assert path is not None
    assert "Odd id</h1>" in searched.ask(unescape(path[1]))[1]
    assert searched.ask("/article?id=none")[0] == 404
    assert searched.ask("/article")[0] == 404


def test_text_from_right_to_left_is_shown_so(searched: Served) -> None:
    _, page = search(searched, q="المدينة")
    assert headlines(page) == ["مطر غزير"]
    assert '<h3 dir="auto" lang="ar">' in page
    assert '<p class="snippet" dir="auto" lang="ar">' in page
    assert 'lang="ar" dir="rtl">' in searched.ask("/article?id=a51")[1]


def test_markup_in_an_article_is_text_in_the_results_and_sanitised_in_the_body(
    tmp_path: Path,
) -> None:
    lines = [
        article(
            number,
            headline=vector,
            section=vector,
            site=vector,
            url=f"javascript:{vector}",
            authors=[vector],
            kicker=vector,
            language='"><script>x()</script>',
            body=f"lantern {vector}",
            body_html=f"<p>lantern</p>{vector}<img src=http://evil.invalid/x>",
        )
        for number, vector in enumerate(VECTORS[::7])
    ]
    with serving(tmp_path, index=write_index(tmp_path / "index.sqlite", lines)) as served:
        for number in range(1, len(lines) // 10 + 1):
            _, page = search(served, q="lantern", page=str(number))
            assert_harmless(page)
        for line in lines:
            _, page, _ = served.ask(f"/article?{urlencode({'id': line['id']})}")
            assert "lantern" in page
            assert_harmless(page)


def assert_harmless(page: str) -> None:
    """No element and attribute that runs, and no URL but links to the web and to pages here."""
    main = html.document_fromstring(page).find(".//main")
    assert main is not None
    for element in main.iter():
        assert element.tag in TAGS | OURS
        for name, value in ((str(name), str(value)) for name, value in element.items()):
            assert not name.startswith("on")
            if name in ("href", "action"):
                assert value.startswith(("/search", "/article", "http://", "https://", "mailto:"))
            assert name not in ("src", "srcset", "style", "background", "formaction")


def test_without_an_index_the_page_says_how_to_make_one_and_finds_it_later(
    tmp_path: Path,
) -> None:
    path = tmp_path / "index.sqlite"
    with serving(tmp_path, index=path) as served:
        status, page = search(served, q="lantern")
        assert status == 200
        assert "newsclean index articles.jsonl" in page
        assert served.ask("/article?id=a1")[0] == 404
        write_index(path, [article(1)])
        assert headlines(search(served, q="lantern")[1]) == ["Story 1"]
        path.write_bytes(b"no database" * 100)
        status, page = search(served, q="lantern")
        assert status == 500
        assert "is not an index of newsclean" in page
        assert served.ask("/article?id=a1")[0] == 500


def test_all_pages_lead_to_the_search(searched: Served) -> None:
    assert '<a href="/search">Search</a>' in searched.ask("/")[1]
