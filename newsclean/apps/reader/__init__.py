"""Clean web pages: one page per article, lists by site, section and day, and an Atom feed."""
