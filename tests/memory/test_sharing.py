"""Moving what was learned."""

import pytest

from newsclean.memory import Memory, MemoryFileError
from newsclean.memory.sharing import export_lines, import_lines, overview

from .conftest import Remember
from .pages import MENU, SITE, article, stored_page


def learned(remember: Remember, *numbers: int) -> Memory:
    memory = remember()
    for number in numbers:
        memory.sites.learn(SITE, "sport", f"page {number}", article(number))
    return memory


def test_an_imported_memory_knows_what_the_exported_one_knew(remember: Remember) -> None:
    copy = remember()
    assert import_lines(copy, export_lines(learned(remember, 1, 2, 3))) == 3
    known = copy.sites.support_for(SITE, "sport", "other", article(9), 3)
    assert (known.count, known.texts.max()) == (3, 3)
    assert {text for text, _ in copy.sites.neighborhood(SITE).repeated(0.6)} == set(MENU)


def test_importing_twice_changes_nothing(remember: Remember) -> None:
    source = learned(remember, 1, 2, 3)
    copy = remember()
    import_lines(copy, export_lines(source))
    once = list(export_lines(copy))
    import_lines(copy, export_lines(source))
    assert list(export_lines(copy)) == once


def test_an_older_state_of_a_page_does_not_replace_a_newer_one(remember: Remember) -> None:
    old = list(export_lines(learned(remember, 1)))
    memory = learned(remember, 1)
    (before,) = memory.sites.learned_pages()
    import_lines(memory, old)
    (after,) = memory.sites.learned_pages()
    assert after.seen == before.seen


def test_a_memory_that_knows_nothing_takes_keys_of_any_kind(remember: Remember) -> None:
    head, *pages = export_lines(learned(remember, 1, 2))
    copy = remember()
    assert import_lines(copy, [head.replace("block", "element"), *pages]) == 2
    assert copy.sites.keying == "element"
    with pytest.raises(MemoryFileError, match="'block' keys"):
        import_lines(copy, [head, *pages])


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([], "empty"),
        (["{}"], "line 1"),
        (['{"newsclean_memory": 9, "keying": "block"}'], "format 9"),
        (['{"newsclean_memory": 1, "keying": "element"}'], "'element' keys"),
        (['{"newsclean_memory": 1, "keying": "block"}', "{broken"], "line 3"),
        (['{"newsclean_memory": 1, "keying": "block"}', '{"site": "a"}'], "line 3"),
    ],
)
def test_a_bad_line_is_named_and_nothing_is_imported(
    lines: list[str], words: str, remember: Remember
) -> None:
    memory = learned(remember, 1)
    before = list(export_lines(memory))
    good = list(export_lines(learned(remember, 7)))
    with pytest.raises(MemoryFileError, match=words):
        import_lines(memory, [*lines[:1], *good[1:], *lines[1:]] if lines else [])
    assert list(export_lines(memory)) == before


def test_the_overview_counts_pages_keys_and_what_is_stored(remember: Remember) -> None:
    memory = learned(remember, 1, 2)
    memory.store_and_learn(stored_page(3, category="business"), "page 3", article(3))
    rows = {row.category: row for row in overview(memory)}
    assert (rows["sport"].pages, rows["sport"].keys) == (2, len(MENU) + 4)
    assert (rows["business"].pages, rows["business"].stored) == (1, 1)
