"""Advertisements of companies that do not exist."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Advert:
    title: str
    text: str


ADVERTS = tuple(
    Advert(*line.split(" | "))
    for line in (
        "Brackwater Boots | Dry feet from the first puddle to the last. Now with free laces.",
        "Fenwright Bank | Your savings deserve a quiet harbour. Open an account in ten minutes.",
        "Hotel Kestrel Point | Three nights by the sea, and breakfast until noon.",
        "Pell & Daughters Paint | Walls that smile back. Twenty new colours this spring.",
        "Merrow Oat Biscuits | The honest snack for long ferry rides.",
        "Lantern Opticians | Read the small print again. Eye tests without appointment.",
        "Quayside Driving School | Pass with us, park anywhere.",
        "Tarn & Holloway Kettles | Boils before you have found the cups.",
        "Ostrey Windows | Let the light in and leave the draught outside.",
        "Northline Parcels | Sent today, delivered tomorrow, or the postage is on us.",
        "The Gardeners' Fair | Seeds, spades and sausages. Every weekend on the old airfield.",
        "Saltmere Language School | Order soup in five languages after one course.",
        "Dr Albatross Mattresses | A hundred nights to try, a lifetime to snore.",
        "Corrin Marine Insurance | Because gulls cannot read signs.",
        "Velmouth Electric | Switch your supplier while the kettle boils.",
        "Windlass Bicycles | Uphill is only a question of gears.",
    )
)
