"""Where articles are: site files, links, feeds, sitemaps, paging."""
