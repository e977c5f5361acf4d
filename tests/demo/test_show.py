"""What the demo prints."""

import socket
from contextlib import closing

import pytest
from rich.console import Console, RenderableType
from scrapy.http import HtmlResponse

import newsclean
from newsclean.cli import main
from newsclean.demo.blocks import Figure
from newsclean.demo.show import (
    Result,
    _learned_table,
    _noise_table,
    before_and_after,
    excerpt,
    lead_picture,
    panel,
)
from newsclean.extraction.methods.chain import text_keys
from newsclean.extraction.page import Page
from newsclean.memory import Memory
from tests.pipelines.demo_pages import presses

ODD = "[/b] All rights [red]reserved[/]"


def printed(*what: RenderableType, width: int = 160) -> str:
    console = Console(width=width)
    with console.capture() as capture:
        console.print(*what)
    return capture.get()


def test_what_looks_like_markup_is_printed_as_it_is() -> None:
    with closing(Memory()) as memory:
        for number in range(3):
            page = Page.from_html(f"<p>The story {number}</p><footer>{ODD}</footer>")
            memory.sites.learn(
                "example.org", "[/sport]", f"page {number}", text_keys(page, "block")
            )
        extraction = {"static_chars": 1, "dynamic_chars": 2}
        line = {"site": "example.org", "category": "[/sport]", "body": "", "extraction": extraction}
        assert ODD in printed(_noise_table(memory))
        assert "[/sport]" in printed(_learned_table(memory, Result([line], {})))
    shown = printed(panel("after", "[/i] of the day", excerpt(ODD)))
    assert ODD in shown
    assert "after: [/i] of the day" in shown


@pytest.mark.parametrize("width", [80, 120])
def test_an_article_is_shown_with_lead_picture_caption_byline_and_date(width: int) -> None:
    press = next(presses())
    ledger = press.site.publisher
    story = next(a for a in ledger.articles if any(isinstance(b, Figure) for b in a.blocks))
    figure = next(block for block in story.blocks if isinstance(block, Figure))
    page = press.load(story, 1).encode()
    url = ledger.base_url + story.path
    article = newsclean.extract(page, url=url)
    assert lead_picture(article)
    lines = printed(*before_and_after(article, HtmlResponse(url, body=page)), width=width)
    assert all(len(line) <= width for line in lines.splitlines())
    after = " ".join(lines.partition("after: ")[2].replace("│", " ").split())
    caption = "".join(run.text for run in figure.caption)
    for said in (
        f"authors {', '.join(story.authors)}",
        f"published {story.date_published}",
        f"lead picture {ledger.base_url}{figure.image}",
        f"caption {caption}",
        f"credit {ledger.name}",
        article.body[:60],
    ):
        assert " ".join(said.split()) in after


def test_a_port_that_is_taken_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["demo", "--serve", "--port", str(port)]) == 3
    assert f"cannot listen on the ports from {port} on" in capsys.readouterr().err
