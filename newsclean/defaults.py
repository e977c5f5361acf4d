"""Every setting of newsclean with its default."""

from typing import Any

from newsclean.extraction.methods import DEFAULT_METHOD
from newsclean.extraction.neighborhood import WINDOW
from newsclean.files import MAX_PAGE_SIZE

#: The README has a line on each.
DEFAULTS: dict[str, Any] = {
    "NEWSCLEAN_METHOD": DEFAULT_METHOD,
    "NEWSCLEAN_MODEL": None,
    "NEWSCLEAN_MEMORY": None,
    "NEWSCLEAN_HOST": None,
    "NEWSCLEAN_TABLE": None,
    "NEWSCLEAN_MIN_NEIGHBORS": 5,
    "NEWSCLEAN_WINDOW": WINDOW,
    "NEWSCLEAN_KEEP_PAGES": 30,
    "NEWSCLEAN_IMAGES": True,
    "NEWSCLEAN_MARKDOWN": False,
    "NEWSCLEAN_DROP": None,
    "NEWSCLEAN_FIELDS": None,
    "NEWSCLEAN_HARDEN": ["feeds", "robotstxt", "truncated"],
    "NEWSCLEAN_SKIP_LINKS": True,
    "NEWSCLEAN_DISCOVER": True,
    "NEWSCLEAN_MAX_PAGE_SIZE": MAX_PAGE_SIZE,
    "NEWSCLEAN_SECTION_PAGES": 5,
    "NEWSCLEAN_SITES": "sites",
    "NEWSCLEAN_RENDER": "never",
    "NEWSCLEAN_CHROMIUM": None,
    # Seconds.
    "NEWSCLEAN_RENDER_WAIT": 5.0,
    "NEWSCLEAN_RENDER_TIMEOUT": 30.0,
    "NEWSCLEAN_REFUSE_PRIVATE_ADDRESSES": False,
    "NEWSCLEAN_ALLOWED_HOSTS": [],
    "NEWSCLEAN_STRICT_ROBOTSTXT": False,
    "NEWSCLEAN_MAX_CRAWL_DELAY": 60,
    # Seconds, but for the share.
    "NEWSCLEAN_RECHECK_SHARE": 0.5,
    "NEWSCLEAN_RECHECK_MIN": 15 * 60,
    "NEWSCLEAN_RECHECK_MAX": 7 * 24 * 3600,
    "NEWSCLEAN_RECHECK_MAX_AGE": 30 * 24 * 3600,
    "NEWSCLEAN_RECHECK_ALL": False,
    "NEWSCLEAN_MAX_RETRY_AFTER": 60,
    "NEWSCLEAN_OBEY_NOINDEX": True,
    "NEWSCLEAN_REPORTS": True,
    "NEWSCLEAN_REPORT_FILE": None,
    "NEWSCLEAN_ALERT": None,
    "NEWSCLEAN_FAIL_ON_TROUBLE": False,
    "NEWSCLEAN_INDEX": None,
    "NEWSCLEAN_INDEX_SPOOL": None,
    "NEWSCLEAN_INDEX_BATCH": 100,
    # Seconds.
    "NEWSCLEAN_INDEX_WAIT": 30.0,
}
