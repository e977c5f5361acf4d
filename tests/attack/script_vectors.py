"""Script vectors: none may survive in the clean HTML, for a parser and for a browser."""

from __future__ import annotations

import json
import random
from html import escape
from itertools import product

import newsclean
from newsclean.extraction.page import PageError
from tests.attack.allow_list import violations
from tests.attack.browser import executed, find_browser
from tests.attack.promise import Promise
from tests.attack.tally import Tally
from tests.attack.vectors import VECTORS

URL = "https://example.org/news/the-lantern-parade-50001.html"
TEXT = (
    "The lanterns were carried from the harbour to the mill, where the clerk counted them twice "
    "and found three more than in the year before, which nobody could explain to him that night."
)

#: Where a vector is put into a page.
PLACES = {
    "paragraph": "<p>{text} VECTOR {text}</p>",
    "link": '<p>{text} <a href="/more">see VECTOR here</a> {text}</p>',
    "attribute": '<p>{text} <abbr title="VECTOR">TLP</abbr> <a href="VECTOR">more</a> {text}</p>',
    "around": "VECTOR<p>{text}</p>VECTOR",
    "headline": "<p>{text}</p>",
    "metadata": "<p>{text}</p>",
    "caption": (
        '<figure><img src="/a.jpg" width=600 height=400 alt="VECTOR"><figcaption>A view VECTOR'
        "</figcaption></figure><p>{text}</p>"
    ),
    "table": (
        "<table><tr><th>Year</th><th>Lanterns</th></tr><tr><td>1901 VECTOR</td><td>312</td></tr>"
        "<tr><td>1902</td><td>VECTOR</td></tr></table><p>{text}</p>"
    ),
}
BROWSER_PROMISE = "a browser executes none of them"


def page_with(vector: str, place: str) -> str:
    """A news page with a vector in one place."""
    title = f"The lantern parade {vector if place == 'headline' else ''}"
    head = f"<title>{title}</title>"
    if place == "metadata":
        fields = dict.fromkeys(("headline", "description", "url", "image", "articleBody"), vector)
        data = {"@type": "NewsArticle", "author": {"@type": "Person", "name": vector}} | fields
        names = ("description", "author", "og:title", "og:image", "og:url", "keywords")
        head += "".join(f'<meta property="{n}" content="{escape(vector)}">' for n in names)
        head += f'<meta name=description content="{vector}">'
        head += f'<link rel=canonical href="{escape(vector)}">'
        head += f'<script type="application/ld+json">{json.dumps(data)}</script>'
    main = PLACES[place].replace("{text}", TEXT).replace("VECTOR", vector)
    return (
        f"<!DOCTYPE html><html lang=en><head>{head}</head><body><div><a href=/>Home</a></div>"
        f"<div><h1>{title}</h1>{main}<p>{TEXT}</p><p>{TEXT[::-1]}</p></div></body></html>"
    )


def run(tries: int, seed: int) -> list[Promise]:
    """Clean this many pages with a vector each; all of them at most."""
    pairs = list(product(range(len(VECTORS)), PLACES))
    chosen = random.Random(seed).sample(pairs, min(tries, len(pairs)))
    tally = Tally("script vectors")
    cleaned: dict[str, str] = {}
    for number, place in chosen:
        name = f"{VECTORS[number][:120]} in {place}"
        html = page_with(VECTORS[number].replace("HIT", f"top.hit({number})"), place)
        try:
            article = newsclean.extract(html, url=URL)
        except PageError:
            continue
        found = violations(article.body_html)
        tally.check("no script survives for a parser", not found, f"{name}: {found}")
        addresses = [article.canonical_url, article.image]
        wrong = [url for url in addresses if url and not url.startswith(("http://", "https://"))]
        tally.check("address fields are addresses of the web", not wrong, f"{name}: {wrong}")
        cleaned.setdefault(article.body_html, name)
    check_in_browser(tally, cleaned)
    return tally.promises()


def check_in_browser(tally: Tally, cleaned: dict[str, str]) -> None:
    """Show every result to a browser, after it has proved that it would notice a script."""
    if find_browser() is None:
        tally.skip(BROWSER_PROMISE, "no chromium on this machine")
        return
    control = [vector.replace("HIT", f"top.hit({n})") for n, vector in enumerate(VECTORS)]
    fired = executed(control, in_page=False)
    tally.check(
        "the browser notices scripts that are not cleaned away",
        len(fired) >= len(VECTORS) // 4,
        f"{len(fired)} of {len(VECTORS)}",
        len(VECTORS),
    )
    pages = list(cleaned)
    tally.check(BROWSER_PROMISE, True, "", len(pages))
    for number in executed(pages):
        tally.check(BROWSER_PROMISE, False, VECTORS[number][:200], 0)
