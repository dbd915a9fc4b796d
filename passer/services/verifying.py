"""Verifying a bundle: what it shows by itself, and, where a chain is asked, what that confirms."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from passer.domain.bundle.check import BundleCheck
from passer.domain.bundle.ledger_check import LedgerCheck
from passer.domain.bundle.verification import CHAIN_STEPS, ChainStep, Finding, Steps, Verification, verdict_of
from passer.domain.bundle.zip_form import LARGEST, Buffer, is_zip
from passer.errors import InputError
from passer.ports.witness import ChainWitness, PlacedEntry

NOT_ASKED = "no chain was asked: give the address of a node with --chain"
SILENT = Finding(outcome="not_checked", detail="Not checked, because this chain's adapter does not look at it.")


@dataclass(frozen=True)
class Verifying:
    """Needs no store and no settings."""

    witness_for: Callable[[str], ChainWitness] | None = None
    """Whom to ask about the contract of that account what only a chain can confirm; None stays offline."""

    def verify(self, data: Buffer) -> Verification:
        """Every step, in order; InputError where the bytes are no bundle at all."""
        if not is_zip(data):
            raise InputError("This file is no bundle: give the .zip that `passer bundle` wrote.")
        if len(data) >= LARGEST:
            raise InputError("This file is larger than a bundle can be: give the .zip that `passer bundle` wrote.")
        with _uncollected():
            bundle = BundleCheck(data)
            bundle.look()
            ledger = LedgerCheck(bundle)
            ledger.look()
        self._chain(ledger, bundle.steps)
        manifest = bundle.manifest
        value = manifest.value if manifest else None
        return Verification(
            verdict=verdict_of(bundle.steps.done),
            run_id=value.run.id if value else None,
            run_digest=manifest.digest if manifest else None,
            config_digest=value.config_digest if value else None,
            questions_root=bundle.records.root if bundle.records.leaves else None,
            questions=len(bundle.records.records),
            steps=tuple(bundle.steps.done),
        )

    def _chain(self, ledger: LedgerCheck, steps: Steps) -> None:
        because = ledger.why_no_chain()
        if because is not None or self.witness_for is None:
            ledger.skip_chain(because or NOT_ASKED)
            return
        found: dict[ChainStep, list[Finding]] = {name: [] for name in CHAIN_STEPS}
        for transaction, entries in ledger.transactions():
            placed = [PlacedEntry(entry=entry, action_index=index) for index, entry in entries]
            findings = self.witness_for(transaction.contract).look(transaction, placed)
            for name in CHAIN_STEPS:
                found[name].append(findings.get(name, SILENT))
        for name, findings_of_step in found.items():
            _add(steps, name, findings_of_step)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without garbage collection: there is none in what is read, and looking for it takes a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _add(steps: Steps, name: ChainStep, findings: Sequence[Finding]) -> None:
    """One step over all transactions: it fails with the first that fails, and passes where all pass."""
    for outcome in ("fail", "not_checked"):
        for number, finding in enumerate(findings):
            if finding.outcome == outcome == "fail":
                steps.failed(name, finding.detail, member="entry.json", path=f"transactions[{number}]")
                return
            if finding.outcome == outcome:
                steps.unseen(name, finding.detail)
                return
    steps.passed(name, findings[0].detail if len(findings) == 1 else f"All {len(findings)} transactions.")
