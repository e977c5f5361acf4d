"""The demo's world: what it says about its articles."""

import random
from collections import Counter
from datetime import datetime
from pathlib import Path

import pytest

import newsclean.demo
from newsclean.demo.blocks import Bullets, Figure, Paragraph, Quote, Subheading, Table, plain
from newsclean.demo.story import SHARED, Narrator, read_topic
from newsclean.demo.world import build_world

ARTICLES = [article for publisher in build_world(7) for article in publisher.articles]
TOPICS = {path.stem for path in Path(newsclean.demo.__file__).parent.glob("topics/*.toml")}


def test_each_publisher_has_three_sections_of_at_least_twelve_articles() -> None:
    for publisher in build_world(7):
        counts = Counter(article.section for article in publisher.articles)
        assert set(counts) == {section.name for section in publisher.sections}
        assert len(counts) >= 3
        assert min(counts.values()) >= 12


def test_no_body_text_stands_in_two_articles_nor_twice_in_one() -> None:
    texts = Counter(text for article in ARTICLES for text in article.gold.split("\n\n"))
    assert [text for text, count in texts.items() if count > 1] == []


def test_no_table_cell_stands_in_two_articles() -> None:
    cells = Counter(
        plain(cell)
        for article in ARTICLES
        for block in article.blocks
        if isinstance(block, Table)
        for row in (block.head, *block.rows)
        for cell in row
    )
    assert cells
    assert [text for text, count in cells.items() if count > 1] == []


def test_headlines_teasers_and_paths_are_unique() -> None:
    for name in ("headline", "description", "path"):
        values = [getattr(article, name) for article in ARTICLES]
        assert len(set(values)) == len(values), name


def test_articles_are_from_120_to_900_words_long() -> None:
    lengths = [len(article.gold.split()) for article in ARTICLES]
    assert min(lengths) >= 120
    assert max(lengths) <= 900
    assert max(lengths) - min(lengths) > 500


def test_every_kind_of_block_occurs_but_not_in_every_article() -> None:
    for kind in (Subheading, Bullets, Quote, Table, Figure):
        having = [any(isinstance(block, kind) for block in article.blocks) for article in ARTICLES]
        assert any(having), kind
        assert not all(having), kind


def test_paragraphs_carry_links_and_emphasis() -> None:
    kinds = {
        run.kind
        for article in ARTICLES
        for block in article.blocks
        if isinstance(block, Paragraph)
        for run in block.runs
    }
    assert kinds == {"text", "link", "em"}


def test_gold_has_no_headline_no_caption_and_no_template_syntax() -> None:
    for article in ARTICLES:
        paragraphs = article.gold.split("\n\n")
        captions = [plain(block.caption) for block in article.blocks if isinstance(block, Figure)]
        assert article.headline not in paragraphs
        assert not set(captions) & set(paragraphs)
        for text in (article.gold, article.headline, article.description, *captions):
            assert not set(text) & set("{}[]|*~^"), text


@pytest.mark.parametrize("name", sorted(TOPICS - {"every_topic"}))
def test_every_template_of_a_topic_can_be_filled_even_if_no_story_has_drawn_it(name: str) -> None:
    topic = read_topic(name)
    narrator = Narrator(random.Random(7), topic, set())
    pools = [pool for pool in vars(topic).values() if isinstance(pool, list)]
    own = [text for pool in pools for text in pool if isinstance(text, str)]
    angles = [text for angle in topic.angles for text in vars(angle).values()]
    for template in (*angles, *own, *(text for texts in SHARED.values() for text in texts)):
        assert not set(narrator.standalone(template)) & set("{}[]|"), template


def test_dates_have_a_zone() -> None:
    assert all(datetime.fromisoformat(article.date_published).tzinfo for article in ARTICLES)


def test_the_same_seed_makes_the_same_world_and_another_seed_another() -> None:
    build_world.cache_clear()
    again = [article for publisher in build_world(7) for article in publisher.articles]
    other = [article for publisher in build_world(8) for article in publisher.articles]
    assert again == ARTICLES
    assert {article.gold for article in other}.isdisjoint(article.gold for article in ARTICLES)
