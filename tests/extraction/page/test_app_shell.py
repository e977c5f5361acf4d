"""Which pages leave their content to their scripts."""

import json

import pytest

from newsclean.extraction.page import Page
from newsclean.extraction.page.stated import is_app_shell

SCRIPT = "<script src=/app.js></script>"
MENU = "<nav>" + "".join(f"<a href=/s{n}>Section {n}</a> " for n in range(40)) + "</nav>"
SENTENCE = "The harbor master counted nine lanterns on the pier and wrote them down. "


@pytest.mark.parametrize(
    "body",
    [
        "<div id=root></div>",
        "<div id=root>Loading …</div>",
        f"{MENU}<main></main><footer><p>{SENTENCE * 5}</p></footer>",
        f"<div>{MENU}</div><div id=__next></div><p>{SENTENCE * 5}</p>",
        f"<news-app></news-app><p>{SENTENCE * 5}</p>",
        f"<div></div><p>{SENTENCE * 5}</p><noscript>Please enable JavaScript.</noscript>",
    ],
)
def test_a_page_that_shows_only_its_frame_is_a_shell(body: str) -> None:
    assert is_app_shell(Page.from_html(body + SCRIPT))


@pytest.mark.parametrize(
    "body",
    [
        f"<p>{SENTENCE * 5}</p>",
        # a list of headlines, and nothing else
        "".join(f"<h2><a href=/{n}>Nine lanterns on pier {n}</a></h2>" for n in range(10)),
        # a headline in several pieces
        "".join(f"<a href=/{n}><b>Nine lanterns</b> <i>on pier {n}</i></a>" for n in range(10)),
        f"<div id=root><article><p>{SENTENCE * 5}</p></article></div>",
        # an article in the wrong tag, or for those alone who run no scripts
        f"<footer><p>{SENTENCE * 60}</p></footer><div id=root></div>",
        f"<div id=root></div><noscript>JavaScript is off. <p>{SENTENCE * 20}</p></noscript>",
        "<p>" + "港口的主人在碼頭上數了九盞燈籠並把它們記在本子上。" * 4 + "</p>",
    ],
)
def test_a_page_that_shows_text_or_headlines_is_not(body: str) -> None:
    assert not is_app_shell(Page.from_html(body + SCRIPT))


def test_a_page_without_scripts_that_are_run_has_nothing_to_wait_for() -> None:
    data = '<script type="application/ld+json">{}</script>'
    assert not is_app_shell(Page.from_html(f"<div id=root></div>{data}"))


def test_a_page_whose_text_is_in_its_state_is_not_a_shell() -> None:
    state = json.dumps(
        {
            "story": ["The old bridge is closed again, says the town."] * 3
            + [f"On day {day} it rained, and the boats stayed in." for day in range(14)]
        }
    )
    shell = "<div id=root></div><noscript>Please turn on JavaScript.</noscript>"
    assert is_app_shell(Page.from_html(shell + SCRIPT))
    page = Page.from_html(f"{shell}<script type=application/json>{state}</script>{SCRIPT}")
    assert page.text_source == "state"
    assert not is_app_shell(page)
