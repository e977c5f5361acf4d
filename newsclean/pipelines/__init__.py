"""The item pipelines of a crawl, in the order of `ITEM_PIPELINES` in `newsclean/settings.py`."""

from newsclean.pipelines.article import ArticlePipeline
from newsclean.pipelines.content import (
    ContentPipeline,
    DynamicNoisePipeline,
    StaticNoisePipeline,
)
from newsclean.pipelines.export import ExportPipeline
from newsclean.pipelines.neighborhood import NeighborhoodPipeline
from newsclean.pipelines.page import PagePipeline
from newsclean.pipelines.revision import RevisionPipeline
from newsclean.pipelines.worker import WorkerPipeline

__all__ = [
    "ArticlePipeline",
    "ContentPipeline",
    "DynamicNoisePipeline",
    "ExportPipeline",
    "NeighborhoodPipeline",
    "PagePipeline",
    "RevisionPipeline",
    "StaticNoisePipeline",
    "WorkerPipeline",
]
