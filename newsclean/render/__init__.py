"""From chosen rows back to what people and indexes read: clean HTML and plain text."""

from newsclean.render.body import Body, body_of
from newsclean.render.html import render_html
from newsclean.render.text import render_text

__all__ = ["Body", "body_of", "render_html", "render_text"]
