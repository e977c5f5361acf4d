"""hybrid: all evidence on each block, a small network over the page, the site's profile.

The papers' ideas are its evidence: words and links of blocks and branches (CoreEx, Boilerpipe), the
largest group of the tree filter, the best scoring stretch. Where the network is in doubt, the words
of a block are asked. StaDyNoT's static text speaks behind the network; its least common ancestors
of links and CoreEx decide where the network finds nothing. It is trained on pages with gold texts
(`newsclean train`), and knows no site by name.
"""

from newsclean.methods.hybrid.decision import (
    Decision,
    Judged,
    decide,
    judge,
    steps,
    unseen_by_network,
)
from newsclean.methods.hybrid.explaining import MEANINGS, Reason, explain
from newsclean.methods.hybrid.network import Model

__all__ = [
    "MEANINGS",
    "Decision",
    "Judged",
    "Model",
    "Reason",
    "decide",
    "explain",
    "judge",
    "steps",
    "unseen_by_network",
]
