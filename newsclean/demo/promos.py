"""Boxes in which a publisher praises its own products, in the prose of its articles.

No page repeats the text of another one, and nothing in the markup says what they are: `hybrid`
takes them for the article. Who has seen one knows them all: `newsclean serve` teaches the site.
"""

from html import escape
from zlib import crc32

from newsclean.demo.world import DemoArticle

#: `place` is the article's; `readers` and `minutes` differ from article to article.
TEXTS = (
    "A new podcast of the newsroom follows the night ferry from {place} for {minutes} minutes, and "
    "{readers} passengers say why they would rather not fly, however long the crossing takes.",
    "The letter that the editors write every Friday comes from {place} this week: it takes "
    "{minutes} minutes to read, and {readers} readers have answered the question at its end.",
)


def promo_box(article: DemoArticle) -> str:
    """The box of an article, the same whenever the page is loaded."""
    number = crc32(article.path.encode())
    text = TEXTS[number % len(TEXTS)].format(
        place=article.place, readers=40 + number // 7 % 400, minutes=12 + number // 11 % 47
    )
    return f'<div class="insert"><p>{escape(text)}</p></div>'
