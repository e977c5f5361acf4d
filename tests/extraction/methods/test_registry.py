"""Methods by name."""

import pytest

from newsclean.extraction.methods.chain import Choice, Evidence, Stage
from newsclean.extraction.methods.registry import method_named
from newsclean.extraction.page import Page

PAGE = (
    "<div>" + "<p>" + "word " * 40 + "</p><ul><li><a href=/1>a</a><li><a href=/2>b</a></ul></div>"
)


@pytest.mark.parametrize(
    "name", ["nope", "coreex:nope", "tree:nope", "coreex:n=2", "", "stadynot+", "stadynot++coreex"]
)
def test_an_unknown_name_is_refused_with_the_names_that_there_are(name: str) -> None:
    with pytest.raises(ValueError, match="there are"):
        method_named(name)


@pytest.mark.parametrize("name", ["stadynot+coreex", "coreex", "stadynot:paper"])
def test_stage_by_stage_gives_what_one_call_gives(name: str) -> None:
    page = Page.from_html(PAGE)
    method = method_named(name)
    choice = Choice.everything(page)
    for stage in Stage:
        choice = method.run_stage(stage, page, Evidence(), choice)
    assert (choice.rows == method.choose(page).rows).all()


def test_a_stage_runs_only_its_own_steps() -> None:
    page = Page.from_html(PAGE)
    method = method_named("stadynot+coreex")
    choice = Choice.everything(page)
    assert "static" not in method.run_stage(Stage.DYNAMIC, page, Evidence(), choice).noise
    assert not {"static", "dynamic"} & {
        *method.run_stage(Stage.CONTENT, page, Evidence(), choice).noise
    }


def test_a_chain_that_marks_noise_after_it_has_chosen_is_refused() -> None:
    with pytest.raises(ValueError, match="stadynot marks noise, so it comes first in a chain"):
        method_named("coreex+stadynot")
