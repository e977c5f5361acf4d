"""What the demo prints."""

from contextlib import closing

from rich.console import Console, RenderableType

from newsclean.demo.show import Result, _excerpt, _learned_table, _noise_table
from newsclean.memory import Memory
from newsclean.methods.keys import text_keys
from newsclean.page import Page

ODD = "[/b] All rights [red]reserved[/]"


def printed(what: RenderableType) -> str:
    console = Console(width=160)
    with console.capture() as capture:
        console.print(what)
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
    panel = printed(_excerpt("after", "[/i] of the day", ODD))
    assert ODD in panel
    assert "after: [/i] of the day" in panel
