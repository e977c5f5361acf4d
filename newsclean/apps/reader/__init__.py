"""Clean pages to read: a page an article, lists by site, section and day, and an Atom feed."""
