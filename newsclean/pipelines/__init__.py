"""The item pipelines of a crawl, in the order of `ITEM_PIPELINES` in `newsclean/settings.py`."""

from newsclean.pipelines.cleaning import (
    ArticlePipeline,
    ContentPipeline,
    DynamicNoisePipeline,
    NeighborhoodPipeline,
    PagePipeline,
    RevisionPipeline,
    StaticNoisePipeline,
)
from newsclean.pipelines.output import ExportPipeline
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
