"""Members of a file with its verdict, and with proofs: a signed checkpoint, time stamps (docs/bundle.md, "Proofs")."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from passer.domain.bundle.verdict_document import document_bytes
from passer.domain.bundle.zip_form import CHECKPOINT_STAMP, KEY, PROOF, STAMP
from passer.domain.ledger.checkpoint import InclusionProof, included_at
from passer.domain.ledger.entry import LocalPlace, Receipt
from passer.domain.sweeps.run import RunState
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError, ConflictError, InputError
from passer.ports import Outbox, RunStore, StampStore
from passer.services.analysis.sweep_results import SweepResults
from passer.services.analysis.verdict.bundle_content import VerdictSource
from passer.services.analysis.verdict.judged_column_reader import NO_REPLIES
from passer.services.analysis.verdict.primary_metric import recorded_rule
from passer.services.provenance.checkpoints import Checkpoints


@dataclass(frozen=True)
class VerdictMember:
    """Writes what a sweep concluded, for the bundles of its runs."""

    runs: RunStore
    outbox: Outbox
    sweep_results: SweepResults

    def content(self, sweep_id: str) -> bytes | None:
        """Return verdict.json; None while a run is not finished, or without any verdict.

        A bundle that was written before its sweep had a verdict, and one of a sweep that cannot have any, have five
        members and stay as they are.
        """
        stored = self.runs.load_sweep(sweep_id)
        if any(run.state is not RunState.FINISHED for run in stored.runs):
            return None
        column = self.sweep_results.recorded_column(stored)
        try:
            verdict = self.sweep_results.analyse(sweep_id).verdict
        except (ConflictError, InputError):
            # No answer was scored, or the panel cannot be computed; the page of the sweep shows the reason.
            return None
        if all(each.verdict.kind == "no_verdict" for each in verdict.conclusions):
            return None
        judged = VerdictSource(
            sweep_id=sweep_id,
            conclusion_digest=verdict.digest,
            rows=self.sweep_results.rows(sweep_id),
            questions=self.sweep_results.run_browser.questions(stored),
            recorded=recorded_rule(stored.sweep),
            judged=column,
            replies=NO_REPLIES if column is None else self.sweep_results.judged_columns.judge_replies(column),
        )
        return document_bytes(judged.content(self._digest_of_run))

    def _digest_of_run(self, run_id: str) -> str | None:
        kept = self.outbox.manifest(run_id)
        return None if kept is None else hashlib.sha256(kept.encode()).hexdigest()


@dataclass(frozen=True)
class ProofMembers:
    """Finds the proof of a recorded row and the time stamps of what is published."""

    checkpoints: Callable[[], Checkpoints]
    """Asked only for rows of the local ledger."""
    stamps: StampStore
    authority: Callable[[], str | None]
    """Address of the project's time stamp authority."""
    ask: Callable[[bytes, str], bytes]
    """Has an authority stamp a content, and returns its reply."""

    def members(self, receipt: Receipt | None, content: bytes) -> dict[str, bytes]:
        """Return the members of a file by name, in order.

        `content` is the member whose digest is recorded; `receipt` is None where it is not.
        """
        proof, found = self._proof(receipt), dict[str, bytes]()
        if proof is not None:
            found[KEY] = f"{self.checkpoints().key.text}\n".encode()
            found[PROOF] = proof.text.encode()
            found[CHECKPOINT_STAMP] = self._stamp_of(proof.checkpoint.encode())
        found[STAMP] = self._stamp_of(content)
        return {name: held for name, held in found.items() if held}

    def stamp(self, receipt: Receipt | None, content: bytes) -> None:
        """Have the authority stamp the content and the checkpoint of its row, where they have no stamp yet.

        ConfigError where the project has no authority; UnavailableError or InputError where it gives no stamp.
        """
        authority, proof = self.authority(), self._proof(receipt)
        if authority is None:
            raise ConfigError(sentence("stamp.no-authority"))
        for each in (content, *([proof.checkpoint.encode()] if proof else [])):
            digest = sha256(each).hexdigest()
            if self.stamps.stamp(digest) is None:
                self.stamps.keep(digest, self.ask(each, authority))

    def _proof(self, receipt: Receipt | None) -> InclusionProof | None:
        if receipt is None or not isinstance(receipt.place, LocalPlace):
            return None
        try:
            proof = self.checkpoints().first_proof(receipt.place.sequence)
            is_shown = included_at(proof, receipt.place.digest, self.checkpoints().key) is not None
        except (ConflictError, InputError):
            # The ledger or its key is not the one of an earlier checkpoint: `passer ledger verify` says so, and a file
            # without a proof states no more than it can show.
            return None
        return proof if is_shown else None

    def _stamp_of(self, content: bytes) -> bytes:
        return self.stamps.stamp(sha256(content).hexdigest()) or b""
