"""A batch of articles for an index: which of them can be indexed, and which are to be written."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from newsclean.index.document import BadArticleError, Document, State, document_of
from newsclean.index.target import Refused, Written

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def documents_of(articles: Sequence[Mapping[str, Any]]) -> tuple[list[Document], list[Refused]]:
    """The documents of a batch, and what cannot be one."""
    documents, refused = [], []
    for place, line in enumerate(articles):
        try:
            documents.append(document_of(line))
        except BadArticleError as error:
            refused.append(Refused(place, str(error)))
    return documents, refused


def to_be_written(
    documents: Sequence[Document], known: Mapping[str, State]
) -> tuple[list[Document], Written]:
    """Those documents that replace what an index has, each article once, and all counted."""
    states = dict(known)
    last: dict[str, Document] = {}
    counts: Counter[str] = Counter()
    for document in documents:
        state = states.get(document.id)
        if state is None or document.state.replaces(state):
            states[document.id] = document.state
            last[document.id] = document
        counts[_outcome(document.state, state)] += 1
    written = Written(counts["new"], counts["changed"], counts["same"], counts["older"])
    return list(last.values()), written


def _outcome(state: State, known: State | None) -> str:
    if known is None:
        return "new"
    if state.replaces(known):
        return "changed"
    return "same" if state.digest == known.digest else "older"
