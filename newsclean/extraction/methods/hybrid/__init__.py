"""hybrid: features of each block, a small network over the page, and what the neighbors know.

The papers' ideas are its features: words and links of blocks and branches (CoreEx, Boilerpipe), the
largest group of the tree filter, the best scoring stretch. If the network is in doubt, the words of
a block decide. StaDyNoT's static text counts after the network; its least common ancestors of links
and CoreEx choose if the network finds nothing. The model is trained on pages with gold texts
(`newsclean train hybrid`), and knows no site by name.

A page passes `context` (its blocks in their tree), `features`, `network`, and `decision` with
`named_boxes` and `structure`; `explaining` puts the decision into words.
"""

from newsclean.extraction.methods.hybrid.decision import (
    BlockScores,
    Decision,
    check_features,
    decide,
    score_blocks,
    steps,
)
from newsclean.extraction.methods.hybrid.explaining import MEANINGS, Reason, explain, meanings_for
from newsclean.extraction.methods.hybrid.network import Model, ModelError, read_model, write_model

__all__ = [
    "MEANINGS",
    "BlockScores",
    "Decision",
    "Model",
    "ModelError",
    "Reason",
    "check_features",
    "decide",
    "explain",
    "meanings_for",
    "read_model",
    "score_blocks",
    "steps",
    "write_model",
]
