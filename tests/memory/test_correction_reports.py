"""What the report of a run says of corrections."""

from newsclean.extraction.corrections.site_corrections import CorrectionResult
from newsclean.memory.site_health import MIN_PAGES, CorrectionCounts, SiteCounts


def counted(*results: CorrectionResult) -> CorrectionCounts:
    counts = CorrectionCounts()
    for result in results:
        counts.add(result)
    return counts


def test_a_correction_that_finds_nothing_on_many_pages_is_named_as_inactive() -> None:
    result = CorrectionResult(frozenset({"a1", "b2"}), met=frozenset({"b2"}))
    assert counted(*[result] * (MIN_PAGES - 1)).notes == []
    assert counted(*[result] * MIN_PAGES).notes == ["corrections inactive: a1"]


def test_one_page_with_its_slot_keeps_a_correction_active() -> None:
    unmet = CorrectionResult(frozenset({"a1"}))
    met = CorrectionResult(frozenset({"a1"}), met=frozenset({"a1"}))
    assert counted(*[unmet] * 30, met).notes == []


def test_what_was_held_back_and_what_is_of_another_method_is_named() -> None:
    result = CorrectionResult(
        frozenset({"a1"}), frozenset({"a1"}), frozenset({"c3"}), 0, False, {"a1": 90}
    )
    assert counted(result).notes == [
        "corrections held back: a1",
        "corrections of another method: c3",
    ]


def test_a_long_list_is_cut() -> None:
    ids = frozenset(f"a{n}" for n in range(9))
    (note,) = counted(*[CorrectionResult(ids)] * MIN_PAGES).notes
    assert note.endswith("a0 a1 a2 a3 a4 and 4 more")


def test_the_history_of_runs_has_no_line_of_corrections() -> None:
    counts = SiteCounts(new=3)
    assert "corrections" not in counts.to_dict()
    assert SiteCounts.from_dict(counts.to_dict()) == counts
