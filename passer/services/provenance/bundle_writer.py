"""Writes the bundle of a run: one zip with everything that is needed to verify it (docs/bundle.md)."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import IO
from zipfile import ZipFile

from passer.domain.base import canonical_json
from passer.domain.bundle.manifest import Manifest
from passer.domain.bundle.members import SCORES_HEADER, EntryDocument, EntryDocumentMaker, scores_row
from passer.domain.bundle.merkle import Hash, root_of
from passer.domain.bundle.zip_form import LARGEST, VERDICT, write_member, zip_writer
from passer.domain.ledger.entry import Action, ChainPlace, Receipt
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, InputError
from passer.ports import LedgerKind, Outbox
from passer.services.exports.table_export import filled
from passer.services.provenance.manifest_builder import ManifestBuilder
from passer.services.provenance.proof_members import ProofMembers

PAGE = 200
"""Entries read at once; each may come with its whole transaction."""
BLOCK = 1 << 20


@dataclass(frozen=True)
class BundleWriter:
    """Writes bundles; the same stores give the same bytes."""

    manifest_builder: ManifestBuilder
    outbox: Outbox
    ledger: LedgerKind
    verdict_of: Callable[[str], bytes | None] | None = None
    """Returns verdict.json of a sweep, or None where it has no verdict; None writes bundles without it."""
    proofs: ProofMembers | None = None
    """Adds proofs and time stamps; None writes bundles without them."""

    def manifest(self, run_id: str) -> Manifest:
        """Return the recorded manifest, or a new one if nothing is recorded yet."""
        kept = self.outbox.manifest(run_id)
        # A manifest made now would name the software and the machine of today, and so have another digest than the
        # ledger.
        return self.manifest_builder.manifest(run_id) if kept is None else Manifest.model_validate_json(kept)

    def bundle(self, run_id: str, *, stamp: bool = False, texts: bool = True) -> IO[bytes]:
        """Return a run's bundle, open for reading; the caller closes it.

        With `stamp` the authority of the project stamps it first; a stamp that it has already stays. Without `texts`
        each record has its leaf in place of question, reference and answer, and a verdict by a judged column is left
        out, because a judge's replies are texts about the answers. ConflictError where the run is not finished, or its
        records are no longer those that its manifest names.
        """
        manifest = self.manifest(run_id)
        if stamp and self.proofs:
            self.proofs.stamp(self._receipts(run_id).get(("addtest", manifest.digest)), manifest.canonical)

        def write(stream: IO[bytes]) -> None:
            with zip_writer(stream) as opened:
                self._write(run_id, manifest, opened, texts=texts)

        return filled(write)

    def _write(self, run_id: str, manifest: Manifest, opened: ZipFile, *, texts: bool) -> None:
        def add(name: str, content: Iterable[bytes]) -> None:
            write_member(opened, name, _limited(content, opened))

        # Members follow one another in the zip, but one pass over the records makes three of them: two wait in files.
        with tempfile.TemporaryFile() as scores, tempfile.TemporaryFile() as timings:
            found = _Rows(scores, timings)
            add("manifest.json", [manifest.canonical])
            add("questions.jsonl", found.lines(self.manifest_builder, run_id, texts=texts))
            # The stored data may have changed since the run was recorded: no verifier would accept such a bundle.
            if root_of(found.leaves).hex() != manifest.questions_root:
                raise ConflictError(sentence("provenance.other-manifest", run=run_id))
            add("scores.csv", blocks(scores))
            recorded = self._receipts(run_id)
            receipt = recorded.get(("addtest", manifest.digest))
            proofs = self.proofs.members(receipt, manifest.canonical) if self.proofs else {}
            entry = self._entry(recorded, manifest, found, proofs)
            add("entry.json", [canonical_json(entry.model_dump(mode="json"))])
            add("timings.jsonl", blocks(timings))
            verdict = self.verdict_of(manifest.run.sweep_id) if self.verdict_of else None
            if verdict is not None and (texts or "judged" not in json.loads(verdict)):
                add(VERDICT, [verdict])
            for name, content in proofs.items():
                add(name, [content])

    def _entry(
        self,
        recorded: dict[tuple[str, str], Receipt],
        manifest: Manifest,
        rows: _Rows,
        proofs: dict[str, bytes],
    ) -> EntryDocument:
        """Return the receipts of this manifest and these records; incomplete rows count as none."""
        of_run = {action: recorded.get((action, manifest.digest)) for action in ("addtest", "addtimetest")}
        is_recorded = of_run["addtest"] is not None
        return EntryDocumentMaker().document(
            manifest.model_dump(mode="json"),
            run=of_run["addtest"],
            questions=_all("addtest", rows, recorded) if is_recorded else None,
            run_times=of_run["addtimetest"] if is_recorded else None,
            question_times=_all("addtimetest", rows, recorded) if is_recorded else None,
            proofs=proofs,
        )

    def _receipts(self, run_id: str) -> dict[tuple[str, str], Receipt]:
        """Return the receipts by action and digest; receipts of one transaction share its bytes."""
        found: dict[tuple[str, str], Receipt] = {}
        packed: dict[str, str] = {}
        after = 0
        while page := self.outbox.entries(run_id, ledger=self.ledger, after=after, limit=PAGE):
            for item in page:
                if item.receipt is not None:
                    found[item.entry.action, item.entry.run_digest] = _shared(item.receipt, packed)
            after = page[-1].number
        return found


class _Rows:
    """Yields the lines of records, and writes scores and times to files on the way."""

    def __init__(self, scores: IO[bytes], timings: IO[bytes]) -> None:
        self.leaves: list[Hash] = []
        self._scores, self._timings = scores, timings

    def lines(self, manifest_builder: ManifestBuilder, run_id: str, *, texts: bool) -> Iterator[bytes]:
        """Yield the lines of questions.jsonl."""
        self._scores.write(SCORES_HEADER)
        for record, timing in manifest_builder.rows(run_id):
            self.leaves.append(record.leaf)
            row = scores_row(
                number=record.number,
                question_id=record.id,
                leaf=record.leaf.hex(),
                state=record.state,
                scores=record.scores,
            )
            self._scores.write(row)
            self._timings.write(timing.line + b"\n")
            yield (record if texts else record.without_texts()).line + b"\n"


def _all(action: Action, rows: _Rows, recorded: dict[tuple[str, str], Receipt]) -> list[Receipt] | None:
    """Return the receipts of all questions in order; None if one is missing."""
    found = [recorded.get((action, leaf.hex())) for leaf in rows.leaves]
    whole = [receipt for receipt in found if receipt is not None]
    return whole if len(whole) == len(found) else None


def _shared(receipt: Receipt, packed: dict[str, str]) -> Receipt:
    """Return a receipt that shares its transaction's bytes with the other receipts."""
    place = receipt.place
    if not isinstance(place, ChainPlace):
        return receipt
    one = packed.setdefault(place.transaction_id, place.packed_transaction)
    return receipt.model_copy(update={"place": place.model_copy(update={"packed_transaction": one})})


def _limited(content: Iterable[bytes], opened: ZipFile) -> Iterator[bytes]:
    """Pass blocks on until the bundle is too large for a zip without zip64."""
    # Counted block by block: without zip64 a larger file could not be completed, and all of the work would be lost.
    size = sum(member.file_size for member in opened.infolist())
    for block in content:
        size += len(block)
        if size > LARGEST - BLOCK:
            raise InputError(sentence("provenance.bundle-over-limit"))
        yield block


def blocks(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the content of a file from its start."""
    stream.seek(0)
    while block := stream.read(BLOCK):
        yield block
