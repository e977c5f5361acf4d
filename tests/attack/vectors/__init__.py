"""Script vectors: pieces of HTML each of which tries to run a script.

`HIT` is the call that a vector tries to make.
"""

from tests.attack.vectors.addresses import ADDRESSES
from tests.attack.vectors.breaking import BREAKING
from tests.attack.vectors.elements import ELEMENTS
from tests.attack.vectors.events import EVENTS
from tests.attack.vectors.mutation import MUTATION

VECTORS: tuple[str, ...] = (*EVENTS, *ADDRESSES, *ELEMENTS, *BREAKING, *MUTATION)

__all__ = ["VECTORS"]
