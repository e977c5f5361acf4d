"""Write the names of months and weekdays and the words of relative dates in many languages.

    pip install babel dateparser jdatetime
    python benchmarks/date_words.py

The names are those of the Unicode CLDR: months, weekdays and halves of the day by way of
Babel, "today" and "yesterday" by way of dateparser, which has them from the CLDR, too. The Persian
months are those of jdatetime; its calendar is compared with ours, day by day. Written is
`newsclean/extraction/metadata/date_words.py`. Then every day of a year, as each language writes it,
is read again; printed is where that fails.
"""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import textwrap
from datetime import date, timedelta
from pathlib import Path

from babel import Locale
from babel.dates import format_date

from newsclean.extraction.metadata.dates import date_in_text, folded, from_persian

jdatetime = importlib.import_module("jdatetime")  # without types

MODULE = Path(__file__).parent.parent / "newsclean/extraction/metadata/date_words.py"

#: In this order: where two languages give a word to two months, the first decides.
LANGUAGES = """
    en de fr es it pt nl sv nb nn da fi is pl cs sk sl hr bs sr ru uk be bg mk el tr az hu ro sq et
    lv lt ca gl eu ga cy af ar fa ps ur he hi bn pa gu mr ne ta te kn ml si th lo km my vi id ms fil
    sw ka hy kk uz ja ko zh
""".split()
#: Where a region or script has words of its own.
VARIANTS = "en_GB de_AT es_MX fr_CA ar_SY ar_MA ar_DZ sr_Latn zh_Hant".split()

HEADER = '''"""Words of dates in many languages, folded; written by `benchmarks/date_words.py`."""

'''


def locales() -> list[Locale]:
    return [Locale.parse(name) for name in LANGUAGES + VARIANTS]


def names(kind: str, numbers: range) -> tuple[list[list[str]], dict[str, int]]:
    """The names of months or weekdays by their number, and those that have another in Croatian."""
    found: dict[str, int] = {}
    croatian = {}
    for width in ("wide", "abbreviated"):
        for locale in locales():
            table = getattr(locale, kind)
            for context in ("format", "stand-alone"):
                for number in numbers:
                    word = folded(re.sub(r"\bde?\b", "", table[context][width][number]))
                    if word and not any(map(str.isdigit, table[context][width][number])):
                        found.setdefault(word, number)
                        if found[word] != number:
                            assert locale.language == "hr" or kind == "days", (word, locale)
                            croatian[word] = number
            if locale.language == "he" and kind == "months" and width == "wide":
                for number in numbers:  # "d בMMMM y"
                    found.setdefault(folded("ב" + table["format"][width][number]), number)
    return [[word for word, of in found.items() if of == number] for number in numbers], croatian


def relative_days(key: str) -> list[str]:
    """The words for a day: today (`0 day ago`) or yesterday."""
    found: dict[str, None] = {}
    for name in LANGUAGES:
        module = f"dateparser.data.date_translation_data.{name}"
        try:
            words = importlib.import_module(module).info["relative-type"].get(key, [])
        except ModuleNotFoundError:
            continue
        found |= dict.fromkeys(word for word in words if " " not in word and len(word) > 2)
    return list(found)


def day_periods() -> list[str]:
    found: dict[str, None] = {}
    for locale in locales():
        for width in ("abbreviated", "wide"):
            periods = locale.day_periods["format"].get(width, {})
            found |= dict.fromkeys(folded(periods[key]) for key in ("am", "pm") if key in periods)
    return [word for word in found if word]


def written(words: list[str], join: str = " ") -> str:
    lines = textwrap.wrap(
        join.join(words), 76, break_long_words=False, break_on_hyphens=False, drop_whitespace=False
    )
    return "\n".join(f'    "{line}"' for line in lines)


def module() -> str:
    persian = [[folded(name)] for name in jdatetime.date.j_months_fa]
    parts = [HEADER]
    months, croatian = names("months", range(1, 13))
    for name, meaning, table in (
        ("MONTHS", "January first.", months),
        ("WEEKDAYS", "Monday first.", names("days", range(7))[0]),
        ("PERSIAN_MONTHS", "Farvardin first.", persian),
    ):
        entries = ",\n".join(f"    (\n{written(words)}\n    )" for words in table)
        parts.append(f"#: {meaning}\n{name} = (\n{entries},\n)\n")
    parts.append(
        "#: Polish and Czech months that are others in Croatian, where a dot follows the day.\n"
        f"CROATIAN_MONTHS = {croatian!r}\n"
    )
    parts.append(f"#: Halves of the day.\nDAY_PERIODS = (\n{written(day_periods())}\n)\n")
    for name, key in (("TODAY", "0 day ago"), ("YESTERDAY", "1 day ago")):
        parts.append(f"{name} = (\n{written(relative_days(key))}\n)\n")
    languages = sorted({locale.language for locale in locales()})
    parts.append(f"LANGUAGES = (\n{written(languages)}\n)\n")
    return "".join(parts)


def check() -> None:
    """Read again what each language writes, and compare the calendars."""
    days = [date(2024, 1, 1) + timedelta(days=number) for number in range(366)]
    for locale in locales():
        for length in ("long", "medium", "full"):
            texts = [(day, format_date(day, length, locale)) for day in days]
            read = [(day, text, date_in_text(text)) for day, text in texts]
            wrong = [(text, found) for day, text, found in read if found not in (None, str(day))]
            none = [text for _, text, found in read if found is None]
            if wrong or none:
                print(f"{locale} {length}: wrong {len(wrong)} {wrong[:1]}")
                print(f"{locale} {length}: not read {len(none)} {none[:1]}")
    first = date(1925, 3, 22)
    for number in range(365 * 150):
        day = first + timedelta(days=number)
        theirs = jdatetime.date.fromgregorian(date=day)
        if from_persian(theirs.year, theirs.month, theirs.day) != day:
            print(f"Persian calendar: {theirs.year}-{theirs.month}-{theirs.day} is {day}")
            break


def main() -> int:
    MODULE.write_text(module(), encoding="utf-8")
    subprocess.run(["ruff", "format", "--quiet", str(MODULE)], check=False)
    check()
    return 0


if __name__ == "__main__":
    sys.exit(main())
