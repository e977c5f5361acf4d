"""Galleries and videos, some of which say so in their address."""

from dataclasses import dataclass
from html import escape

from newsclean.demo.kinds import Kind
from newsclean.demo.page import Leaf, Teaser


@dataclass(frozen=True)
class Medium:
    """A gallery or a video, with the words under its pictures."""

    label: str
    title: str
    path: str
    texts: tuple[str, ...]
    #: the number of the section that shows it
    section: int

    def teaser(self) -> Teaser:
        return Teaser(self.title, self.path, self.texts[0], self.label, _image(self.path))

    def leaf(self) -> Leaf:
        if self.label == "Video":
            markup = (
                '<video controls width="640" poster="/images/2210.svg"></video>'
                f"<p>{escape(self.texts[0])}</p>"
            )
            return Leaf(self.title, self.path, markup, Kind.VIDEO)
        markup = "\n".join(
            f'<figure><img src="/images/{3100 + i}.svg" alt="" width="640">'
            f"<figcaption>{i + 1}/{len(self.texts)} {escape(text)}</figcaption></figure>"
            for i, text in enumerate(self.texts)
        )
        return Leaf(self.title, self.path, markup, Kind.GALLERY)


MEDIA = {
    "ledger": (
        Medium(
            "Pictures",
            "Harbour lights in winter",
            "/gallery/harbour-lights-in-winter",
            (
                "The quay at six in the morning, before the first boat",
                "Ice on the ropes of the pilot cutter",
                "A tug brings the grain ship in",
                "Lamps on the customs house",
                "The night watchman on his last round",
                "Snow on the fish market",
            ),
            0,
        ),
        Medium(
            "Video",
            "A day on the ferry",
            "/video/a-day-on-the-ferry",
            ("Eleven crossings, four hundred cars and a wedding. Watch it in 90 seconds.",),
            0,
        ),
        Medium(
            "Pictures",
            "The assembly hall, room by room",
            "/gallery/the-assembly-hall-room-by-room",
            (
                "The staircase that no minister ever uses",
                "A clock that has been slow since the flood",
                "The press bench, with carved initials",
                "Portraits of forgotten speakers",
                "The kitchen, where most deals are made",
            ),
            1,
        ),
        Medium(
            "Pictures",
            "The week on the coast in four pictures",
            "/2026/04/18/pictures/the-week-on-the-coast",
            (
                "A heron on the mayor's car",
                "Seven umbrellas and no rain",
                "The new crane, still in its wrapping",
                "Low tide at the harbour mouth",
            ),
            2,
        ),
        Medium(
            "Video",
            "Watch how a lock gate works",
            "/videos/88213/how-a-lock-gate-works",
            ("Forty tons of oak, and one woman with a winch. Running time 1:40.",),
            2,
        ),
    ),
    "gazette": (
        Medium(
            "Photos",
            "Derby day in pictures",
            "/photos/derby-day-in-pictures-104411.html",
            (
                "The brass band arrives in the rain",
                "Two cousins, two scarves",
                "The pie stall before kick-off",
                "A ball in the river, and four volunteers",
                "The groundsman looks at his lawn",
                "Home by the last bus",
            ),
            0,
        ),
        Medium(
            "Video",
            "The bakers of Herring Lane",
            "/tv/the-bakers-of-herring-lane-104873.html",
            ("At three in the morning, the ovens are lit. Running time 2:14.",),
            2,
        ),
        Medium(
            "Photos",
            "Behind the curtain: a night at the theatre",
            "/photos/behind-the-curtain-a-night-at-the-theatre-105260.html",
            (
                "Wigs wait for their heads",
                "The prompter's tea",
                "Thunder is made of tin",
                "Applause, seen from the back",
            ),
            1,
        ),
        Medium(
            "Video",
            "The last minute of the cup final, from the roof",
            "/sport/video/the-last-minute-of-the-cup-final-105377.html",
            ("Our man on the roof held the camera, and then his hat. Running time 0:58.",),
            0,
        ),
    ),
}


def _image(path: str) -> str:
    return f"/images/{2000 + sum(map(ord, path)) % 900}.svg"
