"""No script survives, wherever in a page it is."""

import pytest

from .allow_list import violations
from .conftest import Hold
from .script_vectors import PLACES, run
from .vectors import VECTORS


def test_there_are_enough_vectors_and_places() -> None:
    assert len(set(VECTORS)) >= 250
    assert len(PLACES) == 8


@pytest.mark.parametrize(
    "html",
    [
        "<p onclick=x>rain</p>",
        "<script>x</script>",
        '<a href="java&#9;script:x">rain</a>',
        '<img src="data:image/png,x">',
        '<img src="https://a.org/x.jpg" alt="" width="1;x">',
        '<blockquote cite="javascript:x"><p>rain</p></blockquote>',
        "<!-- rain -->",
        "<p>rain<?x?></p>",
    ],
)
def test_the_allow_list_parser_finds_what_is_not_clean(html: str) -> None:
    assert violations(html)


def test_the_allow_list_parser_takes_what_is_clean() -> None:
    assert (
        violations('<p>rain &lt;script&gt; <a href="https://a.org" rel="noopener">x</a></p>') == []
    )


@pytest.mark.chromium
@pytest.mark.slow
def test_no_vector_in_any_place_is_executed(hold: Hold) -> None:
    hold(run(len(VECTORS) * len(PLACES), seed=1))
