"""What a report counts of the articles that a site gave."""

from newsclean.article import Article
from newsclean.memory.site_health import SiteCounts, State
from newsclean.memory.site_report import SiteReport


def test_a_report_says_of_how_many_articles_a_field_was_not_found() -> None:
    counts = SiteCounts()
    counts.count_article(Article(is_article=True, headline="Rain", authors=["Ann Lee"]))
    counts.count_article(Article(is_article=True, headline="Snow", date_published="2026-03-14"))
    assert counts.new == 2
    assert counts.without == {"authors": 1, "date": 1, "picture": 2}
    assert SiteCounts.from_dict(counts.to_dict()) == counts


def test_what_is_not_new_is_not_counted_again() -> None:
    counts = SiteCounts()
    counts.count_article(Article(is_article=True, unchanged=True))
    assert not counts.without


def test_what_the_add_on_keeps_is_not_called_dropped() -> None:
    counts = SiteCounts(new=2)
    counts.count_article(Article(is_article=False))
    counts.count_passed(is_known=False)
    counts.count_passed(is_known=True)
    line = SiteReport("example.org", State.GOOD, counts, 0.0, 1.0).line()
    assert line == (
        "example.org: good; 2 new, 0 changed, 1 unchanged, 2 items kept that are not articles"
    )
