"""A short attack on the cost of pages; `growth.run` goes on for as long as one likes."""

from collections.abc import Iterator

import pytest

from tests.attack import growth
from tests.attack.shapes import SHAPES, Shape
from tests.attack.worker import Worker

#: Shapes that are tried here; a longer attack tries all of them by all methods.
TRIES = 50
#: What was found to grow faster than its page once.
FOUND = (
    "pre with blocks",
    "many attributes",
    "attributes with tag ends",
    "title of spaces",
    "types of linked data",
    "wide below deep datelines",
    "sources and pictures of one picture",
    "signs in a caption",
    "dots in the address of a post",
    "attributes in a state",
    "assignments",
    "blank lines in pre",
)


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    """One for all shapes: its start costs more than most of them."""
    with Worker() as running:
        yield running


@pytest.mark.slow
@pytest.mark.process
def test_no_shape_of_page_costs_more_than_its_size(worker: Worker) -> None:
    for promise in growth.run(TRIES, seed=12, worker=worker):
        assert not promise.failures, promise


@pytest.mark.slow
@pytest.mark.parametrize("name", FOUND)
@pytest.mark.process
def test_what_was_found_to_cost_more_stays_mended(worker: Worker, name: str) -> None:
    for method in ("hybrid", "boilerpipe-tree"):
        case = growth.Case(name, SHAPES[name], method, has_neighbors=False)
        assert growth.failures_of(worker, case) == {}


def test_all_shapes_are_tried_before_any_is_tried_again() -> None:
    names = [case.name for case in growth.cases(len(SHAPES), seed=1)]
    assert sorted(names) == sorted(SHAPES)


def test_a_long_attack_tries_all_methods_and_then_mixtures() -> None:
    count = len(SHAPES) * len(growth.METHODS)
    found = list(growth.cases(count + 5, seed=1))
    tried = {(case.name, case.method, case.has_neighbors) for case in found[:count]}
    assert len(tried) == count
    assert all(" and " in case.name for case in found[count:])


@pytest.mark.parametrize("power", [1.0, 2.0])
def test_the_exponent_is_that_of_the_growth(power: float) -> None:
    sizes = [20_000, 40_000, 80_000, 160_000]
    assert growth.exponent(sizes, [size**power for size in sizes]) == pytest.approx(power)


def test_a_shape_grows_with_its_size() -> None:
    page = Shape("<p>{n}", before="<body>", after="end").page(40)
    assert page.startswith("<body><p>0<p>1")
    assert page.endswith("end")
