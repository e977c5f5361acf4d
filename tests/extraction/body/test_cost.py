"""What strangers write into captions, URLs and pictures costs no more than its size."""

import time
from collections.abc import Callable

import pytest

from newsclean.extraction.body.embeds import find_embeds
from newsclean.extraction.body.markdown import render_markdown
from newsclean.extraction.body.pictures import find_pictures
from newsclean.extraction.methods.chain import Choice
from newsclean.extraction.page import Page

TEXT = "<p>The harbour master closed the old bridge for the night, because the river rose.</p>"


def pictures_of(inner: str) -> Callable[[], object]:
    page = Page.from_html(f"{TEXT}{inner}{TEXT}", "https://example.org/rain")
    chosen = Choice.everything(page).rows & ~page.below(page.rows({"figure", "picture"}))
    return lambda: find_pictures(page, chosen)


def embeds_of(address: str) -> Callable[[], object]:
    quote = f"<blockquote class=tweet>Rain <a href='{address}'>now</a></blockquote>"
    page = Page.from_html(f"{TEXT * 9}{quote}{TEXT * 9}", "https://example.org/rain")
    return lambda: find_embeds(page, Choice.everything(page).rows)


@pytest.mark.parametrize(
    "work",
    [
        pictures_of(f"<figure><img src=/a.jpg><figcaption>{'-' * 20_000}x</figcaption></figure>"),
        pictures_of(
            "<picture>" + "<i><source srcset='/a.jpg 9w'></i><img src=/b.jpg>" * 1500 + "</picture>"
        ),
        embeds_of("https://" + "a." * 50_000),
        embeds_of("https://facebook.com/" * 5_000),
        lambda: render_markdown("<pre>" + " \n" * 150_000 + "rain</pre>"),
    ],
    ids=["caption", "sources", "host", "addresses", "blank-lines"],
)
def test_much_of_one_thing_is_read_in_little_time(work: Callable[[], object]) -> None:
    started = time.process_time()
    work()
    assert time.process_time() - started < 1


def test_blank_lines_before_preformatted_words_are_left_out_and_others_stay() -> None:
    assert render_markdown("<pre>\n \n\n  rain\n\nsnow\n</pre>") == "```\n  rain\n\nsnow\n```"
