"""Where the articles of a site are: sections, links, feeds, sitemaps, site files."""
