"""Comments that no name gives away: lines with a person and a time, in any language."""

import pytest

from newsclean.extraction.methods.hybrid.explaining import explain
from newsclean.extraction.page import Page

from .networks import decided, evidence_on, scripted_page
from .stories import chosen, paragraph

TEXTS = [paragraph("Oslo", number) for number in range(6)]
BODY = "".join(f"<p>{text}</p>" for text in TEXTS)
SAID = [paragraph("Moss", number) for number in range(3)]

ENGLISH = ("Posted by Ann at 3 May 2024 9:15", "Posted by Bob at 3 May 2024 9:40",
           "Posted by Cy Fox at 4 May 2024 7:02")  # fmt: skip
POLISH = ("~ania [2024-05-03 09:15]", "~marek [2024-05-03 09:40]", "~ela [2024-05-04 07:02]")
RUSSIAN = ("Анна, 3 мая 2024, 9:15", "Борис, 3 мая 2024, 9:40", "Вера К., 4 мая 2024, 7:02")
CHINESE = ("小安 2024年5月3日 09:15", "大明 2024年5月3日 09:40", "阿华 2024年5月4日 07:02")
PERSIAN = ("آنا ۱۴۰۳/۰۲/۱۴ ۰۹:۱۵", "بهرام ۱۴۰۳/۰۲/۱۴ ۰۹:۴۰", "سارا ۱۴۰۳/۰۲/۱۵ ۰۷:۰۲")


def taken(html: str) -> list[str]:
    """What is taken of a page of which the network takes every block."""
    page = scripted_page(html, [0.97] * len(Page.from_html(html).blocks))
    return chosen(page, decided(page))


def signed(lines: tuple[str, ...], said: list[str] = SAID) -> str:
    """Comments, each below its signed line."""
    return "".join(
        f"<div class=x><i>{line}</i><p>{text}</p></div>"
        for line, text in zip(lines, said, strict=True)
    )


@pytest.mark.parametrize("lines", [ENGLISH, POLISH, RUSSIAN, CHINESE, PERSIAN])
def test_texts_below_three_lines_of_three_people_are_comments(lines: tuple[str, ...]) -> None:
    assert taken(f"<main>{BODY}</main><div>{signed(lines)}</div>") == TEXTS


def test_comments_in_the_same_element_as_the_article_are_left() -> None:
    below = "".join(
        f"<p>{text}</p><p class=by>{line}</p>" for line, text in zip(ENGLISH, SAID, strict=True)
    )
    html = f"<div>{BODY}<h4>3 replies</h4>{below}</div>"
    assert taken(html) == TEXTS


def test_a_name_may_have_a_line_of_its_own() -> None:
    people = zip(("ania", "marek", "ela"), ("09:15", "09:40", "11:02"), SAID, strict=True)
    boxes = "".join(
        f"<li><b>{name}</b><div class=when>03.05.2024 {time}</div><p>{text}</p></li>"
        for name, time, text in people
    )
    assert taken(f"<main>{BODY}</main><ul>{boxes}</ul>") == TEXTS


def test_every_other_comment_may_have_another_class() -> None:
    boxes = signed(ENGLISH).replace("<i>", '<p class="a"><i>').replace("</i>", "</i></p>")
    boxes = boxes.replace('<p class="a">', '<p class="a odd">', 1)
    assert taken(f"<main>{BODY}</main><div>{boxes}</div>") == TEXTS


def test_what_follows_the_comments_is_left_with_them() -> None:
    html = f"<main>{BODY}</main><div>{signed(ENGLISH)}</div><div class=foot>{BODY}</div>"
    assert taken(html) == TEXTS


def test_an_article_that_goes_on_after_a_list_of_times_is_kept() -> None:
    rest = [paragraph("Narvik", number) for number in range(6)]
    after = "".join(f"<p>{text}</p>" for text in rest)
    html = f"<main>{BODY}<div class=box>{signed(ENGLISH)}</div>{after}</main>"
    assert taken(html) == TEXTS + rest


def test_the_byline_of_the_article_is_not_a_comment() -> None:
    """It may be like the lines of the comments: a blog shows its author as it shows its readers."""
    lead = "".join(f"<p>{paragraph('Hamar', number)}</p>" for number in range(4))
    html = (
        f"<div>{lead}<i>Posted by Di at 3 May 2024 8:00</i>{BODY * 2}</div><div>{signed(ENGLISH)}"
    )
    assert set(TEXTS) <= set(taken(html))
    assert not set(SAID) & set(taken(html))


@pytest.mark.parametrize("count", [1, 2])
def test_fewer_lines_are_no_series(count: int) -> None:
    comments = signed(ENGLISH[:count], SAID[:count])
    assert taken(f"<main>{BODY}</main><div>{comments}</div>")[-1] == SAID[count - 1]


def test_lines_of_one_person_are_no_comments() -> None:
    lines = tuple(f"Posted by Ann at {day} May 2024 9:15" for day in (3, 4, 5))
    assert SAID[0] in taken(f"<main>{BODY}</main><div>{signed(lines)}</div>")


def test_a_column_named_comment_is_kept() -> None:
    html = f"<div class=comment><h1>Comment</h1><p>By Ann Lee, 3 May 2024 9:15</p>{BODY}</div>"
    assert set(TEXTS) <= set(taken(html))


def test_an_interview_is_kept() -> None:
    said = "".join(
        f"<p><b>{name}:</b></p><p>{text}</p>"
        for name, text in zip(("Ann Lee", "Bob Ray", "Cy Fox"), SAID, strict=True)
    )
    assert set(SAID) <= set(taken(f"<div>{BODY}{said}</div>"))


@pytest.mark.parametrize(
    "lines",
    [
        ("09:15 Rain", "09:40 Wind", "11:02 Snow"),
        ("9:15 am Ann Lee", "9:40 am Bob Ray", "11:02 am Cy Fox"),
        tuple(f"3 May 2024 9:{10 + n} by {('Ann', 'Bob', 'Cy')[n % 3]}" for n in range(18)),
    ],
    ids=["times", "times and reporters", "dates and few reporters"],
)
def test_a_live_blog_is_kept(lines: tuple[str, ...]) -> None:
    said = [paragraph("Moss", number) for number in range(len(lines))]
    assert set(said) <= set(taken(f"<main>{BODY}<div>{signed(lines, said)}</div></main>"))


def test_a_live_blog_that_says_so_is_kept_whoever_writes_it() -> None:
    stated = '<script type="application/ld+json">{"@type": "LiveBlogPosting"}</script>'
    html = f"{stated}<main>{BODY}</main><div>{signed(ENGLISH)}</div>"
    assert set(SAID) <= set(taken(html))


def test_letters_to_the_editor_are_kept() -> None:
    lines = ("Ann Lee, Bergen, 3 May 2024", "Bob Ray, Oslo, 3 May 2024", "Cy Fox, Moss, 4 May 2024")
    assert set(SAID) <= set(taken(f"<main>{BODY}<div>{signed(lines)}</div></main>"))


def test_a_programme_with_hours_from_and_to_is_kept() -> None:
    lines = (
        "3 May 2024 9:15-9:30 Opening",
        "3 May 2024 9:30-10:30 Rain",
        "4 May 2024 9:00-9:45 Wind",
    )
    assert set(SAID) <= set(taken(f"<main>{BODY}</main><div>{signed(lines)}</div>"))


def test_signed_lines_without_an_article_before_them_are_kept() -> None:
    assert taken(f"<p>Letters.</p><div>{signed(ENGLISH)}</div>")[-1] == SAID[-1]


def posts(tag: str = "article") -> str:
    """A thread whose first post is as long as an article."""
    said = [" ".join(TEXTS), *SAID]
    lines = ("Posted by Di at 2 May 2024 9:15", *ENGLISH)
    return "".join(
        f"<{tag} class='post n{n} {'odd' if n % 2 else 'even'}'><i>{line}</i><p>{text}</p></{tag}>"
        for n, (line, text) in enumerate(zip(lines, said, strict=True))
    )


@pytest.mark.parametrize("tag", ["article", "li", "div"])
def test_a_thread_is_kept_if_its_first_post_is_signed_in_the_same_place(tag: str) -> None:
    assert set(SAID) <= set(taken(f"<main>{posts(tag)}</main>"))


def test_the_comments_below_an_article_with_its_byline_elsewhere_are_left() -> None:
    html = (
        f"<main><div class=story><i>Posted by Di at 2 May 2024 9:15</i>{BODY}</div>"
        f"<div class=replies>{signed(ENGLISH)}</div></main>"
    )
    assert taken(html)[-len(TEXTS) :] == TEXTS


@pytest.mark.parametrize("kind", ["QAPage", "DiscussionForumPosting"])
@pytest.mark.parametrize(
    "form",
    [
        '<script type="application/ld+json">{{"@type": "{}"}}</script>{}',
        '<script type="application/ld+json">'
        '{{"@type": "WebPage", "mainEntity": {{"@type": "https://schema.org/{}"}}}}</script>{}',
        "<div itemscope itemtype='https://schema.org/{}'>{}</div>",
    ],
    ids=["JSON-LD", "main entity", "microdata"],
)
def test_a_page_that_says_it_is_a_thread_is_kept(kind: str, form: str) -> None:
    html = form.format(kind, f"<main>{BODY}</main><div>{signed(ENGLISH)}</div>")
    assert set(SAID) <= set(taken(html))


@pytest.mark.parametrize(
    "html",
    [
        '<script type="application/ld+json">[{"@type": "NewsArticle"}, '
        '{"@type": "DiscussionForumPosting"}]</script>',
        '<script type="application/ld+json">{"@type": "WebPage", '
        '"comment": {"@type": "DiscussionForumPosting"}}</script>',
    ],
    ids=["beside an article", "as a comment"],
)
def test_comments_that_are_declared_beside_an_article_are_left(html: str) -> None:
    assert taken(f"{html}<main>{BODY}</main><div>{signed(ENGLISH)}</div>") == TEXTS


def test_a_box_of_posts_below_an_article_is_left() -> None:
    posts = f"<div itemscope itemtype='https://schema.org/QAPage'>{signed(ENGLISH)}</div>"
    assert taken(f"<main>{BODY}</main>{posts}") == TEXTS


def test_prices_with_a_day_of_delivery_are_no_comments() -> None:
    lines = ("Ann EUR 10.40 3 May 2024", "Bob EUR 11.59 3 May 2024", "Cy EUR 12.15 4 May 2024")
    assert set(SAID) <= set(taken(f"<main>{BODY}</main><div>{signed(lines)}</div>"))


def test_an_explanation_says_that_it_is_a_comment() -> None:
    html = f"<main>{BODY}</main><div>{signed(ENGLISH)}</div>"
    page = scripted_page(html, [0.97] * len(Page.from_html(html).blocks))
    reasons = explain(page, evidence_on(page))
    assert "series of comments" in reasons[-1].rule
    assert not reasons[0].rule
