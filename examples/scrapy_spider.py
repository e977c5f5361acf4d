"""A Scrapy user: a spider with items of its own, whose texts come out clean.

scrapy runspider examples/scrapy_spider.py -a url=https://example.org/sport -O stories.jsonl

The spider knows only where the articles are. `text`, `title` and `author` are empty: the add-on
fills them, because their names say what they are for. `desk` is the spider's own, and stays. In a
project, `ADDONS` and `ITEM_PIPELINES` are in settings.py, without `custom_settings`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import scrapy
from scrapy.http import Response


@dataclass
class Story:
    url: str
    desk: str
    title: str = ""
    author: str = ""
    text: str = ""
    words: int = 0


class CountWords:
    """A pipeline of the project's own: above 190 it gets items with their articles."""

    def process_item(self, item: Story) -> Story:
        item.words = len(item.text.split())
        return item


class StorySpider(scrapy.Spider):
    name = "stories"
    custom_settings = {  # noqa: RUF012 as Scrapy has it
        "ADDONS": {"newsclean.addon.Newsclean": 500},
        "ITEM_PIPELINES": {CountWords: 300},
        "NEWSCLEAN_DROP": ["no-article"],
        "ROBOTSTXT_OBEY": True,
    }

    def __init__(self, url: str, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.start_urls = [url]

    def parse(self, response: Response) -> Iterator[scrapy.Request]:
        for link in response.css("article h2 a"):
            yield response.follow(link, self.parse_story)

    def parse_story(self, response: Response) -> Iterator[Story]:
        yield Story(url=response.url, desk="sport desk")
