"""Enters the plan of a sweep in the ledger before the first question is asked: when the sweep is created or waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from passer.domain.base import digest_of
from passer.domain.bundle.manifest import described_config
from passer.domain.bundle.question_record import question_digest
from passer.domain.dataset import Question
from passer.domain.study.document import described_design
from passer.domain.study.registration import FORMAT, Registration, RegistrationDocument, registration_entry
from passer.domain.sweeps.run import Run, RunState
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, PasserError
from passer.ports import DatasetStore, RunStore, StoredSweep, WorkStore
from passer.services.analysis.verdict.primary_metric import recorded_rule
from passer.services.provenance.study_recorder import Recorder
from passer.services.provenance.sweeps_of_dataset import other_sweeps
from passer.services.work.lease import leased


@dataclass(frozen=True)
class Registrar:
    """Registers plans; the same plan leads to the same row of the ledger, however often it is registered."""

    runs: RunStore
    recorder: Recorder

    def register(self, stored: StoredSweep, questions: Sequence[Question]) -> Registration:
        """Record the plan of a sweep that is not stored yet, and return it with its receipt.

        ConflictError where the ledger does not record it: the sweep must not start then.
        """
        document = self.document(stored, questions)
        try:
            receipt = self.recorder.record(registration_entry(document, recorded_rule(stored.sweep)))
        except PasserError as exc:
            raise ConflictError(sentence("registration.refused", reason=exc.message)) from exc
        return Registration(document=document, receipt=receipt)

    def document(self, stored: StoredSweep, questions: Sequence[Question]) -> RegistrationDocument:
        """Return the content of a registration of the sweep."""
        configurations = [described_config(run.config).digest for run in stored.runs]
        others = list(other_sweeps(self.runs, stored))
        asked = {
            described_config(run.config).digest
            for other in others
            for run in other.runs
            if run.counts.answered or run.counts.failed
        }
        return RegistrationDocument(
            format=FORMAT,
            sweep=stored.id,
            design_digest=digest_of(described_design(stored.sweep.model_dump(mode="json"))),
            dataset=stored.dataset_digest,
            # Digests, not texts: the row may be public before the results are (decision 014).
            questions=tuple(question_digest(each.id, each.text, each.references) for each in questions),
            configurations=tuple(configurations),
            # Answers are stored and reused: a plan made after them could have been written with the results in view.
            known=tuple(each for each in configurations if each in asked),
            earlier=len(others),
        )


@dataclass(frozen=True)
class WaitingSweeps:
    """Registers sweeps that exist already and have asked no question."""

    registrar: Registrar
    work: WorkStore
    datasets: DatasetStore

    def register(self, sweep_id: str) -> StoredSweep:
        """Register the plan of a sweep, once, and return the sweep.

        ConflictError where the ledger does not record it, or an answer exists already: what was written down after
        a result proves nothing. LeaseError while a process runs the sweep.
        """
        runs = self.registrar.runs
        known = runs.load_sweep(sweep_id, counted=False)
        if known.registered is not None:
            return known
        late = sentence("registration.late", sweep=sweep_id)
        # With the lease nobody can start the sweep between the look at its answers and the row of the ledger.
        with leased(self.work, sweep_id, refusal=lambda _: late):
            stored = runs.load_sweep(sweep_id)
            if any(map(_has_begun, stored.runs)):
                raise ConflictError(late)
            dataset = self.datasets.load_dataset(stored.sweep.config.dataset, stored.dataset_digest)
            runs.add_registration(self.registrar.register(stored, dataset.questions[: stored.questions]))
        return runs.load_sweep(sweep_id)


def _has_begun(run: Run) -> bool:
    return run.state not in (RunState.QUEUED, RunState.PAUSED) or run.counts.answered + run.counts.failed > 0
