"""Words that a URL's path uses for what is no article, in the main languages of news.

A word counts where it is a whole step of the path (`/video/123`, `/photo-gallery/`) or the name
of the host (`video.example.org`), never inside a headline (`/new-video-of-the-flood-123`). They
are written without accents; Russian, Greek and the like as sites transliterate them. Chinese,
Japanese, Korean and Arabic sites use English words in their URLs.
"""

import re
import unicodedata

#: Pictures, films and sound.
MEDIA = frozenset(
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
LISTS = frozenset(
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
#: What a site offers beside its texts: accounts, shops, help, law.
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
RESERVED = MEDIA | LISTS | SERVICES

#: Of these, the surest: a path segment with one of them never leads to an article, whatever else
#: the address has.
NEVER_ARTICLES = frozenset(
    """
    account author authors autor autoren auteur bookmark cart checkout comments contact contacto
    datenschutz donate feed feeds galeria galerie gallery galleries image images impressum imprint
    kontakt login logout newsletter newsletters photo photos picture pictures print
    privacy quiz register rss search shop signin sign-in signup sign-up sitemap subscribe
    subscription tag tags user users video videos widget wp-admin wp-login
    """.split()
)
#: Nor does one of these, unless the address has a date, a number or a headline's words, too: some
#: sites keep their articles in an archive or name a section so. Two of them, `legal` and `weather`,
#: are not reserved: as a feature of an address they say nothing.
SELDOM_ARTICLES = frozenset(
    """
    about ads advertise app apps archive archives careers category cookie cookies event events faq
    help jobs legal page pages podcast podcasts profile seite terms thema themen topic topics
    weather
    """.split()
)

#: Words that speak for an article: what it is called, and where it is kept.
ARTICLES = frozenset(
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

_JOINTS = re.compile(r"[-_+. ]+")


def plain(word: str) -> str:
    """A word in lower case without accents.

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


def is_reserved(step: str) -> bool:
    """Whether a step of a path is a reserved word, or made of nothing else.

    >>> is_reserved("Videos"), is_reserved("photo-gallery"), is_reserved("video-shows-flood")
    (True, True, False)
    """
    word = plain(step)
    return word in RESERVED or all(part in RESERVED for part in _JOINTS.split(word))
