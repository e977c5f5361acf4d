"""The start list: facts with their sources, and who is chosen from it."""

import csv
import io
import re
from importlib.resources import files
from urllib.parse import urlsplit

import pytest
from babel import Locale
from babel.languages import get_territory_language_info

from newsclean.discovery.start_list import StartListError, matching, publishers
from newsclean.urls import registered_domain, site_of
from tests.code_blocks import ROOT

TEXT = files("newsclean.discovery").joinpath("publishers.csv").read_text("utf-8")
ENGLISH = Locale("en")


def test_the_list_is_large_and_of_many_countries_and_languages() -> None:
    assert len(publishers()) >= 150
    assert len({one.country for one in publishers()}) >= 40
    assert len({one.language for one in publishers()}) >= 25


def test_the_docs_say_how_many_there_are() -> None:
    countries = len({one.country for one in publishers()})
    languages = len({one.language for one in publishers()})
    counts = f"{len(publishers())} of {countries} countries, in {languages} languages"
    assert counts in (ROOT / "docs" / "start-list.md").read_text("utf-8")


def test_every_row_is_complete_and_names_the_file_it_is_from() -> None:
    rows = list(csv.reader(io.StringIO(TEXT)))
    assert rows[0] == ["name", "url", "country", "language", "source"]
    for row in rows[1:]:
        assert len(row) == len(rows[0])
        assert all(cell and cell == cell.strip() and cell.isprintable() for cell in row)
        for source in row[4].split("; "):
            assert re.fullmatch(r"[\w.-]+/[\w.-]+: [\w./-]+\.\w+(?: \(\w+\))?", source), source


def test_codes_are_of_iso_3166_and_bcp_47() -> None:
    for one in publishers():
        assert re.fullmatch("[A-Z]{2}", one.country), one
        assert one.country in ENGLISH.territories, one
        assert get_territory_language_info(one.country), one  # a country, and no group of them
        assert one.language in ENGLISH.languages, one
        assert Locale.parse(one.language).language == one.language, one


def test_addresses_are_of_the_web_and_fit_into_a_list() -> None:
    for one in publishers():
        parts = urlsplit(one.url)
        assert parts.scheme in ("https", "http"), one
        assert parts.path.startswith("/"), one
        assert parts.netloc == parts.hostname, one
        assert one.url == f"{parts.scheme}://{parts.netloc}{parts.path}"
        assert "," not in one.url
        assert "." in (parts.hostname or "")
    plain = [one for one in publishers() if one.url.startswith("http:")]
    assert len(plain) * 10 < len(publishers())  # only where the source has no https


def test_no_publisher_is_there_twice() -> None:
    domains = [registered_domain(site_of(one.url) or "") for one in publishers()]
    assert len(set(domains)) == len(domains)


def test_the_list_is_sorted_by_country_and_name() -> None:
    keys = [(one.country, one.name.casefold(), one.url) for one in publishers()]
    assert keys == sorted(keys)


def test_countries_and_languages_choose_together() -> None:
    assert matching() == list(publishers())
    swiss_or_austrian = matching(["CH", "at"], ["de-CH"])
    assert {one.country for one in swiss_or_austrian} == {"CH", "AT"}
    assert {one.language for one in swiss_or_austrian} == {"de"}
    assert {one.country for one in matching(languages=["fr"])} >= {"FR", "CA", "BE"}


@pytest.mark.parametrize("language", ["no", "nb", "nn", "nb_NO"])
def test_norwegian_is_found_by_the_names_of_its_written_forms(language: str) -> None:
    assert matching(["no"], [language]) == matching(["no"])


def test_the_united_kingdom_is_found_by_the_code_that_people_type() -> None:
    assert matching(["uk"]) == matching(["gb"])


@pytest.mark.parametrize(
    ("countries", "languages", "messages"),
    [
        (["nor"], [], ["country 'nor'", "did you mean no?", "There are ", " za"]),
        (["no", "xx"], [], ["country 'xx'"]),
        ([], ["enn"], ["language 'enn'", "did you mean en?", " zu"]),
        (["no"], ["de"], ["no publisher in no whose language is de; there are no (8)"]),
    ],
)
def test_an_unknown_code_is_named_with_its_neighbor_and_all_that_there_are(
    countries: list[str], languages: list[str], messages: list[str]
) -> None:
    with pytest.raises(StartListError) as error:
        matching(countries, languages)
    assert all(message in str(error.value) for message in messages)
