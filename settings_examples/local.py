"""Settings for trying newsclean out on your own machine.

In the folder of the checkout, where scrapy.cfg is:

    SCRAPY_SETTINGS_MODULE=settings_examples.local scrapy crawl news -a url=https://… -a limit=20

Then again with something changed, to compare articles.jsonl before and after:

    … scrapy crawl news -a url=https://… -a limit=20 -s NEWSCLEAN_METHOD=stadynot+coreex
"""

from newsclean.settings import *  # noqa: F403

# The site's owner should be able to reach you: put in your own address.
USER_AGENT = "newsclean (+https://example.org/our-crawler)"

# Every run starts without knowing anything, and outputs all articles: what differs between two
# runs comes from what you have changed.
NEWSCLEAN_MEMORY = ":memory:"
FEEDS = {"articles.jsonl": {"format": "jsonlines", "encoding": "utf-8", "overwrite": True}}

# Pages are kept in .scrapy/httpcache for a day, so that the site is asked only once for each.
HTTPCACHE_ENABLED = True
HTTPCACHE_EXPIRATION_SECS = 24 * 3600

# The first page of a section has enough articles for a trial.
NEWSCLEAN_SECTION_PAGES = 1
