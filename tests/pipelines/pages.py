"""Pages of a small site, and a crawler whose pipelines a test calls itself."""

from typing import Any

from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse
from scrapy.utils.test import get_crawler

from newsclean.items import PageItem

FOOTER = "Example Times is a member of the press council and follows its rules in all it prints."


def story(town: str) -> str:
    texts = [
        f"It has rained in {town} for {days} days, and the river there is as high as it ever was, "
        "so that the harbour master has closed the old bridge until the water is lower again."
        for days in range(2, 7)
    ]
    body = "".join(f"<p>{text}</p>" for text in texts)
    return (
        f"<html lang=en><head><title>Rain in {town} goes on</title>"
        f'<meta property="og:type" content="article"></head><body><h1>Rain in {town} goes on</h1>'
        f"<div class=body>{body}</div><p class=foot>{FOOTER}</p></body></html>"
    )


def page_item(town: str, html: str | None = None, **fields: Any) -> PageItem:
    body = (html or story(town)).encode()
    status = fields.pop("status", 200)
    url = f"https://example.org/news/rain-in-{town.lower()}-goes-on-1"
    response = HtmlResponse(url, body=body, encoding="utf-8", status=status)
    return PageItem(response, category="news", **fields)


def crawler_with(**settings: Any) -> Crawler:
    settings = {"NEWSCLEAN_MEMORY": ":memory:", "LOGSTATS_INTERVAL": 0, **settings}
    return get_crawler(settings_dict={"ADDONS": {"newsclean.addon.Newsclean": 500}, **settings})
