"""The section of an article, its keywords, and whether it is free to read."""

from collections.abc import Collection, Iterable, Sequence
from urllib.parse import unquote, urlsplit

from newsclean.extraction.metadata.language import primary_subtag
from newsclean.extraction.metadata.structured_data import LinkedData, Node
from newsclean.extraction.text import comparison_key, single_line, visible_text
from newsclean.urls import MAX_URL, is_front_page, resolve_url, url_key

#: Folders that hold all articles of a site, whatever their section.
_CONTAINERS = frozenset(
    """
    a ar archive archives article articles artikel articolo articulo amp blog c category content
    d detail details doc e entry id index item m mobile n node p page pages post posts print read
    s section sections show stories story t u v view web www
    """.split()
)
#: What templates write if there is no section.
_EMPTY_VALUES = frozenset({"none", "null", "undefined", "default", "uncategorized", "home"})
_YES = frozenset({"true", "yes", "1", "free"})
_NO = frozenset({"false", "no", "0", "locked", "metered", "premium", "paid"})
#: Meta elements that say that an article is free, and those that say that it is not.
FREE_NAMES = ("article:content_tier", "og:article:content_tier", "isaccessibleforfree",
              "itemprop:isaccessibleforfree", "is_free", "article:free")  # fmt: skip
PAID_NAMES = ("paywall", "has_paywall", "is_paywalled", "premium", "is_premium", "paid_content",
              "article:premium", "article:paywall")  # fmt: skip

#: A longer value is not a name.
_MAX_SECTION = 60
#: Folders of a URL that may be sections; a folder with more words or letters is a headline.
_MAX_FOLDERS = 2
_MAX_FOLDER_WORDS = 3
_MAX_FOLDER_LENGTH = 30
_MAX_CRUMBS = 20
_MAX_KEYWORD = 80
_MAX_KEYWORDS = 50
_MAX_KEYWORD_LIST = 10_000


def choose_section(
    named: Iterable[object], urls: Iterable[str | None], other_names: Iterable[str] = ()
) -> str | None:
    """Return the first section that is named, else the one in a URL of the article.

    `other_names` cannot be sections: the site's names and the headline.
    """
    others = _EMPTY_VALUES | {comparison_key(name) for name in other_names}
    lines = (single_line(value, 2 * _MAX_SECTION) for value in named)
    fallback = (_section_in_url(url) for url in urls)
    return next((line for line in lines if _is_name(line, others)), None) or next(
        filter(None, fallback), None
    )


def _is_name(line: str, others: Collection[str]) -> bool:
    """Whether a value is a name, and not a URL, a number or one of `others`."""
    key = comparison_key(line)
    is_short = 0 < len(line) <= _MAX_SECTION
    return is_short and any(map(str.isalpha, key)) and key not in others and "://" not in line


def _section_in_url(url: str | None) -> str | None:
    """Return the folders of a URL that look like sections, up to the first that does not.

    >>> _section_in_url("https://example.org/en/sport/football/2026/03/14/who-won")
    'sport/football'
    >>> _section_in_url("https://example.org/2026/03/14/who-won") is None
    True
    """
    try:
        path = urlsplit((url or "")[:MAX_URL]).path
    except ValueError:
        return None
    *folders, _ = [segment for segment in unquote(path).split("/") if segment] or [""]
    found: list[str] = []
    for folder in folders:
        name = visible_text(folder).strip().lower()
        if not found and (name in _CONTAINERS or _is_language(name)):
            continue
        if len(found) == _MAX_FOLDERS or name in _CONTAINERS or not _is_folder(name):
            break
        found.append(name)
    return "/".join(found) or None


def _is_language(name: str) -> bool:
    """Whether a folder names a language or region: `en`, `pt-br`, `zh_hans`."""
    language, _, region = name.replace("_", "-").partition("-")
    return (len(language) == 2 or bool(region)) and primary_subtag(language) is not None and (
        len(region) in (0, 2, 4)
    )  # fmt: skip


def _is_folder(name: str) -> bool:
    words = name.replace("_", "-").replace(" ", "-").split("-")
    is_short = len(words) <= _MAX_FOLDER_WORDS and len(name) <= _MAX_FOLDER_LENGTH
    return is_short and len(name) > 1 and all(_is_word(word) for word in words)


def _is_word(word: str) -> bool:
    """Whether a word has only letters; to Python, marks on letters are not letters."""
    return bool(word) and not any(sign.isdecimal() or sign in ".,;:@=%&$~+" for sign in word)


def sections_in_breadcrumbs(
    data: LinkedData, own: Iterable[str | None], base: str | None
) -> Iterable[str]:
    """Yield the names in the breadcrumbs, the innermost first.

    The front page is left out, and so is the article, which has one of its `own` URLs or, as the
    last item, none.
    """
    items = [
        item
        for item in data.values(data.breadcrumbs.get("itemListElement"))
        if isinstance(item, dict)
    ][:_MAX_CRUMBS]
    keys = {url_key(url) for url in own if url}
    for place, item in reversed(list(enumerate(items, 1))):
        name, url = _crumb(data, item, base)
        is_article = url_key(url) in keys if url else place == len(items)
        if name and not is_article and not (url and is_front_page(url)):
            yield name


def _crumb(data: LinkedData, item: Node, base: str | None) -> tuple[str, str | None]:
    """Return name and URL of an item, which has them itself or in a node of its own."""
    names = [*data.strings(item.get("name")), *_node_strings(data, item.get("item"), "name")]
    urls = [*data.strings(item.get("item"), "@id", "url"), *data.strings(item.get("url"))]
    return next(iter(names), ""), next(filter(None, (resolve_url(u, base) for u in urls)), None)


def _node_strings(data: LinkedData, value: object, key: str) -> list[str]:
    return [
        text
        for node in data.values(value)
        if isinstance(node, dict)
        for text in data.strings(node.get(key))
    ]


def choose_keywords(groups: Iterable[Sequence[str]]) -> list[str]:
    """Return the keywords of the first group that has any, each once.

    >>> choose_keywords([[], ["Rain, Wind; rain"], ["Weather"]])
    ['rain', 'Wind']
    """
    for group in groups:
        # A single value is a list; of several values, each is one keyword.
        listed = group if len(group) > 1 else _split_list(group)
        words = [word for word in (single_line(text, _MAX_KEYWORD) for text in listed) if word]
        if words:
            by_key = {comparison_key(word) or word: word for word in words}
            return list(by_key.values())[:_MAX_KEYWORDS]
    return []


def _split_list(group: Sequence[str]) -> list[str]:
    return [
        word for text in group for word in text[:_MAX_KEYWORD_LIST].replace(";", ",").split(",")
    ]


def free_access(free: Iterable[object], paid: Iterable[object]) -> bool | None:
    """Return the first clear answer to "free?", else the opposite of the one to "paid?".

    >>> free_access(["http://schema.org/False"], []), free_access([], ["no"]), free_access([""], [])
    (False, True, None)
    """
    for values, meaning in ((free, True), (paid, False)):
        for value in values:
            if (answer := _answer(value)) is not None:
                return answer is meaning
    return None


def _answer(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower().rpartition("/")[2]
    return True if word in _YES else False if word in _NO else None
