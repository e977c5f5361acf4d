"""The methods that choose the article, by name: one module per paper.

`chain` has the protocol that they share, `registry` their names. `stadynot+coreex` is a chain of
two methods; `coreex:paper` takes the published parameters, and a bare name those that measure best.
The filter by the n-th ancestor takes its n from the name (`coreex+tree:n=3`); the default is the
published 2.
"""
