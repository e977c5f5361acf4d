"""Sites without an end, sites that change, and pages that claim to be others."""

from __future__ import annotations

from asyncio import StreamWriter

from tests.attack.faults.fault import BROKEN, BROKEN_TITLE, CONTROL, WHOLE, Fault
from tests.attack.mock_server import Ask, Handler, missing, reply
from tests.attack.news import SECTION, News
from tests.crawl.small_site import page, section, story

NEXT = f"{SECTION}?page=2"


def number_of(path: str) -> int:
    digits = "".join(character for character in path if character.isdigit())
    return int(digits[-9:] or 0)


async def calendar(ask: Ask, out: StreamWriter) -> None:
    """A page that always has a next one, and no article."""
    after = number_of(ask.path) + 1
    url = f"{SECTION}?page={after}"
    await reply(
        f'<link rel="next" href="{url}">' + page("Calendar", f'<a href="{url}">{after}</a>')
    )(ask, out)


async def warren(ask: Ask, out: StreamWriter) -> None:
    """An article that links to fifty more of its kind."""
    first = number_of(ask.path) * 50 + 1
    links = section({f"/news/burrow-{n:09}.html": f"Burrow {n}" for n in range(first, first + 50)})
    await reply(WHOLE.replace("</body>", f"{links}</body>"))(ask, out)


async def changing(ask: Ask, out: StreamWriter) -> None:
    await reply(story(f"{BROKEN_TITLE}, state {ask.count}"))(ask, out)


async def vanishing(ask: Ask, out: StreamWriter) -> None:
    await (calendar if ask.count < 1 else missing)(ask, out)


def claiming(url: str, html: str = WHOLE) -> Handler:
    """A page with the address of another page as its canonical one."""

    async def handler(ask: Ask, out: StreamWriter) -> None:
        address = url.replace("PORT", str(ask.port))
        tags = (
            f'<link rel="canonical" href="{address}"><meta property="og:url" content="{address}">'
            f'<script type="application/ld+json">{{"@type": "NewsArticle", "url": "{address}"}}'
            "</script>"
        )
        await reply(html.replace("<head>", f"<head>{tags}"))(ask, out)

    return handler


#: What the good site of every crawl publishes, under its own addresses.
VICTIM = News(CONTROL)
STOLEN = {
    path: claiming(f"http://{CONTROL}:PORT{path}", VICTIM.article(path)) for path in VICTIM.titles
}
SLANDER = {
    path: claiming(f"http://{CONTROL}:PORT{path}", story(f"A false report on {title}"))
    for path, title in VICTIM.titles.items()
}
LOOP = ("/news/first-of-two-60011.html", "/news/second-of-two-60012.html")
COPIES = (
    f"{BROKEN}#top", f"{BROKEN}#comments", f"{BROKEN}?utm_source=feed", f"{BROKEN}?PHPSESSID=1",
    f"{BROKEN}?sid=2", BROKEN.upper(), f"/news/../{BROKEN[1:]}", f"/{BROKEN}", f"{BROKEN}?",
    BROKEN.replace("broken", "br%6fken"),
)  # fmt: skip

TRAPS = (
    Fault("a calendar without an end", {NEXT: calendar}, {NEXT: "2"}, calendar),
    Fault(
        "articles that link to ever more",
        {BROKEN: warren},
        {BROKEN: BROKEN_TITLE},
        warren,
        wanted=frozenset({BROKEN}),
    ),
    Fault("a section that links to itself", links={SECTION: "News", f"{SECTION}#a": "All"}),
    Fault("a next page that is the first", {NEXT: reply(section({NEXT: "2"}))}, {NEXT: "2"}),
    Fault("a next page that vanishes", {NEXT: vanishing}, {NEXT: "2"}),
    Fault(
        "one article under many addresses",
        links=dict.fromkeys(COPIES, BROKEN_TITLE),
        rest=reply(WHOLE),
        possible=frozenset({BROKEN, *COPIES}),
        max_requests=60,
    ),
    Fault(
        "an article that changes with every request",
        {BROKEN: changing},
        {BROKEN: BROKEN_TITLE},
        wanted=frozenset({BROKEN}),
    ),
    Fault(
        "two articles that name each other",
        {
            LOOP[0]: claiming(LOOP[1], story("The first of two reports")),
            LOOP[1]: claiming(LOOP[0], story("The second of two reports")),
        },
        dict.fromkeys(LOOP, BROKEN_TITLE),
        wanted=frozenset(LOOP),
    ),
    Fault("the texts and addresses of another site", STOLEN, possible=frozenset(STOLEN)),
    Fault("false texts at another site's addresses", SLANDER, possible=frozenset(SLANDER)),
    Fault(
        "a canonical that is not an address",
        {BROKEN: claiming("javascript:alert(1)")},
        {BROKEN: BROKEN_TITLE},
        wanted=frozenset({BROKEN}),
    ),
    Fault(
        "a canonical in the internal network",
        {BROKEN: claiming("http://127.0.2.1:PORT/unasked-for/canonical")},
        {BROKEN: BROKEN_TITLE},
        wanted=frozenset({BROKEN}),
    ),
)
