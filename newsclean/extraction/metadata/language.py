"""The language of a page: what it declares, else what its text looks like."""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from math import sqrt
from operator import itemgetter
from threading import Lock
from typing import Any

# The primary subtags that name a language.

#: ISO 639-1, including replaced codes that are still in use.
_ISO_639_1 = """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy
    da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu
    hy hz ia id ie ig ii ik in io is it iu iw ja ji jv jw ka kg ki kj kk kl km kn ko kr ks ku kv
    kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt my na nb nd ne ng nl nn no nr
    nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq
    sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi
    yo za zh zu
"""
#: ISO 639-2, including bibliographic codes, without those that name no language.
_ISO_639_2 = """
    aar abk ace ach ada ady afa afh afr ain aka akk alb ale alg alt amh ang anp apa ara arc arg
    arm arn arp art arw asm ast ath aus ava ave awa aym aze bad bai bak bal bam ban baq bas bat
    bej bel bem ben ber bho bih bik bin bis bla bnt bod bos bra bre btk bua bug bul bur byn cad
    cai car cat cau ceb cel ces cha chb che chg chi chk chm chn cho chp chr chu chv chy cmc cnr
    cop cor cos cpe cpf cpp cre crh crp csb cus cym cze dak dan dar day del den deu dgr din div
    doi dra dsb dua dum dut dyu dzo efi egy eka ell elx eng enm epo est eus ewe ewo fan fao fas
    fat fij fil fin fiu fon fra fre frm fro frr frs fry ful fur gaa gay gba gem geo ger gez gil
    gla gle glg glv gmh goh gon gor got grb grc gre grn gsw guj gwi hai hat hau haw heb her hil
    him hin hit hmn hmo hrv hsb hun hup hye iba ibo ice ido iii ijo iku ile ilo ina inc ind ine
    inh ipk ira iro isl ita jav jbo jpn jpr jrb kaa kab kac kal kam kan kar kas kat kau kaw kaz
    kbd kha khi khm kho kik kin kir kmb kok kom kon kor kos kpe krc krl kro kru kua kum kur kut
    lad lah lam lao lat lav lez lim lin lit lol loz ltz lua lub lug lui lun luo lus mac mad mag
    mah mai mak mal man mao map mar mas may mdf mdr men mga mic min mkd mkh mlg mlt mnc mni mno
    moh mon mos mri msa mun mus mwl mwr mya myn myv nah nai nap nau nav nbl nde ndo nds nep new
    nia nic niu nld nno nob nog non nor nqo nso nub nwc nya nym nyn nyo nzi oci oji ori orm osa
    oss ota oto paa pag pal pam pan pap pau peo per phi phn pli pol pon por pra pro pus que raj
    rap rar roa roh rom ron rum run rup rus sad sag sah sai sal sam san sas sat scn sco sel sem
    sga sgn shn sid sin sio sit sla slk slo slv sma sme smi smj smn smo sms sna snd snk sog som
    son sot spa sqi srd srn srp srr ssa ssw suk sun sus sux swa swe syc syr tah tai tam tat tel
    tem ter tet tgk tgl tha tib tig tir tiv tkl tlh tli tmh tog ton tpi tsi tsn tso tuk tum tup
    tur tut tvl twi tyv udm uga uig ukr umb urd uzb vai ven vie vol vot wak wal war was wel wen
    wln wol xal xho yao yap yid yor ypk zap zbl zen zgh zha zho znd zul zun zza
"""
#: ISO 639-3: only languages with a CLDR locale, and some large ones.
_ISO_639_3 = """
    agq ann apc ary arz asa azb bew bez bgc bgn blo blt brx bss cch ccp cgg cic ckb cmn csw dav
    dje dyo ebu fuc guz hak hnj jgo jmc kaj kcg kde kea ken kgp khq kkj kln kmr ksb ksf ksh kxv
    lag lij lkt lld lmo lrc ltg luy lzh mer mfe mgh mgo mhn mua mzn nan naq nmg nnh nus pcm pes
    pis pnb prg prs quc rhg rif rof rwk saq sbp sdh seh ses shi skr ssy szl teo tok trv trw twq
    tzm vec vmw vun wae wbp wuu xnr xog yav yrl yue
"""
_LANGUAGES = frozenset(f"{_ISO_639_1} {_ISO_639_2} {_ISO_639_3}".split())
_BY_NAME = {"english": "en", "deutsch": "de", "german": "de", "french": "fr", "spanish": "es"}
#: Languages in Latin letters among those that pages declare by mistake or by habit.
_LATIN = frozenset(
    "af az ca cs cy da de en es et eu fi fil fr ga gl ha hr hu id ig is it lt lv mg ms mt nb nl nn "
    "no pl pt ro sk sl so sq sv sw tl tr vi xh yo zu".split()
)
#: Languages with letters of their own.
_BY_LETTERS = {
    "el": "\u0370-\u03ff", "hy": "\u0530-\u058f", "he": "\u0590-\u05ff", "bn": "\u0980-\u09ff",
    "pa": "\u0a00-\u0a7f", "gu": "\u0a80-\u0aff", "or": "\u0b00-\u0b7f", "ta": "\u0b80-\u0bff",
    "te": "\u0c00-\u0c7f", "kn": "\u0c80-\u0cff", "ml": "\u0d00-\u0d7f", "si": "\u0d80-\u0dff",
    "th": "\u0e00-\u0e7f", "lo": "\u0e80-\u0eff", "my": "\u1000-\u109f", "ka": "\u10a0-\u10ff",
    "km": "\u1780-\u17ff", "ko": "\uac00-\ud7af",
}  # fmt: skip

#: The commonest words of languages that share their script with others. A language without them
#: here is left to py3langid; close relatives are here so that none is taken for the other.
_COMMON_WORDS = """
    af: die en van in het is om te nie met dat vir sy op hy aan wat se was ook
    ar: في من على إلى أن عن التي مع هذا هذه كان لا ما الذي كما بعد قال
    az: və bir bu üçün ilə də ki olan olaraq daha isə edib sonra görə var olub deyib
    be: і ў не на што з да як гэта ён за ад пра для але у яго быў таксама
    bg: и на да се от за в с не че по е са като но до ще при които това след
    ca: el la els les que i en del per amb una és no va dels al ha més com però aquest també
        són
    cs: a se v na je že to s z o ale do i ve jako k za pro by po jsou jsem od které jeho už
        podle který bylo
    da: og at det af en til er som på de med den for der ikke et har var jeg men fra vi han
        blev siger efter også kan
    de: der die und das ist nicht ein eine zu den mit von auf für im dem des sich auch als
        es wird aus werden wie bei oder nach einer wurde haben noch über sind
    en: the of and to is that it was for with as his be at by this had not are but from they
        which you were her she there would their been has when who will more if an what
        about can said i we have he in on a all or so my one out up into than them no do our
    es: el la los las que y en del por con una para es se lo como más pero sus su este ha
        fue esta son entre muy también de un no al a o si le sobre todo
    et: ja on ei et see oli ta ka kui mis oma aga seda selle nii ning või kes kuid pole tema
        kõik saab eesti
    fa: و در به از که این را با است برای آن های شد خود بر تا می
    fi: ja on ei että se oli hän mutta ovat joka kun myös mukaan sen ole niin kuin tai jos
        vain jo olla sekä sitä nyt
    fr: le la les des et est une que dans pour qui sur pas plus par avec ce il au ont sont
        cette mais nous vous elle aux été être leur
    gl: o a que e do da en un para con non unha os no na se por máis as dos como pero foi ao
        tamén é
    hi: के में की है और से का को कि ने पर यह हैं भी था
    hr: i je da se na u za su ne od što koji kao iz bi ali o to nije ili će koja jer nakon
    hu: a az és hogy nem is egy meg van volt ez csak mint már de még el ki kell lehet majd
        ha után szerint
    id: yang dan di untuk dengan ini dari itu dalam pada tidak akan ke oleh juga ada saat
        adalah karena bisa telah
    is: og að í á er sem við til um það ekki var en af með hefur fyrir þá eru hann
    it: il di che è la per un una del non con sono della si da nel le gli anche dei alla più
        ha ma delle nella questo come dal
    lt: ir yra kad tai su iš į buvo kaip bet ne apie nuo tik dėl jis po taip pat savo jo
        metų
    lv: un ir ka ar no par uz tas nav bija kas bet kā pēc lai vai arī gan tiek savu gada
    mk: и на да се од за во со не што по е како но до ќе при кои ова
    mr: आणि आहे या च ते हे व मध्ये आहेत तर की होते एक
    ms: yang dan di untuk dengan ini dari itu dalam pada tidak akan ke oleh juga ada kepada
        beliau turut kata
    ne: र छ को मा ले का भएको हो छन् पनि गरेको लागि एक
    nl: de het een van en is dat op te in zijn voor met niet aan er ook als maar om bij nog
        uit wordt naar door ze dan heeft werd
    no: og det i på som er en til av for at med har ikke de den om et var fra men ble han
        jeg etter også vi sier seg
    pl: i w na z się nie do to że jest o jak po co za od ale przez dla są tym był oraz już
        tak może jego które który tego też będzie było tylko czy ze jej
    pt: o que do da em um para com não uma os no na se por mais as dos como mas foi ao ele
        das tem seu sua são pelo pela também
    ro: și de în a la cu pe că nu din este un o pentru care mai se sunt au fost prin sau dar
        lui acest
    ru: и в не на что он с как это по но из его за от о для был так же бы все то было к у я
        мы они она также года может быть или уже после который которые когда если чтобы
        только при сообщил еще ещё
    sk: a sa v na je že to s z o ale do aj ako k za pre by po sú som od ktoré jeho už podľa
        ktorý bolo
    sl: in je da se na za so ne pa ki tudi z v kot po bi ali bo ni še sem bil kar
    sq: dhe të në e për me që nga një është se ka i janë si më do nuk u kjo
    sr: и је да се на у за су не од што који као из би али о то није или ће
    sv: och att det som en på är av för med till den har inte om ett men var jag sig från så
        vi kan han de säger
    tr: ve bir bu için da de ile olarak olan çok daha ne gibi kadar sonra ancak oldu var en
        ama dedi değil
    uk: і в не на що з та до як це він за від про для але у його був також є які після
    ur: کے میں کی ہے اور سے کا کو کہ نے پر یہ اس ہیں
    vi: và của là có được không cho các trong một với này những đã người khi để từ ở về
"""
#: A language is clear if its common words are so many, such a share of all words, and so many times
#: those of the next language. A word of n languages counts 1 / √n for each.
_MIN_COMMON = 4
_MIN_COMMON_SHARE = 0.1
_MIN_LEAD = 1.5

_MIN_TEXT = 60  # characters; below, the guess is a coin toss
_MAX_SAMPLE = 1000  # as sure as with more, at a quarter of the time
_NOT_LATIN = re.compile("[\u0370-\u1dff\u1f00-\u1fff\u2c80-\ua63f\ua8e0-\ud7ff\uf900-\ufaff]")
_HAN, _KANA = (re.compile(f"[{letters}]") for letters in ("\u3400-\u9fff", "\u3040-\u30ff"))
#: Japanese has at least this share of kana among its characters; Chinese texts quote a few.
_MIN_KANA = 0.1
_WORD = re.compile(r"[^\W\d_]+")
_TAG = re.compile(r"\s*([A-Za-z]{2,3})(?:[-_,;\s]|$)")
_LOADING = Lock()


def primary_subtag(tag: object) -> str | None:
    """Return the language of a tag, or None if it does not name one.

    >>> primary_subtag("pt_BR"), primary_subtag("English"), primary_subtag("utf-8")
    ('pt', 'en', None)
    """
    if not isinstance(tag, str):
        return None
    if by_name := _BY_NAME.get(tag.strip().lower()):
        return by_name
    found = _TAG.match(tag)
    code = found[1].lower() if found else ""
    return code if code in _LANGUAGES else None


def declared_language(tags: Iterable[object]) -> str | None:
    """Return the language of the first tag that names one."""
    return next((code for code in map(primary_subtag, tags) if code), None)


def language_of(declared: str | None, text: str) -> str | None:
    """Return the declared language of a text, or the detected one if its script is another.

    >>> language_of("en", "ঢাকায় আজ সকাল থেকে বৃষ্টি হচ্ছে। " * 3), language_of("en", "Rain.")
    ('bn', 'en')
    """
    if declared is None or (declared in _LATIN and not _is_latin(text[:_MAX_SAMPLE])):
        return detected_language(text) or declared
    return declared


def _is_latin(text: str) -> bool:
    """Whether at most half of the letters are of other scripts.

    >>> _is_latin("Αθήνα"), _is_latin("Athens (Αθήνα)"), _is_latin("Tromsø")
    (False, True, True)
    """
    if text.isascii():
        return True
    others = len(_NOT_LATIN.findall(text))
    return 2 * others <= sum(map(str.isalpha, text))


def detected_language(text: str) -> str | None:
    """Return the language that a text looks like, or None if it is too short.

    Its script or its commonest words decide; py3langid is asked if they do not.
    """
    sample = text[:_MAX_SAMPLE].strip()
    if len(sample) < _MIN_TEXT or not any(letter.isalpha() for letter in sample):
        return None
    if code := _by_script(sample) or _by_common_words(sample):
        return code
    with _LOADING:
        py3langid = _loaded_py3langid()
    found = str(py3langid.classify(sample)[0])
    return None if found in _LATIN and not _is_latin(sample) else found


def _by_script(text: str) -> str | None:
    """Return the language of a text whose script has no other one, Chinese and Japanese included.

    >>> _by_script("Στην Αθήνα βρέχει"), _by_script("東京では雨が降る"), _by_script("Rain in Αθήνα")
    ('el', 'ja', None)
    """
    if _is_latin(text):
        return None
    others = len(_NOT_LATIN.findall(text))
    kana = len(_KANA.findall(text))
    if 2 * (len(_HAN.findall(text)) + kana) > others:
        return "ja" if kana >= _MIN_KANA * others else "zh"
    counts = {code: len(re.findall(f"[{letters}]", text)) for code, letters in _BY_LETTERS.items()}
    code = max(counts, key=counts.__getitem__)
    return code if 2 * counts[code] > others else None


def _by_common_words(text: str) -> str | None:
    """Return the language whose commonest words a text has, None if none is clear.

    >>> _by_common_words("Es regnet in der Stadt, und die Straßen sind nass, wie auch das Dach")
    'de'
    """
    by_word = _common_words()
    found = _WORD.findall(text.lower())
    scores: defaultdict[str, float] = defaultdict(float)
    for word in found:
        languages = by_word.get(word, ())
        for code in languages:
            scores[code] += 1 / sqrt(len(languages))
    (_, second), (code, first) = sorted([("", 0.0), ("", 0.0), *scores.items()], key=itemgetter(1))[
        -2:
    ]
    enough = max(_MIN_COMMON, _MIN_COMMON_SHARE * len(found), _MIN_LEAD * second)
    return code if first >= enough else None


@cache
def _common_words() -> dict[str, list[str]]:
    """Return the languages of each common word."""
    languages: defaultdict[str, list[str]] = defaultdict(list)
    code = ""
    for word in _COMMON_WORDS.split():
        if word.endswith(":"):
            code = word[:-1]
        else:
            languages[word].append(code)
    return dict(languages)


@cache
def _loaded_py3langid() -> Any:
    """Import py3langid late: it is slow to load, and most pages declare their language.

    It loads its model at the first call, and without a lock: once in each thread that calls it
    meanwhile.
    """
    py3langid = import_module("py3langid")
    py3langid.classify("")
    return py3langid
