"""The days of the week as news sites of many languages write them."""

from functools import cache

from newsclean.metadata.months import without_accents

MIN_ABBREVIATION = 2  # letters of an abbreviation

# One line for each day, Monday first, in the languages of `months`; each name once.
_NAMES = (
    "monday montag lundi lunes lunedi segunda maandag mandag senin maanantai poniedzialek pondeli "
    "понедельник понеділок pazartesi δευτερα",
    "tuesday dienstag mardi martes martedi terca dinsdag tisdag tirsdag selasa tiistai wtorek "
    "utery вторник вівторок sali τριτη",
    "wednesday mittwoch mercredi miercoles mercoledi quarta woensdag onsdag rabu keskiviikko sroda "
    "streda среда середа carsamba τεταρτη",
    "thursday donnerstag jeudi jueves giovedi quinta donderdag torsdag kamis torstai czwartek "
    "ctvrtek четверг четвер persembe πεμπτη",
    "friday freitag vendredi viernes venerdi sexta vrijdag fredag jumat perjantai piatek patek "
    "пятница п'ятниця cuma παρασκευη",
    "saturday samstag sonnabend samedi sabado sabato zaterdag lordag sabtu lauantai sobota "
    "суббота субота cumartesi σαββατο",
    "sunday sonntag dimanche domingo domenica zondag sondag minggu sunnuntai niedziela nedele "
    "воскресенье неділя pazar κυριακη",
)


def is_weekday(word: str, weekday: int) -> bool:
    """Whether a word is this day of the week, Monday being 0, by its name or its first letters.

    >>> is_weekday("Sun", 6), is_weekday("Söndag", 6), is_weekday("Sun", 0), is_weekday("So", 6)
    (True, True, False, True)
    """
    return without_accents(word) in _words(weekday)


@cache
def _words(weekday: int) -> frozenset[str]:
    """All names of a day, and what they begin with."""
    names = map(without_accents, _NAMES[weekday].split())
    return frozenset(
        name[:length] for name in names for length in range(MIN_ABBREVIATION, len(name) + 1)
    )
