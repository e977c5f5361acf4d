from collections.abc import Iterator

import pytest

from newsclean.demo import DemoServer


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoServer]:
    """The demo's two news sites, which no other module has asked for anything."""
    with DemoServer() as running:
        yield running
