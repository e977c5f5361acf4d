"""The methods that choose the article, by name.

A method is one step or a few; a step takes a page, the evidence on it (block scores, what the
neighbors know) and the choice so far, and makes that choice smaller. `stadynot+coreex` is a chain;
`coreex:paper` takes the parameters as published, and a bare name those that measure best. Of the
filter by the n-th ancestor the name gives n: `coreex+tree:n=3`, and 2, as published, without it.
"""

from newsclean.extraction.methods.chain import Choice, Evidence, Method, Stage, Step
from newsclean.extraction.methods.hybrid import Model, ModelError
from newsclean.extraction.methods.registry import DEFAULT_METHOD, METHODS, method_named

__all__ = [
    "DEFAULT_METHOD",
    "METHODS",
    "Choice",
    "Evidence",
    "Method",
    "Model",
    "ModelError",
    "Stage",
    "Step",
    "method_named",
]
