"""The indexed parser decides as Protego does, however many rules there are."""

from hypothesis import given
from hypothesis import strategies as st
from scrapy.robotstxt import ProtegoRobotParser

from newsclean.robotstxt import MAX_SIZE, IndexedRobotParser, first_lines

AGENT = "newsclean/1.0"

pieces = st.sampled_from(
    ["/", "a", "b", "news", "*", "$", "?", "=1", "é", "%2F", "%61", "index.html"]
)
patterns = st.lists(pieces, max_size=8).map(lambda parts: "/" + "".join(parts))
rules = st.lists(st.tuples(st.sampled_from(["Allow", "Disallow"]), patterns), max_size=12)


@given(rules, st.lists(patterns, min_size=1, max_size=8))
def test_it_decides_as_protego_does(rules: list[tuple[str, str]], paths: list[str]) -> None:
    lines = "".join(f"{field}: {pattern}\n" for field, pattern in rules)
    body = f"User-agent: *\n{lines}".encode()
    indexed, protego = IndexedRobotParser(body, None), ProtegoRobotParser(body, None)
    for path in paths:
        url = f"https://example.org{path}"
        assert indexed.allowed(url, AGENT) == protego.allowed(url, AGENT), (lines, url)


def test_each_user_agent_has_its_own_rules() -> None:
    body = b"User-agent: *\nDisallow: /a\n\nUser-agent: newsclean\nCrawl-delay: 7\nDisallow: /b\n"
    parser = IndexedRobotParser(body, None)
    assert parser.allowed("https://example.org/a", AGENT)
    assert not parser.allowed("https://example.org/b", AGENT)
    assert not parser.allowed("https://example.org/a", b"other")
    assert parser.crawl_delay(AGENT) == 7
    assert IndexedRobotParser(b"", None).allowed("https://example.org/a", AGENT)


def test_half_a_rule_at_the_end_of_what_is_read_is_left_out() -> None:
    line = b"Disallow: /private/things/\n"
    cut = first_lines(b"User-agent: *\n" + line * 30_000)
    assert len(cut) <= MAX_SIZE
    assert cut.endswith(line)


def test_of_20000_rules_only_those_are_tried_that_may_match() -> None:
    rules = "".join(f"Disallow: /*/private-{n}/\nDisallow: /plain/{n}/\n" for n in range(10_000))
    parser = IndexedRobotParser(b"User-agent: *\n" + rules.encode(), None)
    assert parser.allowed("https://example.org/news/a-story", AGENT)
    index = parser._indexes[AGENT]
    assert index is not None
    tried = [len(list(index._candidates(path))) for path in ("/news/a-story", "/x/private-77/")]
    assert tried[0] == 0
    assert tried[1] < 50
