"""Markdown (CommonMark with the tables and the strikethrough of GitHub) of clean HTML.

It is made of the HTML that is handed on, in one walk, so that both say the same and what is safe
there is safe here: there is no raw HTML in it, and no address that a reader may not follow.
"""

from newsclean.render.markdown.blocks import render_markdown

__all__ = ["render_markdown"]
