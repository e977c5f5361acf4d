"""Words that label a date or an author on a page, by language: one table for each kind.

The words are beginnings of words, as parts of patterns. They have no recorded source, except where
a public file of translations is named: of the Hugo themes Blowfish (`i18n`, `article.date_updated`
and `author.byline_title`) and Docsy (`i18n`, `post_last_mod` and `post_byline_by`). To add a
language, add it here, with its source.
"""

#: Of a date of publication.
PUBLISHED = {
    "en": "publish|posted|post time|post date|this entry was posted",
    "de": "veröffentlicht|erschienen|dieser artikel wurde|dieser beitrag wurde",
    "fr": "publi[ée]|cet article a été",
    "es, pt": "publicad|esta entrada fue",
    "it": "pubblicat|questo articolo è stato",
    "nl": "gepubliceerd",
    "da": "publicer|udgivet",
    "no": "publisert",
    "fi": "julkaistu",
    "pl": "opublikow",
    "cs": "publikov|zveřejn|vydáno",
    "ru": "опубл",
    "tr": "yayın",
    "el": "δημοσι",
    "zh": "发布|發布",
    "ja": "公開",
    "ko": "입력|등록",
}
#: Of the date of an update.
UPDATED = {
    "en": "updat|modif|reviewed|revised|edited",
    "de": "aktualis|änderung",
    "fr": "mis à jour",
    "es": "actuali[sz]",
    "pt": "atualiz",
    "it": "aggiornat",
    "nl": "bijgewerkt",
    "sv": "uppdater|senast ändrad",  # the second: Docsy
    "no": "oppdater",
    "da": "opdater",
    "fi": "päivitetty",
    "pl, cs": "aktualiz",
    "ru": "обновлен",
    "uk": "оновлен|востаннє змінено",  # the second: Docsy
    "tr": "güncelle",
    "el": "ενημέρωσ",
    "zh, ja": "更新",
    "ko": "수정",
    "ar": "آخر تعديل",  # Docsy
    "bg": "обновен|последна промяна",  # Blowfish, Docsy
    "bn": "সর্বশেষ সম্পাদন|সর্বশেষ পরিবর্তিত",  # Blowfish, Docsy
    "et": "viimati muudetud",  # Docsy
    "fa": "آخرین تغییر",  # Blowfish, Docsy
    "he": "עודכן|עדכון אחרון",  # Blowfish, Docsy
    "hi": "अंतिम बार संशोधित",  # Docsy
    "hr": "ažuriran",  # Blowfish
    "hu": "frissít|utolsó módosítás",  # Blowfish, Docsy
    "id": "diperbarui",  # Blowfish
    "ro": "modificat|ultima modificare",  # Blowfish, Docsy
    "sr": "poslednji put izmenjeno",  # Docsy
    "th": "อัปเดต",  # Blowfish
    "vi": "cập nhật",  # Blowfish
}
#: Of the date since when somebody is a member.
MEMBER = {
    "en": "joined|member since|registered",
    "de": "registriert|mitglied seit|dabei seit",
    "fr": "inscrit|inscription|membre depuis",
    "es": "registrado|miembro desde",
    "pt": "membro desde",
    "it": "iscritto",
    "nl": "lid sinds|lid geworden",
    "sv": "registrerad",
    "da": "tilmeldt",
    "pl": "rejestracja|dołączył",
    "cs": "registrován",
    "ru": "зарегистрирован|регистрация",
}
#: Of an author.
AUTHOR = {
    "en": r"authors?|author\(s\)|contributors?",
    "de, es, pt, pl, cs, ro, hr, sr": "autor(?:es|en|as?)?",
    "fr, nl": "auteure?s?",
    "it": "autor[ei]",
    "ru, uk, bg": "автор|автори",
    "tr": "yazar",
    "sv": "författare",
    "no, da": "forfatter",
    "many": "text[eo]?|tekst",  # of the text
    "ar": "الكاتب",  # Docsy
    "bn": "লেখক",  # Blowfish
    "fa": "نویسنده",  # Blowfish
    "he": "מחבר",  # Blowfish
    "hu": "szerző",  # Blowfish
    "id": "penulis",  # Blowfish
    "th": "ผู้เขียน",  # Blowfish
    "vi": "tác giả",  # Blowfish
}


def pattern_of(table: dict[str, str]) -> str:
    """Return the alternatives of all languages.

    >>> pattern_of({"en": "joined", "de": "dabei seit"})
    'joined|dabei seit'
    """
    return "|".join(table.values())
