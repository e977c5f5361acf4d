"""hybrid: features of each block, a small network over the page, and what the neighbors know.

The papers' ideas are its features: words and links of blocks and branches (CoreEx, Boilerpipe), the
largest group of the tree filter, the best scoring stretch. If the network is in doubt, the words of
a block decide. StaDyNoT's static text counts after the network; its least common ancestors of links
and CoreEx choose if the network finds nothing. The model is trained on pages with gold texts
(`newsclean train hybrid`), and knows no site by name.

A page passes `context` (its blocks in their tree), `features`, `network`, and `decision` with
`structure`; `explaining` puts the decision into words.
"""
