"""Builds a run's manifest and its ledger entries."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from passer.domain.accounts.project import DEFAULT_PROJECT, shown_project
from passer.domain.bundle.manifest import (
    FORMAT,
    DescribedCollection,
    DescribedDataset,
    DescribedDocument,
    DescribedRun,
    DescribedTemplate,
    Manifest,
    Surroundings,
    described_config,
)
from passer.domain.bundle.merkle import Hash, root_of
from passer.domain.bundle.question_record import TIMES, QuestionRecord, TimingRecord, times
from passer.domain.ledger.entry import Entry
from passer.domain.ledger.of_run import EntryMaker, Granularity
from passer.domain.sweeps.run import Run, sweep_id_of
from passer.domain.sweeps.run_tally import RunningMeans, Tally, mean_scores
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, PasserError
from passer.ports import Collections, DatasetStore, EvaluationStore, PromptTemplates, RunRecord, RunStore, StoredSweep
from passer.services.provenance.question_records import StoredQuestion, record_of, timing_of

PAGE = 500
"""Questions read at once."""


@dataclass(frozen=True)
class RunDescription:
    """Manifest and entries of a run."""

    manifest: Manifest
    """The manifest."""
    entries: tuple[Entry, ...]
    """Entries in recording order; the run's own comes last."""

    @property
    def record(self) -> RunRecord:
        """Return the record to store."""
        return RunRecord(
            digest=self.manifest.digest, manifest=self.manifest.canonical.decode("utf-8"), entries=self.entries
        )


@dataclass(frozen=True)
class ManifestBuilder:
    """Reads the stores only; the same stores give the same bytes."""

    runs: RunStore
    evaluations: EvaluationStore
    datasets: DatasetStore
    collections: Collections
    templates: PromptTemplates
    surroundings: Callable[[], Surroundings]
    project: str = DEFAULT_PROJECT
    """Project of the stores."""

    def manifest(self, run_id: str) -> Manifest:
        """Return the manifest of a run; ConflictError if questions are not done."""
        return self.described(run_id, "run").manifest

    def entries(self, run_id: str, granularity: Granularity = "question") -> list[Entry]:
        """Return the run's entries, in order."""
        return list(self.described(run_id, granularity).entries)

    def records(self, run_id: str) -> Iterator[QuestionRecord]:
        """Yield the question records, in order."""
        return (record for record, _ in self.rows(run_id))

    def described(
        self, run_id: str, granularity: Granularity = "question", *, with_times: bool | None = None
    ) -> RunDescription:
        """Return manifest and entries, in one pass over the questions.

        `with_times` adds the rows of `addtimetest`; without a word, a timing run has them.
        """
        sweep, run = self._run(run_id)
        with_times = sweep.sweep.timing is not None if with_times is None else with_times
        maker = EntryMaker(run_id, described_config(run.config).digest)
        summary, entries = _Summary(), []
        for record, timing in self.rows(run_id):
            summary.add(record, timing)
            if granularity == "question":
                own = {"question_id": record.id, "leaf": record.leaf.hex()}
                entries.append(maker.of_question("addtest", record.vector, **own))
                if with_times:
                    entries.append(maker.of_question("addtimetest", times(record.timings, timing), **own))
        # The entries of the run come last, because they contain the digest of the manifest, which needs every question.
        manifest = self._manifest(sweep, run, summary)
        if with_times:
            entries.append(maker.of_run("addtimetest", summary.times.means, run_digest=manifest.digest))
        entries.append(maker.of_run("addtest", mean_scores(manifest.means), run_digest=manifest.digest))
        return RunDescription(manifest=manifest, entries=tuple(entries))

    def rows(self, run_id: str) -> Iterator[tuple[QuestionRecord, TimingRecord]]:
        """Yield question records with their measured seconds; ConflictError at the first one that is not done."""
        return ((record_of(each), timing_of(each)) for each in self.questions(run_id))

    def questions(self, run_id: str, *, with_scores: bool = True) -> Iterator[StoredQuestion]:
        """Yield the questions of a run with what is stored of them, page by page; ConflictError as of `rows`."""
        sweep, run = self._run(run_id)
        questions = self.datasets.load_dataset(run.config.dataset, sweep.dataset_digest).questions[: sweep.questions]
        done = 0
        while done < len(questions):
            read = self.evaluations.evaluations(run_id, after=done - 1, limit=PAGE, with_scores=with_scores)
            # Stop at the first gap: a record at the position of a missing one would shift every later leaf.
            page = [evaluation for number, evaluation in enumerate(read, start=done) if evaluation.number == number]
            if not page:
                break
            answers = self.evaluations.answers([each.answer_key for each in page if each.answer_key])
            scoring = self.evaluations.scoring_times([each.pair_key for each in page if each.pair_key])
            ids = [each.question_id for each in page]
            rankings = self.evaluations.bare_rankings(sweep.id, run.config.ranked_by, ids)
            for each in page:
                found = StoredQuestion(
                    questions[each.number],
                    each,
                    answers.get(each.answer_key or ""),
                    rankings.get(each.question_id),
                    scoring.get(each.pair_key or ""),
                )
                if not found.is_done:
                    raise ConflictError(sentence("provenance.no-answer", question=each.question_id, run=run_id))
                yield found
            done += len(page)
        if done < len(questions):
            raise ConflictError(sentence("provenance.unfinished", run=run_id, done=done, questions=len(questions)))

    def _run(self, run_id: str) -> tuple[StoredSweep, Run]:
        sweep = self.runs.load_sweep(sweep_id_of(run_id))
        return sweep, sweep.run(run_id)

    def _manifest(self, sweep: StoredSweep, run: Run, summary: _Summary) -> Manifest:
        config = described_config(run.config)
        around = self.surroundings()
        made = Manifest(
            format=FORMAT,
            run=DescribedRun(id=run.id, sweep_id=sweep.id, name=run.stored_name, project=shown_project(self.project)),
            config=config.model_dump(mode="json"),
            config_digest=config.digest,
            model=run.model_info,
            prompt_template=self._template(sweep, run, summary.prompt_digest),
            encoder_digest=run.scored_by.get("encoder_digest"),
            scored_by=run.scored_by,
            dataset=self._dataset(sweep, run),
            collection=self._collection(run.config.collection),
            software=around.software,
            code_commit=around.code_commit,
            machine=around.machine,
            counts=summary.tally.counts,
            means=summary.tally.means,
            questions_root=root_of(summary.leaves).hex(),
            timings_digest=summary.timings.hexdigest(),
            unknown=(),
        )
        return made.model_copy(update={"unknown": _unknown(made)})

    def _template(self, sweep: StoredSweep, run: Run, prompt_digest: str | None) -> DescribedTemplate:
        """Return the template at the sweep's creation; for older sweeps the first prompt's, or today's."""
        frozen = next((each for each in sweep.templates if each.name == run.config.prompt), None)
        if frozen is not None:
            return DescribedTemplate(name=frozen.name, digest=frozen.digest)
        prompt = self.evaluations.prompt(prompt_digest) if prompt_digest else None
        if prompt is not None:
            return DescribedTemplate(name=prompt.template, digest=prompt.template_digest)
        try:
            return DescribedTemplate(name=run.config.prompt, digest=self.templates.load(run.config.prompt).digest)
        except PasserError:
            return DescribedTemplate(name=run.config.prompt, digest=None)

    def _dataset(self, sweep: StoredSweep, run: Run) -> DescribedDataset:
        dataset = self.datasets.load_dataset(run.config.dataset, sweep.dataset_digest)
        return DescribedDataset(
            name=run.config.dataset,
            digest=sweep.dataset_digest,
            language=dataset.language,
            questions=sweep.questions,
        )

    def _collection(self, name: str) -> DescribedCollection | None:
        """Return the collection as it is now; None if it is gone or the vector store does not answer."""
        try:
            # A vector store that is down must not keep a run from finishing: the manifest then states the collection as
            # unknown.
            listed = self.collections.list()
        except PasserError:
            return None
        for collection, documents in listed:
            if collection.name == name:
                described = [
                    DescribedDocument(**d.model_dump(include=set(DescribedDocument.model_fields))) for d in documents
                ]
                return DescribedCollection.of(collection, described)
        return None


class _Summary:
    """Collects a manifest's counts, means and leaves, question by question."""

    def __init__(self) -> None:
        self.tally, self.timings = Tally(), hashlib.sha256()
        self.times = RunningMeans(len(TIMES))
        self.leaves: list[Hash] = []
        self.prompt_digest: str | None = None

    def add(self, record: QuestionRecord, timing: TimingRecord) -> None:
        """Add one question."""
        self.tally.add(state=record.state, reason=record.reason, scores=record.scores)
        self.times.add(times(record.timings, timing))
        self.leaves.append(record.leaf)
        self.timings.update(timing.line + b"\n")
        self.prompt_digest = self.prompt_digest or record.prompt_digest


def _unknown(manifest: Manifest) -> tuple[str, ...]:
    """Return the members of the manifest that are not known, sorted."""
    found = [
        name
        for name in ("model", "encoder_digest", "collection", "code_commit")
        if getattr(manifest, name) in (None, "unknown")
    ]
    if manifest.model is not None:
        stated = {"digest": manifest.model.digest, "quantization": manifest.model.quantization,
                  "context_length": manifest.model.context_length}  # fmt: skip
        found += [f"model.{name}" for name, value in stated.items() if value in (None, "unknown")]
    if manifest.prompt_template.digest is None:
        found.append("prompt_template.digest")
    if manifest.collection is not None and manifest.collection.embedding.digest == "unknown":
        found.append("collection.embedding.digest")
    found += [f"machine.{name}" for name in ("processor", "cpu_count") if getattr(manifest.machine, name) is None]
    return tuple(sorted(found))
