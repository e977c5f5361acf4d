"""What cannot be stored is reported, damages nothing, and comes with the next run."""

import pytest

from .conftest import Hold
from .disk import run


@pytest.mark.slow
@pytest.mark.process
def test_shortages_of_disk_and_rights_are_survived(hold: Hold) -> None:
    hold(run(1, seed=1))
