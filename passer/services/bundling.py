"""Writing a bundle: a run with everything that is needed to check it, as one zip of the form in docs/bundle.md."""

from __future__ import annotations

import tempfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO

from passer.domain.base import canonical_json
from passer.domain.bundle.members import SCORES_HEADER, EntryDocument, EntryDocumentMaker, scores_row
from passer.domain.bundle.zip_form import LARGEST, MEMBERS, MemberPlace, directory, header_size
from passer.domain.ledger.entry import Action, ChainPlace, Receipt
from passer.domain.manifest import Manifest
from passer.domain.merkle import Hash, root_of
from passer.errors import ConflictError, InputError
from passer.ports import LedgerKind, Outbox
from passer.services.describing import Describing

PAGE = 200
"""Entries that are read at once; each may bring the whole transaction that holds it."""
BLOCK = 1 << 20


@dataclass(frozen=True)
class Bundling:
    """Writes bundles; the same stores give the same bytes."""

    describing: Describing
    outbox: Outbox
    ledger: LedgerKind

    def manifest(self, run_id: str) -> Manifest:
        """The manifest that was recorded; one made now where nothing is recorded yet."""
        kept = self.outbox.manifest(run_id)
        return self.describing.manifest(run_id) if kept is None else Manifest.model_validate_json(kept)

    def bundle(self, run_id: str) -> IO[bytes]:
        """A run's bundle, open for reading from its beginning; the caller closes it.

        ConflictError where the run is not finished, or its records are no longer those that its manifest names.
        """
        manifest = self.manifest(run_id)
        stream = tempfile.TemporaryFile()  # noqa: SIM115 - handed to the caller, who closes it
        try:
            self._write(run_id, manifest, _ZipWriter(stream))
            stream.seek(0)
        except BaseException:
            stream.close()
            raise
        return stream

    def _write(self, run_id: str, manifest: Manifest, writer: _ZipWriter) -> None:
        with tempfile.TemporaryFile() as scores, tempfile.TemporaryFile() as timings:
            found = _Rows(scores, timings)
            writer.add([manifest.canonical])
            writer.add(found.lines(self.describing, run_id))
            if root_of(found.leaves).hex() != manifest.questions_root:
                raise ConflictError(
                    f"The questions of run {run_id} are no longer those of its manifest: restore the database that it "
                    "was recorded from."
                )
            writer.add(_blocks(scores))
            writer.add([canonical_json(self._entry(run_id, manifest, found).model_dump(mode="json"))])
            writer.add(_blocks(timings))
        writer.end()

    def _entry(self, run_id: str, manifest: Manifest, rows: _Rows) -> EntryDocument:
        """What the ledger holds of just this manifest and these records; a part of the rows counts as none."""
        recorded = self._receipts(run_id)
        of_run = {action: recorded.get((action, manifest.digest)) for action in ("addtest", "addtimetest")}
        is_recorded = of_run["addtest"] is not None
        return EntryDocumentMaker().document(
            manifest.model_dump(mode="json"),
            run=of_run["addtest"],
            questions=_all("addtest", rows, recorded) if is_recorded else None,
            run_times=of_run["addtimetest"] if is_recorded else None,
            question_times=_all("addtimetest", rows, recorded) if is_recorded else None,
        )

    def _receipts(self, run_id: str) -> dict[tuple[str, str], Receipt]:
        """What the ledger gave back, by action and digest; each transaction's bytes are held once."""
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
    """Records as they pass: their lines go on, what else is made from them is put aside."""

    def __init__(self, scores: IO[bytes], timings: IO[bytes]) -> None:
        self.leaves: list[Hash] = []
        self._scores, self._timings = scores, timings

    def lines(self, describing: Describing, run_id: str) -> Iterator[bytes]:
        """Lines of questions.jsonl."""
        self._scores.write(SCORES_HEADER)
        for record, timing in describing.rows(run_id):
            self.leaves.append(record.leaf)
            row = scores_row(
                number=record.number,
                question_id=record.id,
                leaf=record.leaf.hex(),
                state=record.state,
                tokens=record.tokens,
            )
            self._scores.write(row)
            self._timings.write(timing.line + b"\n")
            yield record.line + b"\n"


class _ZipWriter:
    """Members one after the other; a header is written when its content is known."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._places: list[MemberPlace] = []

    def add(self, content: Iterable[bytes]) -> None:
        """The next member."""
        name, offset = MEMBERS[len(self._places)], self._stream.tell()
        self._stream.seek(offset + header_size(name))
        crc = size = 0
        for block in content:
            self._stream.write(block)
            crc, size = zlib.crc32(block, crc), size + len(block)
        place = MemberPlace(name=name, crc=crc, size=size, offset=offset)
        if place.end >= LARGEST - BLOCK:
            raise InputError("A bundle is smaller than 4 GiB: split the run into runs of fewer questions.")
        self._stream.seek(offset)
        self._stream.write(place.local_header)
        self._stream.seek(place.end)
        self._places.append(place)

    def end(self) -> None:
        """The directory."""
        self._stream.write(directory(self._places))


def _all(action: Action, rows: _Rows, recorded: dict[tuple[str, str], Receipt]) -> list[Receipt] | None:
    """The receipts of all questions, in order; None where one is missing."""
    found = [recorded.get((action, leaf.hex())) for leaf in rows.leaves]
    whole = [receipt for receipt in found if receipt is not None]
    return whole if len(whole) == len(found) else None


def _shared(receipt: Receipt, packed: dict[str, str]) -> Receipt:
    """A receipt that shares its transaction's bytes with the others of that transaction."""
    place = receipt.place
    if not isinstance(place, ChainPlace):
        return receipt
    one = packed.setdefault(place.transaction_id, place.packed_transaction)
    return receipt.model_copy(update={"place": place.model_copy(update={"packed_transaction": one})})


def _blocks(stream: IO[bytes]) -> Iterator[bytes]:
    stream.seek(0)
    while block := stream.read(BLOCK):
        yield block
