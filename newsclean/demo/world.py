"""The demo's news world: two publishers, their sections, staff and articles, all from a seed."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone
from functools import cache, lru_cache
from itertools import islice
from typing import Any

from newsclean.demo.blocks import (
    Block,
    Bullets,
    Figure,
    Paragraph,
    Quote,
    Runs,
    Subheading,
    gold_paragraphs,
)
from newsclean.demo.story import (
    SHARED,
    TOPIC_LINK,
    Story,
    Topic,
    read_toml,
    read_topic,
    write_story,
)

_ARTICLES_PER_SECTION = 13
_STAFF = 7
_MIN_WORDS, _MAX_WORDS = 165, 860
_NEWEST = datetime(2026, 4, 20, 18, 0)
_SLUG_WORDS = 8


@dataclass(frozen=True)
class Section:
    name: str
    path: str
    topic: str
    #: paths of the articles whose URL is unlike the others', by their place in the section
    unusual: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class DemoArticle:
    """An article as published, with its gold: what a perfect extraction would return."""

    path: str
    base_url: str
    section: str
    headline: str
    authors: tuple[str, ...]
    date_published: str
    description: str
    place: str
    image: str
    blocks: tuple[Block, ...]
    gold: str

    @property
    def url(self) -> str:
        return self.base_url + self.path

    @property
    def published(self) -> datetime:
        return datetime.fromisoformat(self.date_published)

    @property
    def lead(self) -> Figure | None:
        return next((block for block in self.blocks if isinstance(block, Figure)), None)

    @property
    def number(self) -> int:
        """What templates choose by where articles should differ."""
        return sum(map(ord, self.path))


@dataclass(frozen=True)
class Publisher:
    """A news site. Paths are fixed by the seed; ``base_url`` is known once a server runs."""

    key: str
    name: str
    motto: str
    #: the form of its paths
    paths: dict[str, str]
    sections: tuple[Section, ...]
    staff: tuple[str, ...]
    articles: tuple[DemoArticle, ...]
    base_url: str = ""
    # URLs that lead to no article; known once a server runs.
    non_article_urls: tuple[str, ...] = ()
    forbidden_urls: tuple[str, ...] = ()
    missing_url: str = ""
    pdf_url: str = ""
    empty_url: str = ""
    # Second URLs of articles: pairs of copy and original.
    copies: tuple[tuple[str, str], ...] = ()

    def at(self, base_url: str) -> "Publisher":
        """The same publisher, served from this URL."""
        articles = tuple(replace(article, base_url=base_url) for article in self.articles)
        return replace(self, articles=articles, base_url=base_url)

    @property
    def section_urls(self) -> tuple[str, ...]:
        return tuple(self.base_url + section.path for section in self.sections)

    @property
    def places(self) -> tuple[str, ...]:
        """The places that have a topic page."""
        return tuple(sorted({article.place for article in self.articles}))

    def author_path(self, author: str) -> str:
        return self.paths["author"].format(name=_slug(author))

    def topic_path(self, place: str) -> str:
        return self.paths["topic"].format(name=_slug(place))

    def in_section(self, section: Section) -> tuple[DemoArticle, ...]:
        return tuple(article for article in self.articles if article.section == section.name)


def _slug(text: str, words: int = _SLUG_WORDS) -> str:
    """The text as part of a URL.

    >>> _slug("Profit at Tarn & Holloway falls 4.5 per cent")
    'profit-at-tarn-holloway-falls-4-5-per'
    """
    return "-".join(re.findall(r"[a-z0-9]+", text.lower())[:words])


@cache
def read_publisher(key: str) -> dict[str, Any]:
    """What its file in `publishers` says about a publisher, or about every one."""
    return read_toml(f"publishers/{key}.toml")


@lru_cache(maxsize=8)
def build_world(seed: int) -> tuple[Publisher, ...]:
    """Both publishers; the same seed always makes the same world."""
    seen: set[str] = set()
    rng = random.Random(f"newsclean demo {seed}")
    names = _names(rng)
    return tuple(_publish(rng, key, names, seen) for key in ("ledger", "gazette"))


@lru_cache(maxsize=8)
def build_scripted_publisher(seed: int) -> Publisher:
    """A publisher whose pages are made by scripts."""
    rng = random.Random(f"newsclean scripted demo {seed}")
    return _publish(rng, "courier", _names(rng), set())


def _names(rng: random.Random) -> Iterator[str]:
    lasts = list(SHARED["last_names"])
    rng.shuffle(lasts)
    for last in lasts:
        yield f"{rng.choice(SHARED['first_names'])} {last}"


def _publish(rng: random.Random, key: str, names: Iterator[str], seen: set[str]) -> Publisher:
    data = read_publisher(key)
    publisher = Publisher(
        key=key,
        name=data["name"],
        motto=data["motto"],
        paths=data["paths"],
        sections=tuple(Section(**section) for section in data["sections"]),
        staff=tuple(islice(names, _STAFF)),
        articles=(),
    )
    articles: list[DemoArticle] = []
    number = rng.randint(120_000, 180_000)
    for section in publisher.sections:
        date = _NEWEST.replace(tzinfo=timezone(timedelta(hours=data["utc_offset"])))
        for place, story in enumerate(_stories(rng, read_topic(section.topic), seen)):
            date -= timedelta(days=rng.randint(2, 9), minutes=rng.randint(1, 700))
            number += rng.randint(3, 990)
            path = section.unusual.get(str(place), publisher.paths["article"]).format(
                section=section.path,
                name=_slug(story.headline),
                short=_slug(story.headline, 2),
                date=date,
                number=number,
            )
            articles.append(_article(rng, publisher, section, story, date, path, number))
    published = replace(publisher, articles=tuple(articles))
    return replace(
        published, articles=tuple(_linked(rng, published, article) for article in articles)
    )


def _stories(rng: random.Random, topic: Topic, seen: set[str]) -> list[Story]:
    """A section's stories: angles in turn, lengths spread evenly from short to long."""
    step = (_MAX_WORDS - _MIN_WORDS) / (_ARTICLES_PER_SECTION - 1)
    lengths = [round(_MIN_WORDS + i * step) for i in range(_ARTICLES_PER_SECTION)]
    rng.shuffle(lengths)
    return [
        write_story(rng, topic, topic.angles[i % len(topic.angles)], length, seen)
        for i, length in enumerate(lengths)
    ]


def _article(
    rng: random.Random,
    publisher: Publisher,
    section: Section,
    story: Story,
    date: datetime,
    path: str,
    number: int,
) -> DemoArticle:
    figures = [block for block in story.blocks if isinstance(block, Figure)]
    return DemoArticle(
        path=path,
        base_url="",
        section=section.name,
        headline=story.headline,
        authors=tuple(rng.sample(publisher.staff, rng.choice((1, 1, 1, 2)))),
        date_published=date.isoformat(timespec="seconds"),
        description=story.teaser,
        place=story.place,
        image=figures[0].image if figures else f"/images/{number % 10_000}.svg",
        blocks=story.blocks,
        gold="\n\n".join(gold_paragraphs(story.blocks)),
    )


def _linked(rng: random.Random, publisher: Publisher, article: DemoArticle) -> DemoArticle:
    """The article with its inline links pointing to pages that exist."""

    def resolve(runs: Runs) -> Runs:
        return tuple(
            run
            if run.kind != "link"
            else replace(
                run,
                href=publisher.topic_path(article.place)
                if run.href == TOPIC_LINK
                else rng.choice([other for other in publisher.articles if other != article]).path,
            )
            for run in runs
        )

    def linked(block: Block) -> Block:
        if isinstance(block, Paragraph | Subheading | Quote):
            return replace(block, runs=resolve(block.runs))
        if isinstance(block, Bullets):
            return replace(block, items=tuple(resolve(item) for item in block.items))
        return block

    return replace(article, blocks=tuple(linked(block) for block in article.blocks))
