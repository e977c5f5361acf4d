"""The months as news sites of many languages write them."""

import unicodedata
from functools import cache

MIN_ABBREVIATION = 3  # letters of an abbreviation

# One line for each month: English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish,
# Norwegian, Danish, Indonesian, Finnish, Polish, Czech, Russian, Ukrainian, Turkish, Greek; each
# name once, in the forms that dates have, without accents.
_NAMES = (
    "january januar janner janvier enero gennaio janeiro januari tammikuuta stycznia ledna "
    "января январь січня ocak ιανουαριου",
    "february februar fevrier febrero febbraio fevereiro februari helmikuuta lutego unora "
    "февраля февраль лютого subat φεβρουαριου",
    "march marz maerz mrz mars marzo marco maart mrt marts maret maaliskuuta marca brezna "
    "марта марть березня mart μαρτιου",
    "april avril abril aprile huhtikuuta kwietnia dubna апреля апрель квітня nisan απριλιου",
    "may mai mayo maggio maio mei maj toukokuuta maja kvetna мая май травня mayis μαιου",
    "june juni juin junio giugno junho kesakuuta czerwca cervna cvn июня июнь червня haziran "
    "ιουνιου",
    "july juli juillet julio luglio julho heinakuuta lipca cervence cvc июля июль липня temmuz "
    "ιουλιου",
    "august aout agosto augustus augusti agustus elokuuta sierpnia srpna августа серпня agustos "
    "αυγουστου",
    "september septembre septiembre setiembre settembre setembro syyskuuta wrzesnia zari "
    "сентября сентябрь вересня eylul σεπτεμβριου",
    "october oktober octobre octubre ottobre outubro lokakuuta pazdziernika rijna октября "
    "октябрь жовтня ekim οκτωβριου",
    "november novembre noviembre novembro marraskuuta listopada листопада ноября ноябрь kasim "
    "νοεμβριου",
    "december dezember decembre diciembre dicembre dezembro desember joulukuuta grudnia prosince "
    "декабря декабрь грудня aralik δεκεμβριου",
)


def month_named(word: str) -> int:
    """The number of a month by its name or its first letters, or 0.

    >>> month_named("Sept"), month_named("MÄRZ"), month_named("января"), month_named("Market")
    (9, 3, 1, 0)
    """
    return _months().get(without_accents(word), 0)


@cache
def _months() -> dict[str, int]:
    """Whole names before abbreviations, and these in the table's order: `mar` is March."""
    named = [
        (without_accents(name), month)
        for month, line in enumerate(_NAMES, 1)
        for name in line.split()
    ]
    found = dict(named)
    for name, month in named:
        for length in range(MIN_ABBREVIATION, len(name)):
            found.setdefault(name[:length], month)
    return found


def without_accents(word: str) -> str:
    """The letters in lower case, without accents and the dot of the Turkish i."""
    if not word.isascii():
        word = unicodedata.normalize("NFKD", word.casefold()).replace("ı", "i")
    return "".join(filter(str.isalpha, word.casefold()))
