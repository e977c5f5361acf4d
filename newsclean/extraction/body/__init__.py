"""From chosen rows back to what people and indexes read: clean HTML, Markdown and plain text."""

from newsclean.extraction.body.embeds import Embed, find_embeds
from newsclean.extraction.body.html import render_html
from newsclean.extraction.body.markdown import render_markdown
from newsclean.extraction.body.pictures import Picture, find_pictures
from newsclean.extraction.body.rows import Body, body_of, render_text

__all__ = [
    "Body",
    "Embed",
    "Picture",
    "body_of",
    "find_embeds",
    "find_pictures",
    "render_html",
    "render_markdown",
    "render_text",
]
