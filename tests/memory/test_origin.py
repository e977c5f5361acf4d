"""The items of other people's spiders come out of a memory as they went in, or do not go in."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from newsclean.memory.stored_pages import pack, unpack


@dataclass
class Byline:
    name: str
    tags: list[str] = field(default_factory=list)


@pytest.mark.parametrize("item", [{"text": "b", "author": "a"}, Byline("Ann", ["x"])])
def test_plain_items_come_out_as_they_went_in(item: Any) -> None:
    again = unpack(pack(item))
    assert type(again) is type(item)
    assert again == item
    if isinstance(item, dict):
        assert list(again) == list(item)


@pytest.mark.parametrize("value", [Byline("Ann"), (1, 2), b"raw", {1: 2}])
def test_an_item_that_would_come_out_as_another_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        pack({"author": value})
