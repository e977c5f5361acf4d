"""Notices in the place of an embed: they ask for consent to show content of somebody else.

They stand between the paragraphs, are sentences like these, and are not the article's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from newsclean.methods.hybrid.context import BlockContext
    from newsclean.page.columns import Mask

#: A longer text is about consent, and does not ask for it.
MAX_WORDS = 130
#: One of these is in every notice; texts with none of them are not searched.
STEMS = (
    "extern", "estern", "ekstern", "eingebettet", "embedded", "third", "tiers", "intégré",
    "terceros", "incrustad", "terze", "derden", "terceiros", "zewnętrzn",
)  # fmt: skip
#: What the notice is about, and what it asks for.
EXTERNAL_CONTENT = re.compile(
    r"extern\w{0,2} (?:redaktionell\w{0,2} )?inhalt|eingebettet\w{0,2} inhalt"
    r"|(?:external|embedded|third[- ]party) (?:content|media)"
    r"|contenus? (?:externes?|tiers|intégrés?)|contenidos? (?:externos?|de terceros|incrustados?)"
    r"|contenut\w (?:estern|di terze)|conteúdos? (?:externos?|de terceiros)"
    r"|externe (?:inhoud|content)|inhoud van derden|eksternt? innhold|eksternt? indhold"
    r"|externt innehåll|treści zewnętrzn"
)
CONSENT = re.compile(
    r"einverstanden|einwillig|zustimm|personenbezogen|anzeigen lassen|datenschutz"
    r"|consent|agree|cookie|privacy|personal data|acceptez|accepter|données personnelles"
    r"|aceptar|consentimiento|datos personales|accett|consenso|dati personali"
    r"|aceitar|dados pessoais|toestemming|akkoord|samtyk|samtyck|zgod"
)


def asks_for_consent(text: str) -> bool:
    """Whether a text, in small letters, asks for consent to show content of somebody else.

    >>> asks_for_consent("to see this embedded content, you must agree to the use of cookies")
    True
    >>> asks_for_consent("the court ruled on embedded content of three newspapers")
    False
    """
    return bool(EXTERNAL_CONTENT.search(text) and CONSENT.search(text))


def consent_notices(context: BlockContext, chosen: Mask) -> Mask:
    """Which of the chosen blocks are such notices."""
    found = np.zeros(len(context), dtype=bool)
    texts = context.page.blocks.text
    blocks = np.flatnonzero(chosen & (context.words <= MAX_WORDS)).tolist()
    lines = "\n".join([texts[block] for block in blocks]).lower()
    if any(stem in lines for stem in STEMS):
        for block in blocks:
            found[block] = asks_for_consent(texts[block].lower())
    return found
