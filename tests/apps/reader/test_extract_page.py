"""`newsclean extract --format page`: the article of one page as one file."""

from pathlib import Path

from newsclean.cli import main
from tests.cli.pages import story


def test_the_page_of_an_article_is_one_file_without_links_to_others(tmp_path: Path) -> None:
    page, out = tmp_path / "page.html", tmp_path / "out.html"
    page.write_text(story("Bergen"), "utf-8")
    asked = ["extract", str(page), "--url", "https://example.org/a", "--format", "page"]
    assert main([*asked, "--out", str(out)]) == 0
    shown = out.read_text("utf-8")
    assert "<h1>Rain in Bergen goes on</h1>" in shown
    assert "https://example.org/rain.jpg" in shown
    assert "<style>" in shown
    assert "stylesheet" not in shown
    assert "style-src &#39;sha256-" in shown
    assert main([*asked, "--no-images", "--out", str(out)]) == 0
    assert "rain.jpg" not in out.read_text("utf-8")
