"""Results of timing runs, with the machine they ran on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import IO

from passer.domain.analysis.study_table import StudyTable
from passer.domain.base import digest_of
from passer.domain.bundle.manifest import Manifest, Surroundings, described_config
from passer.domain.lru_cache import LruCache
from passer.domain.models.answer import ModelTimings
from passer.domain.sweeps.run import Run, RunConfig, RunMemory
from passer.domain.timing.times import (
    FIGURES,
    TimedConfiguration,
    TimedQuestion,
    TimingPlan,
    TimingReport,
    figures_of,
    is_measured,
)
from passer.ports import Outbox, RunStore, StoredSweep
from passer.services.analysis.kept_results import CacheKey, cache_key, is_finished
from passer.services.exports.table_export import TableExport
from passer.services.provenance.manifest_builder import ManifestBuilder

TIMING_COLUMNS = (
    "sweep_id", "run_id", "configuration", "model", "question_id", "repeat", "is_warm_up", "reused",
    *ModelTimings.model_fields, "tokens_per_s", "embedding_s", "retrieval_s", "generation_s", "scoring_s",
    "answer_digest", "system", "processor", "cpu_count", "memory_bytes",
)  # fmt: skip
"""One row per question and repetition, with the machine on each."""


_MOST_QUESTIONS = 30_000
"""Times of questions that are kept in memory, about 2 KB each."""


@dataclass(frozen=True)
class TimingResults:
    """Reads; measures nothing itself."""

    runs: RunStore
    outbox: Outbox
    manifest_builder: ManifestBuilder
    table_export: TableExport
    surroundings: Callable[[], Surroundings]
    parts: Mapping[str, str]
    """Adapters of this process by role, without passwords."""
    cached: LruCache[CacheKey, tuple[TimedQuestion, ...]] = field(
        default_factory=lambda: LruCache(_MOST_QUESTIONS, weigh=len), compare=False
    )
    """Times of finished sweeps: nothing is added to them until a run is opened again."""

    def report(self, sweep_id: str, *, warm_up: int | None = None) -> TimingReport:
        """Return medians and spread of a finished sweep; ConflictError before its end.

        `warm_up` goes before the sweep's own. Of a sweep that was no timing run, times are those under its load.
        """
        sweep = self.runs.load_sweep(sweep_id)
        skipped = warm_up if warm_up is not None else _warm_up(sweep)
        questions = self._kept(sweep, skipped)
        return self._report(sweep, sweep.runs, self._around(sweep.runs[0].id), questions, skipped)

    def by_machine(self, sweep: StoredSweep) -> tuple[TimingReport, ...]:
        """Return a report for each machine that finished runs of the sweep; ConflictError before its end."""
        skipped = _warm_up(sweep)
        questions = self._kept(sweep, skipped)
        machines: dict[str, tuple[Surroundings, list[Run]]] = {}
        for run in sweep.runs:
            around = self._around(run.id)
            machines.setdefault(digest_of(around.machine), (around, []))[1].append(run)
        found = []
        for around, runs in machines.values():
            ids = {run.id for run in runs}
            own = tuple(question for question in questions if question.run_id in ids)
            found.append(self._report(sweep, runs, around, own, skipped))
        return tuple(found)

    def _report(
        self,
        sweep: StoredSweep,
        runs: Sequence[Run],
        around: Surroundings,
        questions: tuple[TimedQuestion, ...],
        warm_up: int,
    ) -> TimingReport:
        return TimingReport(
            sweep_id=sweep.id,
            name=sweep.name,
            is_timing_run=sweep.sweep.timing is not None,
            warm_up=warm_up,
            machine=around.machine,
            software=around.software,
            parts={**self.parts, **_servers(runs)},
            configurations=_configurations(sweep, runs, questions),
            questions=questions,
        )

    def export(
        self, sweep_id: str, *, suffix: str, warm_up: int | None = None, reproducible: bool = False
    ) -> IO[bytes]:
        """Return a file with a row for every question, open at its beginning; the caller closes it."""
        report = self.report(sweep_id, warm_up=warm_up)
        named = {run_id: each for each in report.configurations for run_id in each.run_ids}
        rows = tuple(_row(report, named[question.run_id], question) for question in report.questions)
        return self.table_export.table(
            StudyTable(columns=TIMING_COLUMNS, rows=rows), suffix=suffix, reproducible=reproducible
        )

    def _around(self, run_id: str) -> Surroundings:
        """Return the machine of a run by its manifest; this machine where it has none."""
        kept = self.outbox.manifest(run_id)
        if kept is None:
            return self.surroundings()
        manifest = Manifest.model_validate_json(kept)
        return Surroundings(software=manifest.software, code_commit=manifest.code_commit, machine=manifest.machine)

    def _kept(self, sweep: StoredSweep, warm_up: int) -> tuple[TimedQuestion, ...]:
        """Return the times of all questions; they are read once for a finished sweep."""
        key = cache_key(sweep, str(warm_up)) if is_finished(sweep) else None
        return self.cached.get_or_compute(key, lambda: tuple(self._questions(sweep, warm_up)))

    def _questions(self, sweep: StoredSweep, warm_up: int) -> Iterator[TimedQuestion]:
        """Return questions in the order of their requests: model by model, in a timing run also run by run."""
        for model in dict.fromkeys(run.config.model for run in sweep.runs):
            same_model = [run for run in sweep.runs if run.config.model == model]
            found = [(number, run, timed) for run in same_model for number, timed in enumerate(self._run(run))]
            if sweep.sweep.timing is None:
                found.sort(key=lambda each: (each[0], each[1].position))
            for place, (_, _, timed) in enumerate(found):
                yield timed.model_copy(update={"is_warm_up": place < warm_up})

    def _run(self, run: Run) -> Iterator[TimedQuestion]:
        for record, seconds in self.manifest_builder.rows(run.id):
            said = record.answer
            yield TimedQuestion(
                run_id=run.id,
                question_id=record.id,
                repeat=run.config.repeat,
                is_warm_up=False,
                reused=seconds.reused,
                model=record.timings,
                # The fixed abstention was not generated, so it has no time and no tokens.
                generation_s=seconds.generation_s if record.prompt_digest and said is not None else None,
                embedding_s=seconds.embedding_s,
                retrieval_s=seconds.retrieval_s,
                scoring_s=seconds.scoring_s,
                answer_digest=None if said is None else hashlib.sha256(said.encode()).hexdigest(),
                scores=record.vector if record.scores else (),
            )


def _warm_up(sweep: StoredSweep) -> int:
    """The sweep's own, or that of a timing run where it was none."""
    return (sweep.sweep.timing or TimingPlan()).warm_up


def _configurations(
    sweep: StoredSweep, runs: Sequence[Run], questions: Sequence[TimedQuestion]
) -> tuple[TimedConfiguration, ...]:
    """Repetitions together, in the order of the runs."""
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(_identity(run.config), []).append(run)
    found = []
    for identity, group in groups.items():
        ids = tuple(run.id for run in group)
        mine = [question for question in questions if question.run_id in ids]
        warm_up = sum(question.is_warm_up for question in mine)
        measured = sum(is_measured(question) for question in mine)
        reused = sum(question.reused and not question.is_warm_up for question in mine)
        taken = [run.memory for run in group if run.memory]
        found.append(
            TimedConfiguration(
                name=group[0].config.retrieval.label,
                model=sweep.model_label(group[0]),
                config_digest=identity,
                run_ids=ids,
                measured=measured,
                warm_up=warm_up,
                reused=reused,
                failed=len(mine) - measured - warm_up - reused,
                figures=figures_of(mine),
                memory=reduce(RunMemory.most, taken) if taken else None,
            )
        )
    return tuple(found)


def _identity(config: RunConfig) -> str:
    """Return the settings that two machines share: all but the repetition and the place of the model."""
    model = config.model.model_copy(update={"base_url": None, "connection": None})
    return digest_of(config.first_repeat.model_copy(update={"model": model}))


def _servers(runs: Sequence[Run]) -> dict[str, str]:
    """Return the addresses that configurations name themselves."""
    named = (described_config(run.config).model for run in runs)
    return {f"{model.provider} {model.name}": model.base_url for model in named if model.base_url}


def _row(report: TimingReport, configuration: TimedConfiguration, question: TimedQuestion) -> tuple[object, ...]:
    machine = report.machine
    return (
        report.sweep_id, question.run_id, configuration.name, configuration.model, question.question_id,
        question.repeat, question.is_warm_up, question.reused,
        *(getattr(question.model, name) for name in ModelTimings.model_fields),
        FIGURES["tokens_per_s"](question), question.embedding_s, question.retrieval_s, question.generation_s,
        question.scoring_s, question.answer_digest, machine.system, machine.processor, machine.cpu_count,
        machine.memory_bytes,
    )  # fmt: skip
