"""`newsclean extract --explain`: the blocks of a page, and what spoke for and against them."""

from pathlib import Path

import pytest

from newsclean.extraction.methods.hybrid.decision import score_blocks
from newsclean.extraction.methods.hybrid.explaining import moved_by_group
from newsclean.extraction.methods.hybrid.network import read_model
from newsclean.extraction.page import Page
from tests.extraction.is_article.pages import BARE, STORY_URL, front, of_few_words
from tests.extraction.is_article.pages import story as article

from .pages import run, story

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(story("Oslo"), "utf-8")
    return path


@pytest.mark.parametrize("method", ["hybrid", "hybrid:tuned", "hybrid+tree", " hybrid + tree:n=1"])
def test_hybrid_is_explained_alone_and_before_other_methods(
    capsys: Capture, page: Path, method: str
) -> None:
    code, out, err = run(capsys, "extract", page, "--explain", "--method", method)
    assert (code, err) == (0, "")
    assert "network 0." in out or "network 1." in out
    assert any(line.startswith(" +  p") for line in out.splitlines())


def test_what_a_later_method_leaves_out_is_not_shown_as_the_article(
    capsys: Capture, page: Path
) -> None:
    words = "The mayor says that no help is near and asks all people to stay at home today. "
    page.write_text(
        f"<title>Rain</title><h1>Rain</h1><div><div><p>{words * 6}</p><p>{words * 6}</p></div>"
        f"<div><p>{words * 2}</p></div></div>"
    )
    alone = run(capsys, "extract", page, "--explain").out
    chained = run(capsys, "extract", page, "--explain", "--method", "hybrid+tree:n=1").out
    signs = [
        [line[1] for line in out.splitlines() if line[4:6] == "p "] for out in (alone, chained)
    ]
    assert signs == [["+", "+", "+"], ["+", "+", "-"]]


def test_the_article_comes_first_and_each_block_is_one_line(capsys: Capture, page: Path) -> None:
    links = "".join(
        f"<li><a href=/{n}>A long name of section number {n} of this site</a>" for n in range(60)
    )
    page.write_text(f"<ul>{links}</ul>{story('Oslo')}<ul>{links}</ul>")
    lines = run(capsys, "extract", page, "--explain").out.splitlines()
    assert lines[0].startswith("+ in the article;")
    article = lines.index("From the first block of the article to its last:")
    assert article < lines.index("Before the article:")
    before, after = lines.index("Before the article:"), lines.index("After the article:")
    assert any("It has rained in Oslo" in line for line in lines[:before])
    assert not any("section number" in line for line in lines[:before])
    shown = [line for line in lines if "A long name of section number" in line]
    assert len(shown) == 120
    assert any("section number 59 " in line for line in lines[before:after])


def test_each_group_of_features_is_named_in_words(capsys: Capture, page: Path) -> None:
    parsed = Page.from_html(page.read_bytes())
    groups = moved_by_group(score_blocks(parsed, read_model()))
    lines = run(capsys, "extract", page, "--explain").out.splitlines()
    legend = lines[2 : lines.index("")]
    assert [line.strip().split(": ")[0] for line in legend] == list(groups)


@pytest.mark.parametrize("method", ["coreex", "stadynot+hybrid", "boilerpipe-tree"])
def test_other_methods_are_told_what_can_be_explained(
    capsys: Capture, page: Path, method: str
) -> None:
    code, out, err = run(capsys, "extract", page, "--explain", "--method", method)
    assert (code, out) == (2, "")
    assert "--explain needs the method hybrid, alone or as the first of a chain" in err
    assert f", not {method}\n" in err


@pytest.mark.parametrize("form", ["json", "html"])
def test_a_table_for_people_has_no_other_format(capsys: Capture, page: Path, form: str) -> None:
    code, out, err = run(capsys, "extract", page, "--explain", "--format", form)
    assert (code, out) == (2, "")
    assert f"it cannot be used with --format {form}\n" in err


def test_the_prediction_is_told_with_what_spoke_for_and_against_it(
    capsys: Capture, tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    path.write_text(article("Bergen"), "utf-8")
    out = run(capsys, "extract", path, "--explain", "--url", STORY_URL).out
    assert "\nan article: probability " in out
    assert "\n  for an article: " in out
    path.write_text(front("Bergen"), "utf-8")
    out = run(capsys, "extract", path, "--explain", "--url", "https://a.org/bergen/").out
    assert "\nnot an article (" in out
    assert "\n  against an article: " in out


@pytest.mark.parametrize(
    ("html", "url", "rule"),
    [
        ("<p>Rain falls.", STORY_URL, "fewer than 40 words"),
        (of_few_words(), "https://a.org/tv/4711", "fewer than 150 words, and a URL that"),
        (
            BARE + "<pre><code>x = 1</code></pre>" * 40,
            "https://example.org/docs/forum/x",
            "hardly anything but running text",
        ),
    ],
)
def test_the_rule_that_decided_is_named(
    capsys: Capture, tmp_path: Path, html: str, url: str, rule: str
) -> None:
    path = tmp_path / "page.html"
    path.write_text(html, "utf-8")
    out = run(capsys, "extract", path, "--explain", "--url", url).out
    assert f"\n  by a rule that overrides the trees: {rule}" in out
