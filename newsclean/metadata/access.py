"""Whether an article can be read without paying, as its page says."""

from collections.abc import Iterable

_YES = frozenset({"true", "yes", "1", "free"})
_NO = frozenset({"false", "no", "0", "locked", "metered", "premium", "paid"})

#: Meta elements whose value says that an article is free, and those that say that it is not.
FREE_NAMES = ("article:content_tier", "og:article:content_tier", "isaccessibleforfree",
              "itemprop:isaccessibleforfree", "is_free", "article:free")  # fmt: skip
PAID_NAMES = ("paywall", "has_paywall", "is_paywalled", "premium", "is_premium", "paid_content",
              "article:premium", "article:paywall")  # fmt: skip


def free_access(free: Iterable[object], paid: Iterable[object]) -> bool | None:
    """The first clear answer: of values that say yes to free, then of those that say yes to paid.

    >>> free_access(["http://schema.org/False"], []), free_access([], ["no"]), free_access([""], [])
    (False, True, None)
    """
    for value in free:
        if (answer := _answer(value)) is not None:
            return answer
    for value in paid:
        if (answer := _answer(value)) is not None:
            return not answer
    return None


def _answer(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower().rpartition("/")[2]
    return True if word in _YES else False if word in _NO else None
