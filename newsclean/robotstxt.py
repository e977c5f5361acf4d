"""A robots.txt parser whose cost for a request does not grow with the number of rules."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from protego._utils import _quote_path
from scrapy.robotstxt import ProtegoRobotParser
from scrapy.utils.python import to_unicode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from protego._ruleset import _Rule

#: RFC 9309, 2.5: at least so much is read.
MAX_SIZE = 500 * 1024
#: Characters of a rule by which it is found.
KEY_LENGTH = 6


class IndexedRobotParser(ProtegoRobotParser):
    """Protego's rules, of which only those are tried that have a part of the URL in them.

    For the setting ROBOTSTXT_PARSER.
    """

    def __init__(self, robotstxt_body: bytes, spider: object) -> None:
        super().__init__(first_lines(robotstxt_body), spider)  # type: ignore[arg-type]
        self._indexes: dict[str, RuleIndex | None] = {}

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        url, user_agent = to_unicode(url), to_unicode(user_agent)
        if user_agent not in self._indexes:
            rule_set = self.rp._get_matching_rule_set(user_agent)
            self._indexes[user_agent] = RuleIndex(rule_set._rules) if rule_set else None
        index = self._indexes[user_agent]
        path = _quote_path(url)
        return index is None or path == "/robots.txt" or index.allows(path)


class RuleIndex:
    """The rules for one user agent, found by what a path must have in it to match them.

    A rule without a wildcard is found by the path's beginning. One with a wildcard is found by six
    characters of it (fewer, if it has no longer part), the six that the fewest other rules have.
    """

    def __init__(self, rules: Iterable[_Rule]) -> None:
        #: whether a path that begins so is allowed
        self.prefixes: dict[str, bool] = {}
        self.patterns: dict[str, list[_Rule]] = {}
        wildcards = []
        for rule in rules:
            pattern, allows = rule.value._pattern, rule.field == "allow"
            if "*" in pattern or pattern.endswith("$"):
                wildcards.append(rule)
            else:
                self.prefixes[pattern] = allows or self.prefixes.get(pattern, False)
        keys = [set(_keys(rule)) for rule in wildcards]
        frequency = Counter(key for some in keys for key in some)
        for rule, some in zip(wildcards, keys, strict=True):
            key = min(some, key=lambda key: (-len(key), frequency[key], key), default="")
            self.patterns.setdefault(key, []).append(rule)
        self.prefix_lengths = sorted({len(prefix) for prefix in self.prefixes}, reverse=True)
        self.key_lengths = sorted({len(key) for key in self.patterns})

    def allows(self, path: str) -> bool:
        """The longest rule that matches decides; of two equally long ones, the one that allows."""
        longest, allowed = -1, True
        for length in self.prefix_lengths:
            if length <= len(path) and path[:length] in self.prefixes:
                longest, allowed = length, self.prefixes[path[:length]]
                break
        for rule in self._candidates(path):
            length, allows = rule.value.priority, rule.field == "allow"
            if (length, allows) > (longest, allowed) and rule.value.match(path):
                longest, allowed = length, allows
        return allowed

    def _candidates(self, path: str) -> Iterator[_Rule]:
        for length in self.key_lengths:
            parts = {path[start : start + length] for start in range(len(path) - length + 1)}
            for part in parts & self.patterns.keys():
                yield from self.patterns[part]


def _keys(rule: _Rule) -> Iterator[str]:
    for part in rule.value._pattern.removesuffix("$").split("*"):
        length = min(len(part), KEY_LENGTH)
        if length:
            yield from (part[start : start + length] for start in range(len(part) - length + 1))


def first_lines(body: bytes) -> bytes:
    """The lines within the size that is read; half a rule might forbid more than the whole.

    >>> len(first_lines(b"Disallow: /private/\\n" * 30_000))
    512000
    """
    if len(body) <= MAX_SIZE:
        return body
    cut = body[:MAX_SIZE]
    return cut[: max(cut.rfind(b"\n"), cut.rfind(b"\r")) + 1]
