"""Which downloaded pages a browser is asked for."""

import json

from scrapy.http import HtmlResponse

from newsclean.middlewares.rendering import shows_no_text

SHELL = (
    "<div id=root></div><noscript>Please turn on JavaScript.</noscript><script src=/a.js></script>"
)
TEXTS = [f"On day {day} it rained, and the boats stayed in." for day in range(15)]


def response(html: str) -> HtmlResponse:
    return HtmlResponse("https://example.org/rain", body=html.encode())


def test_a_page_without_text_is_shown_to_a_browser() -> None:
    assert shows_no_text(response(SHELL))


def test_a_page_whose_state_has_the_text_is_not() -> None:
    state = f"<script type=application/json>{json.dumps({'story': TEXTS})}</script>"
    assert not shows_no_text(response(SHELL + state))


def test_a_page_whose_state_has_labels_only_is_shown_to_a_browser() -> None:
    state = f"<script type=application/json>{json.dumps({'menu': ['Sport'] * 300})}</script>"
    assert shows_no_text(response(SHELL + state))
