"""Pages that show hardly any text: it is in their scripts, or yet to be made by them."""

import json
import time

import pytest

import newsclean
from newsclean.extraction.page import Page
from newsclean.extraction.page.stated import is_app_shell

TEXTS = [
    f"On day {day} it rained in the harbour again, and the mayor said that nobody was surprised."
    for day in range(12)
]
HTML = "".join(f"<p>{text}</p>" for text in TEXTS)


def page_with(script: str, shown: str = "<div id=root></div>") -> str:
    return f"<title>Rain in the harbour</title><body>{shown}{script}"


def inside(value: object) -> str:
    return json.dumps(value).replace("</", "<\\/")


LINKED = {"@type": "NewsArticle", "headline": "Rain", "articleBody": "\n".join(TEXTS)}
SCRIPTS = {
    "json-ld": f"<script type=application/ld+json>{inside(LINKED)}</script>",
    "next": f"<script type=application/json>{inside({'props': {'post': {'html': HTML}}})}</script>",
    "window": f"<script>window.__S__ = {inside({'a': [{'text': t} for t in TEXTS]})};f()</script>",
    "parsed": f"<script>window['s']=JSON.parse({inside(json.dumps({'body': HTML}))})</script>",
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_page_that_shows_no_text_has_that_of_its_scripts(name: str) -> None:
    article = newsclean.extract(page_with(SCRIPTS[name]), "https://example.org/2026/rain")
    assert article.body.split("\n\n") == TEXTS
    assert article.extraction["source"] == ("json-ld" if name == "json-ld" else "state")


def test_paragraphs_of_a_few_words_are_part_of_the_text() -> None:
    short = [word for text in TEXTS for word in (text, "Nobody laughed.", f"He left {text[3:9]}.")]
    short = list(dict.fromkeys(short))
    script = f"<script type=application/json>{inside({'story': {'parts': short}})}</script>"
    article = newsclean.extract(page_with(script), "https://example.org/2026/rain")
    assert article.body.split("\n\n") == short


def test_a_text_of_short_sentences_alone_is_one() -> None:
    short = [f"The {n}th boat came in." for n in range(60)]
    script = f"<script type=application/json>{inside({'story': {'parts': short}})}</script>"
    assert Page.from_html(page_with(script)).text_source == "state"


def test_labels_of_a_state_are_not_a_text() -> None:
    labels = [f"Go to page {n} now" for n in range(90)]
    script = f"<script type=application/json>{inside({'menu': {'labels': labels}})}</script>"
    assert Page.from_html(page_with(script)).text_source is None


def test_a_paragraph_that_an_editor_split_at_its_links_is_one_again() -> None:
    pieces = [
        [{"text": f"{n} times "}, {"text": "Ann Lee"}, {"text": f", {text}"}]
        for n, text in enumerate(TEXTS)
    ]
    state = {"doc": [{"content": runs} for runs in pieces]}
    script = f"<script type=application/json>{inside(state)}</script>"
    body = newsclean.extract(page_with(script), "https://example.org/2026/rain").body
    assert body.split("\n\n") == [f"{n} times Ann Lee, {text}" for n, text in enumerate(TEXTS)]


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_page_that_shows_its_text_is_read_as_it_is(name: str) -> None:
    shown = "".join(f"<p>{text.replace('harbour', 'valley')}</p>" for text in TEXTS)
    page = Page.from_html(page_with(SCRIPTS[name], shown))
    assert page.text_source is None
    assert "harbour" not in " ".join(page.text.values())


def test_a_summary_is_not_taken_for_the_text() -> None:
    short = {"@type": "NewsArticle", "articleBody": TEXTS[0]}
    script = f"<script type=application/ld+json>{inside(short)}</script>"
    assert Page.from_html(page_with(script)).text_source is None


def test_the_tree_of_the_caller_is_not_changed() -> None:
    root = Page.from_html(page_with("")).root
    before = len(list(root.iter()))
    script = root.makeelement("script", {"type": "application/ld+json"})
    script.text = json.dumps(LINKED)
    root.append(script)
    assert Page.from_tree(root).text_source == "json-ld"
    assert len(list(root.iter())) == before + 1


def test_scripts_and_handlers_in_such_a_text_do_not_come_out() -> None:
    sly = f"{HTML}<img src=/x.jpg onerror=alert(1)><script>alert(2)</script><p onclick=x>End.</p>"
    script = f"<script type=application/json>{inside({'body': sly})}</script>"
    clean = newsclean.extract(page_with(script), "https://example.org/").body_html
    assert "On day 3" in clean
    assert "alert" not in clean
    assert "onclick" not in clean


@pytest.mark.parametrize(
    "script",
    [
        "<script type=application/json>" + "[" * 100_000 + "</script>",
        "<script>" + "window.a = {" * 20_000 + "</script>",
        '<script>window.a=JSON.parse("' + "\\u0000" * 50_000 + "</script>",
    ],
)
def test_broken_and_deep_json_costs_little_and_gives_nothing(script: str) -> None:
    before = time.process_time()
    assert Page.from_html(page_with(script)).text_source is None
    assert time.process_time() - before < 2


@pytest.mark.parametrize(
    "whole",
    [
        f"<html><body>{HTML}</body><body><p>And more.</p></body></html>",
        f"<html><frameset>{HTML}",
        f"<html><head><meta charset=utf-16></head>{HTML}</html>",
        f"<?xml version='1.0' encoding='utf-16'?>{HTML}",
    ],
)
def test_a_whole_page_inside_a_state_is_read_as_a_part_of_one(whole: str) -> None:
    script = f"<script type=application/json>{inside({'post': {'html': whole}})}</script>"
    article = newsclean.extract(page_with(script), "https://example.org/2026/rain")
    assert article.body.split("\n\n")[: len(TEXTS)] == TEXTS


def test_html_inside_a_state_that_is_all_head_fails_nowhere() -> None:
    whole = f"<html><head><title>{' '.join(TEXTS)}</title></head></html>"
    script = f"<script type=application/json>{inside({'post': {'html': whole}})}</script>"
    assert Page.from_html(page_with(script)).text_source == "state"


def test_too_many_attributes_inside_a_state_are_refused_as_on_a_page() -> None:
    names = " ".join(f"a{n}" for n in range(50_000))
    script = f"<script type=application/json>{inside({'html': f'<p {names}>{HTML}'})}</script>"
    started = time.process_time()
    Page.from_html(page_with(script))
    assert time.process_time() - started < 1


def test_many_assignments_of_code_cost_little() -> None:
    script = "<script>" + 'window.a=["rain", ' * 100_000 + "</script>"
    started = time.process_time()
    Page.from_html(page_with(script))
    assert time.process_time() - started < 1


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
