"""The words of one paragraph as Markdown: emphasis, links, code, pictures, line breaks.

Everything that Markdown would read as markup is escaped, so that the text says what it said.
Emphasis that CommonMark would not recognise where it is (in the middle of a word, beside
punctuation) is left out: its signs would appear in the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.render.markdown.emphasis import with_valid_emphasis
from newsclean.render.markdown.escapes import code_span, escaped
from newsclean.render.markdown.tokens import (
    BREAK,
    GAPS,
    SPACE,
    SPANS,
    STRONG,
    Kind,
    Token,
    in_place,
    tokens_of,
)

if TYPE_CHECKING:
    from newsclean.render.markdown.tokens import Run


def inline_markdown(run: Run, *, one_line: bool = False, strong: bool = False) -> str:
    """A run of texts and inline elements as Markdown, without what protects the start of a line.

    On `one_line`, as headings and cells are, a line break is a space. `strong` emphasises it all.

    >>> from lxml import etree
    >>> inline_markdown(["2 * 3 = ", etree.fromstring("<b>6 </b>"), "_"])
    '2 \\\\* 3 = **6** \\\\_'
    """
    if len(run) == 1 and isinstance(run[0], str):  # most paragraphs
        return escaped(" ".join(run[0].split()))
    tokens = tokens_of(run)
    if strong:
        inner = [token for token in tokens if token.kind not in SPANS or token.text != STRONG]
        tokens = [Token(Kind.OPEN, STRONG), *inner, Token(Kind.CLOSE, STRONG)]
    tokens = with_valid_emphasis(in_place(tokens))
    return write(tokens, " " if one_line else "\\\n")


def write(tokens: list[Token], line_break: str) -> str:
    """The tokens, whose emphasis has its marks, as Markdown."""
    parts: list[str] = []
    for token, following in zip(tokens, [*tokens[1:], SPACE], strict=False):
        if token.kind is Kind.TEXT:
            text = escaped(token.text)
            if following.kind is Kind.LINK and text.endswith("!"):
                text = f"{text[:-1]}\\!"  # or the link would be a picture
            parts.append(text)
        elif token.kind is Kind.CODE:
            parts.append(code_span(token.text))
        elif token.kind is Kind.LINK:
            parts.append("[")
        elif token.kind is Kind.LINK_END:
            parts.append(f"]({token.text})")
        elif token.kind in GAPS:
            parts.append(line_break if token is BREAK else " ")
        else:
            parts.append(token.text)
    return "".join(parts)
