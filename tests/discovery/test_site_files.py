"""Site files: the good ones, and the error of each kind of bad one."""

from pathlib import Path

import pytest

from newsclean.discovery.site_files import Section, SiteFileError, read_site, section_at

GOOD = """
name = "Example Times"

[[section]]
url = "https://example.org/sport"

[[section]]
url = "http://127.0.0.1:8001/de/kultur/"
category = "Kultur"
pages = 3
"""


def test_sections_come_in_the_order_of_the_file_with_their_defaults(tmp_path: Path) -> None:
    (tmp_path / "times.toml").write_text(GOOD)
    assert read_site("times", tmp_path).sections == (
        Section("https://example.org/sport", "sport", None),
        Section("http://127.0.0.1:8001/de/kultur/", "Kultur", 3),
    )


def test_a_name_that_ends_in_toml_is_a_path(tmp_path: Path) -> None:
    path = tmp_path / "times.toml"
    path.write_text(GOOD)
    assert len(read_site(str(path), "no/such/folder").sections) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no [[section]]"),
        ('name = "x"', "has no [[section]]"),
        ("section = []", "has no [[section]]"),
        ('[section]\nurl = "https://a.org/"', "a section is [[section]], in double brackets"),
        ('feeds = "https://a.org/rss"', "feeds: 'https://a.org/rss' is not a list"),
        ('feeds = ["a.org/rss"]', "feeds: 'a.org/rss' is not a URL"),
        ('feed = ["https://a.org/rss"]', "unknown: feed; did you mean 'feeds'? There are"),
        ("sitemaps = [7]", "sitemaps: 7 is not a text"),
        ('feeds = ["https://a.org/rss"]\nallow = ["("]', "allow: '(' is not a regular expression"),
        ('feeds = ["https://a.org/rss"]\nlinks = "main >> a"', "links: 'main >> a' is neither CSS"),
        ('feeds = ["https://a.org/rss"]\nsince = "soon"', "since: since=soon: it takes a date"),
        ('feeds = ["https://a.org/rss"]\ndelay = -1', "delay: -1 is not a number of seconds"),
        ('feeds = ["https://a.org/rss"]\ndelay = nan', "delay: nan is not a number of seconds"),
        ('feeds = ["https://a.org/rss"]\ndelay = inf', "delay: inf is not a number of seconds"),
        ('feeds = ["https://a.org/rss"]\ndelay = "2s"', "delay: '2s' is not a number of seconds"),
        ('feeds = ["https://a.org/rss"]\ndelay = true', "delay: True is not a number of seconds"),
        ("[[section]", "is not a TOML file"),
        (f"delay = {'9' * 5000}", "is not a TOML file"),
        ("a" + ".a" * 16_000 + " = 1", "line 1: a key has more than 16 parts"),
        ("name = 'x'\nfeeds = " + "[" * 50_000, "line 2: values are nested in more than 16"),
        ("section = [1]", "section 1: it needs url"),
        ('[[section]]\ncategory = "x"', "section 1: it needs url"),
        ("[[section]]\nurl = 5", "section 1: it needs url"),
        ('[[section]]\nurl = "example.org/sport"', "section 1: 'example.org/sport' is not a URL"),
        ('[[section]]\nurl = "ftp://example.org/"', "section 1: 'ftp://example.org/' is not a URL"),
        ('[[section]]\nurl = "https:///sport"', "section 1: 'https:///sport' is not a URL"),
        ('[[section]]\nurl = "https://["', "section 1: 'https://[' is not a URL"),
        (
            '[[section]]\nurl = "https://a.org/"\nurls = 1',
            "section 1: unknown: urls; did you mean 'url'? There are",
        ),
        ('[[section]]\nurl = "https://a.org/"\npages = 0', "section 1: pages = 0 is not"),
        ('[[section]]\nurl = "https://a.org/"\npages = "3"', "section 1: pages = '3' is not"),
        ('[[section]]\nurl = "https://a.org/"\npages = true', "section 1: pages = True is not"),
        ('[[section]]\nurl = "https://a.org/"\ncategory = 7', "section 1: category = 7 is not"),
        (GOOD + "[[section]]\nurl = ''", "section 3: '' is not a URL"),
    ],
)
def test_a_bad_site_file_is_told_where_and_what(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "times.toml"
    path.write_text(text)
    with pytest.raises(SiteFileError) as error:
        read_site("times", tmp_path)
    assert str(path) in str(error.value)
    assert message in str(error.value)


def test_a_missing_site_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SiteFileError, match=r"cannot read the site file .*nowhere\.toml: No such"):
        read_site("nowhere", tmp_path)


def test_a_file_that_is_not_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "times.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SiteFileError, match=r"times\.toml is not a TOML file"):
        read_site("times", tmp_path)


def test_a_section_is_named_by_its_url() -> None:
    assert section_at(" https://example.org/news/sport/ ").category == "news/sport"
    assert section_at("https://example.org").category == "home"
    assert section_at("https://example.org/sp%C3%B6rt").category == "spört"


def test_a_site_file_says_what_of_a_site_is_wanted(tmp_path: Path) -> None:
    (tmp_path / "times.toml").write_text(
        'feeds = ["https://example.org/rss"]\nsitemaps = ["https://example.org/news.xml"]\n'
        'allow = ["/20\\\\d\\\\d/"]\ndeny = ["/video/"]\nlinks = "main h2 a"\n'
        'since = "7d"\n'
    )
    site = read_site("times", tmp_path)
    assert site.urls == ["https://example.org/rss", "https://example.org/news.xml"]
    assert site.allows("https://example.org/2026/rain")
    assert not site.allows("https://example.org/rain")
    assert not site.allows("https://example.org/2026/video/rain")
    assert site.links is not None
    assert site.links.startswith("descendant-or-self::main")
    assert site.since == "7d"


SECTION = '\n[[section]]\nurl = "https://example.org/news"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dely = 2", "unknown: dely; did you mean 'delay'?"),
        ("user-agent = 'x'", "unknown: user-agent; did you mean 'user_agent'?"),
        ("headers = 'x'", "headers: it takes a table of names and texts"),
        ("[headers]\nX-Key = 7103", "headers: the value of X-Key is not a text"),
        ("[headers]\n'X Key' = 'a'", "headers: 'X Key' is not a name"),
        ("[headers]\nCookie = 'a=b'", "headers: Cookie is set by [cookies]"),
        ("[headers]\nUSER-AGENT = 'a'", "headers: USER-AGENT is set by user_agent"),
        ("[headers]\nHost = 'a'", "headers: Host is set by newsclean"),
        ("[headers]\nA = 'b'\nlanguage = 'de'", "'language' is no header: move it above"),
        ("[cookies]\n'a;b' = 'c'", "cookies: 'a;b' is not a name"),
        ("proxy = 7103", "proxy: it takes a URL"),
        ("user_agent = ''", "user_agent: '' is not a text"),
        ("user_agent = 'bot ${KEY}'", "user_agent: it is sent, logged and stored unchanged"),
        ('user_agent = "a\\nb"', "user_agent: it has a line break"),
        ("render = 'sometimes'", "render: 'sometimes' is not one of never, empty, always"),
        ("method = 'corex'", "method: no method named 'corex'"),
        ("method = 'visual'", "method: 'visual' needs rendered pages"),
        ("language = 'german'", "language: 'german' is not the code of a language"),
        ("timezone = 'Europe/Olso'", "did you mean 'Europe/Oslo'?"),
    ],
)
def test_a_wrong_setting_of_a_site_is_told(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "times.toml").write_text(text + SECTION)
    with pytest.raises(SiteFileError) as error:
        read_site("times", tmp_path)
    assert message in str(error.value)
    assert "7103" not in str(error.value)
