"""Who wrote an article: in the head, beside the headline, anywhere on the page."""

import pytest

from newsclean.extraction.metadata.bylines import looks_like_name
from newsclean.extraction.metadata.page_sources import SiteFacts
from newsclean.extraction.methods.chain import metadata_of
from newsclean.extraction.page import Page

from .pages import TEXT, below, beside, read, script, visible


def test_the_name_of_an_organisation_is_not_taken_apart() -> None:
    office = {"@type": "Organization", "name": "Bureau of Rain and Snow Studies"}
    page = read(script({"@type": "NewsArticle", "author": office}))
    assert page.authors == ["Bureau of Rain and Snow Studies"]


def test_the_site_is_its_own_author_only_if_nobody_else_is_named() -> None:
    site = '<meta property="og:site_name" content="Daily News">'
    alone = script({"@type": "NewsArticle", "author": "Daily News"})
    assert read(site + alone).authors == ["Daily News"]
    assert read(site + alone + '<meta name="author" content="Ann Lee">').authors == ["Ann Lee"]


@pytest.mark.parametrize(
    "author",
    ["Ann Lee", {"name": "Ann Lee"}, [{"name": ["Ann Lee"]}], [["Ann Lee"], None, 3, {"name": {}}]],
)
def test_json_ld_authors_come_in_many_shapes(author: object) -> None:
    assert "Ann Lee" in read(script({"@type": "Article", "author": author})).authors


def test_catalogue_names_are_turned_round() -> None:
    assert read('<meta name="citation_author" content="Lee, Ann">').authors == ["Ann Lee"]


@pytest.mark.parametrize(
    "byline",
    [
        '<a rel="author" href="/a">Ann Lee</a>',
        '<a href="/authors/ann-lee">Ann Lee</a>',
        '<p class="byline">By <b>Ann Lee</b> <i>Rain Correspondent</i> <i>Monday Night</i></p>',
        '<div class="post-author"><span>Ann Lee</span><span>March 1, 2024</span></div>',
        '<div class="byline">By Ann Lee, 1 March 2024</div>',
        '<div class="byline">By Ann Lee, Friday 1 March 2024</div>',
        '<div class="byline">Von Ann Lee, 1. März 2024</div>',
        '<div class="meta">By Ann Lee, 2024-03-01</div>',
        '<div class="by">By Ann Lee | 2024-03-01</div>',
        "<p>By Ann Lee</p>",
        "<p>By <a href=/x>Ann Lee</a>, staff writer</p>",
    ],
)
def test_a_byline_on_the_page_serves_where_the_head_names_nobody(byline: str) -> None:
    assert read(f"<h1>Rain</h1>{byline}").authors == ["Ann Lee"]


def test_all_authors_of_a_byline_on_the_page_are_read() -> None:
    links = '<p><a rel="author">Ann Lee</a>, <a rel="author">Bob Ray</a></p>'
    assert read(links).authors == ["Ann Lee", "Bob Ray"]


def test_all_authors_before_a_date_are_read() -> None:
    byline = '<div class="byline">By Ann Lee and Bob Ray, 5 January 2024</div>'
    assert read(byline).authors == ["Ann Lee", "Bob Ray"]


@pytest.mark.parametrize(
    "html",
    [
        "<p>By clicking you agree to our <a>Privacy Rules</a></p>",
        "<p>By Monday it had rained for nine days.</p>",
        "<nav><div>By <a>Product Type</a></div></nav>",
        '<p class="byline">Last Updated: <span>March 1, 2024</span></p>',
    ],
)
def test_not_all_that_begins_as_a_byline_is_one(html: str) -> None:
    assert read(html).authors == []


def test_the_author_of_a_comment_is_not_the_author_of_the_page() -> None:
    assert read('<span class="comment-author">Ann Lee</span>').authors == []


@pytest.mark.parametrize(
    ("role", "signs"),
    [
        ("article-Author", True),
        ("BYLINE", True),
        ("by-line", True),
        ("entry by", True),
        ("by_name", True),
        ("staffWriter", True),
        ("baby", False),
        ("nearby story", False),
    ],
)
def test_a_byline_is_known_by_its_class(role: str, signs: bool) -> None:
    page = read(f'<div><span class="{role}">Ann Lee</span></div>')
    assert page.authors == (["Ann Lee"] if signs else [])


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
    assert visible(f"{head}<h1>Nine wet days</h1><p>By Ann Lee</p>").authors == ["Ann Lee"]


def test_co_authors_that_only_the_byline_names_are_not_missed() -> None:
    head = script({"@type": "Article", "headline": "Nine wet days", "author": "Ann Lee"})
    page = visible(f"{head}<h1>Nine wet days</h1><p>By Ann Lee, Bob Ray and Cy Moe</p>")
    assert page.authors == ["Ann Lee", "Bob Ray", "Cy Moe"]


def test_a_degree_is_not_an_author_and_an_agency_is() -> None:
    head = '<meta name="author" content="Ann Lee, CFP, AFP">'
    assert visible(head).authors == ["Ann Lee", "AFP"]


def test_the_name_that_all_pages_have_is_the_house_s_where_another_one_signed() -> None:
    head = script({"@type": "Article", "headline": "Nine wet days", "author": "Max Berg"})
    html = f"{head}<h1>Nine wet days</h1><p>Max Berg</p><p>By Ann Lee</p>"
    assert visible(html).authors == ["Max Berg"]
    assert visible(html, facts=SiteFacts(5, authors={"maxberg": 5})).authors == ["Ann Lee"]
    alone = f"{head}<h1>Nine wet days</h1>"
    assert visible(alone, facts=SiteFacts(5, authors={"maxberg": 5})).authors == ["Max Berg"]


def test_who_signs_all_pages_and_this_one_visibly_is_its_author_and_a_place_beside_it_is_not() -> (
    None
):
    html = (
        '<meta name="author" content="Max Berg"><h1>Rain in Oslo again</h1>'
        '<div class="by">Sport</div><div class="by"><a href="/max">Max Berg</a>, Gazette</div>'
        "<p>It has rained in Oslo for nine days, and the river is as high as ever.</p>"
        '<div class="by">Tags: <a href="/tag/moss">North Moss</a></div>'
    )
    assert visible(html).authors == ["Max Berg"]
    assert visible(html, facts=SiteFacts(5, authors={"maxberg": 5})).authors == ["Max Berg"]


def authors(html: str, url: str | None = None) -> list[str]:
    return visible(html, url).authors


@pytest.mark.parametrize("line", ["1 March 2024 • Ann Lee in Weather", "Ann Lee | March 1, 2024"])
def test_a_name_that_shares_its_line_with_the_date_is_the_author(line: str) -> None:
    assert authors(f"<h1>Rain again</h1><p>{line}</p>") == ["Ann Lee"]


def test_a_name_below_the_headline_is_the_author_if_the_page_presents_that_person() -> None:
    head = "<h1>Rain again</h1><p>Ann Lee</p>"
    about = "<p>Ann Lee is a writer who sails."
    assert metadata_of(Page.from_html(head + TEXT + about)).authors == ["Ann Lee"]
    assert metadata_of(Page.from_html(head + TEXT)).authors == []


def test_the_author_of_a_blog_that_has_her_name_is_the_author() -> None:
    html = '<meta name=author content="Ann Lee"><h1>Rain again</h1><span class=author>Listen</span>'
    assert authors(html, "https://annlee.example.org/rain") == ["Ann Lee"]


def test_who_signed_below_the_headline_counts_more_than_a_name_elsewhere() -> None:
    html = "<h1>Rain again</h1><p>Posted by Annie on Friday</p>"
    aside = "<div class=author>Bob Ray</div>"
    assert authors(html + aside) == ["Annie"]
    role = "<h1>Rain again</h1><p>By Bob Ray Review Editor</p>"
    assert authors(role + aside) == ["Bob Ray"]


def test_all_who_are_named_in_one_line_with_the_author_of_the_head_are_authors() -> None:
    head = '<meta name=author content="Ann Lee"><h1>Rain again</h1>'
    assert authors(f"{head}<p>Ann Lee, Bob Ray & Cy Fox</p>") == ["Ann Lee", "Bob Ray", "Cy Fox"]
    assert authors(f"{head}<p>Ann Lee, Harbour Weather</p>") == ["Ann Lee"]
    assert authors(f"{head}<p>Bob Ray and Cy Fox</p>") == ["Ann Lee"]


def test_a_title_does_not_make_another_person() -> None:
    head = '<meta name=author content="Ann Lee"><h1>Rain again</h1>'
    assert authors(f"{head}<p>Written by Dr Ann Lee, Prof. Bob Ray</p>") == [
        "Dr Ann Lee",
        "Prof. Bob Ray",
    ]
    assert authors(f"{head}<p>By Dr. Ann Lee</p>") == ["Ann Lee"]


def test_a_role_may_be_between_the_name_and_the_date() -> None:
    assert authors("<h1>Rain again</h1><p>Ann Lee | Senior Writer | 1 March 2024") == ["Ann Lee"]


@pytest.mark.parametrize("text", ["In This Article", "Harbour Women's Watch", "Related Articles"])
def test_words_that_no_person_has_in_her_name_are_not_a_name(text: str) -> None:
    assert not looks_like_name(text)
    byline = f"<h1>Rain again</h1><p>By Ann Lee, Executive Editor, {text}</p>"
    assert authors(f'<meta name=author content="Ann Lee">{byline}') == ["Ann Lee"]


def test_who_is_presented_below_the_headline_counts_more_than_a_name_elsewhere() -> None:
    html = "<h1>Rain again</h1><p>Ann Lee</p>" + TEXT + "<p>Ann Lee is a writer who sails."
    assert authors(html + "<div class=author>Bob Ray</div>") == ["Ann Lee"]


def test_the_site_is_the_author_where_only_an_element_of_an_author_names_it() -> None:
    site = "<meta property=og:site_name content=Facette><h1>Rain again</h1>"
    assert authors(f"{site}<span itemprop=author><b>Facette</b></span>") == ["Facette"]
    both = f"{site}<span itemprop=author>Facette</span><p>By Ann Lee</p>"
    assert authors(both) == ["Ann Lee"]


@pytest.mark.parametrize(
    ("name", "contents"),
    [
        ("citation_authors", ["Ann Lee", "Bob Ray"]),
        ("citation_authors", ["Lee, Ann; Ray, Bob"]),
        ("citation_author", ["Lee, Ann", "Ray, Bob"]),
    ],
)
def test_a_catalogue_has_its_authors_in_one_element_or_in_several(
    name: str, contents: list[str]
) -> None:
    meta = "".join(f'<meta name={name} content="{content}">' for content in contents)
    first = '<meta name=dc.creator content="Ann Lee">'
    assert authors(f"{first}{meta}<h1>Rain again</h1>") == ["Ann Lee", "Bob Ray"]


def authors_below(html: str, head: str = "") -> list[str]:
    return below(html, head).authors


@pytest.mark.parametrize(
    "html",
    [
        "<h3>Written by Ann Lee</h3>",
        "<p>This post was written by Ann Lee, MD, who sails and writes about boats.",
        "<h3>Author</h3><p>Ann Lee</p><p>She sails.",
        "<p>About the author</p><p>Ann Lee</p><p>Bob Ray</p>",
    ],
)
def test_a_line_below_the_text_says_who_has_written_it(html: str) -> None:
    assert authors_below(html) == ["Ann Lee"]


def test_a_heading_in_the_plural_has_several_names_below_it() -> None:
    html = "<h6>Author(s)</h6><ul><li>Ann Lee<li>Bob Ray</ul><p>Read more about rain here."
    assert authors_below(html) == ["Ann Lee", "Bob Ray"]


def test_a_person_who_has_written_it_counts_more_than_a_team_in_the_head() -> None:
    head = '<meta name=author content="Harbour Team">'
    assert authors_below("<p>Written by Ann Lee", head) == ["Ann Lee"]
    assert authors_below("", head) == ["Harbour Team"]


def test_a_person_in_the_head_counts_more_than_a_line_below_the_text() -> None:
    assert authors_below("<p>Written by Ann Lee", '<meta name=author content="Bob Ray">') == [
        "Bob Ray"
    ]


def test_the_site_is_the_author_where_it_has_signed_and_nobody_else() -> None:
    html = "<meta property=og:site_name content=Facette><h1>Rain again</h1><p>By Facette</p>"
    assert metadata_of(Page.from_html(html + TEXT)).authors == ["Facette"]


@pytest.mark.parametrize(
    ("shown", "names"),
    [
        ("By the Harbour Team", ["the Harbour Team"]),
        ("Author Facette", ["Facette"]),
        ("By", []),
        ("Written by", []),
        ("Get app", []),
    ],
)
def test_labels_and_buttons_are_not_part_of_a_signature(shown: str, names: list[str]) -> None:
    assert authors_below(f'<div class="author">{shown}</div>') == names


def test_a_list_of_roles_in_the_head_names_no_author() -> None:
    head = '<meta name=author content="content: Facette, design: Ann Lee">'
    assert authors_below("", head) == []
