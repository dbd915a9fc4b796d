"""The outcome of an ingest by document, documents that a collection has, and another embedding of its passages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.retrieval.passages import Collection, Document, Passage
from passer.domain.texts.search_words import TEXT_RULES
from passer.domain.wording.sentence import LocalizedText, Sentence, sentence
from passer.errors import CollectionMismatchError
from passer.ports import Collections, DocumentSummary, Embedder, Progress


class Reindexed(NamedTuple):
    """A collection after it was embedded again."""

    collection: Collection
    documents: list[DocumentSummary]
    is_new: bool
    """True if it has new vectors; False where it had this model already."""


def embedded_again(
    collections: Collections, name: str, *, embedder_for: Callable[[str | None], Embedder], progress: Progress
) -> Reindexed:
    """Embed the passages of a collection by the model that `embedder_for` returns for the name of its own.

    NotFoundError without the collection; CollectionMismatchError if its passages were cut by the tokens of another.
    """
    # One that was killed between two names is not listed; the store knows how to continue it.
    found = _listed(collections, name)
    bound = found[0] if found else None
    embedder = embedder_for(bound.embedding.name if bound else None)
    if bound is not None and bound.chunking.unit == "tokens" and bound.embedding.name != embedder.model.name:
        raise CollectionMismatchError(sentence("reindex.tokens", name=name, model=bound.embedding.name))
    wanted = (
        bound.model_copy(update={"embedding": embedder.model})
        if bound
        else Collection(name=name, embedding=embedder.model, text_rules=TEXT_RULES)
    )
    if found is not None and wanted == bound:
        return Reindexed(*found, is_new=False)
    collections.reindex(wanted, embedder.sentence_vectors, lambda done, total: progress("passages", done, total))
    collection, documents = _listed(collections, name) or (wanted, [])
    return Reindexed(collection, documents, is_new=True)


def _listed(collections: Collections, name: str) -> tuple[Collection, list[DocumentSummary]] | None:
    return next((each for each in collections.list() if each[0].name == name), None)


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


class IngestedDocument(Frozen):
    """The outcome for one document."""

    name: str
    """Name as given."""
    passages_added: int = Field(default=0, ge=0)
    """Number of passages that are new in the collection."""
    passages_present: int = Field(default=0, ge=0)
    """Number of passages that were in the collection already."""
    pages_without_text: int = Field(default=0, ge=0)
    """Number of pages without text, which are probably scanned; no passage holds anything of them."""
    warnings: tuple[LocalizedText, ...] = ()
    """What the document contains and its passages do not, one sentence each."""
    reads_differently: bool = False
    """Whether another text is now read of a document that the collection has; its passages were not changed."""
    problem: LocalizedText | None = None
    """Reason why the document was not added, in one sentence."""


class IngestReport(Frozen):
    """The outcome of an ingest."""

    collection: Collection
    """The collection and its embedding model."""
    documents: tuple[IngestedDocument, ...]
    """Documents in the given order."""
    remark: LocalizedText | None = None
    """What to do about the documents of which another text is read now; None without one."""

    @property
    def passages_added(self) -> int:
        """Return the number of new passages."""
        return sum(document.passages_added for document in self.documents)

    @property
    def problems(self) -> tuple[IngestedDocument, ...]:
        """Return the documents that were not added, with their problems."""
        return tuple(document for document in self.documents if document.problem)
