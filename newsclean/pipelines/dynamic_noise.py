"""Marks the link blocks that change from page to page."""

from newsclean.methods import Stage
from newsclean.pipelines.static_noise import StaticNoisePipeline


class DynamicNoisePipeline(StaticNoisePipeline):
    stage = Stage.DYNAMIC
