"""The `<meta>` elements of a page, and the microdata in them, by name."""

from collections.abc import Callable, Iterable, Iterator

from lxml.html import HtmlElement

MAX_TAGS = 1000


class MetaTags:
    """The contents of all meta elements: name, property, itemprop and http-equiv alike.

    Names are compared in lower case. `itemprop` names are kept apart as `itemprop:NAME`:
    their short names (`name`, `author`) mean something else elsewhere.
    """

    def __init__(self, elements: Iterable[HtmlElement]) -> None:
        self._contents: dict[str, list[str]] = {}
        for number, element in enumerate(elements):
            if number == MAX_TAGS:
                break
            content = element.get("content") or element.get("value")
            if not content or not content.strip():
                continue
            for attribute in ("property", "name", "http-equiv"):
                if name := element.get(attribute):
                    self.add(name, content)
            if name := element.get("itemprop"):
                self.add(f"itemprop:{_microdata_name(element, name)}", content)

    def add(self, name: str, content: str) -> None:
        contents = self._contents.setdefault(name.strip().lower(), [])
        if content not in contents:
            contents.append(content)

    def each(self, *names: str) -> Iterator[str]:
        """The contents of these names, the first name's first."""
        for name in names:
            yield from self._contents.get(name, ())

    def each_like(self, is_wanted: Callable[[str], bool]) -> Iterator[str]:
        """The contents of all names that are wanted, in the order of the page."""
        for name, contents in self._contents.items():
            if is_wanted(name):
                yield from contents

    def groups(self, *names: str) -> Iterator[list[str]]:
        """All contents of one name at a time, for names that may appear several times."""
        for name in names:
            if contents := self._contents.get(name):
                yield contents


def _microdata_name(element: HtmlElement, name: str) -> str:
    """A name that says whose: `author.name` for the `name` inside an author."""
    if name.strip().lower() != "name":
        return name
    parent = element.getparent()
    role = parent.get("itemprop") if parent is not None else None
    return f"{role}.name" if role else name
