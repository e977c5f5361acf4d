"""The settings of newsclean's own Scrapy project, and the table of all `NEWSCLEAN_…` settings.

Scrapy takes the upper-case names of this module as settings. `table` has a lower-case name: the
add-on reads it in every project, and takes from it the defaults and the checks. docs/settings.md is
made from it.
"""

import math
import os
from typing import Any, NamedTuple

import newsclean
from newsclean import files
from newsclean.error_hints import nearest

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

# Say who is crawling: put in an address where you can be reached.
USER_AGENT = f"newsclean/{newsclean.__version__} (news crawler)"
ROBOTSTXT_OBEY = True
NEWSCLEAN_STRICT_ROBOTSTXT = True

# Connect only to public addresses, and to the hosts from which the crawl starts.
NEWSCLEAN_REFUSE_PRIVATE_ADDRESSES = True

AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_START_DELAY = 1.0
AUTOTHROTTLE_TARGET_CONCURRENCY = 2.0
CONCURRENT_REQUESTS_PER_DOMAIN = 4

# Send no Referer to other sites.
REFERRER_POLICY = "same-origin"

# The cache would keep whole pages; the memory has the validators for conditional requests.
HTTPCACHE_ENABLED = False

COOKIES_ENABLED = False
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
DOWNLOAD_TIMEOUT = 60
DOWNLOAD_MAXSIZE = 20_000_000
DOWNLOAD_WARNSIZE = 0
# Bytes of pages that wait for extraction; a parsed page takes many times its size.
SCRAPER_SLOT_MAX_ACTIVE_SIZE = 1_000_000

FEEDS = {"articles.jsonl": {"format": "jsonlines", "encoding": "utf-8", "overwrite": False}}
FEED_EXPORT_ENCODING = "utf-8"
FEED_EXPORTERS = {
    "csv": "newsclean.extensions.feed_files.ArticleCsvExporter",
    "parquet": "newsclean.extensions.parquet_files.ParquetExporter",
}

LOG_LEVEL = "INFO"


class Setting(NamedTuple):
    """One `NEWSCLEAN_…` setting."""

    name: str
    default: Any
    #: bool, int, float, str, list or dict; a default of None is valid for all of them
    kind: type
    #: what it does, in one or two sentences of Markdown
    text: str
    #: the smallest value of a number
    minimum: int = 0
    #: the only values of a str, or of the members of a list
    choices: tuple[str, ...] = ()

    def check(self, settings: Any) -> None:
        """Raise ValueError if Scrapy's settings have a value that this setting does not take."""
        value = settings[self.name]
        if value is None and self.default is None:
            return
        try:
            if self.kind is str:
                is_valid = isinstance(value, str | os.PathLike)
            else:  # getbool, getint …
                read = getattr(settings, f"get{self.kind.__name__}")(self.name)
                is_valid = self.kind not in (int, float) or self.minimum <= read < math.inf
        except (TypeError, ValueError):
            is_valid = False
        if not is_valid:
            raise ValueError(f"{self.name}={value!r}: it takes {self.takes}")
        chosen = settings.getlist(self.name) if self.kind is list else [value]
        for each in chosen if self.choices else ():
            if each not in self.choices:
                raise ValueError(
                    f"{self.name}: {each!r} is not one of {', '.join(self.choices)}; "
                    f"did you mean {nearest(str(each), self.choices)!r}?"
                )

    @property
    def takes(self) -> str:
        """Return in words which values the setting takes."""
        return {
            bool: "True or False",
            int: f"a whole number, {self.minimum} or more",
            float: f"a number, {self.minimum} or more",
            str: "a string",
            list: "a list of strings, or one string with commas",
            dict: "a dict, or a string with one in JSON",
        }[self.kind]


def check_settings(settings: Any) -> None:
    """Raise ValueError for a `NEWSCLEAN_…` setting that does not exist or has a wrong value."""
    for name in map(str, settings):
        if name.startswith("NEWSCLEAN_") and name not in table:
            known = nearest(name, table)
            raise ValueError(f"{name}: there is no such setting; did you mean {known}?")
    for setting in table.values():
        setting.check(settings)


#: All settings of newsclean by their groups, in the order of docs/settings.md.
groups: dict[str, tuple[Setting, ...]] = {
    "Extraction": (
        Setting(
            "NEWSCLEAN_METHOD", "hybrid", str,
            "The method that chooses the article. `+` chains methods, `NAME:paper` uses the "
            "published parameters, and `tree:n=3` another ancestor than the second.",
        ),
        Setting(
            "NEWSCLEAN_MODEL", None, str,
            "Another model for `hybrid`: a file from `newsclean train hybrid`, or `open`, which "
            "was trained only on collections under free licences ([model card](model-card.md)). A "
            "memory made with another model keeps its texts and learns again which parts of a "
            "template hold the article.",
        ),
        Setting(
            "NEWSCLEAN_MIN_NEIGHBORS", 5, int,
            "A page with fewer neighbors is parked until more are known, or until the crawl has "
            "nothing else to do.",
        ),
        Setting(
            "NEWSCLEAN_WINDOW", 50, int,
            "How many recent pages a neighborhood remembers.",
            minimum=1,
        ),
        Setting(
            "NEWSCLEAN_MAX_PAGE_SIZE", files.MAX_PAGE_SIZE, int,
            "Maximum size of a page in bytes; a larger page is dropped. 0 means no limit.",
        ),
        Setting(
            "NEWSCLEAN_IMAGES", True, bool,
            "Keep pictures with their captions in `body_html`, and list them in `images`.",
        ),
        Setting(
            "NEWSCLEAN_MARKDOWN", False, bool,
            "Add a field `markdown` with the body as Markdown.",
        ),
        Setting(
            "NEWSCLEAN_SITES", "sites", str,
            "Folder of the site files and of the corrections ([teach.md](teach.md)).",
        ),
    ),
    "Output": (
        Setting(
            "NEWSCLEAN_FIELDS", None, dict,
            "Which field of your own items gets which field of the article, as in "
            '`{"content": "body"}`. Without it, newsclean guesses from the names of the fields.',
        ),
        Setting(
            "NEWSCLEAN_ITEM", None, str,
            "The class of the items of newsclean's own spiders: `zyte_common_items.Article` or a "
            "subclass ([scrapy-packages.md](scrapy-packages.md)). Without it, `newsclean.Article`. "
            "Needs the extra `zyte`.",
        ),
        Setting(
            "NEWSCLEAN_DROP", None, list,
            "Drop pages for these reasons: `no-article`, `unchanged`, `duplicate`, `http`, "
            "`not-html`, `empty`, `too-large`, `too-complex`, `blocked` "
            "([blocked.md](blocked.md)), or `all`. Without it, pages of newsclean's own spiders "
            "are dropped for all of them, and third-party items for none.",
        ),
        Setting(
            "NEWSCLEAN_OBEY_NOINDEX", True, bool,
            "Drop pages of newsclean's own spiders whose robots meta tag or `X-Robots-Tag` says "
            "`noindex`.",
        ),
        Setting(
            "NEWSCLEAN_TABLE", None, str,
            "A table in the database of a PostgreSQL memory. Each revision of each article is "
            "stored there exactly once.",
        ),
    ),
    "Memory": (
        Setting(
            "NEWSCLEAN_MEMORY", None, str,
            "The memory: a file, `:memory:` for none, or `postgresql://user@host/database`, which "
            "crawls on several machines share ([cluster.md](cluster.md#postgresql-memory)). "
            "Without it, `newsclean/memory.sqlite` in Scrapy's data folder.",
        ),
        Setting(
            "NEWSCLEAN_HOST", None, str,
            "The name of this machine in a PostgreSQL memory, which stores it with the output "
            "files of a run. Without it, the host name.",
        ),
        Setting(
            "NEWSCLEAN_KEEP_PAGES", 30, int,
            "How many delivered pages of each site are kept for `newsclean crawl --reextract`, "
            "compressed: at most 3 MB per site and 500 MB in all. 0 keeps none.",
        ),
    ),
    "Where articles are found": (
        Setting(
            "NEWSCLEAN_SECTION_PAGES", 5, int,
            "How many pages of a section the spider reads.",
            minimum=1,
        ),
        Setting(
            "NEWSCLEAN_DISCOVER", True, bool,
            "Also read the feeds and news sitemaps that a section page or robots.txt declares.",
        ),
        Setting(
            "NEWSCLEAN_SKIP_LINKS", True, bool,
            "Skip links of a section page that are clearly not articles. If False, they are "
            "requested last; files, other sections and other sites never are.",
        ),
    ),
    "Articles on several pages": (
        Setting(
            "NEWSCLEAN_ARTICLE_PAGES", 10, int,
            "How many pages of an article are requested, or read from an archive, and joined "
            "([pages.md](pages.md)). 1 joins none.",
            minimum=1,
        ),
    ),
    "Fetching articles again": (
        Setting(
            "NEWSCLEAN_RECHECK_SHARE", 0.5, float,
            "A delivered article is requested again when the time since the last request is at "
            "least this share of its age.",
        ),
        Setting(
            "NEWSCLEAN_RECHECK_MIN", 15 * 60, int,
            "Minimum seconds between two requests for an article.",
        ),
        Setting(
            "NEWSCLEAN_RECHECK_MAX", 7 * 24 * 3600, int,
            "Maximum seconds between two requests for an article.",
        ),
        Setting(
            "NEWSCLEAN_RECHECK_MAX_AGE", 30 * 24 * 3600, int,
            "An article older than this many seconds is not requested again, unless its site says "
            "that it has changed.",
        ),
        Setting(
            "NEWSCLEAN_RECHECK_ALL", False, bool,
            "Request every article in this run, even if it is not due.",
        ),
    ),
    "Politeness and safety": (
        Setting(
            "NEWSCLEAN_REFUSE_PRIVATE_ADDRESSES", False, bool,
            "Connect only to public addresses and to the hosts from which the crawl starts. This "
            "includes redirects, robots.txt and host names that resolve to private addresses.",
        ),
        Setting(
            "NEWSCLEAN_ALLOWED_HOSTS", [], list,
            "Host names or networks (`10.0.0.0/8`) to which connections are allowed even so.",
        ),
        Setting(
            "NEWSCLEAN_STRICT_ROBOTSTXT", False, bool,
            "Do not crawl a host if the request for its robots.txt fails or gets a status of 5xx, "
            "and obey `Crawl-delay`.",
        ),
        Setting(
            "NEWSCLEAN_MAX_CRAWL_DELAY", 60, int,
            "Maximum `Crawl-delay` in seconds; a longer one is shortened to this. 0 means that "
            "`Crawl-delay` is not obeyed.",
        ),
        Setting(
            "NEWSCLEAN_MAX_RETRY_AFTER", 60, int,
            "Maximum pause in seconds that a host may ask for (`Retry-After`). If it asks for "
            "more, it gets no more requests in this run.",
        ),
        Setting(
            "NEWSCLEAN_HARDEN", ["feeds", "robotstxt", "truncated"], list,
            "Which parts of Scrapy are replaced by stricter ones ([addon.md](addon.md)).",
            choices=("feeds", "robotstxt", "truncated"),
        ),
    ),
    "Rendering": (
        Setting(
            "NEWSCLEAN_RENDER", "never", str,
            "Which pages are rendered with Chromium: with `empty` those that show hardly any text "
            "without JavaScript, with `always` all ([rendering.md](rendering.md)). Needs the extra "
            "`browser`.",
            choices=("never", "empty", "always"),
        ),
        Setting(
            "NEWSCLEAN_CHROMIUM", None, str,
            "Path of the browser. Without it, newsclean looks for one.",
        ),
        Setting(
            "NEWSCLEAN_RENDER_WAIT", 5.0, float,
            "Maximum seconds to wait until a loaded page stops changing.",
        ),
        Setting(
            "NEWSCLEAN_RENDER_TIMEOUT", 30.0, float,
            "Seconds after which newsclean gives up rendering a page.",
        ),
    ),
    "Reports": (
        Setting(
            "NEWSCLEAN_REPORTS", True, bool,
            "After a run, compare each site with what it usually gives, and store the result in "
            "the memory ([reports.md](reports.md)).",
        ),
        Setting(
            "NEWSCLEAN_REPORT_FILE", None, str,
            "A file for the report of the last run, as JSON.",
        ),
        Setting(
            "NEWSCLEAN_ALERT", None, str,
            "A command, or the URL of a webhook, that is called once when a site breaks and once "
            "when it has recovered.",
        ),
        Setting(
            "NEWSCLEAN_FAIL_ON_TROUBLE", False, bool,
            "Let `scrapy crawl` exit with code 1 if a site is in trouble. `newsclean crawl` always "
            "has an exit code for this.",
        ),
    ),
    "Search index": (
        Setting(
            "NEWSCLEAN_INDEX", None, str,
            "Also put each article into a search index: a file, `postgresql://…`, "
            "`opensearch+https://…` or `elasticsearch+https://…` "
            "([search-servers.md](search-servers.md)).",
        ),
        Setting(
            "NEWSCLEAN_INDEX_SPOOL", None, str,
            "The file in which articles wait for the index. Without it, "
            "`newsclean/index-spool.sqlite` in Scrapy's data folder.",
        ),
        Setting(
            "NEWSCLEAN_INDEX_BATCH", 100, int,
            "How many articles are sent to the index at once.",
            minimum=1,
        ),
        Setting(
            "NEWSCLEAN_INDEX_WAIT", 30.0, float,
            "Seconds that the crawl waits at its end for the index. The next run, or "
            "`newsclean index --deliver`, delivers the articles that are left.",
        ),
    ),
}  # fmt: skip

table = {setting.name: setting for members in groups.values() for setting in members}
defaults = {setting.name: setting.default for setting in table.values()}
