"""Documents that a collection has already, and whether today's readers extract the same text from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from passer.domain.retrieval.passages import Document, Passage
from passer.domain.wording.sentence import Sentence, sentence
from passer.ports import Collections, DocumentSummary

_NAMED = 10


class PresentDocuments:
    """Documents of a collection, including those that the running ingest added."""

    def __init__(self, collections: Collections, name: str, documents: Iterable[DocumentSummary]) -> None:
        self._collections, self._name = collections, name
        self._by_digest = {document.digest: document for document in documents}

    def get(self, digest: str) -> DocumentSummary | None:
        """Return the document of these bytes."""
        return self._by_digest.get(digest)

    def add(self, document: DocumentSummary) -> None:
        """Add a document that is in the collection now."""
        self._by_digest[document.digest] = document

    def is_read_as_before(self, document: Document, present: DocumentSummary) -> bool:
        """Return whether the text of a document is the one from which its passages were cut."""
        if present.text is not None:
            return document.text_digest == present.text
        if document.reader is None and present.reader is None:
            return True  # Both texts are the bytes.
        # It was ingested before the digest of its text was stated: the passages contain all of the text.
        end = 0
        for passage in self._passages[present.name]:
            between = document.text[end : passage.start]
            if document.text[passage.start : passage.end] != passage.text or between.strip():
                return False
            end = max(end, passage.end)
        return not document.text[end:].strip()

    @cached_property
    def _passages(self) -> Mapping[str, Sequence[Passage]]:
        """Passages of documents without a digest of their text, read once, because all passages have to be read."""
        wanted = {each.name for each in self._by_digest.values() if each.text is None}
        found: dict[str, list[Passage]] = {name: [] for name in wanted}
        for passage in self._collections.open(self._name).passages():
            if passage.document in wanted:
                found[passage.document].append(passage)
        return found


def remark_on(names: Sequence[str]) -> Sentence | None:
    """Return what to do about documents that are read differently now; None without one."""
    more = ("\N{HORIZONTAL ELLIPSIS}",) if len(names) > _NAMED else ()
    return sentence("document.read-differently", n=len(names), names=(*names[:_NAMED], *more)) if names else None
