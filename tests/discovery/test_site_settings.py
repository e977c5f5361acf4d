"""Variables of the environment, and which URLs get the settings of a site."""

import pytest

from newsclean.article import Article
from newsclean.discovery.site_settings import NO_SETTINGS, SettingsOfSites, SiteSettings

SECRET = "s3cret"
KEY = SiteSettings(headers={"X-Key": SECRET})


def test_variables_take_the_place_of_their_names() -> None:
    settings = SiteSettings(
        headers={"Authorization": "Bearer ${TOKEN}"},
        cookies={"session": "${A}-${B}"},
        proxy="http://user:${TOKEN}@proxy.example.net:3128",
    ).resolved({"TOKEN": f"{SECRET}\n", "A": "1", "B": "2"})
    assert settings.headers == {"Authorization": f"Bearer {SECRET}"}
    assert settings.cookies == {"session": "1-2"}
    proxy = settings.proxy_parts
    assert proxy is not None
    assert (proxy.url, proxy.user, proxy.password) == (
        "http://proxy.example.net:3128", "user", SECRET,
    )  # fmt: skip
    assert SECRET not in repr(settings) + repr(proxy)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (SiteSettings(headers={"X-Key": "${KEY}"}), "headers.X-Key: the environment has no .* KEY"),
        (SiteSettings(headers={"X-Key": "${"}), "headers.X-Key: a variable is written"),
        (SiteSettings(headers={"X-Key": "${BREAK}"}), "headers.X-Key: it has a line break"),
        (SiteSettings(cookies={"a": "${SEMICOLON}"}), "cookies.a: its value has a space, a comma"),
        (SiteSettings(proxy="socks5://u:${SECRET}@h:1"), "proxy: it is not the URL of a proxy"),
        (SiteSettings(proxy="http://u:${SECRET}@h:port"), "proxy: it is not a URL"),
    ],
)
def test_what_cannot_be_sent_is_told_without_its_value(
    settings: SiteSettings, message: str
) -> None:
    environment = {"BREAK": f"{SECRET}\nX-B: c", "SEMICOLON": f"{SECRET};b", "SECRET": SECRET}
    with pytest.raises(ValueError, match=message) as error:
        settings.resolved(environment)
    assert SECRET not in str(error.value)


@pytest.mark.parametrize(
    ("url", "is_own"),
    [
        ("https://example.org/news/1", True),
        ("https://sport.example.org/1", True),
        ("http://example.org/news/1", False),  # the site file names HTTPS alone
        ("https://example.net/", False),
        ("https://example.org.example.net/", False),
        ("https://notexample.org/", False),
        ("https://example.org:8443/", False),
        ("https://example.org@example.net/", False),
        ("https://[", False),
    ],
)
def test_secrets_are_for_the_hosts_of_the_site(url: str, is_own: bool) -> None:
    sites = SettingsOfSites()
    sites.add(["https://www.example.org/news"], KEY)
    assert sites.secrets_for(url) == (KEY if is_own else NO_SETTINGS)


def test_a_blog_on_a_shared_host_is_a_site_of_its_own() -> None:
    sites = SettingsOfSites()
    sites.add(["https://ours.blogspot.com/"], KEY)
    assert sites.of("https://theirs.blogspot.com/") == NO_SETTINGS


def test_two_site_files_may_not_contradict_each_other() -> None:
    sites = SettingsOfSites()
    sites.add(["https://example.org/a"], KEY)
    sites.add(["https://example.org/b"], KEY)
    with pytest.raises(ValueError, match=r"different settings for example\.org"):
        sites.add(["https://www.example.org/c"], SiteSettings(language="de"))


@pytest.mark.parametrize("urls", [("http:", "https:"), ("https:", "http:")])
def test_plain_http_is_allowed_for_the_domain_of_which_a_site_file_names_it(
    urls: tuple[str, str],
) -> None:
    sites = SettingsOfSites()
    for scheme in urls:
        sites.add([f"{scheme}//example.org/", "https://example.net/"], KEY)
    assert sites.secrets_for("http://example.org/a") == KEY
    assert sites.secrets_for("http://example.net/a") == NO_SETTINGS


@pytest.mark.parametrize(
    ("date", "zone", "expected"),
    [
        ("2026-01-05T08:00:00", None, "2026-01-05T08:00:00+01:00"),
        ("2026-07-05T08:00:00", None, "2026-07-05T08:00:00+02:00"),
        ("2026-07-05T08:00:00Z"[:-1] + "+00:00", None, "2026-07-05T08:00:00+00:00"),
        ("2026-07-05T08:00:00+00:00", "site", "2026-07-05T08:00:00+02:00"),
        ("2026-07-05", None, "2026-07-05"),
        (None, None, None),
    ],
)
def test_a_time_without_a_zone_gets_that_of_the_site(
    date: str | None, zone: str | None, expected: str | None
) -> None:
    article = Article(date_published=date, extraction={"date_zone": zone} if zone else {})
    SiteSettings(timezone="Europe/Berlin", language="de").complete(article)
    assert article.date_published == expected
    assert article.language == "de"
