"""An aggregator: crawl some sites, and make one feed of what is new (JSON Feed 1.1).

python examples/aggregator.py https://example.org/ https://example.net/sport

Run it every hour, from cron or by hand. The memory (`.scrapy/` in this folder) knows what was
delivered: each run adds only articles that are new or have changed. A second state of an article
replaces the first one, because both have the same `id`.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from newsclean.cli import main as newsclean

ARTICLES = Path("articles.jsonl")
FEED = Path("feed.json")
MAX_ITEMS = 100


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Make one feed of the news of several sites.")
    parser.add_argument("urls", nargs="+", metavar="URL", help="home page or section")
    options = parser.parse_args(arguments)
    # As on the command line. 5 and 6 say that sites are in trouble: the others have been crawled.
    code = newsclean(["crawl", *options.urls, "--output", str(ARTICLES)])
    if code not in (0, 5, 6) or not ARTICLES.exists():
        return code
    newest = sorted(latest_states(ARTICLES), key=published, reverse=True)
    items = [feed_item(article) for article in newest[:MAX_ITEMS]]
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": "Our news", "items": items}
    FEED.write_text(json.dumps(feed, ensure_ascii=False, indent=1), "utf-8")
    print(f"{len(items)} articles in {FEED}; the newest: {newest[0]['headline']}")
    return code


def latest_states(path: Path) -> list[dict[str, Any]]:
    """Return each article once: later lines are later states."""
    with path.open(encoding="utf-8") as file:
        articles = [json.loads(line) for line in file]
    return list({article["id"]: article for article in articles}.values())


def published(article: dict[str, Any]) -> str:
    """Return the day on which an article appeared; for the order of a feed the day is enough."""
    return (article["date_published"] or article["fetched_at"])[:10]


def feed_item(article: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": article["id"],
        "url": article["url"],
        "title": article["headline"],
        "content_html": article["body_html"],  # clean: safe to show as it is
        "summary": article["description"],
        "image": article["image"],
        "date_published": article["date_published"],
        "authors": [{"name": name} for name in article["authors"]],
        "language": article["language"],
    }


if __name__ == "__main__":
    raise SystemExit(main())
