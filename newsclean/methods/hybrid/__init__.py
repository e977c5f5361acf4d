"""hybrid: all evidence on each block, a small network over the page, the site's profile.

The papers' ideas are its evidence: StaDyNoT's static text and least common ancestors of links, the
text and link counts of CoreEx and Boilerpipe, stretches and branches; it is trained on pages with
gold texts (`newsclean train`), and knows no site by name.
"""

from newsclean.methods.hybrid.decision import (
    Decision,
    Judged,
    decide,
    judge,
    steps,
    unseen_by_network,
)
from newsclean.methods.hybrid.explaining import Reason, explain
from newsclean.methods.hybrid.network import Model

__all__ = [
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
