"""Why a page is an article, or is not one, in words."""

from newsclean.articles.judgement import NO_TEXT
from newsclean.lab.trees.explaining import explain_page
from newsclean.page import Page
from tests.articles.pages import BARE, STORY_URL, front, of_few_words, story


def test_an_explanation_names_the_verdict_the_reasons_and_the_way_through_a_tree() -> None:
    lines = list(explain_page(Page.from_html(story("Bergen"), STORY_URL), trees=2))
    assert lines[0].startswith("an article: probability ")
    assert "what speaks for an article:" in lines
    assert sum(line.startswith("tree ") for line in lines) == 2
    lines = list(explain_page(Page.from_html(front("Bergen"), "https://a.org/bergen/")))
    assert lines[0].startswith("no article (")
    assert "what speaks against an article:" in lines
    assert next(explain_page(Page.from_html("<p>"))).startswith(f"no article ({NO_TEXT})")


def test_an_explanation_names_the_rule_that_decided() -> None:
    for html, url, rule in (
        ("<p>Rain falls.", STORY_URL, "fewer than 40 words"),
        (of_few_words(), "https://a.org/tv/4711", "fewer than 150 words at an address of"),
        (BARE, "https://example.org/x", "little else than running text"),
    ):
        lines = list(explain_page(Page.from_html(html, url)))
        assert lines[1].startswith(f"by rule, whatever the trees say: {rule}"), lines
