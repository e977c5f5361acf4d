"""The id of an article: by its address, the same wherever the article comes from."""

import newsclean
from newsclean.article import MarkdownArticle

PAGE = "<title>Rain</title>{}<h1>Rain</h1><p>It has rained in Bergen for nine days, and goes on."
URL = "https://www.example.org/news/rain?id=7"


def id_of(url: str | None, canonical: str = "") -> str | None:
    link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    return newsclean.extract(PAGE.format(link), url).id


def test_the_id_never_changes() -> None:
    assert id_of(URL) == "cc266d14282249f721949725be87f1c4"


def test_scheme_tracking_and_fragment_do_not_count_and_the_query_does() -> None:
    assert id_of("http://example.org/news/rain?id=7&utm_source=rss#top") == id_of(URL)
    assert id_of("https://www.example.org/news/rain?id=8") != id_of(URL)


def test_a_canonical_url_of_the_same_site_counts_and_one_of_another_does_not() -> None:
    assert id_of("https://m.example.org/r/7", URL) == id_of(URL)
    assert id_of(URL, "https://example.net/rain") == id_of(URL)


def test_without_an_address_there_is_no_id() -> None:
    assert id_of(None) is None


def test_markdown_is_made_when_it_is_asked_for() -> None:
    article = newsclean.extract("<h1>Rain</h1><p>It has rained in <b>Bergen</b> for nine days.")
    assert article.markdown == "It has rained in **Bergen** for nine days."
    assert "markdown" not in article.to_dict()
    assert MarkdownArticle.of(article).to_dict()["markdown"] == article.markdown
