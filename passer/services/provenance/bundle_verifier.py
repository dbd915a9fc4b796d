"""Verification of bundles, with or without a chain as witness, and with scores computed again if asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any

from passer.domain.bundle.check import BundleCheck, Rescore, See
from passer.domain.bundle.documents import Violation
from passer.domain.bundle.expectation import Expectation
from passer.domain.bundle.ledger_check import LedgerCheck
from passer.domain.bundle.manifest import Manifest
from passer.domain.bundle.proofs_check import CheckStamp
from passer.domain.bundle.question_record import QuestionRecord, recorded_scores
from passer.domain.bundle.rows_check import RowsCheck
from passer.domain.bundle.verification import (
    CHAIN_STEPS,
    CONFIRMING,
    STEPS,
    ChainStep,
    Finding,
    Outcome,
    StepName,
    Steps,
    Verification,
    verdict_of,
)
from passer.domain.bundle.zip_form import LARGEST, Buffer, ReadZip, is_zip, read_zip
from passer.domain.collector import uncollected
from passer.domain.ledger.chain import TransactionReader
from passer.domain.references import best_scores
from passer.domain.score import VECTOR_ORDER, VectorProfile
from passer.domain.texts.words import ENGLISH
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.ports import Scorer
from passer.ports.signing import ChainWitness, PlacedEntry

NOT_ASKED = "no blockchain was asked; use --chain with the address of a node"
SILENT = Finding(
    outcome="not_checked", detail="Not checked, because the adapter of this blockchain does not support it."
)
TEXT_TOLERANCE, ENCODER_TOLERANCE = 1e-9, 1e-4
"""Largest differences of honest scores: processors and libraries round encodings differently."""
_ENCODER = ("encoder_digest", "max_tokens", "bertscore", "encoder_decimals")
_TOKENS = ("word_tokenizer", "sentence_splitter", "sentence_splitter_published", "other_letters")
_SOURCES = {
    "METEOR": ("meteor", *_TOKENS),
    "BLEU": ("bleu", "other_letters"),
    "Rouge": ("rouge_tokenizer", *_TOKENS),
    "Laplace": _TOKENS,
    "Lidstone": _TOKENS,
    "F1": ("other_letters",),
}
"""Parts of the scorer's identity that the values of a column depend on, by the beginning of its name."""


@dataclass(frozen=True)
class BundleVerifier:
    """Verifies bundles; needs neither a database nor settings."""

    read_transaction: TransactionReader | None = None
    """Unpacks transactions; None leaves the step `action` out."""
    witnesses_for: Callable[[str], Sequence[ChainWitness]] | None = None
    """Returns the nodes to ask about a contract's account, all of which must agree; None verifies offline."""
    expectation: Expectation = field(default_factory=Expectation)
    """Facts that the auditor knows from other sources."""
    rescore: Rescore | None = None
    """Scores the recorded texts again; None leaves the step `rescored` out."""
    check_stamp: CheckStamp | None = None
    """Compares time stamps with the roots that the auditor trusts; None leaves that open."""

    def verify(self, data: Buffer) -> Verification:
        """Run every step in order; InputError if the bytes are not a bundle."""
        check_is_zip(data)
        return self.examine(data)[0]

    def examine(self, data: Buffer, see: See | None = None) -> tuple[Verification, BundleCheck | None]:
        """Run every step, and return what was read too; None where the members cannot be found.

        `see` is called with each record that can be read, in order.
        """
        with uncollected():
            read, steps = read_zip(data), Steps()
            add_zip_step(steps, read)
            if not read.members:
                return _unread(steps, self.unconfirmed(steps)), None
            bundle = BundleCheck(read.members, steps, self.expectation.dataset, self.rescore, see)
            bundle.check()
            ledger = LedgerCheck(bundle, self.read_transaction, self.expectation, self.check_stamp)
            ledger.check()
        self.ask_chain(ledger, steps)
        value = bundle.manifest.value
        found = Verification(
            verdict=verdict_of(steps.done),
            run_id=value.run.id if value else None,
            run_digest=bundle.manifest.digest,
            config_digest=value.config_digest if value else None,
            questions_root=bundle.records.root if bundle.records.leaves else None,
            questions=len(bundle.records.records),
            steps=tuple(steps.done),
            unconfirmed=self.unconfirmed(steps),
        )
        return found, bundle

    def ask_chain(self, ledger: RowsCheck[Any], steps: Steps) -> None:
        """Add the steps that only a chain can confirm."""
        because = ledger.why_no_chain()
        if because is not None or self.witnesses_for is None:
            ledger.skip_chain(because or NOT_ASKED)
            return
        found: dict[ChainStep, list[Finding]] = {name: [] for name in CHAIN_STEPS}
        for transaction, receipts in ledger.transactions():
            placed = [
                PlacedEntry(receipt.entry, index, datetime.fromisoformat(receipt.recorded_at))
                for index, receipt in receipts
            ]
            witnesses = self.witnesses_for(transaction.contract)
            findings = [(witness.name, witness.examine(transaction, placed)) for witness in witnesses]
            for name in CHAIN_STEPS:
                found[name].append(_agreed({node: said.get(name, SILENT) for node, said in findings}))
        for name, findings_of_step in found.items():
            _add(steps, name, findings_of_step)

    def unconfirmed(self, steps: Steps) -> tuple[StepName, ...] | None:
        """Return the required steps that did not pass; None if no step was required."""
        needed: tuple[StepName, ...] = (
            *(("dataset",) if self.expectation.dataset is not None else ()),
            *(("rescored",) if self.rescore is not None else ()),
            *(("expected",) if self.expectation.is_of_ledger else ()),
            *(("stamps",) if self.check_stamp is not None else ()),
            *(CONFIRMING if self.witnesses_for is not None else ()),
        )
        return tuple(name for name in needed if steps.outcome(name) != "pass") if needed else None


def check_is_zip(data: Buffer) -> None:
    """Raise InputError for bytes that are no bundle, however broken."""
    if not is_zip(data):
        raise InputError(sentence("provenance.not-bundle"))
    if len(data) >= LARGEST:
        raise InputError(sentence("provenance.bundle-too-large"))


def add_zip_step(steps: Steps, read: ReadZip) -> None:
    """Add the first step: the file is the one that follows from its members."""
    if read.problem is None:
        steps.passed("zip", f"{len(read.members)} members, stored, and no other byte.")
    else:
        steps.failed("zip", read.problem, member=read.member)


def _unread(steps: Steps, unconfirmed: tuple[StepName, ...] | None) -> Verification:
    """Return the verification of a zip whose members cannot be found."""
    for name in STEPS[1:]:
        steps.skipped(name, "the members cannot be found in the file")
    return Verification(
        verdict=verdict_of(steps.done),
        run_id=None,
        run_digest=None,
        config_digest=None,
        questions_root=None,
        questions=0,
        steps=tuple(steps.done),
        unconfirmed=unconfirmed,
    )


def _agreed(findings: Mapping[str, Finding]) -> Finding:
    """Return the result of all nodes for one step: the worst outcome counts, and nodes that disagree are named."""
    outcomes = {finding.outcome for finding in findings.values()}
    worst = next(outcome for outcome in ("fail", "not_checked", "pass") if outcome in outcomes)
    if len(findings) == 1 or outcomes == {"pass"}:
        return next(iter(findings.values()))
    said = " ".join(f"{node}: {finding.detail}" for node, finding in findings.items())
    return Finding(outcome=worst, detail=f"The nodes disagree. {said}" if len(outcomes) > 1 else said)


def _add(steps: Steps, name: ChainStep, findings: Sequence[Finding]) -> None:
    """Add one step over all transactions: the first failure counts, then the first that was not checked."""
    for outcome in ("fail", "not_checked"):
        for number, finding in enumerate(findings):
            if finding.outcome == outcome == "fail":
                steps.failed(name, finding.detail, member="entry.json", path=f"transactions[{number}]")
                return
            if finding.outcome == outcome:
                steps.not_checked(name, finding.detail)
                return
    steps.passed(name, findings[0].detail if len(findings) == 1 else f"All {len(findings)} transactions.")


@dataclass(frozen=True)
class Rescoring:
    """Computes scores again with one scorer, and compares them with the recorded ones."""

    scorer: Scorer

    def __call__(self, manifest: Manifest, records: Sequence[QuestionRecord]) -> tuple[Outcome, str | Violation]:
        """Return the outcome for the scored records of a run, with one sentence or with the first problem."""
        comparable = self._comparable(manifest)
        others = [column for column in VECTOR_ORDER if column not in comparable]
        left = f" Not compared, because this scorer is another one: {', '.join(others)}." if others else ""
        differing = list(self._differing(manifest, records, comparable))
        if differing:
            more = f" {len(differing) - 1} more questions differ." if len(differing) > 1 else ""
            return "fail", Violation(differing[0].detail + more, number=differing[0].number)
        compared = [
            column for column in comparable if any((record.scores or {})[column] is not None for record in records)
        ]
        if not compared:
            return "not_checked", f"Not checked, because there is no value to compare.{left}"
        return "pass", (
            f"{len(records)} answers scored again: {len(compared)} columns are equal, text columns within "
            f"{TEXT_TOLERANCE:g}, encoder columns within {ENCODER_TOLERANCE:g}.{left}"
        )

    def _comparable(self, manifest: Manifest) -> tuple[str, ...]:
        """Return the columns of which this scorer and the run's have the same definitions and weights."""
        own, stated = self.scorer.identity, manifest.scored_by
        differs = {name for name in own.keys() | stated.keys() if own.get(name) != stated.get(name)}
        return tuple(column for column in VECTOR_ORDER if differs.isdisjoint(_sources(column)))

    def _differing(
        self, manifest: Manifest, records: Sequence[QuestionRecord], columns: Sequence[str]
    ) -> Iterator[Violation]:
        """Yield the first difference of each record."""
        profile: VectorProfile = "published" if manifest.config.get("profile") == "published" else "standard"
        pairs = [(reference, record.answer or "") for record in records for reference in record.references]
        again = iter(self.scorer.score(pairs, profile=profile, language=manifest.dataset.language or ENGLISH))
        for record in records:
            values, missing, _ = recorded_scores(best_scores(list(islice(again, len(record.references)))))
            for column in columns:
                stated, found = (record.scores or {})[column], values[column]
                if not _is_same(column, stated, found) or record.missing.get(column) != missing.get(column):
                    both = " and ".join("no value" if one is None else f"{one:.6g}" for one in (stated, found))
                    yield Violation(f"Recorded and recomputed {column} differ: {both}.", number=record.number)
                    break


def _sources(column: str) -> tuple[str, ...]:
    return next((names for start, names in _SOURCES.items() if column.startswith(start)), _ENCODER)


def _is_same(column: str, stated: float | None, found: float | None) -> bool:
    if stated is None or found is None:
        return stated is found
    tolerance = ENCODER_TOLERANCE if _sources(column) == _ENCODER else TEXT_TOLERANCE
    return abs(stated - found) <= tolerance * max(1.0, abs(found))
