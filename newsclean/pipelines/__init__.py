"""The item pipelines of a crawl: the first makes the article of a page, the second exports it."""
