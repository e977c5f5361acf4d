"""The language of a page: what it declares, else what its text looks like."""

import re
from collections.abc import Iterable
from functools import cache
from importlib import import_module
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
    "km": "\u1780-\u17ff", "ja": "\u3040-\u30ff", "ko": "\uac00-\ud7af",
}  # fmt: skip

_MIN_TEXT = 60  # characters; below, the guess is a coin toss
_MAX_SAMPLE = 1000  # as sure as with more, at a quarter of the time
_NOT_LATIN = re.compile("[\u0370-\u1dff\u1f00-\u1fff\u2c80-\ua63f\ua8e0-\ud7ff\uf900-\ufaff]")
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
    """Return the language that a text looks like, or None if it is too short."""
    sample = text[:_MAX_SAMPLE].strip()
    if len(sample) < _MIN_TEXT or not any(letter.isalpha() for letter in sample):
        return None
    with _LOADING:
        py3langid = _loaded_py3langid()
    found = str(py3langid.classify(sample)[0])
    if found in _LATIN and not _is_latin(sample):
        counts = {
            code: len(re.findall(f"[{letters}]", sample)) for code, letters in _BY_LETTERS.items()
        }
        code = max(counts, key=counts.__getitem__)
        return code if 2 * counts[code] > len(_NOT_LATIN.findall(sample)) else None
    return found


@cache
def _loaded_py3langid() -> Any:
    """Import py3langid late: it is slow to load, and most pages declare their language.

    It loads its model at the first call, and without a lock: once in each thread that calls it
    meanwhile.
    """
    py3langid = import_module("py3langid")
    py3langid.classify("")
    return py3langid
