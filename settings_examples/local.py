"""Settings for a crawl on one machine, all of them with their defaults: copy and change.

From the project's folder (where scrapy.cfg is):

    SCRAPY_SETTINGS_MODULE=settings_examples.local .venv/bin/scrapy crawl news -a url=https://…

Or name your copy in scrapy.cfg, next to `default`, and choose it there with SCRAPY_PROJECT:

    [settings]
    default = newsclean.settings
    mine = my_settings

    SCRAPY_PROJECT=mine .venv/bin/scrapy crawl news -a url=https://…

One setting for one crawl goes on the command line, and comes before this file:

    .venv/bin/scrapy crawl news -a url=https://… -s NEWSCLEAN_IMAGES=0

Scrapy adds the file of -o or -O to those of FEEDS below. For that file alone, empty FEEDS:

    .venv/bin/scrapy crawl news -a url=https://… -s "FEEDS={}" -O today.jsonl

What is not named here is as Scrapy has it: https://docs.scrapy.org/en/latest/topics/settings.html
"""

BOT_NAME = "newsclean"
SPIDER_MODULES = ["newsclean.spiders"]
NEWSPIDER_MODULE = "newsclean.spiders"

ADDONS = {
    # Does not import what of Scrapy's is turned off below: a crawl begins sooner.
    "newsclean.disabled_components.DisabledComponents": 400,
    # Turns newsclean on: its pipelines, its middlewares, and the defaults of its settings.
    "newsclean.addon.Newsclean": 500,
}


# How to behave on other people's servers.

# Who is crawling. Put in an address where you can be reached, before the first real crawl.
USER_AGENT = "newsclean (+https://example.org/our-crawler)"

# Fetch nothing that a site's robots.txt forbids, and read it with a parser that is quick with
# thousands of rules too.
ROBOTSTXT_OBEY = True
ROBOTSTXT_PARSER = "newsclean.robotstxt.IndexedRobotParser"

# Obey robots.txt as RFC 9309 has it: a host whose robots.txt cannot be had (a server error, no
# answer) is not crawled. And wait between two requests as long as its Crawl-delay says.
# False: as Scrapy does it, which is the default where newsclean is added to another project.
NEWSCLEAN_STRICT_ROBOTSTXT = True

# The longest Crawl-delay that is obeyed, in seconds; a longer one counts as this. 0: none is.
NEWSCLEAN_MAX_CRAWL_DELAY = 60

# Connect to no private, loopback or link-local address, whatever page or redirect leads there,
# unless the crawl starts from that host. False is the default in another project.
NEWSCLEAN_REFUSE_PRIVATE_ADDRESSES = True

# Further hosts that may have such addresses: names, addresses, networks ("10.1.0.0/16").
NEWSCLEAN_ALLOWED_HOSTS = []

# Slow down with the server: wait as long as it takes to answer, for two pages at a time.
AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_START_DELAY = 1.0
AUTOTHROTTLE_TARGET_CONCURRENCY = 2.0
CONCURRENT_REQUESTS_PER_DOMAIN = 4
# Keep to that number without AutoThrottle and DOWNLOAD_DELAY, too, where Scrapy's own does not.
DOWNLOADER = "newsclean.downloader.DomainLimitDownloader"

# Tell no site from which other one a link came.
REFERRER_POLICY = "same-origin"

# Keep no copies of all pages in .scrapy/httpcache: newsclean's memory knows what was fetched when,
# and asks only for what has changed since, by ETag and Last-Modified.
HTTPCACHE_ENABLED = False

# Come as a stranger: no cookies. And open no port on this machine.
COOKIES_ENABLED = False
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False

# Give up on a page after this many seconds, and on one of more than this many bytes.
DOWNLOAD_TIMEOUT = 60
DOWNLOAD_MAXSIZE = 20_000_000
DOWNLOAD_WARNSIZE = 0
# Bytes of pages that wait for their extraction; each takes many times its size when it is parsed.
SCRAPER_SLOT_MAX_ACTIVE_SIZE = 1_000_000


# What comes out.

# One JSON line an article, added to those of earlier crawls. Several files, other formats:
# https://docs.scrapy.org/en/latest/topics/feed-exports.html
# An article goes out once, to all files: what an earlier crawl has handed on is not in a later
# crawl's -O file. For all of it each time: NEWSCLEAN_MEMORY=":memory:".
FEEDS = {"articles.jsonl": {"format": "jsonlines", "encoding": "utf-8", "overwrite": False}}
FEED_EXPORT_ENCODING = "utf-8"
# Lists as JSON in their cells, the same columns in each run.
FEED_EXPORTERS = {"csv": "newsclean.exporters.ArticleCsvExporter"}

# INFO says which pages were dropped, and why; DEBUG also which were fetched and which are parked.
LOG_LEVEL = "INFO"


# How newsclean works.

# The method that chooses the article. Methods chain with +, and a name followed by :paper has
# the published parameters: "hybrid", "coreex:paper", "stadynot+coreex", "boilerpipe-tree:n=3".
NEWSCLEAN_METHOD = "hybrid"

# Another model for hybrid: the file that `newsclean train` wrote, or "open", which was
# trained without collections for research alone or under no free licence. None: the one for most
# pages. What the memory has learned with another model about templates is not used.
NEWSCLEAN_MODEL = None

# The file in which newsclean remembers what it has learned of each site, which articles it has
# handed on, and which pages are parked. None: newsclean/memory.sqlite in Scrapy's data folder,
# .scrapy. ":memory:" remembers nothing beyond the crawl. "postgresql://user@host/database" is for
# crawls on several machines; leave its password to ~/.pgpass or PGPASSWORD.
NEWSCLEAN_MEMORY = None

# The name of this machine among those that share a memory in PostgreSQL: what a killed crawl was
# writing to a file is looked up where that file is. None: the name that the system has.
NEWSCLEAN_HOST = None

# A table in the database of a memory in PostgreSQL to which articles go, with or without a schema:
# "articles", "news.articles". It is made where there is none. None: articles go to FEEDS alone.
NEWSCLEAN_TABLE = None

# At least this many other pages of its category (or else its site) must be known before a page is
# cleaned. With fewer it is parked, until they have come or nothing else is left to do. 0: never.
NEWSCLEAN_MIN_NEIGHBORS = 5

# How many recent pages a category and a site remember: more know the site better, fewer forget
# its old template sooner.
NEWSCLEAN_WINDOW = 50

# How many delivered pages of each site the memory keeps, compressed, for `newsclean crawl
# --reextract`: articles made again by another method or model, without a download. At most 3 MB of
# a site and 500 MB in all; 0 keeps none.
NEWSCLEAN_KEEP_PAGES = 30

# Keep pictures, with their captions, in body_html.
NEWSCLEAN_IMAGES = True

# Put the body as Markdown into a field `markdown`, too.
NEWSCLEAN_MARKDOWN = False

# The reasons that may drop a page: no-article, unchanged, duplicate, http, not-html, empty,
# too-large, too-complex; "all" for each of them. What is not dropped only says so: its is_article
# is false, or its unchanged is true. None: all drop the pages of newsclean's spiders, none the
# items of others.
NEWSCLEAN_DROP = None

# Which fields of your own items get which of the article: {"content": "body"}. None: the text goes
# into body, or else into the one field whose name says that it is for the text.
NEWSCLEAN_FIELDS = None

# What of Scrapy's own is replaced by something stricter. feeds: output files whose every line is
# written at once and whole. robotstxt: its rules hold for several first requests at once, too.
# truncated: compressed pages that break off are tried again.
NEWSCLEAN_HARDEN = ["feeds", "robotstxt", "truncated"]

# Do not download links of a section page that are surely no articles (galleries, log-in, menus).
# False: they are downloaded, after all others; files and further section pages never are.
NEWSCLEAN_SKIP_LINKS = True

# Also read the feeds and news sitemaps that a section page or robots.txt declares.
NEWSCLEAN_DISCOVER = True

# Drop pages of more bytes than this. 0: whatever DOWNLOAD_MAXSIZE lets through.
NEWSCLEAN_MAX_PAGE_SIZE = 10_000_000

# How many pages of a section the spider reads (page 1, page 2 …) for links to articles, unless
# the site file or -a pages=N says otherwise.
NEWSCLEAN_SECTION_PAGES = 5

# The folder of the site files: -a site=NAME reads NAME.toml there. See sites/example.toml. What
# people have corrected of a site is in NAME.corrections.toml (newsclean teach).
NEWSCLEAN_SITES = "sites"

# Show pages to Chromium and read what their scripts make of them: "never", "empty" (pages that have
# no text without JavaScript) or "always". Needs the extra newsclean[browser] and Chromium.
NEWSCLEAN_RENDER = "never"
# Its program. None: the Chromium or Chrome that is installed.
NEWSCLEAN_CHROMIUM = None
# A page that has loaded and still changes is taken as it is after this many seconds.
NEWSCLEAN_RENDER_WAIT = 5.0
# A page that takes more seconds than this is given up; those in which it waits for what it has
# asked for do not count.
NEWSCLEAN_RENDER_TIMEOUT = 30.0

# When an article that was handed on is asked for again, in seconds: after half of its age, but
# not before 15 minutes have passed, and every seven days at least.
NEWSCLEAN_RECHECK_SHARE = 0.5
# At least this long after the last time.
NEWSCLEAN_RECHECK_MIN = 15 * 60
# At most this long after the last time.
NEWSCLEAN_RECHECK_MAX = 7 * 24 * 3600
# An article that is older than this, by its date or else since it was seen first, is not asked
# for again.
NEWSCLEAN_RECHECK_MAX_AGE = 30 * 24 * 3600

# Ask for all articles again, whether they are due or not; -a recheck=all does so for one crawl.
NEWSCLEAN_RECHECK_ALL = False

# When a site answers 429 or 503 and names a time to wait (Retry-After), wait, but at most this
# many seconds; a site that names a longer time is left alone for the rest of the crawl.
NEWSCLEAN_MAX_RETRY_AFTER = 60

# Drop pages whose publisher asks not to take them, by noindex in the page or in its headers.
NEWSCLEAN_OBEY_NOINDEX = True

# After each run, every site is judged by what it usually gives; `newsclean report` shows how the
# sites are.
NEWSCLEAN_REPORTS = True

# A file for the report of each run, as JSON.
NEWSCLEAN_REPORT_FILE = None

# Who is told when a site breaks or recovers: a command, which gets JSON on its standard input, or
# the URL of a webhook.
NEWSCLEAN_ALERT = None

# End with a code other than 0 if a site is in trouble.
NEWSCLEAN_FAIL_ON_TROUBLE = False

# The lease of the site that is crawled, as `newsclean queue work` gives it to each crawl. It is not
# for people: leave it as it is.
NEWSCLEAN_LEASE = None

# Put each article into a search index, too: the path of an index file, or the address of a server
# (postgresql://, opensearch+http(s)://, elasticsearch+http(s)://). None: into none.
NEWSCLEAN_INDEX = None
# The file in which articles wait for the index. None: .scrapy/newsclean/index-spool.sqlite.
NEWSCLEAN_INDEX_SPOOL = None
# As many articles are sent at once.
NEWSCLEAN_INDEX_BATCH = 100
# At its end, the crawl waits as many seconds for the index; what is left is delivered later.
NEWSCLEAN_INDEX_WAIT = 30.0
