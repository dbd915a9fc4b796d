"""The steps `checkpoint` and `stamps`: what a ledger and a time stamp authority signed about a bundle or a study."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from passer.domain.bundle.documents import Violation
from passer.domain.bundle.entry_form import PlacedReceipt
from passer.domain.bundle.members import EntryDocument, LocalEntryPlace
from passer.domain.bundle.time_stamp import own_time_stamp
from passer.domain.bundle.verification import Outcome
from passer.domain.bundle.zip_form import CHECKPOINT_STAMP, KEY, PROOF, PROOFS, STAMP, Buffer
from passer.domain.ledger.checkpoint import included_at, inclusion_of
from passer.domain.ledger.signed_note import key_of
from passer.domain.wording.counted import counted
from passer.errors import InputError

STAMPS = (CHECKPOINT_STAMP, STAMP)
LARGEST_PROOF = 1 << 20
"""Bytes of a member with a proof; real ones have less than 10 KB."""

CheckStamp = Callable[[bytes, bytes], str | None]
"""Returns why a time stamp of a content does not lead to a root that the auditor trusts; None if it does."""
Found = tuple[Outcome, str | Violation, str]
"""Outcome, one sentence or the problem, and the member."""


@dataclass(frozen=True)
class Proofs:
    """The members of a file that others signed."""

    members: Mapping[str, bytes] = field(default_factory=dict)
    """Members by name, those that the file has."""
    subject: str = ""
    """Name of the member whose digest is recorded and stamped."""
    content: bytes = b""
    """Content of that member."""

    @staticmethod
    def of(members: Mapping[str, Buffer], subject: str) -> Proofs:
        """Return the proofs among the members of a file."""
        # One byte more than allowed: enough to refuse a larger member without copying all of it.
        held = {name: bytes(members[name][: LARGEST_PROOF + 1]) for name in PROOFS if name in members}
        return Proofs(held, subject, bytes(members[subject]))

    def unlisted(self, document: EntryDocument, *, stamps: bool) -> tuple[Violation, str] | None:
        """Return the first member that is missing, or not the one whose digest entry.json states; None if all agree.

        `stamps` chooses time stamps, or everything else.
        """
        stated = document.proofs or {}
        for name in sorted(stated.keys() | self.members.keys()):
            if (name in STAMPS) is not stamps:
                continue
            if name not in self.members:
                detail = f"The file has no {name}, although entry.json states it."
                return Violation(detail, field=f"proofs.{name}"), "entry.json"
            if hashlib.sha256(self.members[name]).hexdigest() != stated.get(name):
                return Violation("Its SHA-256 is not the one in entry.json: it was changed or added later."), name
        return None

    def checkpoint(self, document: EntryDocument, placed: Sequence[PlacedReceipt]) -> Found:
        """Return whether a row of the subject is in the ledger at the signed checkpoint."""
        wrong = self.unlisted(document, stamps=False)
        if wrong is not None:
            return "fail", *wrong
        if KEY not in self.members and PROOF not in self.members:
            return "not_checked", "Not checked, because the file has no proof of a checkpoint.", PROOF
        if KEY not in self.members or PROOF not in self.members:
            return (
                "fail",
                Violation("The file has a proof without the key of its ledger, or the key without a proof."),
                PROOF,
            )
        rows = {row.receipt.place.sequence: row for row in placed if isinstance(row.receipt.place, LocalEntryPlace)}
        try:
            key = key_of(_text(self.members[KEY]))
            proof = inclusion_of(_text(self.members[PROOF]))
            row = rows.get(proof.index + 1)
            # One form only: else two files could state the same, by spaces that a reader skips, and have other digests.
            if key.text + "\n" != _text(self.members[KEY]) or proof.text != _text(self.members[PROOF]):
                return "fail", Violation("It has another form than PaSSER writes."), PROOF
            if row is None or row.path != "run" or not isinstance(row.receipt.place, LocalEntryPlace):
                return "fail", Violation("The proof is of another row than that of the file."), PROOF
            head = included_at(proof, row.receipt.place.digest, key)
        except InputError as exc:
            return "fail", Violation(exc.message), PROOF
        if head is None:
            return "fail", Violation(f"It does not show that row {proof.index + 1} is in the ledger."), PROOF
        detail = (
            f"Row {proof.index + 1} is in the ledger {head.origin} at its checkpoint of {counted(head.size, 'row')}, "
            f"signed by the key {key.text}. Compare the key with the one that the ledger's operator published."
        )
        return "pass", detail, PROOF

    def stamps(self, document: EntryDocument | None, check: CheckStamp | None) -> Found:
        """Return what the time stamps show; `check` compares them with roots that the auditor trusts."""
        held = [name for name in STAMPS if name in self.members]
        wrong = self.unlisted(document, stamps=True) if document is not None else None
        if wrong is not None:
            return "fail", *wrong
        if not held:
            return "not_checked", "Not checked, because the file has no time stamp.", STAMP
        said, unknown = [], ""
        for name in held:
            content = self._stamped(name)
            found = "It is of a checkpoint that the file does not have." if content is None else ""
            stamp = found or own_time_stamp(self.members[name], content or b"")
            if isinstance(stamp, str):
                return "fail", Violation(stamp), name
            if check is not None and (problem := check(self.members[name], content or b"")) is not None:
                return "fail", Violation(f"It does not lead to a root that you trust ({problem.rstrip('.')})."), name
            of = "The checkpoint" if name == CHECKPOINT_STAMP else self.subject
            said.append(f"{of} existed at {stamp.at:%Y-%m-%d %H:%M:%S} UTC, says {stamp.authority or 'an authority'}.")
            unknown = unknown or ("" if stamp.is_signed else name)
        if check is not None:
            return "pass", " ".join(said), STAMP
        if unknown:
            # After all stamps: one with an unknown signature algorithm must not keep a forged one from being found.
            return "not_checked", f"{' '.join(said)} Its kind of signature is not known here; use --roots.", unknown
        hint = "Its own certificate signed it. Whether you trust this authority is not checked; use --roots."
        return "not_checked", f"{' '.join(said)} {hint}", STAMP

    def _stamped(self, name: str) -> bytes | None:
        """Return what a stamp is of; None for a checkpoint that is missing."""
        if name == STAMP:
            return self.content
        _, found, note = self.members.get(PROOF, b"").partition(b"\n\n")
        return note if found else None


def _text(content: bytes) -> str:
    """Return the text of a proof; InputError if it is too large, or not UTF-8."""
    if len(content) > LARGEST_PROOF:
        raise InputError("It is larger than a proof can be.")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as exc:
        raise InputError("It is not UTF-8.") from exc
