"""Documents that a collection has already: whether they would be read as their passages were."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.retrieval.passages import Document
from passer.domain.wording.sentence import Sentence, sentence
from passer.ports import Collections, DocumentSummary

_NAMED = 10


def is_read_as_before(collections: Collections, name: str, document: Document, present: DocumentSummary) -> bool:
    """Return whether the text of a document is the one from which its passages in a collection were cut."""
    if present.text is not None:
        return document.text_digest == present.text
    # It was ingested before the digest of its text was stated: the passages contain all of the text.
    end = 0
    for passage in collections.open(name).passages():
        if passage.document == present.name:
            between = document.text[end : passage.start]
            if document.text[passage.start : passage.end] != passage.text or between.strip():
                return False
            end = max(end, passage.end)
    return not document.text[end:].strip()


def remark_on(names: Sequence[str]) -> Sentence | None:
    """Return what to do about documents that are read differently now; None without one."""
    more = ("\N{HORIZONTAL ELLIPSIS}",) if len(names) > _NAMED else ()
    return sentence("document.read-differently", n=len(names), names=(*names[:_NAMED], *more)) if names else None
