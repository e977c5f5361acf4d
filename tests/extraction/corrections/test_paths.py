from hypothesis import given
from hypothesis import strategies as st

from newsclean import Page
from newsclean.extraction.page.slots import MAX_PATH, BlockPaths, own_tag, signatures


def paths(html: str) -> list[str]:
    return list(BlockPaths(Page.from_html(html)))


def test_names_with_digits_are_left_out_for_they_are_those_of_one_article() -> None:
    (path,) = paths('<div id="post-17" class="story p2 wide"><p itemprop="articleBody">Rain')
    assert path == "html body div.story.wide p@articleBody"


def test_the_order_of_classes_does_not_matter() -> None:
    assert paths('<p class="a b">Rain') == paths('<p class="b a">Rain')


def test_only_inline_elements_around_the_whole_block_count() -> None:
    assert paths("<p><i><b>Rain</b></i><p>More <b>rain</b>") == ["html body p | i b", "html body p"]


def test_many_inline_elements_around_a_block_are_all_of_its_path() -> None:
    (path,) = paths(f"<div class=a>{'<span>' * 9}Rain")
    assert path == f"html body div.a |{' span' * 9}"


def test_a_path_is_never_longer_than_a_file_takes_it() -> None:
    for length in range(1, 30):
        (path,) = paths("<div>" * 400 + f"<div class={'x' * length}><p>Rain")
        assert len(path) <= MAX_PATH, length


def test_a_tag_that_cannot_be_printed_is_written_without_it() -> None:
    (path,) = paths("<a\u200bb><p><x\u00ad>Rain")
    assert path == "html body ab p | x"


def test_a_very_deep_block_has_a_short_path_that_is_the_same_on_each_page() -> None:
    html = "<div class=deep-and-deeper>" * 200 + "<p>Rain"
    (path,) = paths(html)
    assert len(path) <= MAX_PATH
    assert path.startswith("…")
    assert path.endswith("div.deep-and-deeper p")
    assert paths(html) == [path]


def test_the_coarser_signatures_forget_what_is_further_out() -> None:
    one = signatures("html body.home main div#story div.text p")
    two = signatures("html body.news div div#story div.text p")
    assert one.path != two.path
    assert one.last == two.last == "div#story div.text p"
    assert one.named == two.named == "p < div.text < div#story"


@given(st.text(alphabet="<>pdiv= #.\"'abz|…\n\x00", max_size=80))
def test_any_page_has_a_path_for_each_block_and_signatures_for_each_path(text: str) -> None:
    page = Page.from_html(f"<body>{text}<p>Rain</body>")
    found = list(BlockPaths(page))
    assert len(found) == len(page.blocks)
    for path in found:
        assert path.isprintable()
        assert all(signatures(path))
        assert own_tag(path)
