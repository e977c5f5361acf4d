"""Invented articles, and a front page."""

STORY_URL = "https://example.org/news/2026/03/14/rain-in-bergen-goes-on-and-on"
DAYS = "It has rained in Oslo for nine days, and the river there is as high as it ever was, too. "
BARE = f"<title>x</title><div><p>{DAYS}{DAYS}</p><p>{DAYS}{DAYS}</p></div>"
PARAGRAPH = (
    "It has rained in {town} for nine days now, and the river there is as high as it ever was, "
    "says the mayor, who has asked all people to stay at home until the water has gone down. "
)


def story(town: str) -> str:
    body = "".join(f"<p>{PARAGRAPH.format(town=town)}</p>" for _ in range(6))
    return (
        f"<html lang=en><head><title>Rain in {town} goes on and on</title>"
        f'<meta property="og:type" content="article">'
        f'<meta property="article:published_time" content="2026-03-14T08:00:00Z">'
        f'<meta name="author" content="Ann Lee"></head><body>'
        f"<nav><a href=/sport>Sport</a><a href=/culture>Culture</a></nav>"
        f"<article><h1>Rain in {town} goes on and on</h1>{body}</article></body></html>"
    )


def front(town: str) -> str:
    items = "".join(
        f"<li><h3><a href=/{n}>What happened in {town} on day {n}</a></h3>" for n in range(40)
    )
    return f"<html><title>{town}</title><body><h1>{town}</h1><ul>{items}</ul></body></html>"


def of_few_words(head: str = "") -> str:
    menu = "".join(f"<a href=/{n}>News</a>" for n in range(30))
    text = "<h1>The bakers of Herring Lane</h1>" + f"<p>{DAYS}{DAYS}</p>" * 2 + f"<p>{DAYS}</p>"
    title = "<title>The bakers of Herring Lane</title><meta name=author content='Ann Lee'>"
    return f"<html><head>{title}{head}</head><body><nav>{menu}</nav>{text}</body>"


SOFT_404 = (
    "We are sorry. What you were looking for has been moved, was deleted, or has never been here, "
    "and nobody knows which of these it is. Please go back to the start, or look for it with the "
    "search above; the newest texts of the day are below, and our readers like most of them."
)


def not_found(title: str, headline: str, names: str = "", head: str = "") -> str:
    """A page that says that there is none, sent as if it were one."""
    return (
        f"<html><head><title>{title} | Example Times</title>{head}</head><body class='{names}'>"
        f"<nav><a href=/>Home</a><a href=/news>News</a></nav><main><h1>{headline}</h1>"
        f"<p>{SOFT_404}</p><p>{SOFT_404.replace('below', 'beside')}</p></main></body></html>"
    )
