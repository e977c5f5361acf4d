"""StaDyNoT against its paper."""

import numpy as np

from newsclean import Neighborhood
from newsclean.extraction.methods import stadynot
from newsclean.extraction.methods.registry import method_named
from newsclean.extraction.page import Page
from newsclean.extraction.page.columns import Mask

FOOTER = "<div class=foot>© 2013 Cable News. All Rights Reserved.</div>"


def article(town: str, footer: str = FOOTER) -> str:
    text = f"<p>It has rained in {town} for nine days, and the river stands at a new record there."
    return f"<body><h2>Rain in {town}</h2>{text}</p>{footer}</body>"


def texts(page: Page, rows: Mask) -> list[str]:
    return [page.text[row].strip() for row in page.text_rows[rows[page.text_rows]]]


def nothing(page: Page) -> Mask:
    return np.zeros(len(page), dtype=bool)


def test_what_stands_on_all_neighbors_is_static_noise() -> None:
    hood = Neighborhood("stadynot:paper")
    for town in ("Bergen", "Oslo", "Bodø"):
        hood.learn(article(town))
    page = Page.from_html(article("Trondheim"))
    marks = stadynot.static_noise(page, hood.evidence_on(page).neighbors, stadynot.PAPER)
    assert texts(page, marks) == ["© 2013 Cable News. All Rights Reserved."]


def test_published_support_is_all_neighbors_and_the_tuned_one_most() -> None:
    pages = [article("Bergen"), article("Oslo"), article("Bodø"), article("Moss", "")]
    for keying, parameters, expected in (
        ("element", stadynot.PAPER, 0),
        ("block", stadynot.TUNED, 1),
    ):
        hood = Neighborhood("stadynot:paper" if parameters.keying == "element" else "stadynot")
        assert parameters.keying == keying
        for text in pages:
            hood.learn(text)
        page = Page.from_html(article("Trondheim"))
        assert (
            len(
                texts(
                    page, stadynot.static_noise(page, hood.evidence_on(page).neighbors, parameters)
                )
            )
            == expected
        )


def test_other_attributes_make_another_key_only_as_published() -> None:
    pages = [article(t, FOOTER.replace("foot", t)) for t in ("Bergen", "Oslo", "Bodø")]
    found = {}
    for parameters in (stadynot.PAPER, stadynot.TUNED):
        hood = Neighborhood("stadynot:paper" if parameters.keying == "element" else "stadynot")
        for text in pages:
            hood.learn(text)
        page = Page.from_html(article("Moss"))
        marks = stadynot.static_noise(page, hood.evidence_on(page).neighbors, parameters)
        found[parameters] = len(texts(page, marks))
    assert found == {stadynot.PAPER: 0, stadynot.TUNED: 1}


def test_without_neighbors_nothing_is_static() -> None:
    page = Page.from_html(article("Bergen"))
    assert not stadynot.static_noise(page, Neighborhood().evidence_on(page).neighbors).any()
    assert not stadynot.static_noise(page, None).any()


#: Figure 3 and 4: links in a list of the footer.
FIGURE = """<html><head></head><body>{fill}<div><div><i></i><i></i><i></i><footer><div><div>
<b></b><b></b><b></b><b></b><ul><li><i></i><i></i><ul>
<li><a href=/1>Recent one</a></li><li><a href=/2>Recent two</a></li><li><a href=/3>Three</a></li>
</ul></li></ul></div></div></footer></div></div></body></html>""".format(fill="<p></p>" * 12)


def test_the_ancestor_of_the_papers_figure_is_found() -> None:
    page = Page.from_html(FIGURE)
    (candidate,) = stadynot.least_common_ancestors(page)
    assert page.path(int(candidate)) == (
        "0(html)-1(body)-12(div)-0(div)-3(footer)-0(div)-0(div)-4(ul)-0(li)-2(ul)"
    )


def test_a_list_of_links_is_dynamic_noise() -> None:
    page = Page.from_html(FIGURE)
    marks = stadynot.dynamic_noise(page, nothing(page))
    assert texts(page, marks) == ["Recent one", "Recent two", "Three"]


def test_a_paragraph_is_never_dynamic_noise() -> None:
    page = Page.from_html("<p><a href=/1>One</a> and <a href=/2>two</a></p>")
    assert not stadynot.dynamic_noise(page, nothing(page)).any()


def test_alpha_counts_characters_outside_links_and_beta_their_share() -> None:
    def noisy(plain: int, linked: int) -> bool:
        links = f"<a href=/>{'y' * (linked - 1)}</a><a href=/>y</a>"
        page = Page.from_html(f"<div>{'x' * plain}{links}</div>")
        return bool(stadynot.dynamic_noise(page, nothing(page), stadynot.PAPER).any())

    assert noisy(plain=49, linked=2)  # under alpha = 50
    assert not noisy(plain=50, linked=2)
    assert not noisy(plain=800, linked=200)  # link fraction 0.20, and the paper says greater
    assert noisy(plain=799, linked=201)


def test_one_link_has_no_common_ancestor() -> None:
    page = Page.from_html("<div><a href=/>alone</a></div>")
    assert not len(stadynot.least_common_ancestors(page))


def test_links_that_outweigh_the_text_do_not_take_the_article_with_them() -> None:
    menu = "".join(f"<li><a href=/{n}>A menu entry with words {n}</a></li>" for n in range(40))
    text = "".join(f"<p>{'Plain words of an article run on here. ' * 3}</p>" for n in range(4))
    page = Page.from_html(f"<body><ul>{menu}</ul><div>{text}<a href=/s>Share</a></div></body>")
    literal = stadynot.dynamic_noise(page, nothing(page), stadynot.PAPER)
    guarded = stadynot.dynamic_noise(page, nothing(page), stadynot.TUNED)
    assert literal[page.text_rows].all()
    assert "Plain words" in " ".join(texts(page, ~guarded))
    assert "menu" not in " ".join(texts(page, ~guarded))


def test_an_article_inside_a_form_stays_and_a_small_form_goes() -> None:
    text = f"<p>{'Plain words of an article run on here. ' * 6}</p>"
    page = Page.from_html(f"<form><div>{text}</div></form><form>Your e-mail address</form>")
    kept = " ".join(texts(page, ~stadynot.formatting_noise(page, nothing(page), stadynot.TUNED)))
    assert "Plain words" in kept
    assert "e-mail" not in kept
    assert stadynot.formatting_noise(page, nothing(page), stadynot.PAPER)[page.text_rows].all()


def test_the_chain_lets_coreex_choose_from_what_is_left() -> None:
    hood = Neighborhood()
    for town in ("Bergen", "Oslo", "Bodø", "Moss"):
        hood.learn(article(town))
    page = Page.from_html(article("Trondheim"))
    choice = method_named("stadynot+coreex").choose(page, hood.evidence_on(page))
    assert "All Rights Reserved" not in " ".join(texts(page, choice.rows))
    assert "nine days" in " ".join(texts(page, choice.rows))
    assert texts(page, choice.noise["static"]) == ["© 2013 Cable News. All Rights Reserved."]
