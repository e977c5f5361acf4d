"""Small pages for the tests of the noise map."""

from newsclean import Extractor, Neighborhood
from newsclean.extraction.extractor import Extraction
from newsclean.extraction.page import Page

MENU = "Home of the Example Times and of all its pages"
WORDS = (
    "The river in {town} has risen for nine days, and the mayor says that no help is near. "
    "She asked all people to stay at home until the water falls again, which may take a week. "
)


def story(town: str, more: str = "") -> str:
    text = WORDS.format(town=town)
    return (
        f"<html><head><title>Flood in {town} goes on</title><style>p {{ color: #222 }}</style>"
        f"</head><body><nav><p>{MENU}</p></nav><main><h1>Flood in {town} goes on</h1>"
        f'<p class="byline">By Ann Lee</p><p class="date">Published: 1 March 2024</p>'
        f"<p>{text}{town} waits.</p><p>{text * 2}</p><p>{text}</p>"
        f'<ul><li><a href="/other-{town}">Bridge of {town} closed</a></li></ul></main>{more}'
        "</body></html>"
    )


def extraction_of(html: str, towns: tuple[str, ...] = (), method: str = "hybrid") -> Extraction:
    """The extraction of a page whose neighbors are the stories of these towns."""
    extractor = Extractor(method)
    page = Page.from_html(html, "https://example.org/oslo")
    if not towns:
        return extractor(page)
    hood = Neighborhood(extractor.method)
    for town in towns:
        hood.learn(story(town), f"https://example.org/{town}")
    return extractor(page, hood.evidence_on(page))
