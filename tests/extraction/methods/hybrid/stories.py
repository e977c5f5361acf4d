"""Small stories for the tests of decisions."""

from newsclean.extraction.methods.hybrid.decision import Decision
from newsclean.extraction.page import Page

TOWNS = ("Bergen", "Oslo", "Moss", "Narvik", "Hamar")
FOOTER = "Example Times is a member of the press council and follows its rules in all it prints."
MENU = "".join(f"<li><a href=/{n}>Section {n} of the Times</a></li>" for n in range(8))
TEASER = "Snow is on its way, and the town has bought as much salt as it could find."


def url(town: str) -> str:
    return f"https://example.org/{town}"


def paragraph(town: str, number: int = 1) -> str:
    return f"It has rained in {town} for {number} days, and the river of {town} is as high as ever."


def story(town: str, body: str = "body", footer: str = FOOTER) -> str:
    texts = "".join(f"<p>{paragraph(town, number)}</p>" for number in range(3))
    return f"<div class={body}>{texts}</div><p class=foot>{footer}</p>"


def chosen(page: Page, decision: Decision) -> list[str]:
    return [text for text, taken in zip(page.blocks.text, decision.chosen, strict=True) if taken]
