"""Keywords: the first list of them that a page has."""

from collections.abc import Iterable, Sequence

from newsclean.metadata.text import comparison_key, single_line

MAX_KEYWORD = 80
MAX_KEYWORDS = 50
MAX_KEYWORD_LIST = 10_000


def choose_keywords(groups: Iterable[Sequence[str]]) -> list[str]:
    """The keywords of the first group that has any, each once.

    >>> choose_keywords([[], ["Rain, Wind; rain"], ["Weather"]])
    ['rain', 'Wind']
    """
    for group in groups:
        # A single value is a list in itself; of several, each is one keyword.
        listed = group if len(group) > 1 else _split_list(group)
        words = [word for word in (single_line(text, MAX_KEYWORD) for text in listed) if word]
        if words:
            by_key = {comparison_key(word) or word: word for word in words}
            return list(by_key.values())[:MAX_KEYWORDS]
    return []


def _split_list(group: Sequence[str]) -> list[str]:
    return [word for text in group for word in text[:MAX_KEYWORD_LIST].replace(";", ",").split(",")]
