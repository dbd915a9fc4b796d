"""A study before it is a file: what a person says about it, its documents, and its first members."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated
from zipfile import ZipFile

from pydantic import Field

from passer.domain.base import Frozen, canonical_json
from passer.domain.bundle.members import EntryDocumentMaker
from passer.domain.bundle.verdict_document import VerdictContent
from passer.domain.bundle.zip_form import write_member
from passer.domain.ledger.entry import Entry, Receipt
from passer.domain.study.document import ENTRY, FILES, STUDY, StudyDocument, digests_of
from passer.domain.study.entry import study_entry

Title = Annotated[str, Field(min_length=1, max_length=300)]
AuthorName = Annotated[str, Field(min_length=1, max_length=200)]
Licence = Annotated[str, Field(pattern=r"^[A-Za-z0-9.+-]{1,100}$")]
MOST_AUTHORS = 500


class Publication(Frozen):
    """What a person says about a study."""

    title: Title | None = None
    """Title; None takes the name of the sweep or of the imported sheets."""
    authors: tuple[AuthorName, ...] = Field(default=(), max_length=MOST_AUTHORS)
    """Names as they are cited."""
    licence: Licence | None = None
    """SPDX identifier, such as CC-BY-4.0."""


@dataclass(frozen=True)
class Composed:
    """A study without bundles and rows."""

    document: StudyDocument
    verdict: VerdictContent
    files: dict[str, bytes]
    registered: Receipt | None
    """Receipt of the registered plan; None without one."""

    @property
    def content(self) -> bytes:
        """Return study.json."""
        return canonical_json(self.document.model_dump(mode="json"))

    @property
    def entry(self) -> Entry:
        """Return the entry of the ledger."""
        return study_entry(self.document, self.digest, self.verdict)

    @property
    def digest(self) -> str:
        """Return the study digest."""
        return digests_of({STUDY: self.content})[STUDY]

    def write(self, opened: ZipFile, receipt: Receipt | None, proofs: Mapping[str, bytes]) -> None:
        """Write the members before bundles and rows."""
        write_member(opened, STUDY, [self.content])
        for name in FILES:
            write_member(opened, name, [self.files[name]])
        entry = EntryDocumentMaker().document(
            self.document.model_dump(mode="json"),
            run=receipt,
            questions=None,
            registration=self.registered,
            proofs=proofs,
        )
        write_member(opened, ENTRY, [canonical_json(entry.model_dump(mode="json"))])
        for name, content in proofs.items():
            write_member(opened, name, [content])
