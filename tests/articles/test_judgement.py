"""Is it an article? By the shape of what was chosen, and by what the page says of itself."""

import pytest

from newsclean.articles import judge
from newsclean.methods import Choice
from newsclean.page import Page

PARAGRAPH = "It has rained in Bergen for nine days now, and the river is as high as it ever was. "


def reason(html: str, *types: str) -> str:
    """Why the page, all of it chosen, is no article; empty if it is one."""
    page = Page.from_html(html)
    judgement = judge(page, Choice.everything(page).rows, types)
    assert judgement.is_article is (judgement.reason == "")
    return judgement.reason


ARTICLE = f"<p>{PARAGRAPH * 2}</p><p>{PARAGRAPH * 2}</p>"
LIST = "".join(f"<li><a href=/{n}>Rain in town number {n}</a>" for n in range(30))


def test_paragraphs_that_run_on_are_an_article() -> None:
    assert reason(ARTICLE) == ""


def test_a_caption_is_too_short() -> None:
    assert reason(f"<p>{PARAGRAPH}</p><p>{PARAGRAPH}</p>") == "too-short"


def test_a_list_of_links_is_no_article_whatever_it_calls_itself() -> None:
    assert reason(f"<p>{PARAGRAPH}</p>{LIST}") == "mostly-links"
    assert reason(f"<p>{PARAGRAPH}</p>{LIST}", "NewsArticle") == "mostly-links"


def test_short_lines_make_no_paragraphs_unless_the_page_calls_itself_an_article() -> None:
    lines = "<p>Bergen two, Oslo nil.</p>" * 20
    assert reason(lines) == "no-paragraphs"
    assert reason(lines, "WebPage", "ReportageNewsArticle") == ""


@pytest.mark.parametrize("name", ["profile", "CollectionPage", "video.other", "ImageGallery"])
def test_a_page_that_calls_itself_something_else_is_believed(name: str) -> None:
    assert reason(ARTICLE, name) == "other-type"


@pytest.mark.parametrize("name", ["NewsArticle", "article", "BlogPosting", "Report"])
def test_one_type_of_several_that_means_article_is_enough(name: str) -> None:
    assert reason(ARTICLE, "CollectionPage", name, "WebPage") == ""


def test_types_that_say_nothing_leave_it_to_the_shape() -> None:
    assert reason(ARTICLE, "website", "Thing") == ""


def test_links_between_words_do_not_count_against_an_article() -> None:
    assert reason(ARTICLE.replace("Bergen", "<a href=/b>Bergen</a>")) == ""


def test_only_what_was_chosen_is_judged() -> None:
    page = Page.from_html(f"<div>{ARTICLE}</div><ul>{LIST}</ul>")
    rows = Choice.everything(page).rows
    assert not judge(page, rows).is_article
    assert judge(page, rows & ~page.below(page.rows(frozenset({"ul"})))).is_article
    assert judge(page, ~rows).reason == "too-short"


def test_words_are_counted_where_the_script_has_no_spaces() -> None:
    sentence = "东京都政府周三发布了新的交通规定，许多市民表示欢迎，也有人反对。"
    assert reason(f"<p>{sentence * 2}</p>" * 4) == ""
