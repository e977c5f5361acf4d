"""Small invented corpora with articles and other pages, on disk."""

import json
from pathlib import Path
from typing import Any

from tests.extraction.is_article.pages import front, story


def write_corpus(folder: Path, publishers: int = 12) -> Path:
    """A mixed collection, an article and a front page a publisher, and one with articles only."""
    mixed, news = [], []
    for number in range(publishers):
        site = f"paper{number}.org"
        name = f"town{number}"
        url = f"https://{site}/2026/03/14/rain-in-{name}-goes-on-and-on"
        mixed.append(_page(folder, "mixed", f"a{number}", site, url, "article", story(name)))
        listing = f"https://{site}/section/"
        mixed.append(_page(folder, "mixed", f"b{number}", site, listing, "listing", front(name)))
        other = f"other{number}.org"
        url = f"https://{other}/news/rain-in-{name}-{10000 + number}.html"
        news.append(_page(folder, "news", f"c{number}", other, url, "article", story(name)))
    for collection, golds in (("mixed", mixed), ("news", news)):
        lines = "".join(json.dumps(gold) + "\n" for gold in golds)
        (folder / collection / "gold.jsonl").write_text(lines, "utf-8")
    return folder


def _page(
    folder: Path, collection: str, name: str, site: str, url: str, kind: str, html: str
) -> dict[str, Any]:
    path = folder / collection / "pages" / f"{name}.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(html, "utf-8")
    return {"id": name, "site": site, "url": url, "kind": kind, "text": "x"}
