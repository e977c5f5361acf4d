"""Adds headline, authors, dates and whatever else the page says of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsclean.extraction import write_metadata
from newsclean.pipelines.stage import PageStage

if TYPE_CHECKING:
    from newsclean.items import PageItem


class MetadataPipeline(PageStage):
    def work(self, item: PageItem) -> None:
        assert item.body is not None
        write_metadata(item.article, item.metadata, item.body.headline)
