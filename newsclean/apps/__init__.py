"""Optional applications: each may import the rest of newsclean, and nothing else imports them."""

#: The commands of the applications: help text and module.
COMMANDS = {
    "report": (
        "show the state of each site, now and in earlier runs",
        "newsclean.apps.report.report_command",
    ),
    "look": (
        "show on the original page what was kept, what was removed, and why",
        "newsclean.apps.look.look_command",
    ),
    "serve": (
        "browse sites and kept pages in the browser, and correct them with clicks",
        "newsclean.apps.serve.serve_command",
    ),
    "read": (
        "write articles as readable web pages, with lists and a feed",
        "newsclean.apps.reader.read_command",
    ),
    "index": ("make articles searchable", "newsclean.apps.search.index_command"),
    "search": ("find articles in an index", "newsclean.apps.search.search_command"),
}
