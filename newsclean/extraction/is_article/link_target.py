"""Link target identification: what a URL alone says about the page behind it.

The five features of Identifying Online News Articles (2019): a number or id, a date, a trailing
slash, a reserved word, the length; for one URL, and as counts over the links of a page. Trees use
more features of the same kind and return how likely a link leads to an article.

The word lists cover the main languages of news. Words are written without accents, and Russian,
Greek and the like as sites transliterate them; Chinese, Japanese, Korean and Arabic sites use
English words in their URLs. A reserved word counts as a whole path segment (`/video/123`,
`/photo-gallery/`) or as the name of the host (`video.example.org`), never inside a headline
(`/new-video-of-the-flood-123`).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from newsclean.extraction.is_article.trees import shipped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from newsclean.extraction.is_article.trees import Value

#: The paper's own article has 84 characters and its advertisement 94: articles are shorter.
MAX_SHORT_URL = 89

#: Below this likelihood a link is clearly not an article, and not worth a download.
SURELY_NOT = 0.03
#: The least likelihood of a URL with a number or a date and without a reserved word.
_MIN_LIKELIHOOD_IF_NAMED = 0.1
#: From this likelihood on a link is probably an article, and comes first.
LIKELY = 0.5

#: Pictures, films and sound.
_MEDIA = frozenset(
    """
    animation animations audio audios cartoon cartoons clip clips galerie galeria galerias
    galeries galerien gallery galleries galleria gallerie galleri galerij galerije image images
    imagenes imagens immagini img infographic infographics bild bilder bildergalerie
    bildergalerien bildstrecke bildstrecken beeld beelden billeder bilde diashow diaporama
    diaporamas slideshow slideshows fotogalerie fotogalerien fotogaleria fotogalerias
    fotogallery fotogalleria fotostrecke fotostrecken foto fotos fotografia fotoserie fotoserier
    photo photos photogallery photographs pictures picture multimedia mediathek mediateca
    mediatheque kuvat kuvagalleria kuva galerie-foto fotka fotky zdjecia foto-galerija
    fotoreportage fotoreportazh resimler resim video videos videogalerie videogaleria videolar
    videot videoer videogallery vdo vod watch tv live-tv livetv livestream livestreams stream
    streams player players play radio podcast podcasts podkast podkasty podcaster poddar listen
    episode episodes shows webcam webcams galereya fotografii kartinki wallpaper wallpapers reel
    reels shorts web-stories webstories
    """.split()
)
#: Lists of articles: archives, tags, authors, searches.
_LISTS = frozenset(
    """
    archive archives archiv archivio archivo archivos arkiv arkisto archief archiwum arsiv arhiv
    arquivo author authors autor autoren autora autores autori auteur auteurs avtor avtory
    autorzy forfatter skribent skribenter staff toimittaja yazar yazarlar kirjoittaja byline
    contributors contributor journalist journalists columnists writers writer profile profiles
    profil category categories categoria categorias categorie kategorie kategorien kategoria
    kategorier kategori kategoriler kategorija rubrik rubriken rubrique rubriques rubrika
    rubrics rubriky ressort ressorts section sections seccion secciones sezione sezioni sektion
    secao secoes collection collections tag tags tagged label labels etiqueta etiquetas
    etichetta etiket etiketler tagi stitek stitky tunniste emne emner amne topic topics thema
    themen thematique theme themes tema temas temi temat tematy tematicos topico topicos
    tematika dossier dossiers dosje keyword keywords mot-cle schlagwort schlagworte sok soeg
    zoeken search suche suchen recherche rechercher buscar busca buscador cerca ricerca pesquisa
    szukaj hledat haku hae ara arama poisk search-results latest newest most-read most-popular
    trending popular listing listings all page pages seite seiten pagina paginas strona strana
    sayfa sivu sida side sitemap sitemaps site-map feed feeds rss atom newsfeed
    """.split()
)
#: What a site offers besides its texts: accounts, shops, help, law.
SERVICES = frozenset(
    """
    about about-us aboutus ueber-uns uber-uns a-propos apropos acerca chi-siamo quem-somos
    quienes-somos over-ons om-oss om-os o-nas o-projekte hakkimizda kontakt contact contacts
    contact-us contacto contatto contatti contato contactez-nous iletisim kontakty yhteystiedot
    service services solution solutions leistungen prestations servicios soluciones servizi
    servicos account accounts konto mein-konto my-account myaccount compte cuenta minha-conta
    membership login log-in logout log-out signin sign-in signup sign-up register registration
    registrierung registrieren anmelden anmeldung inscription inscribirse registro registrarse
    iniciar-sesion connexion identifiant accedi accesso entrar inloggen logowanie prihlaseni
    giris uye subscribe subscription subscriptions subscriber abo abos abonnement abonnements
    abonnieren abonner abonnez abonnes suscripcion suscribete suscripciones abbonati abbonamento
    abbonamenti assine assinatura prenumerera prenumerata predplatne abonelik tilaa newsletter
    newsletters nyhetsbrev nieuwsbrief uutiskirje boletin boletines alerts notifications privacy
    privacy-policy datenschutz datenschutzerklaerung confidentialite privacidad privacidade
    privacidad-y-cookies personvern integritet gizlilik cookie cookies cookie-policy
    cookiepolicy gdpr terms terms-of-service terms-of-use terms-and-conditions agb
    nutzungsbedingungen cgu cgv aviso-legal mentions-legales note-legali voorwaarden regulamin
    conditions disclaimer impressum imprint colophon accessibility barrierefreiheit
    accessibilite copyright permissions licensing help hilfe aide ayuda aiuto ajuda pomoc hjelp
    hjalp apua yardim faq faqs support customer-service advertise advertising advertisement
    werbung mediadaten publicite publicidad publicidade pubblicita annonsera reklama reklam ads
    ad advert anzeigen annonce annonces anuncios annunci classifieds kleinanzeigen clasificados
    jobs job careers career karriere stellen stellenmarkt emploi empleo empleos trabalhe lavoro
    vacatures praca rekry immobilien immobilier inmuebles shop shops store boutique tienda loja
    negozio winkel sklep obchod kauppa butik butikk product products produkt produkte produit
    produits producto productos prodotti produto produtos cart warenkorb panier carrito basket
    checkout kasse order orders deals coupon coupons gutschein gutscheine voucher vouchers price
    pricing prices demo download downloads app apps mobile widget widgets embed print drucken
    imprimir imprimer stampa share email mailto comment comments kommentare commentaires
    comentarios forum forums foren foro community communities threads thread board boards
    discussion discussions viewtopic user users benutzer usuario usuarios utente bookmark
    bookmarks bookmarked settings preferences event events veranstaltungen veranstaltung
    evenements eventos eventi agenda calendar kalender calendario calendrier horoscope horoskop
    horoscopo oroscopo horoskopy quiz quizzes quizz puzzle puzzles crossword crosswords sudoku
    games game spiele jeux juegos giochi jogos gry oyun oyunlar lottery lotto loteria
    lottozahlen tv-guide tv-programm tvprogramm programme-tv program-tv tv-listings
    fernsehprogramm epaper e-paper e-edition todays-paper donate donation spenden quote quotes
    stocks stock-quotes boerse kurse docs doc documentation wiki manual wp-admin wp-login
    wp-content static assets cgi-bin api redirect
    """.split()
)
RESERVED = _MEDIA | _LISTS | SERVICES

#: The surest of these: no URL with one of them as a path segment leads to an article.
NEVER_ARTICLES = frozenset(
    """
    account author authors autor autoren auteur bookmark cart checkout comments contact contacto
    datenschutz donate feed feeds galeria galerie gallery galleries image images impressum imprint
    kontakt login logout newsletter newsletters photo photos picture pictures print
    privacy quiz register rss search shop signin sign-in signup sign-up sitemap subscribe
    subscription tag tags user users video videos widget wp-admin wp-login
    """.split()
)
#: These do not either, unless the URL also has a date, a number or the words of a headline: some
#: sites keep their articles in an archive or name a section so. Two of them, `legal` and `weather`,
#: are not reserved: as a feature of a URL they say nothing.
SELDOM_ARTICLES = frozenset(
    """
    about ads advertise app apps archive archives careers category cookie cookies event events faq
    help jobs legal page pages podcast podcasts profile seite terms thema themen topic topics
    weather
    """.split()
)

#: What articles are called, and where they are kept.
_ARTICLES = frozenset(
    """
    article articles artikel artikler artikkel artiklar articulo articulos artigo artigos
    articolo articoli artykul artykuly clanek clanky haber haberler statya stati story stories
    blog blogs blogpost post posts postings entry entries news newsroom news-room nachrichten
    nachricht meldungen meldung actualite actualites actu info infos noticia noticias notizie
    notizia cronaca nieuws nyheter nyhet nyheder uutiset uutinen wiadomosci wiadomosc zpravy
    novosti novost press press-release press-releases presse comunicati opinion opinions opinie
    meinung kommentar kommentti editorial editorials column columns kolumne kolumnen tribune
    analysis analyse review reviews feature features interview interviews reportage reportagen
    insights magazine magazin politics politik politique politica sport sports deporte deportes
    economy wirtschaft economie economia culture kultur cultura world welt monde mundo mondo
    """.split()
)

#: File names that stand for their folder.
_INDEXES = ("index", "default")

_MONTH = r"(?:0?[1-9]|1[0-2]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_DATE = re.compile(
    rf"(?<!\d)(?:19|20)\d\d(?P<joint>[/_.-])(?:{_MONTH})(?:(?P=joint)(?:0?[1-9]|[12]\d|3[01]))?(?!\w)"
    rf"|(?<!\d)(?:0?[1-9]|[12]\d|3[01])(?P<other>[/_.-])(?:{_MONTH})(?P=other)(?:19|20)\d\d(?!\d)"
    r"|(?<!\d)(?:19[89]|20[0-4])\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[0-2]\d[0-5]\d(?:\d\d)?)?(?!\d)",
    re.I,
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_NUMBER = re.compile(r"\d{4,}|(?<=[/=])\d+(?=[/.&]|$)")
_ID = re.compile(r"(?<![a-z0-9])(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{8,}(?![a-z0-9])", re.I)
_WORD_JOINTS = re.compile(r"[-_+. ]+")
_JOINTS = re.compile(r"[-_+. ,]+")
_EXTENSION = re.compile(r"\.(?:[sx]?html?|php\d?|aspx?|jsp|cms|ece|story|amp)$", re.I)


def plain(word: str) -> str:
    """Return a word in lower case without accents.

    >>> plain("Vidéos")
    'videos'
    """
    if word.isascii():
        return word.lower()
    return "".join(
        character
        for character in unicodedata.normalize("NFKD", word.lower())
        if not unicodedata.combining(character)
    )


def is_reserved(segment: str) -> bool:
    """Whether a path segment is a reserved word, or made of nothing else.

    >>> is_reserved("Videos"), is_reserved("photo-gallery"), is_reserved("video-shows-flood")
    (True, True, False)
    """
    word = plain(segment)
    return word in RESERVED or all(part in RESERVED for part in _WORD_JOINTS.split(word))


@dataclass(frozen=True)
class UrlParts:
    """The parts of a URL from which features are read."""

    host: str
    path: str
    query: str

    @classmethod
    def of(cls, url: str) -> UrlParts:
        """Return the parts of a URL; an invalid one has none.

        >>> UrlParts.of("https://www.example.org/a/b.html?id=7").path_segments
        ['a', 'b']
        >>> UrlParts.of("http://[").path_segments
        []
        """
        try:
            parts = urlsplit(url)
            host = parts.hostname or ""
        except ValueError:
            return cls("", "", "")
        return cls(host.removeprefix("www."), unquote(parts.path), unquote(parts.query))

    @property
    def path_segments(self) -> list[str]:
        """The path segments without a file extension or an index file."""
        path = _EXTENSION.sub("", self.path.rstrip("/"))
        segments = [segment for segment in path.split("/") if segment]
        return segments[:-1] if segments and segments[-1].lower() in _INDEXES else segments

    @property
    def has_date(self) -> bool:
        return bool(_DATE.search(self.path) or _DATE.search(self.query))

    @property
    def has_number(self) -> bool:
        """Whether there is a number or an id other than a date or a year."""
        rest = f"{self.path}?{self.query}" if self.query else self.path
        rest = _YEAR.sub("", _DATE.sub("", rest))
        return bool(_NUMBER.search(rest) or _ID.search(rest))

    @property
    def reserved(self) -> list[str]:
        """The path segments, and the name of the host, that are reserved words."""
        name = self.host.split(".")[0] if self.host.count(".") > 1 else ""
        names = (name, *self.path_segments)
        return [segment for segment in names if segment and is_reserved(segment)]


@dataclass(frozen=True)
class LinkTarget:
    """The paper's five features of a URL."""

    number: bool
    date: bool
    slash: bool
    reserved: bool
    length: int


def link_target(url: str) -> LinkTarget:
    """Return the five features of a URL.

    >>> link_target("https://news.example.org/2019/04/15/politics/mayor-resigns.html")
    LinkTarget(number=False, date=True, slash=False, reserved=False, length=63)
    >>> link_target("https://video.example.org/v/6026408055001/")
    LinkTarget(number=True, date=False, slash=True, reserved=True, length=42)
    """
    parts = UrlParts.of(url)
    return LinkTarget(
        number=parts.has_number,
        date=parts.has_date,
        slash=parts.path.endswith("/") and not parts.query,
        reserved=bool(parts.reserved),
        length=len(url),
    )


@dataclass(frozen=True)
class LinkTargetCounts:
    """Links of a page with each feature; `short` ones have at most `MAX_SHORT_URL` characters."""

    number: int
    date: int
    slash: int
    reserved: int
    short: int


def count_link_targets(urls: Iterable[str]) -> LinkTargetCounts:
    """Count the five features over the links of a page."""
    found = [link_target(url) for url in urls]
    return LinkTargetCounts(
        number=sum(target.number for target in found),
        date=sum(target.date for target in found),
        slash=sum(target.slash for target in found),
        reserved=sum(target.reserved for target in found),
        short=sum(target.length <= MAX_SHORT_URL for target in found),
    )


def url_features(parts: UrlParts) -> dict[str, Value]:
    """Return the features that the trees use, more than the paper's five.

    >>> features = url_features(UrlParts.of("https://a.org/sport/2026/03/14/who-won.html"))
    >>> features["path segments"], features["words"], features["date"], features["reserved"]
    (5, 2, 1.0, 'none')
    """
    segments = parts.path_segments
    last = segments[-1] if segments else ""
    words = [len([part for part in _JOINTS.split(segment) if part]) for segment in segments]
    reserved = [plain(segment) for segment in parts.reserved]
    places = [*parts.host.split("."), *segments[:-1]]
    return {
        "path segments": len(segments),
        "words": words[-1] if words else 0,
        "longest segment": max(words, default=0),
        "letters": sum(map(str.isalpha, last)),
        "digits": sum(map(str.isdigit, last)),
        "number": float(parts.has_number),
        "date": float(parts.has_date),
        "slash": float(parts.path.endswith("/")),
        "query": len(parts.query),
        "file": float(bool(_EXTENSION.search(parts.path))),
        "article": float(any(plain(place) in _ARTICLES for place in places)),
        "reserved": _kind_of_reserved(reserved),
        "reserved end": float(bool(last) and is_reserved(last)),
    }


def _kind_of_reserved(words: list[str]) -> str:
    if not words:
        return "none"
    parts = {part for word in words for part in (word, *_JOINTS.split(word))}
    if parts & _MEDIA:
        return "media"
    return "list" if parts & _LISTS else "service"


def article_likelihood(url: str) -> float:
    """Return how likely a link leads to an article, from 0 to 1, judging by its URL alone.

    >>> article_likelihood("https://a.org/2026/03/14/mayor-opens-bridge") > LIKELY
    True
    >>> article_likelihood("https://a.org/video/") < SURELY_NOT
    True
    """
    parts = UrlParts.of(url)
    if not parts.path_segments and not parts.query:
        return 0.0
    features = url_features(parts)
    return with_signs_of_an_article(features, shipped()["links"].ensemble.probability(features))


def with_signs_of_an_article(features: dict[str, Value], probability: float) -> float:
    """Raise the probability of a URL with a number or a date and without a reserved word.

    These are the paper's own signs of an article; such a link is never ruled out.
    """
    named = (features["number"] or features["date"]) and features["reserved"] == "none"
    return max(probability, _MIN_LIKELIHOOD_IF_NAMED) if named else probability
