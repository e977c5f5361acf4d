"""The settings of newsclean's own Scrapy project: polite, and ready to run."""

import newsclean

BOT_NAME = "newsclean"
SPIDER_MODULES = ["newsclean.spiders"]
NEWSPIDER_MODULE = "newsclean.spiders"

ADDONS = {
    "newsclean.addon.Newsclean": 500,
}

# What happens to a page, in this order. The add-on sets the same pipelines in other projects.
# Remove one with None, put another one in its place, or your own between two of them.
ITEM_PIPELINES = {
    "newsclean.pipelines.PagePipeline": 110,  # read the page; refuse what isn't one
    "newsclean.pipelines.NeighborhoodPipeline": 120,  # learn what the site repeats; park the page
    "newsclean.pipelines.StaticNoisePipeline": 130,  # mark what neighbors repeat
    "newsclean.pipelines.DynamicNoisePipeline": 140,  # mark least common ancestors of links
    "newsclean.pipelines.ContentPipeline": 150,  # choose the article: NEWSCLEAN_METHOD
    "newsclean.pipelines.ArticlePipeline": 160,  # is it an article? metadata, body, corrections
    "newsclean.pipelines.RevisionPipeline": 170,  # new, changed or known
    "newsclean.pipelines.ExportPipeline": 190,  # the Article, or the project's own item
}

# Say who is crawling; put an address where you can be reached.
USER_AGENT = f"newsclean/{newsclean.__version__} (news crawler)"
ROBOTSTXT_OBEY = True
NEWSCLEAN_STRICT_ROBOTSTXT = True

# Connect to hosts of the public internet only, and to those that were asked for.
NEWSCLEAN_REFUSE_PRIVATE_ADDRESSES = True

AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_START_DELAY = 1.0
AUTOTHROTTLE_TARGET_CONCURRENCY = 2.0
CONCURRENT_REQUESTS_PER_DOMAIN = 4

# Tell no site from which other one a link came.
REFERRER_POLICY = "same-origin"

# Whole pages are not kept: the memory knows by which validators to ask for what has changed.
HTTPCACHE_ENABLED = False

COOKIES_ENABLED = False
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
DOWNLOAD_TIMEOUT = 60
DOWNLOAD_MAXSIZE = 20_000_000
DOWNLOAD_WARNSIZE = 0
# Bytes of pages that wait for their extraction; each takes many times its size when it is parsed.
SCRAPER_SLOT_MAX_ACTIVE_SIZE = 1_000_000

FEEDS = {"articles.jsonl": {"format": "jsonlines", "encoding": "utf-8", "overwrite": False}}
FEED_EXPORT_ENCODING = "utf-8"
FEED_EXPORTERS = {"csv": "newsclean.extensions.feed_files.ArticleCsvExporter"}

LOG_LEVEL = "INFO"
