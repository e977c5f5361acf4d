"""A page in a real browser: what its scripts make of it, and what they cannot do."""

import asyncio

import pytest

from newsclean.browser.chromium import Answer, BrowserRequest, ShownPage, find_chromium
from newsclean.browser.renderer import Renderer, RenderingError

pytestmark = [pytest.mark.slow, pytest.mark.chromium]

URL = "https://www.example.org/news/1"
HEADERS = {"content-type": "text/html; charset=utf-8"}


def show(*bodies: str, timeout: float = 30.0, max_size: int = 100_000) -> list[str]:
    """What one browser makes of pages, one after the other; of one that fails, the reason."""

    async def answer(wanted: BrowserRequest) -> Answer | None:
        asked.append(wanted)
        text = f"{wanted.method} {wanted.url.rpartition('/')[2]}"
        return Answer(text.encode(), {"content-type": "text/plain"})

    async def show_all() -> list[str]:
        renderer = Renderer(
            find_chromium(), user_agent="tester", wait=5.0, timeout=timeout, max_size=max_size
        )
        shown = []
        try:
            for body in bodies:
                page = ShownPage(URL, Answer(body.encode(), HEADERS), answer)
                try:
                    shown.append(await renderer.render(page))
                except RenderingError as error:
                    shown.append(error.reason)
        finally:
            await renderer.close()
        return shown

    asked: list[BrowserRequest] = []
    return asyncio.run(show_all())


def script(code: str, body: str = "<p id=p>as sent</p>") -> str:
    return f"<!DOCTYPE html><body>{body}<script>{code}</script></body>"


def test_scripts_run_and_get_the_answers_that_they_are_given() -> None:
    data = "fetch('/data', {method: 'POST', body: 'x'}).then((r) => r.text())"
    late = f"setTimeout(() => {data}.then((t) => {{ p.textContent = t; }}), 200)"
    agent = script("p.textContent = navigator.userAgent + ' ' + document.cookie")
    keeps = script("document.cookie = 'a=b'; localStorage.c = 'd'; p.textContent = 'kept'")
    forgets = script("p.textContent = `[${document.cookie}${localStorage.c}]`")
    first, second, _, fourth = show(script(late), agent, keeps, forgets)
    assert '<p id="p">POST data</p>' in first
    assert first.startswith("<!DOCTYPE html>")
    assert '<p id="p">tester </p>' in second
    assert '<p id="p">[undefined]</p>' in fourth


def test_a_page_stays_where_it_is_and_opens_no_other() -> None:
    away = [
        "location.href = '/elsewhere'",
        "location.reload()",
        "window.open('/elsewhere')",
        "alert('stop')",
        "new WebSocket('wss://www.example.org/socket')",
        "navigator.serviceWorker.register('/worker.js').catch(() => {})",
    ]
    for html in show(*map(script, away)):
        assert "as sent" in html


def test_what_is_in_shadow_roots_is_where_a_reader_sees_it() -> None:
    code = """
    const root = document.querySelector("x-story").attachShadow({mode: "open"});
    root.innerHTML = "<h1>Headline</h1><x-body></x-body><slot></slot><p>end</p>";
    root.querySelector("x-body").attachShadow({mode: "open"}).innerHTML = "<p>middle</p>";
    """
    (html,) = show(script(code, "<x-story><p>slotted</p></x-story>"))
    shown = html.partition("<script>")[0]
    places = [shown.index(text) for text in ("Headline", "middle", "slotted", "end")]
    assert places == sorted(places)
    assert "<slot" not in shown


def test_pages_that_hang_leave_or_grow_are_given_up_and_the_next_one_is_shown() -> None:
    hanging = script("while (true) {}")
    leaving = script("location.href = URL.createObjectURL(new Blob(['gone']))")
    growing = script("p.textContent = 'x'.repeat(200000)")
    restless = script("setInterval(() => { p.textContent = Math.random() + ' as sent'; }, 20)")
    assert show(hanging, leaving, growing, timeout=12.0) == ["timeout", "left", "too-large"]
    after, last = show(restless, script(""))
    assert "as sent" in after
    assert "as sent" in last
