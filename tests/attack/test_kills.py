"""Whatever kills a crawl, a last run completes it: each article exactly once."""

import pytest

from .conftest import Hold
from .kills import run


@pytest.mark.slow
@pytest.mark.process
def test_killed_crawls_deliver_each_article_exactly_once(hold: Hold) -> None:
    hold(run(6, seed=1))
