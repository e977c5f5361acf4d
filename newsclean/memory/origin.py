"""The items of other people's spiders, packed for a memory and unpacked.

Only plain data is stored, never code: what JSON cannot hold is refused.
"""

from __future__ import annotations

import json
import zlib
from typing import Any

from newsclean.memory.damage import DamagedRowError


def pack(origin: Any) -> bytes | None:
    """An item as bytes; raises TypeError for one that is more than plain data."""
    if origin is None:
        return None
    from itemadapter import ItemAdapter  # it imports Scrapy; only crawls have such items

    kind = type(origin)
    name = None if kind is dict else f"{kind.__module__}.{kind.__qualname__}"
    fields = ItemAdapter(origin).asdict()
    text = json.dumps([name, fields])
    if json.loads(text)[1] != fields:
        raise TypeError(f"{kind.__qualname__} holds values that JSON would change")
    packed = zlib.compress(text.encode(), 1)
    try:
        again = ItemAdapter(unpack(packed))
    except Exception as error:
        raise TypeError(f"{kind.__qualname__} cannot be made again: {error}") from None
    # As plain data, an item inside of an item is no other than a dict.
    if again.asdict() != fields or dict(again) != dict(ItemAdapter(origin)):
        raise TypeError(f"{kind.__qualname__} is another one when it is made again")
    return packed


def unpack(packed: bytes | None) -> Any:
    """The item of these bytes."""
    if packed is None:
        return None
    try:
        name, fields = json.loads(zlib.decompress(packed))
    except (ValueError, zlib.error) as error:
        raise DamagedRowError(f"its item is damaged: {error}") from None
    if name is None:
        return fields
    from scrapy.utils.misc import load_object  # only crawls have such items

    return load_object(name)(**fields)
