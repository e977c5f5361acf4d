"""Pages of the kinds on which articles were lost, or more was taken, with the shipped network."""

import pytest

from newsclean import Article, extract

TOWNS = ("Bergen", "Oslo", "Moss", "Narvik", "Hamar", "Molde")
MENU = "".join(f"<li><a href=/s{number}>Section {number}</a></li>" for number in range(9))
TOP = (
    "<h1>Flood in the north</h1><p class=byline>By Ada Berg</p>"
    "<time datetime=2024-03-04>4 March 2024</time>"
)


def paragraph(number: int) -> str:
    return (
        f"The river of {TOWNS[number]} rose by {number + 2} metres in a night, and the mayor said "
        f"on Monday that the {number + 3} bridges of the town would stay closed until the water "
        f"falls again, which may take {number + 4} days."
    )


PARAGRAPHS = [paragraph(number) for number in range(5)]
STORY = "".join(f"<p>{text}</p>" for text in PARAGRAPHS)


def extracted(body: str, title: str = "Flood in the north - Example Times") -> Article:
    html = (
        f"<html><head><title>{title}</title></head><body><nav><ul>{MENU}</ul></nav>"
        f"<div class=main>{body}</div><footer><p>© Example Times. All rights reserved.</p>"
        "<a href=/imprint>Imprint</a></footer></body></html>"
    )
    return extract(html, url="https://example.org/2024/03/flood-in-the-north")


def assert_holds(article: Article, *texts: str) -> None:
    assert [text for text in texts if text not in article.body] == []


def comment(number: int) -> str:
    return (
        f"<li class=comment id=c{number}><div class=author><b>Reader{number}</b> "
        f"<a href=#c{number}>March {number + 1}, 2024 at 10:0{number}</a></div>"
        f"<p>I live in {TOWNS[number]} and have never seen water like this, thank you for writing "
        "about it, my cellar is full and so is that of the house next to mine.</p>"
        f"<a class=reply href=?to={number}>Reply</a></li>"
    )


COMMENTS = f"<div id=comments><h3>6 Comments</h3><ol>{''.join(map(comment, range(6)))}</ol></div>"


@pytest.mark.parametrize(
    "body",
    [f"{TOP}<div class=content>{STORY}</div>{COMMENTS}", f"{TOP}<div>{STORY}{COMMENTS}</div>"],
    ids=["behind the article's box", "inside it"],
)
def test_reader_comments_are_left_out(body: str) -> None:
    article = extracted(body)
    assert_holds(article, *PARAGRAPHS)
    assert "never seen water" not in article.body


def test_questions_and_answers_inside_an_article_are_part_of_it() -> None:
    answers = [
        f"Bridge {number} will be opened on day {number + 5}, when the engineers of the county "
        "have looked at its pillars below the water."
        for number in range(4)
    ]
    module = "".join(
        f"<div class=faq-item><h3>How long will bridge {number} stay closed?</h3>"
        f"<div class=answer><p>{answer}</p></div></div>"
        for number, answer in enumerate(answers)
    )
    end = paragraph(5)
    article = extracted(f"{TOP}{STORY}<h2>Questions and answers</h2>{module}<p>{end}</p>")
    assert_holds(article, *PARAGRAPHS, *answers, end)


def test_a_standfirst_is_part_of_the_article() -> None:
    standfirst = "Five towns are cut off from the roads, and the water is still rising."
    top = f"<h1>Flood in the north</h1><p class=standfirst>{standfirst}</p><p>By Ada Berg</p>"
    assert_holds(extracted(f"{top}{STORY}"), standfirst, *PARAGRAPHS)


def test_a_dialogue_of_short_lines_is_kept() -> None:
    lines = (
        "“Did you see the water?”",
        "“I did.”",
        "“And what did you do?”",
        "“Nothing. What could I do?”",
        "“You could have left.”",
        "“Where to?”",
        "“To your sister's.”",
        "“She has no boat.”",
        "“Nobody has a boat.”",
    )
    said = "".join(f"<p>{line}</p>" for line in lines)
    body = f"{TOP}<p>{PARAGRAPHS[0]}</p>{said}<p>{PARAGRAPHS[1]}</p>"
    assert_holds(extracted(body), *PARAGRAPHS[:2], *lines)


def test_a_post_of_two_sentences_is_kept() -> None:
    text = "The ferry to Moss does not run today because of the storm. It is back on Tuesday."
    body = f"<h1>No ferry today</h1><div class=post><p>{text}</p></div>"
    assert_holds(extracted(body, title="No ferry today"), text)


def test_a_paragraph_behind_an_offer_is_kept_and_the_offer_is_not() -> None:
    offer = (
        "<div class=offer><h4>Read the Times for a month for nothing</h4><p>Subscribe now and read "
        "all of our articles on all of your devices. <a href=/offer>Subscribe</a></p></div>"
    )
    first, second, third = (f"<p>{text}</p>" for text in PARAGRAPHS[:3])
    article = extracted(f"{TOP}{first}{second}{offer}{third}")
    assert_holds(article, *PARAGRAPHS[:3])
    assert "Subscribe now" not in article.body


def test_a_poem_whose_lines_come_again_is_kept_whole() -> None:
    refrain = "and nobody was there to see it"
    stanzas = [
        f"The water came to {TOWNS[number % 6]} by night,<br>{refrain},<br>"
        f"with {number + 2} lanterns for a light,<br>{refrain}."
        for number in range(12)
    ]
    article = extracted(TOP + "".join(f"<p>{stanza}</p>" for stanza in stanzas))
    assert article.body.count(refrain) == 24


def test_a_long_list_of_lines_that_are_alike_is_kept() -> None:
    lines = [
        f"House {number} of the harbour street is under water up to its first floor."
        for number in range(60)
    ]
    listed = "".join(f"<li>{line}</li>" for line in lines)
    assert_holds(extracted(f"{TOP}<p>{PARAGRAPHS[0]}</p><ul>{listed}</ul>"), *lines)


OTHER = [
    f"The museum of {town} opens {number + 2} rooms on Friday, and the painters of the town, who "
    f"have waited for {number + 12} years, will hang their pictures there until the end of May."
    for number, town in enumerate(TOWNS)
]
OTHER_TOP = TOP.replace("Flood in the north", "A museum opens").replace("Ada Berg", "Per Lund")


@pytest.mark.parametrize("box", ["article", "div class=story"])
def test_the_next_story_below_the_article_is_left_out(box: str) -> None:
    end = box.split()[0]
    other = "".join(f"<p>{text}</p>" for text in OTHER)
    article = extracted(f"<{box}>{TOP}{STORY}</{end}><{box}>{OTHER_TOP}{other}</{end}>")
    assert_holds(article, *PARAGRAPHS)
    assert article.headline == "Flood in the north"
    assert not [text for text in OTHER if text in article.body]


def test_sections_with_headlines_of_the_first_rank_are_one_article() -> None:
    second = "".join(f"<p>{text}</p>" for text in OTHER)
    article = extracted(
        f"{TOP}<section>{STORY}</section><section><h1>And a museum</h1>{second}</section>"
        f"<section><h1>And the rest</h1><p>{paragraph(5)}</p></section>"
    )
    assert_holds(article, *PARAGRAPHS, *OTHER, paragraph(5))


NEXT = f"{OTHER_TOP}{''.join(f'<p>{text}</p>' for text in OTHER)}"
NEXT_H2 = NEXT.replace("h1>", "h2>")
LINKED = NEXT_H2.replace("A museum opens", "<a href=/museum>A museum opens</a>")
#: Pages with another article, by where it is.
NEXT_ARTICLES = {
    "second article": f"<article id=first class=a>{TOP}{STORY}</article>"
    f"<article id=second-article class=b>{NEXT_H2}</article>",
    "next story inside": f"<article>{TOP}{STORY}<article class=next-story>{NEXT_H2}</article>"
    "</article>",
    "numbered": f"<article id=post-73>{TOP}{STORY}</article><article id=post-9>{NEXT_H2}</article>",
    "nested and numbered": f"<article id=part-1>{TOP}{STORY}<article id=part-2>{NEXT_H2}</article>"
    "</article>",
    "nested": f"<article>{TOP}{STORY}<div><article class=a>{NEXT}</article></div></article>",
    "hidden card": f"<article>{TOP}{STORY}</article><div class=card style='display:none'>{LINKED}"
    "</div>",
    "hidden card inside": f"<div>{TOP}{STORY}<div class=card hidden>{LINKED}</div></div>",
    "hidden by CSS": f"<style>.late{{display:none}}</style><div>{TOP}{STORY}</div><div class=late>"
    f"<div>{NEXT}</div></div>",
}


@pytest.mark.parametrize("body", NEXT_ARTICLES.values(), ids=NEXT_ARTICLES)
def test_a_next_article_in_a_box_of_another_kind_is_left_out(body: str) -> None:
    article = extracted(body)
    assert_holds(article, *PARAGRAPHS)
    assert not [text for text in OTHER if text in article.body]


#: Pages whose article has boxes that look like other articles.
PARTS = "".join(f"<p>{text}</p>" for text in OTHER)
ONE_ARTICLE = {
    "entries of a live blog": f"<article id=live>{TOP}{STORY}<article id=block-7><h2>A museum opens"
    f"</h2><time>10:30, 4 March 2024</time>{PARTS}</article></article>",
    "numbered sections": f"<article id=part-1>{TOP}{STORY}</article><article id=part-2><h2>A museum"
    f"</h2>{PARTS}</article>",
    "the second of three things": f"<article>{TOP}{STORY}<section class=second-thing><h2>A museum"
    f"</h2>{PARTS}</section></article>",
    "hidden answers": f"<div>{TOP}{STORY}<h2>A museum</h2><div hidden>{PARTS}</div></div>",
    "a hidden section": f"<div>{TOP}{STORY}<div hidden><h2>A museum opens in 2024</h2>{PARTS}</div>"
    "</div>",
    "an article that is shown late": f"<div><p>{OTHER[0]}</p><p>{OTHER[1]}</p><p>{OTHER[2]}</p>"
    f"<p>{OTHER[3]}</p><div hidden>{TOP}{STORY}</div></div>",
}


@pytest.mark.parametrize("body", ONE_ARTICLE.values(), ids=ONE_ARTICLE)
def test_what_looks_like_another_article_and_is_part_of_this_one_stays(body: str) -> None:
    assert_holds(extracted(body), *PARAGRAPHS, OTHER[1], OTHER[2])


COPIED = " ".join([*PARAGRAPHS, *OTHER])
COPIES = {
    "a store behind": f"<article>{TOP}{STORY}{PARTS}</article><div class=store>{COPIED}</div>",
    "a store inside": f"<article>{TOP}<div>{STORY}{PARTS}</div><pre hidden># Flood {COPIED}</pre>"
    "</article>",
    "a text to print above": f"<article>{TOP}<div class=print><p>{COPIED.upper()}</p></div><div>"
    f"{STORY}{PARTS}</div></article>",
}


@pytest.mark.parametrize("body", COPIES.values(), ids=COPIES)
def test_a_second_copy_of_the_article_in_one_block_is_left_out(body: str) -> None:
    lines = extracted(body).body.split("\n\n")
    assert lines == [*PARAGRAPHS, *OTHER]


def test_a_paragraph_that_says_again_what_its_neighbors_say_stays() -> None:
    text = " ".join(PARAGRAPHS)
    assert_holds(extracted(f"{TOP}<div>{STORY}<p>{text}</p></div>"), *PARAGRAPHS, text)


def test_a_copy_in_one_block_is_known_in_scripts_without_spaces() -> None:
    texts = [
        f"{town}的河流一夜之间上涨了{number}米，市长星期一表示，城里的桥梁将一直关闭，"
        f"直到水位再次下降为止，这可能还需要{number}天的时间，居民们被要求留在家中。"
        for number, town in enumerate(
            ("卑尔根", "奥斯陆", "莫斯", "纳尔维克", "哈马尔", "莫尔德", "沃斯"), 2
        )
    ]
    story = "".join(f"<p>{text}</p>" for text in texts)
    copy = "".join(texts).replace("，", "、")
    article = extracted(f"{TOP}<div>{story}</div><div class=store>{copy}</div>")
    assert article.body.split("\n\n") == texts
