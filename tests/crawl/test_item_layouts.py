"""Projects whose items have other fields than ours: cleaned, and nothing of theirs is lost."""

from pathlib import Path
from typing import Any

import pytest

from .scrapy_command import HURRY, Run, scrapy
from .small_site import FOOTER, MENU, Answer, page, section, serve, story

pytestmark = [pytest.mark.slow, pytest.mark.versions]

TITLES = [f"The {name} fair" for name in "horse goose onion lantern barrel herring cider".split()]
STORIES = {f"/news/fair-number-{number}": title for number, title in enumerate(TITLES, 1)}
#: A page of a list, of which the spiders make exactly one item.
TABLE = page("The table", "<table>" + "<tr><td>Oldbridge<td>3<td>1</tr>" * 20 + "</table>")

SITE = {
    "/news": Answer(section({**STORIES, "/table": "The table of the season"})),
    "/table": Answer(TABLE),
    **{path: Answer(story(title)) for path, title in STORIES.items()},
}

SPIDER = '''
from dataclasses import dataclass

import scrapy


class TextItem(scrapy.Item):
    url = scrapy.Field()
    source = scrapy.Field()
    title = scrapy.Field()
    text = scrapy.Field()
    is_article = scrapy.Field()
    unchanged = scrapy.Field()


@dataclass
class ArticleRecord:
    url: str
    title: str
    article_body: str
    source: str = "mine"
    is_article: bool | None = None
    unchanged: bool | None = None


class FairSpider(scrapy.Spider):
    name = "fair"

    async def start(self):
        yield scrapy.Request(self.url)

    def parse(self, response):
        yield from response.follow_all(css="h2 a", callback=self.parse_story)

    def parse_story(self, response):
        text = " ".join(response.css("body ::text").getall())
        title = response.css("h1::text").get()
        if self.layout == "dict":
            yield {"url": response.url, "title": title, "content": text, "source": "mine"}
        elif self.layout == "item":
            yield TextItem(url=response.url, text=text, source="mine", title=title)
        else:
            yield ArticleRecord(response.url, title, text)


class OwnPipeline:
    """Has what comes to it on record, and changes nothing."""

    def open_spider(self):
        self.file = open("seen.txt", "a")

    def close_spider(self):
        self.file.close()

    def process_item(self, item):
        print(type(item).__name__, file=self.file)
        return item
'''

SETTINGS = """
ADDONS = {"newsclean.addon.Newsclean": 500}
SPIDER_MODULES = ["fair"]
ITEM_PIPELINES = {"fair.OwnPipeline": 300}
"""

LAYOUTS = {
    "dict": ("dict", "content"),
    "item": ("TextItem", "text"),
    "dataclass": ("ArticleRecord", "article_body"),
}


def crawl(folder: Path, url: str, layout: str, output: str) -> Run:
    (folder / "fair.py").write_text(SPIDER)
    (folder / "project.py").write_text(SETTINGS)
    arguments = [f"-aurl={url}/news", f"-alayout={layout}", "-O", output]
    return scrapy(folder, "crawl", "fair", *arguments, settings="project", **HURRY)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_items_of_any_layout_come_out_clean_with_all_that_the_spider_read(
    layout: str, tmp_path: Path
) -> None:
    kind, field = LAYOUTS[layout]
    with serve(SITE) as site:
        runs = [crawl(tmp_path, site.url, layout, f"{name}.jsonl") for name in ("one", "two")]
    for run in runs:
        assert run.exit_code == 0, run.log
        assert run.complaints == []
        assert run.dropped == {}
        assert run.log.count(f"goes into its field '{field}'") == 1
    first, second = (
        by_title(run, f"{name}.jsonl") for run, name in zip(runs, ("one", "two"), strict=True)
    )
    # Nothing is lost: not the page of a list, and not what an earlier run had already.
    assert set(first) == set(second) == {*TITLES, "The table"}
    assert (tmp_path / "seen.txt").read_text().split() == [kind] * (2 * len(first))
    for items, is_known in ((first, False), (second, True)):
        for title in TITLES:
            item = items[title]
            assert (item["is_article"], item["unchanged"]) == (True, is_known)
            assert item["source"] == "mine"
            assert item[field].startswith("In part 1 of the report on the ")
            assert MENU not in item[field]
            assert FOOTER not in item[field]
        assert items["The table"]["is_article"] is False
        assert MENU in items["The table"][field]  # as the spider has read it
    orders = {tuple(item) for items in (first, second) for item in items.values()}
    assert len(orders) == 1


def by_title(run: Run, name: str) -> dict[str, dict[str, Any]]:
    lines = run.lines(name)
    found = {line["title"]: line for line in lines}
    assert len(found) == len(lines)
    return found
