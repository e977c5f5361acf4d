"""When an article was published and modified, and which source counts."""

import pytest

from newsclean.extraction.metadata.datelines import originally_published
from newsclean.extraction.metadata.page_sources import SiteFacts
from newsclean.extraction.methods.chain import metadata_of
from newsclean.extraction.page import Page

from .pages import TEXT, TITLE, below, beside, read, script, visible


@pytest.mark.parametrize(
    "html",
    [
        '<meta name="parsely-pub-date" content="2024-03-01">',
        '<meta name="DC.date.issued" content="2024-03-01">',
        '<meta itemprop="datePublished" content="2024-03-01">',
        '<time itemprop="datePublished" datetime="2024-03-01">today</time>',
        '<time class="updated" datetime="2024-04-01"></time><time>March 1, 2024</time>',
        '<time datetime="2024-04-01"></time><time class="published" datetime="2024-03-01"></time>',
        '<span class="post-date">March 1, 2024</span>',
        "<p>Published on March 1, 2024</p>",
        '<span class="date">Updated April 1, 2024</span><div class="date">March 1, 2024</div>',
        '<div class="by">By Ann Lee | 2024-03-01</div>',
        '<time datetime="garbage">1 Mar 2024</time>',
        '<time datetime="x">Updated 1 Apr 2024</time><time datetime="y">1 Mar 2024</time>',
        '<span class="date">1 марта 2024</span>',
    ],
)
def test_the_date_is_found_where_sites_put_it(html: str) -> None:
    assert read(html).date_published == "2024-03-01"


@pytest.mark.parametrize(
    "html",
    [
        "<p>Published: 1 Mar 2024 10:00 | Updated: 2 Mar 2024</p>",
        "<p>Last updated 2 Mar 2024, first published 1 Mar 2024</p>",
        '<span class="date">1 Mar 2024 (updated 2 Mar 2024)</span>',
        "<p>Veröffentlicht am 1. März 2024, aktualisiert am 2. März 2024</p>",
        "<p>公開 2024年3月1日 更新 2024年3月2日</p>",
        '<span class="date">1 Mar 2024</span><p>Updated: 2 Mar 2024</p>',
    ],
)
def test_a_dateline_may_tell_of_an_update_too(html: str) -> None:
    page = read(html)
    assert (page.date_published or "")[:10] == "2024-03-01"
    assert page.date_modified == "2024-03-02"


def test_the_date_in_the_url_serves_where_the_page_has_none() -> None:
    assert read("<p>x", url="https://example.org/2024/03/01/x").date_published == "2024-03-01"


@pytest.mark.parametrize(
    ("line", "lang"),
    [
        ("March 4, 2024", "en"),
        ("4 de marzo de 2024 – 5 minutos", "es"),
        ("Bergen, 4. März 2024", "de"),
        ("Mo 04.03.24 | 14:07 Uhr", "de"),
        ("4 mars 2024 à 9:30", "fr"),
        ("4 марта 2024", "ru"),
        ("2024年3月4日", "ja"),
        ("4 Mart 2024", "tr"),
        ("04/03/2024", "fr"),
        ("03/04/2024", "en-US"),
        ("Words by Mona Tveit and Ole Berg | 04/03/2024 14:30", "en-GB"),
    ],
)
def test_a_date_beside_the_headline_is_read_in_many_languages(line: str, lang: str) -> None:
    page = beside(line, lang)
    assert (page.date_published or "")[:10] == "2024-03-04"
    assert page.date_source == "shown"


def test_a_date_of_which_nobody_knows_the_order_is_not_guessed() -> None:
    assert beside("03/04/2024").date_published is None


def test_the_country_of_a_site_tells_the_order_of_a_date() -> None:
    page = visible(f"<html lang=en-US>{TITLE}<h1>Nine wet days in Bergen</h1><p>04/03/2024</p>",
                 "https://example.co.uk/rain")  # fmt: skip
    assert page.date_published == "2024-03-04"


def test_a_date_in_the_running_text_is_not_the_article_s() -> None:
    page = beside(
        "The storm of 3 March 1987, older people in the town say to whoever asks, was worse by far "
        "than this one, and it took many more of the houses"
    )
    assert page.date_published is None


def test_a_date_that_only_tells_of_an_update_says_so() -> None:
    page = beside("<div>Last updated:</div><div>4 March 2024</div>")
    assert page.date_published == page.date_modified == "2024-03-04"
    assert page.date_source == "update"


def test_an_earlier_date_beside_the_headline_counts_more_than_that_of_a_new_system() -> None:
    head = script({"@type": "Article", "datePublished": "2025-08-01", "headline": "Nine wet days"})
    page = visible(f"{head}<h1>Nine wet days</h1><p>Published 4 March 2024</p>")
    assert (page.date_published, page.date_source) == ("2024-03-04", "shown")


def test_a_later_date_beside_the_headline_does_not_replace_that_of_the_head() -> None:
    head = script({"@type": "Article", "datePublished": "2024-03-04", "headline": "Nine wet days"})
    page = visible(f"{head}<h1>Nine wet days</h1><p>1 August 2025</p>")
    assert (page.date_published, page.date_source) == ("2024-03-04", "json-ld")


@pytest.mark.parametrize(
    ("html", "source"),
    [
        ('<div itemprop="datePublished" content="2024-03-04"></div>', "microdata"),
        ('<meta name="citation_publication_date" content="2024 Mar 4">', "meta"),
        ('<meta name="published_on" content="2024-03-04">', "meta"),
        ('<meta name="w-published-date" content="2024-03-04">', "meta"),
        ('<script>var s = {"datePublished":"2024-03-04T10:00:00Z"}</script>', "script"),
    ],
)
def test_a_date_for_machines_is_read_wherever_it_is(html: str, source: str) -> None:
    page = visible(html)
    assert ((page.date_published or "")[:10], page.date_source) == ("2024-03-04", source)


def test_neither_an_expiry_nor_an_update_is_a_publication() -> None:
    page = visible('<meta name="unpublish_date" content="2024-03-04">')
    assert page.date_published is None


def test_the_order_of_a_site_s_dates_resolves_that_of_a_page() -> None:
    html = f"<html lang=en>{TITLE}<h1>Nine wet days in Bergen</h1><p>03/04/2024</p>"
    assert visible(html, facts=SiteFacts(4, day_first=True)).date_published == "2024-04-03"
    assert visible(html, facts=SiteFacts(4, day_first=False)).date_published == "2024-03-04"


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


def test_the_day_in_the_url_counts_more_than_another_one_that_is_shown() -> None:
    html = f"<h1>Rain again</h1><p>16 February 2026</p>{TEXT}"
    url = "https://example.org/blog/2023/october/03/rain"
    metadata = metadata_of(Page.from_html(html, url))
    assert (metadata.date_published, metadata.date_source) == ("2023-10-03", "address")


def test_the_hour_is_read_where_the_shown_day_is_that_of_the_url() -> None:
    html = f"<h1>Rain again</h1><p>3 October 2023, 09:30</p>{TEXT}"
    metadata = metadata_of(Page.from_html(html, "https://example.org/2023/10/03/rain"))
    assert (metadata.date_published, metadata.date_source) == ("2023-10-03T09:30:00", "shown")


def test_the_earliest_of_several_dates_that_are_called_the_publication_s_counts() -> None:
    html = (
        '<meta name="page-published-time" content="2026-03-09T08:45:32Z">'
        '<meta name="page-published-date" content="2021-02-16">'
    )
    assert metadata_of(Page.from_html(html)).date_published == "2021-02-16"


def published(html: str) -> tuple[str | None, str | None]:
    page = below(html)
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


HEADLINE = f"{TITLE}<h1>Nine wet days in Bergen</h1>"


def stated(date: str) -> str:
    return script({"@type": "NewsArticle", "datePublished": date})


def test_a_moment_in_utc_is_of_the_day_that_the_page_shows() -> None:
    page = visible(f"{stated('2024-02-29T23:04:31Z')}{HEADLINE}<p>1 March 2024 00:04</p>")
    assert page.date_published == "2024-03-01T00:04:31+01:00"


def test_another_moment_than_the_one_that_is_shown_stays_in_utc() -> None:
    page = visible(f"{stated('2024-02-29T23:04:31Z')}{HEADLINE}<p>1 March 2024 00:17</p>")
    assert page.date_published == "2024-02-29T23:04:31+00:00"


def test_a_day_that_the_page_shows_and_its_url_has_counts_more_than_a_stated_one() -> None:
    html = f"{stated('2024-03-02T02:04:31Z')}{HEADLINE}<p>1 March 2024</p>"
    assert visible(html, "https://example.org/2024/03/01/rain").date_published == "2024-03-01"


def test_the_month_in_the_url_confirms_a_stated_date() -> None:
    html = f"{stated('2024-03-02')}{HEADLINE}<p>1 May 2019 · Wind</p>"
    assert visible(html).date_published == "2019-05-01"
    assert visible(html, "https://example.org/2024/03/rain").date_published == "2024-03-02"


def test_the_date_of_an_embedded_post_is_not_that_of_the_article() -> None:
    html = f"{stated('2024-03-08')}{HEADLINE}<p>— Ann Lee (@annlee) March 1, 2024</p>"
    assert visible(html).date_published == "2024-03-08"


def test_a_stated_date_that_is_shown_first_counts_more_than_an_earlier_one() -> None:
    html = f"{stated('2024-03-08')}{HEADLINE}<p>08.03.202408.03.2024</p><p>01.03.2024</p>"
    assert visible(html).date_published == "2024-03-08"


def test_the_date_of_a_time_element_may_be_that_of_a_comment() -> None:
    html = f"{HEADLINE}<p>1 March 2024</p><time class=published datetime=2024-06-09>9 June</time>"
    assert visible(html).date_published == "2024-03-01"


@pytest.mark.parametrize(
    ("path", "date"),
    [("29-10-2021", "2021-10-29"), ("10-29-2021-rain", "2021-10-29"), ("03-04-2021", None)],
)
def test_a_url_may_have_the_year_last(path: str, date: str | None) -> None:
    assert read("", f"https://example.org/{path}").date_published == date


@pytest.mark.parametrize(
    "line",
    [
        "Letzte Änderung: 04.03.2024 Erschienen am: 01.03.2024",
        "Dieser Artikel wurde am 1. März 2024 von Ann Lee unter Wetter abgelegt.",
        "This entry was posted on Friday, March 1st, 2024 and is filed under Weather, Sea and Sky.",
    ],
)
def test_a_longer_line_may_begin_with_labelled_dates(line: str) -> None:
    assert (below(f"<p>{line} {'More of it. ' * 5}").date_published or "")[:10] == "2024-03-01"


def test_the_dates_of_comments_are_not_the_articles() -> None:
    comment = (
        '<li itemscope itemtype="https://schema.org/{}">'
        '<time itemprop="datePublished" datetime="2024-04-01"></time></li>'
    )
    own = '<div itemscope itemtype="https://schema.org/NewsArticle">{}</div>'
    date = '<span itemprop="datePublished" content="2024-03-01"></span>'
    for kind in ("Comment", "comment", "UserComments", "Answer"):
        assert read(own.format(comment.format(kind) + date)).date_published == "2024-03-01"


@pytest.mark.parametrize("label", ["Joined", "Member since", "Mitglied seit", "Регистрация:"])
def test_since_when_a_writer_is_a_member_is_no_date_of_the_page(label: str) -> None:
    assert beside(f"<dl><dt>{label}</dt><dd>May 11, 2017</dd></dl>").date_published is None
    assert beside(f"<p>{label} May 11, 2017</p>").date_published is None


def test_the_credit_of_a_photo_has_no_date_of_the_article() -> None:
    assert beside("<p>Snow again (photo: A. Lee, 2024-01-15).</p>").date_published is None
    assert beside("<p>Ann Lee (2024-03-01)</p>").date_published == "2024-03-01"


def test_teasers_with_dates_below_the_headline_are_not_its_date() -> None:
    teasers = [f"0{n}.03.2024 Rain in the hills of Bergen" for n in (1, 2, 3)]
    html = "".join(f"<p>{teaser}</p>" for teaser in teasers)
    assert beside(html).date_published is None
    assert beside("<p>05.03.2024 | Ann Lee</p>" + html).date_published == "2024-03-05"


@pytest.mark.parametrize("today", ["Today: 8 July 2024", "Heute ist der 8. Juli 2024"])
def test_the_day_of_the_visit_above_the_headline_is_not_its_date(today: str) -> None:
    page = read(f"<p>{today}</p><h1>{TITLE}</h1><p>{TEXT}</p>")
    assert page.date_published is None


@pytest.mark.parametrize("name", ["date", "DC.date", "dcterms.date"])
def test_the_date_of_a_document_yields_to_a_later_one_beside_the_headline(name: str) -> None:
    meta = f'<meta name="{name}" content="2024-02-20">'
    assert beside(f"{meta}<p>1 March 2024</p>").date_published == "2024-03-01"
    stated = '<meta property="article:published_time" content="2024-02-20">'
    assert beside(f"{stated}<p>1 March 2024</p>").date_published == "2024-02-20"


@pytest.mark.parametrize(
    "line",
    [
        "Frissítve: 2024. március 1.",
        "עודכן: 1 במרץ 2024",
        "อัปเดต: 1 มี.ค. 2567",
        "Cập nhật: 01.03.2024",
        "آخرین تغییر: ۱۱ اسفند ۱۴۰۲",
        "Обновено: 1 март 2024",
        "Diperbarui: 1 Maret 2024",
        "अंतिम बार संशोधित 1 मार्च 2024",
    ],
)
def test_an_update_is_labelled_in_many_languages(line: str) -> None:
    page = beside(f"<p>{line}</p>")
    assert page.date_modified == "2024-03-01"
    assert page.date_source == "update"
