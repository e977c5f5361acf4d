"""A small site: an article, a promo box that looks like a paragraph, and a box of facts."""

from newsclean import Page

SENTENCE = "It has rained in {} for nine days, and nobody knows when it will end, says the mayor."
PROMO = "Read all of it in our paper, which comes each morning to the doors of {}."


def story(town: str, *, promo: str = "promo", extra: str = "") -> str:
    days = "".join(f"<p>{n} {SENTENCE.format(town)}</p>" for n in range(3))
    return (
        f"<html><body><h1>Rain in {town}</h1><div class=by>By Ann Lee, 14 March 2026</div>"
        f"<div class='story s{len(town)}'>{days}"
        f"<div class={promo}><p>{PROMO.format(town)}</p></div>"
        f"<p>{SENTENCE.format(town)}</p>{extra}</div></body></html>"
    )


def page(town: str, *, promo: str = "promo", extra: str = "") -> Page:
    return Page.from_html(story(town, promo=promo, extra=extra), f"https://example.org/{town}")
