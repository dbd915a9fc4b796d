"""The outcome of an ingest, by document."""

from __future__ import annotations

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.retrieval.passages import Collection
from passer.domain.wording.sentence import LocalizedText


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
