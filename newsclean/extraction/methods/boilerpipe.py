"""Boilerpipe: boilerplate detection using shallow text features (Kohlschütter and others, 2010).

A block of text is content or not by its number of words, its link density, and those of the blocks
before and after it. The filters of the article extractor then join content blocks that are close to
each other, keep the largest such stretch, and add what is between it and the title.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from newsclean.extraction.methods.chain import Choice, Stage, Step, ignored, with_markup
from newsclean.extraction.text import comparison_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from newsclean.extraction.methods.chain import Evidence
    from newsclean.extraction.page import Page
    from newsclean.extraction.page.columns import Column, Mask

_Value = TypeVar("_Value", bound=np.generic)

#: Text in these tags is not shown, or not meant to be read.
_IGNORED = frozenset("option object embed applet noscript".split())
#: Section 3.3: characters of a line, for the text density
_LINE = 80
#: A shorter part of a title may be the name of the site or of a section.
_MIN_TITLE_PART = 12  # letters


@dataclass(frozen=True)
class Parameters:
    """The published decision tree (algorithm 2), and the filters of the article extractor."""

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
    #: and counts only after this many words of full text; 0: there are no end marks
    words_before_end: int = 60
    #: and after this share of the words of all content blocks
    share_before_end: float = 0.0
    #: full text has at least this many words per line
    full_text_density: float = 9
    #: maximum number of other blocks between two content blocks of one stretch
    distance: int = 1
    #: what an earlier method has marked as noise counts as links between the blocks
    noise_is_link: bool = False
    #: an ignored tag with more than this share of the page's plain text is not ignored
    largest_share: float = 1.0


PAPER = Parameters()
#: Today a button "Comments" is above the article as often as below it, and boxes with several links
#: are between its paragraphs.
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


def _phrases(table: str) -> list[str]:
    return [phrase.strip() for phrase in table.replace("\n", "|").split("|") if phrase.strip()]


# End marks: short lines after an article, where the readers' comments begin or are asked for.
# Boilerpipe has English ones. A line must match as a whole, but for numbers and signs, or begin so:
# a subheading such as "Comments from the minister" ends nothing.

#: The whole line, as in "Comments (12)".
_WHOLE = frozenset(
    _phrases("""
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
    """)
)

#: The first words of a line, as in "Leave a comment below".
_BEGINNING = tuple(
    _phrases("""
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
    """)
)

_SIGNS = re.compile(r"[\W\d_]+")
_FIRST_LETTERS = re.compile(r"[^\W\d_]{1,3}")
#: The first letters of all end marks: most lines begin otherwise, and need no closer look.
_BEGIN_END_MARKS = {
    found[0] for line in (*_WHOLE, *_BEGINNING) if (found := _FIRST_LETTERS.search(line))
}


def steps(parameters: Parameters) -> tuple[Step, ...]:
    def content(page: Page, evidence: Evidence, before: Choice) -> Choice:
        rows, score = choose(page, before.rows, parameters)
        return replace(before, rows=rows, score=score)

    return (Step(Stage.CONTENT, content),)


def choose(page: Page, eligible: Mask, parameters: Parameters = PAPER) -> tuple[Mask, float]:
    """Return the rows of the article, and its share of the words of all content blocks."""
    unread = ignored(page, _IGNORED, eligible, parameters.largest_share)
    noise = ~eligible & ~unread
    eligible = eligible & ~unread
    features = measure(page, eligible, noise if parameters.noise_is_link else None)
    content = classify(features, parameters)
    content &= ~_from_end_mark(page.blocks.text, features, content, parameters)
    content |= _after(content)  # the block before each stretch, a subheading for instance
    stretch = _stretches(content & features.eligible, parameters.distance)
    chosen, score = _largest(features, stretch)
    if score:
        chosen = _expanded_to_title(page, features, stretch, chosen)
    picked = np.zeros(len(page.blocks), dtype=bool)
    picked[features.block[chosen]] = True
    texts = np.zeros(len(page), dtype=bool)
    texts[page.text_rows] = picked[page.blocks.of_text]
    return with_markup(page, texts & eligible) & eligible, score


def measure(page: Page, eligible: Mask, noise: Mask | None = None) -> Features:
    """Measure words and link density of each block (section 3.3); noise counts as links."""
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
    """Apply algorithm 2; the blocks before the first and after the last one count as empty."""
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


def _from_end_mark(
    texts: Sequence[str], features: Features, content: Mask, parameters: Parameters
) -> Mask:
    """Return the first end mark after enough full text, and all blocks that follow it."""
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


def is_end_mark(line: str) -> bool:
    """Return whether a short line says that the article is over.

    >>> is_end_mark("Comments (1,024)"), is_end_mark("12 Kommentare"), is_end_mark("Дом")
    (True, True, False)
    >>> is_end_mark("Leave a comment below"), is_end_mark("Comments from the minister")
    (True, False)
    """
    line = line.casefold()
    first = _FIRST_LETTERS.search(line)
    if not first or first[0] not in _BEGIN_END_MARKS:
        return False
    folded = _SIGNS.sub(" ", line).strip()
    return folded in _WHOLE or folded.startswith(_BEGINNING)


def text_density(text: str, words: int) -> float:
    """Return the words per line of 80 characters, all lines but the last one (section 3.3).

    A text of one line has all its words in it.

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


def _stretches(content: Mask, distance: int) -> Column:
    """Return the number of each content block's stretch, -1 for other blocks.

    >>> _stretches(np.array([True, False, True, False, False, True]), 1).tolist()
    [0, -1, 0, -1, -1, 1]
    """
    stretch = np.full(len(content), -1, dtype=np.int64)
    places = np.flatnonzero(content)
    if len(places):
        stretch[places] = np.cumsum(np.diff(places, prepend=places[0]) > distance + 1)
    return stretch


def _largest(features: Features, stretch: Column) -> tuple[Mask, float]:
    """Return the stretch with most words, the first of equal ones, and its share of the words."""
    content = stretch >= 0
    if not content.any():
        return content, 0.0
    words = np.bincount(stretch[content], features.words[content])
    best = int(np.argmax(words))
    return stretch == best, float(words[best] / words.sum())


def _expanded_to_title(page: Page, features: Features, stretch: Column, chosen: Mask) -> Mask:
    """Return the chosen stretch, and all others back to the last one with the page's title."""
    names = set(_title_names(page))
    longest = 2 * max(map(len, names), default=0)
    best = int(stretch[chosen][0])
    for place in np.flatnonzero((stretch >= 0) & (stretch <= best))[::-1].tolist():
        line = page.blocks.text[features.block[place]]
        if len(line) <= longest and comparison_key(line) in names:
            expanded: Mask = (stretch >= stretch[place]) & (stretch <= best)
            return expanded
    return chosen


def _title_names(page: Page) -> Iterator[str]:
    """Yield what the headline may say: the title, its parts, and all but its first or last part.

    >>> from newsclean.extraction.page import Page
    >>> list(_title_names(Page.from_html("<title>Rain goes on in Bergen | News</title>")))
    ['raingoesoninbergennews', 'raingoesoninbergen', 'raingoesoninbergen']
    """
    if whole := comparison_key(page.title):
        yield whole
    parts = page.title_parts
    for part in (*parts, "".join(parts[1:]), "".join(parts[:-1])):
        if len(name := comparison_key(part)) >= _MIN_TITLE_PART:
            yield name


def _before(values: NDArray[_Value]) -> NDArray[_Value]:
    shifted = np.zeros_like(values)
    shifted[1:] = values[:-1]
    return shifted


def _after(values: NDArray[_Value]) -> NDArray[_Value]:
    shifted = np.zeros_like(values)
    shifted[:-1] = values[1:]
    return shifted
