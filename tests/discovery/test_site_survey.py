"""The survey of a site, in process."""

from string import ascii_lowercase

from newsclean.discovery.site_survey import SurveyError, survey

HOME = "https://example.org/"


def test_a_survey_makes_no_more_requests_than_the_command_promises() -> None:
    feeds = "".join(
        f'<link rel=alternate type="application/rss+xml" href="/{number}.rss">'
        for number in range(30)
    )
    menu = "".join(f"<a href=/topic{letter}>Topic</a>" for letter in ascii_lowercase)
    robots = "\n".join(f"Sitemap: {HOME}{number}.xml" for number in range(30))
    requested: list[str] = []

    def fetch(url: str) -> tuple[bytes, str, str | None]:
        requested.append(url)
        if url == HOME:
            return f"<html><head>{feeds}</head><nav>{menu}</nav>".encode(), url, "text/html"
        if url.endswith("/robots.txt"):
            return robots.encode(), url, "text/plain"
        raise SurveyError("not found")

    found = survey(HOME, fetch)
    assert [one.kind for one in found.tried] == ["section"] * 20 + ["feed"] * 5 + ["sitemap"] * 5
    assert len(requested) == 32  # with the home page and robots.txt
