from collections.abc import Iterator

import pytest

from newsclean.demo import DemoServer


@pytest.fixture(scope="session")
def demo() -> Iterator[DemoServer]:
    """The demo's two news sites."""
    with DemoServer() as running:
        yield running
