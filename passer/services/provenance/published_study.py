"""Studies in their published form: title and authors, documents, file, and row in the ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from time import sleep
from typing import IO, Annotated, Protocol
from zipfile import ZipFile

from pydantic import Field

from passer.domain.base import Frozen, canonical_json
from passer.domain.bundle.documents import read_document
from passer.domain.bundle.members import EntryDocumentMaker
from passer.domain.bundle.verdict_check import read_verdict
from passer.domain.bundle.verdict_document import VerdictContent
from passer.domain.bundle.zip_form import write_member, zip_writer
from passer.domain.ledger.entry import Entry, Receipt
from passer.domain.study.document import ENTRY, FILES, STUDY, VERDICT, StudyDocument, digests_of
from passer.domain.study.entry import PublishedStudy, study_entry
from passer.domain.wording.sentence import sentence
from passer.errors import LeaseError, NotFoundError, UnavailableError
from passer.ports import POSTING, Ledger, StudyStore, WorkStore
from passer.services.exports.table_export import filled
from passer.services.provenance.outbox_poster import elsewhere
from passer.services.provenance.proof_members import ProofMembers
from passer.services.work.lease import leased

WAIT_S, MOST_WAITS = 0.2, 25
"""Pause, and how often, while another process posts: a round of the local ledger takes less than a second."""


class Recorder(Protocol):
    """Recorder that enters studies and registrations in a ledger."""

    def record(self, entry: Entry) -> Receipt:
        """Record an entry, or find it."""

    def receipt(self, entry: Entry) -> Receipt | None:
        """Return the receipt of an entry that is recorded already; None where it is not, or is not known."""


@dataclass(frozen=True)
class StudyRecorder:
    """Records an entry at once: a person waits for it, and the ledger keeps each entry once."""

    ledger: Ledger
    work: WorkStore

    def record(self, entry: Entry) -> Receipt:
        """Record an entry, or find it.

        LedgerUnavailable or LedgerRefused where nothing was recorded, LeaseError while another process posts for long.
        """
        for _ in range(MOST_WAITS):
            with suppress(LeaseError):
                return self._record(entry)
            sleep(WAIT_S)
        return self._record(entry)

    def _record(self, entry: Entry) -> Receipt:
        with leased(self.work, POSTING, refusal=elsewhere):
            return self.ledger.append([entry])[0]

    def receipt(self, entry: Entry) -> Receipt | None:
        """Return the receipt of an entry that is recorded already; None where it is not, or is not known."""
        try:
            is_recorded = self.ledger.verify(entry).verdict == "equal"
            return self.ledger.append([entry])[0] if is_recorded else None
        except UnavailableError:
            return None


Title = Annotated[str, Field(min_length=1, max_length=300)]
AuthorName = Annotated[str, Field(min_length=1, max_length=200)]
Licence = Annotated[str, Field(pattern=r"^[A-Za-z0-9.+-]{1,100}$")]
MOST_AUTHORS = 500


class Publication(Frozen):
    """Title, authors and licence of a study."""

    title: Title | None = None
    """Title; None takes the name of the sweep or of the imported sheets."""
    authors: tuple[AuthorName, ...] = Field(default=(), max_length=MOST_AUTHORS)
    """Names as they are cited."""
    licence: Licence | None = None
    """SPDX identifier, such as CC-BY-4.0."""
    texts: bool = True
    """True if questions, references and answers are published; scores, ids and digests are in either case."""
    prompts: bool = False
    """True if the prompts are published as they were sent, with the texts of the retrieved passages."""


@dataclass(frozen=True)
class ComposedStudy:
    """A study; its bundles, or its rows, are written only with its file."""

    document: StudyDocument
    verdict: VerdictContent
    files: dict[str, bytes]
    registered: Receipt | None
    """Receipt of the registered plan; None without one."""
    write_rest: Callable[[ZipFile], None]
    """Writes the last members: bundles, or rows and audit."""

    @property
    def content(self) -> bytes:
        """Return study.json."""
        return canonical_json(self.document.model_dump(mode="json"))

    @property
    def documents(self) -> dict[str, bytes]:
        """Return study.json and the other files, by name."""
        return {STUDY: self.content, **self.files}

    @property
    def entry(self) -> Entry:
        """Return the entry of the ledger."""
        return study_entry(self.document, self.digest, self.verdict)

    @property
    def digest(self) -> str:
        """Return the study digest."""
        return digests_of({STUDY: self.content})[STUDY]

    def write(self, opened: ZipFile, receipt: Receipt | None, proofs: Mapping[str, bytes]) -> None:
        """Write all members."""
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
        self.write_rest(opened)


@dataclass(frozen=True)
class KeptStudy:
    """A published study as it was entered in the ledger; its bundles are still in the store."""

    document: StudyDocument
    verdict: VerdictContent
    files: dict[str, bytes]


@dataclass(frozen=True)
class StudyPublisher:
    """Enters composed studies in the ledger and writes their files."""

    recorder: Recorder
    proofs: ProofMembers | None = None
    """Adds proof and time stamps; None writes studies without them."""
    studies: StudyStore | None = None
    """Keeps what was published; None keeps nothing."""

    def publish(self, composed: ComposedStudy, *, stamp: bool = False) -> PublishedStudy:
        """Enter a study in the ledger and return it; with `stamp` the project's authority stamps it, once.

        UnavailableError where the ledger or the authority cannot be reached.
        """
        receipt = self._record(composed)
        self._stamp(composed, receipt, stamp=stamp)
        return _published(composed, receipt)

    def published(self, subject: str) -> list[PublishedStudy]:
        """Return the studies of a sweep or import that were published here, the newest first."""
        return self.studies.published(subject) if self.studies else []

    def kept(self, digest: str) -> KeptStudy:
        """Return a study that was published here; NotFoundError if its files are not stored.

        Composed again, it may have another digest: it states the other sweeps of its dataset.
        """
        files = dict(self.studies.documents(digest) or {}) if self.studies else {}
        document = read_document(StudyDocument, files.pop(STUDY, b"")).value
        verdict, _ = read_verdict(files.get(VERDICT, b""))
        if document is None or verdict is None:
            raise NotFoundError(sentence("study.not-kept", digest=digest[:12]))
        return KeptStudy(document, verdict, files)

    def study(self, composed: ComposedStudy, *, record: bool = False, stamp: bool = False) -> IO[bytes]:
        """Return the file of a study, open for reading; the caller closes it.

        With `record` its digest is entered in the ledger first; a study that was recorded before has its receipt
        in either case. Errors as in `publish`.
        """
        receipt = self._record(composed) if record else self.recorder.receipt(composed.entry)
        self._stamp(composed, receipt, stamp=stamp)
        proofs = self.proofs.members(receipt, composed.content) if self.proofs else {}

        def write(stream: IO[bytes]) -> None:
            with zip_writer(stream) as opened:
                composed.write(opened, receipt, proofs)

        return filled(write)

    def _record(self, composed: ComposedStudy) -> Receipt:
        receipt = self.recorder.record(composed.entry)
        if self.studies:
            self.studies.add(_published(composed, receipt), composed.documents)
        return receipt

    def _stamp(self, composed: ComposedStudy, receipt: Receipt | None, *, stamp: bool) -> None:
        if stamp and self.proofs:
            self.proofs.stamp(receipt, composed.content)


def _published(composed: ComposedStudy, receipt: Receipt) -> PublishedStudy:
    document = composed.document
    return PublishedStudy(
        sweep_id=document.sweep.id, digest=composed.digest, recorded_at=receipt.recorded_at, title=document.title
    )
