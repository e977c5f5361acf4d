"""Lines anywhere on a page that say who has written it, and when it first appeared."""

import pytest

from newsclean.extraction.metadata.bylines import labelled_names, names_of_line
from newsclean.extraction.metadata.datelines import originally_published
from newsclean.extraction.methods.keys import metadata_of
from newsclean.extraction.page import Page

TEXT = "<p>" + "It has rained in the harbour for nine days, and there is no end in sight. " * 8


def authors(html: str, head: str = "") -> list[str]:
    return metadata_of(Page.from_html(f"{head}<h1>Rain again</h1>{TEXT}{TEXT}{html}")).authors


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
    assert authors(html) == ["Ann Lee"]


def test_a_heading_in_the_plural_has_several_names_below_it() -> None:
    html = "<h6>Author(s)</h6><ul><li>Ann Lee<li>Bob Ray</ul><p>Read more about rain here."
    assert authors(html) == ["Ann Lee", "Bob Ray"]


def test_a_person_who_has_written_it_counts_more_than_a_team_in_the_head() -> None:
    head = '<meta name=author content="Harbour Team">'
    assert authors("<p>Written by Ann Lee", head) == ["Ann Lee"]
    assert authors("", head) == ["Harbour Team"]


def test_a_person_in_the_head_counts_more_than_a_line_below_the_text() -> None:
    assert authors("<p>Written by Ann Lee", '<meta name=author content="Bob Ray">') == ["Bob Ray"]


def test_a_list_of_other_articles_has_no_author_of_this_one() -> None:
    assert labelled_names(["Written by Ann Lee", "Snow", "Written by Bob Ray", "Hail"]) == []
    assert labelled_names(["Written by Ann Lee", "Snow", "Written by Ann Lee"]) == ["Ann Lee"]


def test_a_sentence_that_only_mentions_a_writer_names_no_author() -> None:
    assert (
        labelled_names(["A letter written by Ann Lee was found.", "The author", "It rains"]) == []
    )


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
    assert authors(f'<div class="author">{shown}</div>') == names


def test_a_list_of_roles_in_the_head_names_no_author() -> None:
    head = '<meta name=author content="content: Facette, design: Ann Lee">'
    assert authors("", head) == []


def test_the_date_on_which_an_article_first_appeared_counts_more_than_that_shown() -> None:
    line = "<p>This article was originally published on 26 Sep 2019 but has been updated since."
    html = f"<h1>Rain again</h1><p>30 Sep 2022</p>{TEXT}{line}"
    metadata = metadata_of(Page.from_html(html))
    assert (metadata.date_published, metadata.date_source) == ("2019-09-26", "shown")


@pytest.mark.parametrize(
    "line",
    [
        "Her novel was first published on 1 May 1925 and was read all over the country.",
        "Of the papers, the first published anything on 1 May 1925.",
        "This article was originally published in a magazine that had a title with many words "
        "in it and that has closed on 1 May 1925.",
    ],
)
def test_the_date_on_which_something_else_appeared_is_not_that_of_the_article(line: str) -> None:
    assert originally_published([line]) is None


def test_the_day_in_the_address_counts_more_than_another_one_that_is_shown() -> None:
    html = f"<h1>Rain again</h1><p>16 February 2026</p>{TEXT}"
    url = "https://example.org/blog/2023/october/03/rain"
    metadata = metadata_of(Page.from_html(html, url))
    assert (metadata.date_published, metadata.date_source) == ("2023-10-03", "address")


def test_the_hour_is_read_where_the_shown_day_is_that_of_the_address() -> None:
    html = f"<h1>Rain again</h1><p>3 October 2023, 09:30</p>{TEXT}"
    metadata = metadata_of(Page.from_html(html, "https://example.org/2023/10/03/rain"))
    assert (metadata.date_published, metadata.date_source) == ("2023-10-03T09:30:00", "shown")


def test_the_earliest_of_several_dates_that_are_called_the_publication_s_counts() -> None:
    html = (
        '<meta name="page-published-time" content="2026-03-09T08:45:32Z">'
        '<meta name="page-published-date" content="2021-02-16">'
    )
    assert metadata_of(Page.from_html(html)).date_published == "2021-02-16"


@pytest.mark.parametrize(
    "line",
    [
        "By Ann Lee Sun, 15 Nov 2026 06:00:00 GMT",
        "By Ann Lee Sunday, November 15, 2026",
        "Von Ann Lee So., 15. November 2026",
    ],
)
def test_the_day_of_the_week_is_not_a_part_of_a_name(line: str) -> None:
    assert names_of_line(line) == ["Ann Lee"]


def test_a_name_that_is_a_day_of_another_week_is_a_name() -> None:
    assert names_of_line("By Mary Sun, 16 Nov 2026") == ["Mary Sun"]


def published(html: str) -> tuple[str | None, str | None]:
    page = metadata_of(Page.from_html(f"<h1>Rain again</h1>{TEXT}{TEXT}{html}"))
    return page.date_published, page.date_source


def test_the_only_date_that_a_page_shows_is_its_own_wherever_that_is() -> None:
    assert published("<p>Ann Lee</p><p>1 March 2024</p>") == ("2024-03-01", "shown")
    assert published("<p>1 March 2024</p><p>Fri, 1 March 2024</p>") == ("2024-03-01", "shown")


@pytest.mark.parametrize(
    "html",
    [
        "<p>1 March 2024</p><p>2 March 2024</p>",
        "<p>Open today, 1 March 2024</p>",
        "<p>The harbour was closed on 1 March 2024, and has been so for all the days since.</p>",
    ],
)
def test_dates_of_other_things_are_not_the_only_date(html: str) -> None:
    assert published(html) == (None, None)


def test_the_only_date_is_an_update_where_the_page_says_so() -> None:
    assert published("<p>Last updated</p><p>1 March 2024</p>") != ("2024-03-01", "shown")
