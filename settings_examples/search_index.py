"""Settings for crawls whose articles go to a file of JSON lines and to a search index.

In the folder of the checkout, where scrapy.cfg is:

    SCRAPY_SETTINGS_MODULE=settings_examples.search_index scrapy crawl news -a url=https://…
    newsclean search '"heavy rain" OR flood*'
"""

from newsclean.settings import *  # noqa: F403

# The site's owner should be able to reach you: put in your own address.
USER_AGENT = "newsclean (+https://example.org/our-crawler)"

# The file that `newsclean search` reads if it is given no other. For a server, put its address
# here: postgresql://…, opensearch+https://…, elasticsearch+https://… (docs/search-servers.md).
NEWSCLEAN_INDEX = "articles.sqlite"

# All articles as lines, too, each revision once: from these the index can be made again at any
# time (newsclean index articles.jsonl).
FEEDS = {"articles.jsonl": {"format": "jsonlines", "encoding": "utf-8", "overwrite": False}}
