"""Optional applications: each may import the rest of newsclean, and nothing else imports them."""

#: The commands of the applications: what each does, and its module.
COMMANDS = {
    "look": (
        "show on the page itself what was kept, what was removed, and why",
        "newsclean.apps.look.look_command",
    ),
    "serve": (
        "browse sites, kept pages and reasons in the browser, and correct them by clicks",
        "newsclean.apps.serve.serve_command",
    ),
    "read": (
        "write articles as pages to read, with lists and a feed",
        "newsclean.apps.reader.read_command",
    ),
    "index": ("make articles searchable", "newsclean.apps.search.index_command"),
    "search": ("find articles in an index", "newsclean.apps.search.search_command"),
}
