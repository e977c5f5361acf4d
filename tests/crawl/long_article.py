"""The pages of one long article, and pages that look like further ones."""

import re

from tests.crawl.small_site import story

URL = "/news/1001-the-long-fair"
TITLE = "The long fair"
PAGER = '<p class="pager">{links}</p>'


def texts(part: int) -> list[str]:
    return [
        f"On day {part * 10 + n} of the fair the clerk counted {part * 7 + n} wagons, "
        f"{part * 3 + n} lanterns and the people who had come from town {part}{n} to see the "
        f"horses, and he wrote down all of it, in part {part}, in the book for such days."
        for n in range(5)
    ]


def numbered(part: int, parts: int, form: str = "?page={}", more: str = "") -> str:
    """A page of the long article, with links to the others."""
    links = "".join(
        f'<a href="{URL}{form.format(n)}">{n}</a> ' for n in range(2, parts + 1) if n != part
    )
    body = "".join(f"<p>{text}</p>" for text in texts(part))
    main = f"<h1>{TITLE}</h1>{body}{PAGER.format(links=links)}{more}"
    return re.sub(
        r"<h1>.*?</p></div>", lambda _: f"{main}</div>", story(TITLE), count=1, flags=re.S
    )


def comments(_: int) -> str:
    body = "".join(f"<p>{text}</p>" for text in texts(1))
    return (
        f"<title>{TITLE}</title><h1>{TITLE}</h1><div>{body}</div><p>I was there, too. Ann Lee</p>"
    )


def gallery(part: int) -> str:
    return (
        f"<title>{TITLE}</title><h1>{TITLE}</h1><img src=/{part}.jpg><p>A horse, number {part}.</p>"
    )
