"""Boilerpipe: boilerplate detection using shallow text features (Kohlschütter and others, 2010).

A block of text is content or not by its number of words, its link density, and those of the blocks
before and after it. The article extractor then joins content blocks that stand close together,
keeps the largest such stretch, and adds what stands between it and the title.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from newsclean.extraction.methods.chain import Choice, Stage, Step, ignored, with_markup
from newsclean.extraction.methods.keys import title_names, title_of
from newsclean.text import comparison_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from newsclean.extraction.methods.chain import Evidence
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column, Mask


# Lines that stand behind an article: the readers' comments begin there, or are asked for.
#
# Boilerpipe knows English ones. Two kinds are told apart, so that a subheading such as "Comments
# from the minister" ends nothing: what has to be the whole line, but for numbers and signs, and
# what a line has to begin with.

#: The whole line, as in "Comments (12)".
_WHOLE = frozenset(
    line.strip()
    for line in """
    comments | comment | reader comments | all comments | show comments | view comments
    hide comments | read comments | most popular comments | the discussion | responses | discussion
    kommentare | kommentar | leserkommentare | alle kommentare | kommentare anzeigen | diskussion
    commentaires | commentaire | vos commentaires | réactions | voir les commentaires
    comentarios | comentario | ver comentarios | mostrar comentarios | comentários | ver comentários
    commenti | vedi commenti | i commenti | reacties | alle reacties | toon reacties
    kommentarer | alla kommentarer | vis kommentarer | visa kommentarer | kommentit | keskustelu
    komentarze | wszystkie komentarze | komentáře | komentare | komentari | diskuse | diskusia
    yorumlar | yorum | комментарии | комментарий | комментариев | коментарі | коментари
    σχόλια | komentarai | komentāri | kommentaarid | hozzászólások | comentarii | bình luận
    komentar | 评论 | 评论区 | 網友評論 | 留言 | コメント | コメント一覧 | 댓글 | التعليقات
    تعليقات | תגובות
    """.replace("\n", "|").split("|")
    if line.strip()
)

#: The first words of a short line, as in "Leave a comment below".
_BEGINNING = tuple(
    line.strip()
    for line in """
    post a comment | post your comment | add a comment | add your comment | add comment
    leave a comment | leave a reply | leave your comment | write a comment | join the conversation
    join the discussion | have your say | what do you think | share your thoughts
    log in to comment | sign in to comment | please rate | rate this article | comments are closed
    be the first to comment | there are no comments | no comments yet
    kommentar schreiben | kommentieren sie | schreiben sie einen kommentar | diskutieren sie mit
    ihre meinung zu | kommentar verfassen | jetzt kommentieren | artikel kommentieren
    laisser un commentaire | ajouter un commentaire | écrire un commentaire | réagissez
    réagir à cet article | publier un commentaire | votre commentaire
    deja un comentario | deja tu comentario | dejar un comentario | escribe un comentario
    escribe tu comentario | añade un comentario | deixe um comentário | deixe seu comentário
    escreva um comentário | lascia un commento | scrivi un commento | aggiungi un commento
    plaats een reactie | schrijf een reactie | geef een reactie | reageer op dit artikel
    skriv en kommentar | kirjoita kommentti | lisää kommentti | dodaj komentarz
    napisz komentarz | přidat komentář | pridať komentár | napiši komentar | yorum yaz
    yorum yap | оставить комментарий | добавить комментарий | написать комментарий
    залишити коментар | γράψτε ένα σχόλιο | 发表评论 | 發表評論 | コメントを書く | コメントする
    """.replace("\n", "|").split("|")
    if line.strip()
)

_SIGNS = re.compile(r"[\W\d_]+")
_FIRST_LETTERS = re.compile(r"[^\W\d_]{1,3}")
#: How an end mark begins; most lines begin otherwise, and need no closer look.
FIRST_LETTERS = {
    found[0] for line in (*_WHOLE, *_BEGINNING) if (found := _FIRST_LETTERS.search(line))
}


def is_end_mark(line: str) -> bool:
    """Whether a short line says that the article is over.

    >>> is_end_mark("Comments (1,024)"), is_end_mark("12 Kommentare"), is_end_mark("Дом")
    (True, True, False)
    >>> is_end_mark("Leave a comment below"), is_end_mark("Comments from the minister")
    (True, False)
    """
    line = line.casefold()
    first = _FIRST_LETTERS.search(line)
    if not first or first[0] not in FIRST_LETTERS:
        return False
    folded = _SIGNS.sub(" ", line).strip()
    return folded in _WHOLE or folded.startswith(_BEGINNING)


#: Text in these is not shown, or not to be read.
_IGNORED = frozenset("option object embed applet noscript".split())
#: Section 3.3: the width of a line for the text density
_LINE = 80


@dataclass(frozen=True)
class Parameters:
    """The published tree by number of words (algorithm 2), and the filters of the extractor."""

    link_density: float = 0.333333
    previous_link_density: float = 0.555556
    #: after a block that is mostly text
    words: int = 16
    next_words: int = 15
    previous_words: int = 4
    #: after a block that is mostly links
    words_after_links: int = 40
    next_words_after_links: int = 17
    #: an end mark has fewer words than this
    end_mark_words: int = 15
    #: and counts only behind so many words of full text; 0: there are no end marks
    words_before_end: int = 60
    #: and behind this share of the words of all content blocks
    share_before_end: float = 0.0
    #: full text has at least so many words a line
    full_text_density: float = 9
    #: blocks that may stand between two content blocks of one stretch
    distance: int = 1
    #: what an earlier method has marked as noise stands between blocks as a link does
    noise_is_link: bool = False
    #: an ignored tag with more than this share of the page's plain text is not ignored
    largest_share: float = 1.0


PAPER = Parameters()
#: Today a button "Comments" stands above the article as often as behind it, and boxes with several
#: links stand between its paragraphs.
TUNED = replace(PAPER, share_before_end=0.5, distance=8, noise_is_link=True, largest_share=0.4)


@dataclass(frozen=True, eq=False)
class Features:
    """The blocks that take part, and the counts of each."""

    #: positions in `page.blocks`
    block: Column
    words: Column
    link_density: NDArray[np.float64]
    #: whether the block may be content
    eligible: Mask


def steps(parameters: Parameters) -> tuple[Step, ...]:
    def content(page: Page, evidence: Evidence, before: Choice) -> Choice:
        rows, score = choose(page, before.rows, parameters)
        return replace(before, rows=rows, score=score)

    return (Step(Stage.CONTENT, content),)


def choose(page: Page, eligible: Mask, parameters: Parameters = PAPER) -> tuple[Mask, float]:
    """The rows of the article, and its share of the words of all content blocks."""
    unread = ignored(page, _IGNORED, eligible, parameters.largest_share)
    noise = ~eligible & ~unread
    eligible = eligible & ~unread
    features = measure(page, eligible, noise if parameters.noise_is_link else None)
    content = _content_blocks(features, page.blocks.text, parameters)
    chosen, score = _article_blocks(features, page.blocks.text, title_of(page), content, parameters)
    picked = np.zeros(len(page.blocks), dtype=bool)
    picked[features.block[chosen]] = True
    texts = np.zeros(len(page), dtype=bool)
    texts[page.text_rows] = picked[page.blocks.of_text]
    return with_markup(page, texts & eligible) & eligible, score


def _content_blocks(features: Features, texts: Sequence[str], parameters: Parameters) -> Mask:
    """The blocks that are content by themselves, as far as the end of the article.

    `texts` are those of all blocks of the page.
    """
    content = classify(features, parameters)
    return content & ~_behind_the_end(texts, features, content, parameters)


def _article_blocks(
    features: Features, texts: Sequence[str], title: str, content: Mask, parameters: Parameters
) -> tuple[Mask, float]:
    """The blocks of the article among those that take part, and their share of the words."""
    content = _with_the_block_before(content) & features.eligible
    stretch = _stretches(content, parameters.distance)
    chosen, score = largest(features, stretch)
    if score:
        says_title = titles(title, texts, features, stretch, chosen)
        chosen = _expanded_to_title(chosen, stretch, says_title)
    return chosen, score


def measure(page: Page, eligible: Mask, noise: Mask | None = None) -> Features:
    """Number of words and link density of each block (section 3.3); noise counts as links."""
    own = page.blocks.sum(page.words * eligible)
    linked = page.blocks.sum(page.words * (eligible & page.in_link))
    words = own
    if noise is not None:
        noisy = page.blocks.sum(page.words * noise)
        words, linked = own + noisy, linked + noisy
    block = np.flatnonzero(words)
    words, linked = words[block], linked[block]
    return Features(block, words, linked / words, own[block] > 0)


def classify(features: Features, parameters: Parameters = PAPER) -> Mask:
    """Algorithm 2 of the paper; before the first block and behind the last one there is nothing."""
    words, links = features.words, features.link_density
    previous_words, next_words = _before(words), _after(words)
    after_text = (
        (words > parameters.words)
        | (next_words > parameters.next_words)
        | (previous_words > parameters.previous_words)
    )
    after_links = (words > parameters.words_after_links) | (
        next_words > parameters.next_words_after_links
    )
    text_before = _before(links) <= parameters.previous_link_density
    content: Mask = (
        (links <= parameters.link_density)
        & np.where(text_before, after_text, after_links)
        & features.eligible
    )
    return content


def text_density(text: str, words: int) -> float:
    """Words a line of 80 characters, the last line left out where there are several (section 3.3).

    >>> text_density("only five words stand here", 5)
    5
    >>> text_density("word " * 40, 40)  # 16 words fill a line
    16.0
    """
    lines, in_lines, in_line, length = 0, 0, 0, -1
    for word in text.split():
        length += len(word) + 1
        if length > _LINE and in_line:
            lines, in_lines = lines + 1, in_lines + in_line
            in_line, length = 0, len(word)
        in_line += 1
    return in_lines / lines if lines else words


def _behind_the_end(
    texts: Sequence[str], features: Features, content: Mask, parameters: Parameters
) -> Mask:
    """The first end mark behind enough full text, and all blocks after it."""
    behind = np.zeros(len(content), dtype=bool)
    if not parameters.words_before_end:
        return behind
    so_far = np.cumsum(features.words * content)
    least = max(parameters.words_before_end, parameters.share_before_end * so_far.max(initial=0))
    first = np.searchsorted(so_far, least)
    last = np.searchsorted(so_far, so_far.max(initial=0))
    short = np.flatnonzero(features.words < parameters.end_mark_words)
    full, counted = 0, 0
    for place in short[(short > first) & (short <= last)].tolist():
        if not is_end_mark(texts[features.block[place]]):
            continue
        for before in np.flatnonzero(content[counted:place]) + counted:
            words = int(features.words[before])
            density = text_density(texts[features.block[before]], words)
            full += words if density >= parameters.full_text_density else 0
        counted = place
        if full >= parameters.words_before_end:
            behind[place:] = True
            break
    return behind


def _with_the_block_before(content: Mask) -> Mask:
    """Content and the one block before each stretch of it, a subheading for instance."""
    return content | _after(content)


def _stretches(content: Mask, distance: int) -> Column:
    """The number of each content block's stretch, -1 for other blocks.

    >>> _stretches(np.array([True, False, True, False, False, True]), 1).tolist()
    [0, -1, 0, -1, -1, 1]
    """
    stretch = np.full(len(content), -1, dtype=np.int64)
    places = np.flatnonzero(content)
    if len(places):
        stretch[places] = np.cumsum(np.diff(places, prepend=places[0]) > distance + 1)
    return stretch


def largest(features: Features, stretch: Column) -> tuple[Mask, float]:
    """The stretch with most words, the first of equal ones, and its share of all stretches."""
    content = stretch >= 0
    if not content.any():
        return content, 0.0
    words = np.bincount(stretch[content], features.words[content])
    best = int(np.argmax(words))
    return stretch == best, float(words[best] / words.sum())


def _expanded_to_title(chosen: Mask, stretch: Column, title: Mask) -> Mask:
    """With the stretches from the last one before the article that holds the page's title."""
    best = int(stretch[chosen][0])
    holding = stretch[title & (stretch >= 0) & (stretch <= best)]
    if not len(holding):
        return chosen
    expanded: Mask = (stretch >= holding.max()) & (stretch <= best)
    return expanded


def titles(
    title: str, texts: Sequence[str], features: Features, stretch: Column, chosen: Mask
) -> Mask:
    """Which content blocks as far as the chosen ones say what the title or a part of it says."""
    found = np.zeros(len(stretch), dtype=bool)
    names = set(title_names(title))
    if names:
        longest = 2 * max(map(len, names))
        until = stretch[chosen][0]
        for place in np.flatnonzero((stretch >= 0) & (stretch <= until)).tolist():
            line = texts[features.block[place]]
            found[place] = len(line) <= longest and comparison_key(line) in names
    return found


Value = TypeVar("Value", bound=np.generic)


def _before(values: NDArray[Value]) -> NDArray[Value]:
    """For each block the value of the one before it."""
    shifted = np.zeros_like(values)
    shifted[1:] = values[:-1]
    return shifted


def _after(values: NDArray[Value]) -> NDArray[Value]:
    """For each block the value of the one after it."""
    shifted = np.zeros_like(values)
    shifted[:-1] = values[1:]
    return shifted
