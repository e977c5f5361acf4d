"""Lines as a crawl of the demo's world writes them: all fields are newsclean's own."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import newsclean
from newsclean.demo.blocks import Figure
from tests.pipelines.demo_pages import presses

if TYPE_CHECKING:
    from collections.abc import Iterator


def demo_lines(each: int = 3) -> Iterator[dict[str, Any]]:
    """Articles with pictures, some of each publisher in each template."""
    for press in presses():
        illustrated = (
            story
            for story in press.articles
            if any(isinstance(block, Figure) for block in story.blocks)
        )
        for story in islice(illustrated, each):
            url = f"{press.site.publisher.base_url}{story.path}"
            yield newsclean.extract(press.load(story, 1), url=url).to_dict()
