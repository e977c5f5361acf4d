"""The methods that choose the article, by name.

A method is one step or a few; a step takes a page, what the neighbors know of it, and the choice so
far, and makes that choice smaller. `stadynot+coreex` is a chain; `coreex:paper` takes the
parameters as published, and a bare name those that measure best. Of the filter by the n-th
ancestor the name tells n: `coreex+tree:n=3`, and 2, as published, where it does not.
"""

from newsclean.methods.chain import Choice, Method, Stage, Step
from newsclean.methods.names import DEFAULT_METHOD, METHODS, method_named

__all__ = ["DEFAULT_METHOD", "METHODS", "Choice", "Method", "Stage", "Step", "method_named"]
