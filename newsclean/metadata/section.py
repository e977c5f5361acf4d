"""The section of an article: as the page names it, else as its address does."""

from collections.abc import Collection, Iterable
from urllib.parse import unquote, urlsplit

from newsclean.metadata.language import primary_subtag
from newsclean.metadata.linked_data import LinkedData, Node
from newsclean.metadata.text import comparison_key, single_line, visible_text
from newsclean.metadata.urls import is_front_page, resolve_url, url_key

#: A longer value is not a name.
MAX_SECTION = 60
MAX_URL = 2048
#: Folders of an address that are taken for sections, and words in the name of one: a longer name
#: is a headline.
MAX_FOLDERS = 2
MAX_FOLDER_WORDS = 3
MAX_FOLDER_LENGTH = 30
#: Items of a trail of breadcrumbs.
MAX_CRUMBS = 20

#: Folders that hold all articles of a site, whatever their section.
CONTAINERS = frozenset(
    """
    a ar archive archives article articles artikel articolo articulo amp blog c category content
    d detail details doc e entry id index item m mobile n node p page pages post posts print read
    s section sections show stories story t u v view web www
    """.split()
)
#: What templates write where they have nothing to say.
EMPTY_VALUES = frozenset({"none", "null", "undefined", "default", "uncategorized", "home"})


def choose_section(
    named: Iterable[object], urls: Iterable[str | None], other_names: Iterable[str] = ()
) -> str | None:
    """The first section that is named, else the one in an address of the article.

    `other_names` are those that a section does not have: the site's, and the headline.
    """
    others = EMPTY_VALUES | {comparison_key(name) for name in other_names}
    lines = (single_line(value, 2 * MAX_SECTION) for value in named)
    fallback = (section_in_url(url) for url in urls)
    return next((line for line in lines if _is_name(line, others)), None) or next(
        filter(None, fallback), None
    )


def section_in_url(url: str | None) -> str | None:
    """The folders of an address that look like sections, up to the first that does not.

    >>> section_in_url("https://example.org/en/sport/football/2026/03/14/who-won")
    'sport/football'
    >>> section_in_url("https://example.org/2026/03/14/who-won") is None
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
        if not found and (name in CONTAINERS or _is_language(name)):
            continue
        if len(found) == MAX_FOLDERS or name in CONTAINERS or not _is_folder(name):
            break
        found.append(name)
    return "/".join(found) or None


def sections_in_breadcrumbs(
    data: LinkedData, own: Collection[str], base: str | None
) -> Iterable[str]:
    """The names on the trail of breadcrumbs, the innermost first.

    The front page is not among them, nor is the article, which has one of its `own` addresses or,
    as the last item, none.
    """
    items = [
        item
        for item in data.values(data.breadcrumbs.get("itemListElement"))
        if isinstance(item, dict)
    ][:MAX_CRUMBS]
    keys = {url_key(url) for url in own}
    for place, item in reversed(list(enumerate(items, 1))):
        name, url = _crumb(data, item, base)
        is_article = url_key(url) in keys if url else place == len(items)
        if name and not is_article and not (url and is_front_page(url)):
            yield name


def _crumb(data: LinkedData, item: Node, base: str | None) -> tuple[str, str | None]:
    """Name and address of an item, which has them itself or in a node of its own."""
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


def _is_name(line: str, others: Collection[str]) -> bool:
    """Whether a value is a name, and not an address, a number or one of `others`."""
    key = comparison_key(line)
    is_short = 0 < len(line) <= MAX_SECTION
    return is_short and any(map(str.isalpha, key)) and key not in others and "://" not in line


def _is_language(name: str) -> bool:
    """Whether a folder is that of a language or region: `en`, `pt-br`, `zh_hans`."""
    language, _, region = name.replace("_", "-").partition("-")
    return (len(language) == 2 or bool(region)) and primary_subtag(language) is not None and (
        len(region) in (0, 2, 4)
    )  # fmt: skip


def _is_folder(name: str) -> bool:
    words = name.replace("_", "-").replace(" ", "-").split("-")
    is_short = len(words) <= MAX_FOLDER_WORDS and len(name) <= MAX_FOLDER_LENGTH
    return is_short and len(name) > 1 and all(_is_word(word) for word in words)


def _is_word(word: str) -> bool:
    """Whether a word has letters alone; marks on letters are not letters to Python."""
    return bool(word) and not any(sign.isdecimal() or sign in ".,;:@=%&$~+" for sign in word)
