"""Settings for crawls that cron or systemd starts, and whose articles feed an aggregator.

    cd /srv/newsclean
    SCRAPY_SETTINGS_MODULE=settings_examples.scheduled .venv/bin/scrapy crawl news -a site=example

where sites/example.toml is the site file. docs/schedules.md shows how cron and systemd start a
crawl, and never two at a time. The aggregator reads the files in outbox: each is complete when its
run has ended, and may then be removed.
"""

from newsclean.settings import *  # noqa: F403

# The site's owner should be able to reach you: put in your own address.
USER_AGENT = "newsclean (+https://example.org/our-crawler)"

# What was delivered is remembered here, and not delivered again. Keep this file.
NEWSCLEAN_MEMORY = "memory.sqlite"

# A file for each run, and none if nothing is new. An article that has changed comes again, with
# the same `id` and a higher `revision`.
FEEDS = {
    "outbox/%(time)s.jsonl": {"format": "jsonlines", "encoding": "utf-8", "store_empty": False}
}

# Nobody looks at the output of a schedule: the log goes to a file.
LOG_FILE = "crawl.log"

# A site that is not reachable, or gives far less than usual, makes the run end with code 1, which
# systemd and cron's mail show; report.json says which site it is, and why.
NEWSCLEAN_FAIL_ON_TROUBLE = True
NEWSCLEAN_REPORT_FILE = "report.json"
# A command or a webhook can be told when a site breaks, and when it works again.
# NEWSCLEAN_ALERT = "mail -s newsclean editor@example.org"
