"""The pages of real lines: all that an article has is shown, and once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parsel import Selector

from newsclean.discovery.sources import parse_feed

from .demo_lines import demo_lines
from .lines import article_pages, line, read, write_lines

if TYPE_CHECKING:
    from pathlib import Path


def test_pictures_captions_byline_and_embeds_are_shown_once(tmp_path: Path) -> None:
    seen = {"lead": 0, "inner": 0, "embed": 0, "kicker": 0}
    for number, each in enumerate(demo_lines()):
        out = tmp_path / str(number)
        assert read(out, write_lines(tmp_path / "one.jsonl", each)) == 0
        (text,) = article_pages(out)
        page = Selector(text)
        shown = page.xpath("string(//main)").get("")
        assert page.xpath("//img/@src").getall() == [image["url"] for image in each["images"]]
        for image in each["images"]:
            assert shown.count(image["caption"]) == 1
            seen[image["role"]] += 1
        for embed in each["embeds"]:
            assert page.xpath("//a/@href").getall().count(embed["address"]) == 1
            assert shown.count(embed["text"].splitlines()[0]) == 1
            seen["embed"] += 1
        assert page.xpath("string(//h1)").get() == each["headline"]
        assert page.xpath("//*[@class='authors']/bdi/text()").getall() == each["authors"]
        assert page.xpath("//time/@datetime").getall() == [each["date_published"]]
        if each["kicker"]:
            labels = page.xpath("//*[@class='path']//bdi/text() | //*[@class='kicker']/text()")
            assert [label.lower() for label in labels.getall()].count(each["kicker"].lower()) == 1
            seen["kicker"] += 1
    assert all(seen.values()), seen


def test_a_kicker_that_is_not_the_section_is_shown(tmp_path: Path) -> None:
    read(tmp_path / "site", write_lines(tmp_path / "one.jsonl", line(1, kicker="The long read")))
    (page,) = article_pages(tmp_path / "site")
    assert '<p class="kicker">The long read</p>' in page


def test_a_lead_that_the_body_begins_with_is_shown_once(tmp_path: Path) -> None:
    lead = "Nobody knows for how long it will rain."
    texts = {"body": f"{lead}\n\nRain.", "body_html": f"<p>{lead}</p><p>Rain.</p>"}
    lines = line(1, lead=lead, **texts), line(2, lead="It will not stop.", **texts)
    read(tmp_path / "site", write_lines(tmp_path / "two.jsonl", *lines))
    repeated, apart = article_pages(tmp_path / "site")
    assert repeated.count(lead) == 1
    assert '<p class="lead">It will not stop.</p>' in apart
    assert apart.count(lead) == 1


def test_the_feed_leads_to_all_articles_as_a_crawl_reads_it(tmp_path: Path) -> None:
    lines = list(demo_lines())
    out = tmp_path / "site"
    base = "https://reader.example/news/"
    assert read(out, write_lines(tmp_path / "all.jsonl", *lines), "--base-url", base) == 0
    entries = parse_feed((out / "feed.xml").read_bytes(), f"{base}feed.xml").pages
    assert sorted((entry.title, entry.date, entry.category) for entry in entries) == sorted(
        (each["headline"], each["date_published"], each["section"]) for each in lines
    )
    assert len({entry.url for entry in entries}) == len(lines)
    for entry in entries:
        assert (out / entry.url.removeprefix(base)).is_file()
