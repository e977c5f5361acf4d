"""The demo's news world: two publishers, their sections, staff and articles, all from a seed."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from functools import lru_cache

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
from newsclean.demo.story import SHARED, TOPIC_LINK, Story, Topic, read_topic, write_story

ARTICLES_PER_SECTION = 13
STAFF = 7
MIN_WORDS, MAX_WORDS = 165, 860
NEWEST = datetime(2026, 4, 20, 18, 0)
SLUG_WORDS = 8

#: Some articles have an address unlike the others', by section and place in it.
UNUSUAL = {
    ("Politics", 5): "/politics/{short}",
    ("Business", 3): "/long-reads/{name}/",
    ("Science", 7): "/{date:%Y/%m/%d}/video-shows-how-it-was-done",
    ("Sport", 4): "/sport/{name}/",
    ("Culture", 8): "/culture/a-gallery-of-open-doors-{number}.html",
    ("Local", 10): "/local/{short}",
}
#: The address of all others.
USUAL = {
    "ledger": "/{date:%Y/%m/%d}/{name}",
    "gazette": "{section}{name}-{number}.html",
    "courier": "/stories/{name}-{number}",
}


@dataclass(frozen=True)
class Section:
    name: str
    path: str


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


@dataclass(frozen=True)
class Publisher:
    """A news site. Paths are fixed by the seed; ``base_url`` is known once a server runs."""

    key: str
    name: str
    motto: str
    sections: tuple[Section, ...]
    staff: tuple[str, ...]
    articles: tuple[DemoArticle, ...]
    base_url: str = ""
    # Addresses that lead to no article; known once a server runs.
    non_article_urls: tuple[str, ...] = ()
    forbidden_urls: tuple[str, ...] = ()
    missing_url: str = ""
    pdf_url: str = ""
    empty_url: str = ""
    # Second addresses of articles: pairs of copy and original.
    copies: tuple[tuple[str, str], ...] = ()

    def at(self, base_url: str) -> "Publisher":
        """The same publisher, served from this address."""
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
        if self.key == "ledger":
            return f"/authors/{slug(author)}"
        return f"/staff/{slug(author)}.html"

    def topic_path(self, place: str) -> str:
        if self.key == "ledger":
            return f"/topics/{slug(place)}"
        return f"/tag.php?name={slug(place)}"

    def in_section(self, section: Section) -> tuple[DemoArticle, ...]:
        return tuple(article for article in self.articles if article.section == section.name)


def slug(text: str, words: int = SLUG_WORDS) -> str:
    """The text as part of an address.

    >>> slug("Profit at Tarn & Holloway falls 4.5 per cent")
    'profit-at-tarn-holloway-falls-4-5-per'
    """
    return "-".join(re.findall(r"[a-z0-9]+", text.lower())[:words])


@lru_cache(maxsize=8)
def build_world(seed: int) -> tuple[Publisher, ...]:
    """Both publishers; the same seed always makes the same world."""
    seen: set[str] = set()
    rng = random.Random(f"newsclean demo {seed}")
    names = _names(rng)
    ledger = _publish(
        rng,
        Publisher(
            key="ledger",
            name="The Harbor Ledger",
            motto="News from the coast of Arvonia since 1871",
            sections=(
                Section("Politics", "/politics"),
                Section("Business", "/business"),
                Section("Science", "/science"),
            ),
            staff=tuple(next(names) for _ in range(STAFF)),
            articles=(),
        ),
        ("politics", "business", "science"),
        seen,
    )
    gazette = _publish(
        rng,
        Publisher(
            key="gazette",
            name="Oldbridge Gazette",
            motto="Your paper, your town",
            sections=(
                Section("Sport", "/sport/"),
                Section("Culture", "/culture/"),
                Section("Local", "/local/"),
            ),
            staff=tuple(next(names) for _ in range(STAFF)),
            articles=(),
        ),
        ("sport", "culture", "local"),
        seen,
    )
    return (ledger, gazette)


@lru_cache(maxsize=8)
def build_scripted_publisher(seed: int) -> Publisher:
    """A publisher whose pages are made by scripts."""
    rng = random.Random(f"newsclean scripted demo {seed}")
    names = _names(rng)
    return _publish(
        rng,
        Publisher(
            key="courier",
            name="The Skerry Courier",
            motto="Written by the sea, shown by a script",
            sections=(Section("Trade", "/trade"), Section("Stage", "/stage")),
            staff=tuple(next(names) for _ in range(STAFF)),
            articles=(),
        ),
        ("business", "culture"),
        set(),
    )


def _names(rng: random.Random) -> Iterator[str]:
    lasts = list(SHARED["last_names"])
    rng.shuffle(lasts)
    for last in lasts:
        yield f"{rng.choice(SHARED['first_names'])} {last}"


def _publish(
    rng: random.Random, publisher: Publisher, topics: tuple[str, ...], seen: set[str]
) -> Publisher:
    articles: list[DemoArticle] = []
    number = rng.randint(120_000, 180_000)
    for section, topic in zip(publisher.sections, topics, strict=True):
        date = NEWEST.replace(
            tzinfo=timezone(timedelta(hours=1 if publisher.key == "ledger" else -5))
        )
        for place, story in enumerate(_stories(rng, read_topic(topic), seen)):
            date -= timedelta(days=rng.randint(2, 9), minutes=rng.randint(1, 700))
            number += rng.randint(3, 990)
            path = UNUSUAL.get((section.name, place), USUAL[publisher.key]).format(
                section=section.path,
                name=slug(story.headline),
                short=slug(story.headline, 2),
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
    step = (MAX_WORDS - MIN_WORDS) / (ARTICLES_PER_SECTION - 1)
    lengths = [round(MIN_WORDS + i * step) for i in range(ARTICLES_PER_SECTION)]
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
