"""The part `growth` of the attack: what a page costs grows as its size does, whatever its shape.

Each shape is measured at doubling sizes, by each method, in a process of its own; the exponent is
the slope of a line through the logarithms. What is above the bound is measured again with more
runs, of which the best counts: other work on the machine makes a run slower, never faster.
"""

from __future__ import annotations

import random
from contextlib import nullcontext
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from tests.attack.costs import NEIGHBORS, Cost
from tests.attack.promise import Promise
from tests.attack.shapes import SHAPES, Shape
from tests.attack.worker import MAX_CPU_SECONDS, Worker

if TYPE_CHECKING:
    from collections.abc import Iterator

PART = "growth"
MAX_EXPONENT = 1.2
SIZES = (20_000, 40_000, 80_000, 160_000)
#: Shapes are tried by one of these in turn, then by the next; with neighbors or without.
METHODS = (
    ("hybrid", False),
    ("stadynot+coreex", True),
    ("boilerpipe-tree", False),
    ("mss", False),
    ("hybrid", True),
    ("stadynot+coreex", False),
)
#: Below these, a page costs what any page costs.
MIN_SECONDS = 0.01
MIN_MEMORY = 16.0
#: How often a page is measured, first and where it seems to cost too much.
RUNS = (1, 5, 15)


@dataclass(frozen=True)
class Case:
    """A shape, the method that reads it, and whether it has neighbors."""

    name: str
    shape: Shape
    method: str
    has_neighbors: bool

    def __str__(self) -> str:
        return f"{self.name!r} by {self.method}{' with neighbors' if self.has_neighbors else ''}"


def run(tries: int, seed: int, worker: Worker | None = None) -> list[Promise]:
    """Measure shapes, all of them once before any a second time, in a worker that is there."""
    broken: dict[str, list[str]] = {"time": [], "memory": [], "bounds": []}
    with Worker() if worker is None else nullcontext(worker) as worker:
        for case in cases(tries, seed):
            for kind, failure in failures_of(worker, case).items():
                broken[kind].append(f"{case}, seed {seed}: {failure}")
    promises = {
        "time": f"processor time grows by an exponent of at most {MAX_EXPONENT}",
        "memory": f"memory grows by an exponent of at most {MAX_EXPONENT}",
        "bounds": "time and memory are within the stated bounds",
    }
    return [
        Promise(PART, promise, tries, len(broken[kind]), next(iter(broken[kind]), ""))
        for kind, promise in promises.items()
    ]


def cases(tries: int, seed: int) -> Iterator[Case]:
    """The shapes in random order, by one method after the other; then mixtures of two shapes."""
    rng = random.Random(seed)
    names = sorted(SHAPES)
    rng.shuffle(names)
    for number in range(tries):
        turn, place = divmod(number, len(names))
        method, has_neighbors = METHODS[(turn + place) % len(METHODS)]
        name = names[place]
        shape = SHAPES[name]
        if turn >= len(METHODS):
            other = rng.choice(names)
            name, shape = f"{name} and {other}", mixture(shape, SHAPES[other])
        yield Case(name, shape, method, has_neighbors)


def mixture(one: Shape, other: Shape) -> Shape:
    """The units of two shapes in turn."""
    return Shape(one.unit + other.unit, before=one.before, after=one.after, close=one.close)


def failures_of(worker: Worker, case: Case) -> dict[str, str]:
    """What a case breaks, by kind, once noise has been ruled out."""
    failures: dict[str, str] = {}
    for runs in RUNS:
        found = measure(worker, case, runs)
        if found is None:
            return {"bounds": f"it failed, or took more than {MAX_CPU_SECONDS} seconds"}
        failures = {}
        seconds = [max(cost.seconds, MIN_SECONDS) for cost in found]
        memory = [max(cost.memory, MIN_MEMORY) for cost in found]
        sizes = [cost.size for cost in found]
        if (slope := exponent(sizes, seconds)) > MAX_EXPONENT:
            failures["time"] = f"exponent {slope:.2f}, {seconds[-1]:.2f} s for {sizes[-1]:,} bytes"
        if (slope := exponent(sizes, memory)) > MAX_EXPONENT:
            failures["memory"] = (
                f"exponent {slope:.2f}, {memory[-1]:.0f} MB for {sizes[-1]:,} bytes"
            )
        if over := [cost for cost in found if not cost.is_within_bounds]:
            failures["bounds"] = str(over[0])
        if not failures:
            break
    return failures


def measure(worker: Worker, case: Case, runs: int) -> list[Cost] | None:
    """The costs of a case at each size; None if it does not end.

    The neighbors are smaller than any page that is measured: a copy of one would be all noise.
    """
    sources = [_source(case.shape, size) for size in SIZES]
    sizes = [SIZES[0] // (number + 2) for number in range(NEIGHBORS * case.has_neighbors)]
    neighbors = [_source(case.shape, size) for size in sizes]
    return worker.costs(sources, case.method, neighbors, runs)


def exponent(sizes: list[int], values: list[float]) -> float:
    """The slope of the line through the logarithms, by least squares.

    >>> round(exponent([1, 2, 4, 8], [3.0, 12.0, 48.0, 192.0]), 6)
    2.0
    """
    xs, ys = [log(size) for size in sizes], [log(value) for value in values]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    products = sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True))
    return products / sum((a - x) ** 2 for a in xs)


def _source(shape: Shape, size: int) -> bytes:
    return shape.page(size).encode("utf-8", "surrogatepass")
