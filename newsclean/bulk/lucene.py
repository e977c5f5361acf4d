"""OpenSearch and Elasticsearch: actions of the bulk API, and the mapping of an index.

Both take the same requests and have the same analyzers; the names here are those that they share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from newsclean.bulk.document import (
    DATES,
    FLAGS,
    LISTS,
    NAMES,
    STORED_OBJECTS,
    STORED_TEXTS,
    TEXTS,
    full_text,
    language_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

#: The analyzer of each language for which both servers have one.
ANALYZERS = {
    "ar": "arabic", "bg": "bulgarian", "bn": "bengali", "ca": "catalan", "ckb": "sorani",
    "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "gl": "galician", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "ja": "cjk", "ko": "cjk",
    "lt": "lithuanian", "lv": "latvian", "nl": "dutch", "no": "norwegian", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sv": "swedish", "th": "thai", "tr": "turkish", "zh": "cjk",
}  # fmt: skip
#: The two written forms of Norwegian have the same analyzer.
SAME_ANALYZER = {"nb": "no", "nn": "no"}
#: A whole value of at most as many characters is indexed; Lucene takes no more than 32,766 bytes.
MAX_NAME = 8000
#: Characters of a text in which a search may highlight; the servers' own default is a million.
MAX_HIGHLIGHTED = 10_000_000
#: The analyzer for texts of any language.
ANALYZER = "newsclean"


def text_field(document: Mapping[str, Any]) -> str | None:
    """The field for the text in the document's own language.

    >>> text_field({"language": "de-AT"}), text_field({"language": "tlh"})
    ('text_de', None)
    """
    language = language_of(document)
    language = SAME_ANALYZER.get(language, language)
    return f"text_{language}" if language in ANALYZERS else None


def source_of(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with its text for the analyzer of its language."""
    name = text_field(document)
    return dict(document) if name is None else {**document, name: full_text(document)}


def action_of(document: Mapping[str, Any], index: str | None = None) -> dict[str, Any]:
    """The action line of a document; its revision is the version that the server compares.

    A server keeps the document that it has if that has the same version or a newer one.
    """
    where = {} if index is None else {"_index": index}
    version = {"version": document["revision"], "version_type": "external"}
    return {"index": {**where, "_id": document["id"], **version}}


def index_settings() -> dict[str, Any]:
    """What creates the index: settings and mapping."""
    analyzer = {
        "type": "custom",
        "tokenizer": "standard",
        # Accents folded; Chinese, Japanese and Korean by pairs of signs.
        "filter": ["cjk_width", "lowercase", "asciifolding", "cjk_bigram"],
    }
    text = {"type": "text", "analyzer": ANALYZER}
    name = {"type": "keyword", "ignore_above": MAX_NAME}
    properties: dict[str, Any] = dict.fromkeys(TEXTS, text)
    properties |= dict.fromkeys((*NAMES, *LISTS), name)
    properties |= {each: {"type": "date", "ignore_malformed": True} for each in DATES}
    properties |= {each: {"type": "boolean"} for each in FLAGS}
    properties |= {"revision": {"type": "long"}, "article_probability": {"type": "float"}}
    properties |= {each: {"type": "text", "index": False} for each in STORED_TEXTS}
    properties |= {each: {"type": "object", "enabled": False} for each in STORED_OBJECTS}
    properties |= {
        f"text_{language}": {"type": "text", "analyzer": analyzer}
        for language, analyzer in ANALYZERS.items()
    }
    return {
        "settings": {
            "analysis": {"analyzer": {ANALYZER: analyzer}},
            "index": {"highlight": {"max_analyzed_offset": MAX_HIGHLIGHTED}},
        },
        "mappings": {
            # Fields of a project's own are kept, and not searched.
            "dynamic": False,
            # The same words once more: the file with the articles has them all.
            "_source": {"excludes": ["text_*"]},
            "properties": properties,
        },
    }
