"""From chosen rows back to what people and indexes read: clean HTML, Markdown and plain text."""

from newsclean.render.body import Body, body_of
from newsclean.render.embeds import Embed, find_embeds
from newsclean.render.html import render_html
from newsclean.render.markdown import render_markdown
from newsclean.render.pictures import Picture, find_pictures
from newsclean.render.text import render_text

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
