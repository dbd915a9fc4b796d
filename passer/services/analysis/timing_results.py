"""Results of timing runs, with the machine they ran on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import chain
from typing import IO

from passer.domain.analysis.study_table import StudyTable
from passer.domain.base import digest_of
from passer.domain.bundle.manifest import Manifest, Surroundings, described_config
from passer.domain.bundle.question_record import recorded_timings
from passer.domain.lru_cache import LruCache
from passer.domain.models.answer import ModelTimings
from passer.domain.models.model import Model
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


Row = tuple[float | None, ...]
"""Scores of a question in vector order."""
_MOST_QUESTIONS = 30_000
"""Times of questions that are kept in memory, about 2 KB each."""


@dataclass(frozen=True)
class TimingResults:
    """Reads measured times."""

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
        return self._report(sweep, sweep.runs, self._around(sweep.runs[0].id), skipped, self._kept(sweep, skipped))

    def by_machine(self, sweep: StoredSweep) -> tuple[TimingReport, ...]:
        """Return a report for each machine that finished runs of the sweep; ConflictError before its end.

        That of a single machine has no questions: with nothing to compare them with, they only take memory.
        """
        skipped = _warm_up(sweep)
        machines: dict[str, tuple[Surroundings, list[Run]]] = {}
        for run in sweep.runs:
            around = self._around(run.id)
            machines.setdefault(digest_of(around.machine), (around, []))[1].append(run)
        if len(machines) == 1:
            [(around, runs)] = machines.values()
            return (self._report(sweep, runs, around, skipped),)
        questions = self._kept(sweep, skipped)
        found = []
        for around, runs in machines.values():
            ids = {run.id for run in runs}
            own = tuple(question for question in questions if question.run_id in ids)
            found.append(self._report(sweep, runs, around, skipped, own))
        return tuple(found)

    def _report(
        self,
        sweep: StoredSweep,
        runs: Sequence[Run],
        around: Surroundings,
        warm_up: int,
        questions: tuple[TimedQuestion, ...] | None = None,
    ) -> TimingReport:
        """Return the report of some runs; without `questions`, those of one configuration at a time are read."""
        groups: dict[str, list[Run]] = {}
        for run in runs:
            groups.setdefault(_identity(run.config), []).append(run)
        found = []
        for identity, group in groups.items():
            if questions is None:
                mine = [question for run in group for question in self._run(sweep, run, warm_up)]
            else:
                ids = {run.id for run in group}
                mine = [question for question in questions if question.run_id in ids]
            found.append(_configuration(sweep, group, identity, mine))
        return TimingReport(
            sweep_id=sweep.id,
            name=sweep.name,
            is_timing_run=sweep.sweep.timing is not None,
            warm_up=warm_up,
            machine=around.machine,
            software=around.software,
            parts={**self.parts, **_servers(runs)},
            configurations=tuple(found),
            questions=questions or (),
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
        for same_model in _by_model(sweep).values():
            read = [self._run(sweep, run, warm_up, self._scores(run)) for run in same_model]
            is_by_run = sweep.sweep.timing is not None
            yield from chain.from_iterable(read if is_by_run else zip(*read, strict=True))

    def _scores(self, run: Run) -> dict[int, Row]:
        """Return the scores of a run in vector order, by number of the question."""
        found = self.manifest_builder.evaluations.run_scores(run.id)
        rows = zip(found.table.values.tolist(), found.table.reasons, strict=True)
        values = (tuple(None if why else value for value, why in zip(*row, strict=True)) for row in rows)
        return dict(zip(found.numbers, values, strict=True))

    def _run(
        self, sweep: StoredSweep, run: Run, warm_up: int, scores: Mapping[int, Row] | None = None
    ) -> Iterator[TimedQuestion]:
        """Yield the questions of a run in dataset order; without `scores` they have none."""
        same_model = [each.id for each in _by_model(sweep)[run.config.model]]
        place = same_model.index(run.id)
        for stored in self.manifest_builder.questions(run.id, with_scores=False):
            evaluation, ranking = stored.evaluation, stored.ranking
            number, answer = evaluation.number, None if evaluation.state == "failed" else stored.answer
            is_by_run = sweep.sweep.timing is not None
            before = place * sweep.questions + number if is_by_run else number * len(same_model) + place
            yield TimedQuestion(
                run_id=run.id,
                question_id=evaluation.question_id,
                repeat=run.config.repeat,
                is_warm_up=before < warm_up,
                reused=evaluation.reused,
                model=recorded_timings(answer.timings) if answer else ModelTimings(),
                # The fixed abstention was not generated, so it has no time and no tokens.
                generation_s=answer.generation_s if answer and evaluation.prompt_digest else None,
                embedding_s=ranking.embedding_s if ranking else None,
                retrieval_s=ranking.retrieval_s if ranking else None,
                scoring_s=stored.scoring_s,
                answer_digest=hashlib.sha256(answer.text.encode()).hexdigest() if answer else None,
                scores=scores.get(number, ()) if scores and evaluation.state == "scored" else (),
            )


def _by_model(sweep: StoredSweep) -> dict[Model, list[Run]]:
    """Return the runs of each model, in their order."""
    found: dict[Model, list[Run]] = {}
    for run in sweep.runs:
        found.setdefault(run.config.model, []).append(run)
    return found


def _warm_up(sweep: StoredSweep) -> int:
    """The sweep's own, or that of a timing run where it was none."""
    return (sweep.sweep.timing or TimingPlan()).warm_up


def _configuration(
    sweep: StoredSweep, group: Sequence[Run], identity: str, questions: Sequence[TimedQuestion]
) -> TimedConfiguration:
    """Return the times of a configuration and its repetitions together."""
    warm_up = sum(question.is_warm_up for question in questions)
    measured = sum(is_measured(question) for question in questions)
    reused = sum(question.reused and not question.is_warm_up for question in questions)
    taken = [run.memory for run in group if run.memory]
    return TimedConfiguration(
        name=group[0].config.cut_label,
        model=sweep.model_label(group[0]),
        config_digest=identity,
        run_ids=tuple(run.id for run in group),
        measured=measured,
        warm_up=warm_up,
        reused=reused,
        failed=len(questions) - measured - warm_up - reused,
        figures=figures_of(questions),
        memory=reduce(RunMemory.most, taken) if taken else None,
    )


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
