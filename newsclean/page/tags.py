"""What the HTML tags mean to a reader: which break the line, which carry no text."""

from lxml import etree

#: A block ends where one of these begins or ends (the slides' line-break tags).
LINE_BREAKING = frozenset(
    """
    address article aside blockquote body button canvas caption center col colgroup dd details
    dialog dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6
    header hgroup hr html iframe legend li main map marquee menu nav noscript object ol optgroup
    option p picture pre search section select summary table tbody td tfoot th thead tr ul video
    audio
    """.split()
)

#: Their text is code, or belongs to the browser or to who fills in a form, never to the reader.
#: An annotation says how a word is read, not what it says.
ANNOTATIONS = frozenset({"rt", "rp", "rtc"})
TEXTLESS = ANNOTATIONS.union("script style title math svg datalist template textarea".split())

TEXT = "#text"


#: What the walk does at a tag, so that it is one look-up a node; a silent tag breaks no line.
BREAKS, SILENT, NEW_LINE, NO_ELEMENT = 1, 2, 3, 4

TAG_BITS: dict[object, int] = {
    **dict.fromkeys(LINE_BREAKING, BREAKS),
    **dict.fromkeys(TEXTLESS, SILENT),
    "br": NEW_LINE,
    **dict.fromkeys((etree.Comment, etree.PI, etree.Entity), NO_ELEMENT),
}
