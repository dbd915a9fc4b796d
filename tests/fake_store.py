"""The store in memory: what the tests of services use, held to the same contract as the real ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from passer.domain.answer import Answer, Prompt
from passer.domain.dataset import Dataset
from passer.domain.retrieval import Ranking
from passer.domain.run import LIVE_STATES, Evaluation, Model, Run, RunCounts, RunState
from passer.domain.score import VECTOR_ORDER, Score, ScoreTable
from passer.domain.sheets.sheet import SheetImport
from passer.errors import ConflictError, NotFoundError
from passer.ports import (
    AnswerFact,
    BareRanking,
    Clock,
    DatasetSummary,
    DatasetVersion,
    Effort,
    EvaluationFact,
    Fact,
    FoundRuns,
    ImportSummary,
    LedgerKind,
    ListedRun,
    Outcome,
    PairFact,
    PromptFact,
    RankingFact,
    RunQuery,
    RunRecord,
    RunScores,
    StoredSweep,
    SweepProgress,
)
from tests.fake_outbox import MemoryOutbox


class MemoryStore:
    """ports.DatasetStore, RunStore, LeaseStore, EvaluationStore, ImportStore on dicts; its `outbox` is ports.Outbox."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._datasets: dict[str, list[Dataset]] = {}
        self._unlisted: dict[tuple[str, str], Dataset] = {}
        self._sweeps: dict[str, StoredSweep] = {}
        self._keys: dict[str, str] = {}
        self._leases: dict[str, tuple[str, float]] = {}
        self._rankings: dict[tuple[str, str, str], Ranking] = {}
        self._prompts: dict[str, Prompt] = {}
        self._answers: dict[str, Answer] = {}
        self._pairs: dict[str, dict[str, Score]] = {}
        self._scoring_s: dict[str, float] = {}
        self._evaluations: dict[tuple[str, int], Evaluation] = {}
        self._imports: dict[str, SheetImport] = {}
        self.outbox = MemoryOutbox(clock, self._state_of)
        self.commits: list[list[Fact]] = []

    # -- datasets

    def save_dataset(self, dataset: Dataset) -> None:
        versions = self._datasets.setdefault(dataset.name, [])
        versions[:] = [known for known in versions if known.digest != dataset.digest] + [dataset]

    def load_dataset(self, name: str, digest: str | None = None) -> Dataset:
        versions = self._datasets.get(name, [])
        if digest is None and versions:
            return versions[-1]
        for known in versions:
            if known.digest == digest:
                return known
        if digest is not None and (name, digest) in self._unlisted:
            return self._unlisted[name, digest]
        raise NotFoundError(f"There is no dataset {name!r}.")

    def list_datasets(self) -> list[DatasetSummary]:
        return [
            DatasetSummary(
                name=name,
                digest=versions[-1].digest,
                language=versions[-1].language,
                questions=len(versions[-1].questions),
                with_gold=sum(1 for question in versions[-1].questions if question.gold_passages),
                versions=len(versions),
            )
            for name, versions in sorted(self._datasets.items())
        ]

    def list_versions(self, name: str) -> list[DatasetVersion]:
        if name not in self._datasets:
            raise NotFoundError(f"There is no dataset {name!r}.")
        digests = [sweep.dataset_digest for sweep in self._sweeps.values() if sweep.sweep.config.dataset == name]
        return [
            DatasetVersion(
                digest=version.digest,
                questions=len(version.questions),
                with_gold=sum(1 for question in version.questions if question.gold_passages),
                created_at=self._clock.now(),
                sweeps=digests.count(version.digest),
            )
            for version in reversed(self._datasets[name])
        ]

    def delete_dataset(self, name: str) -> None:
        if name not in self._datasets:
            raise NotFoundError(f"There is no dataset {name!r}.")
        users = [sweep for sweep in self._sweeps.values() if sweep.sweep.config.dataset == name]
        if any(not run.state.is_final for sweep in users for run in sweep.runs):
            raise ConflictError(f"A sweep still needs dataset {name!r}.")
        for dataset in self._datasets.pop(name):
            if dataset.digest in {sweep.dataset_digest for sweep in users}:
                self._unlisted[name, dataset.digest] = dataset

    # -- sweeps and runs

    def create_sweep(self, sweep: StoredSweep, *, idempotency_key: str | None = None) -> StoredSweep:
        if idempotency_key in self._keys:
            known = self.load_sweep(self._keys[str(idempotency_key)])
            if known.sweep != sweep.sweep:
                raise ConflictError(f"That Idempotency-Key made sweep {known.id}, which is another.")
            return known
        if sweep.id in self._sweeps:
            raise ConflictError(f"There is already a sweep {sweep.id!r}.")
        self._sweeps[sweep.id] = sweep
        if idempotency_key:
            self._keys[idempotency_key] = sweep.id
        return sweep

    def load_sweep(self, sweep_id: str, *, counted: bool = True) -> StoredSweep:
        if sweep_id not in self._sweeps:
            raise NotFoundError(f"There is no sweep {sweep_id!r}.")
        stored = self._sweeps[sweep_id]
        if not counted:
            return stored
        counted_runs = tuple(self._counted(run, stored) for run in stored.runs)
        progress = stored.progress.still_failing(counted_runs) if stored.progress else None
        return stored.model_copy(update={"runs": counted_runs, "progress": progress})

    def list_sweeps(self, *, limit: int, before: str | None = None) -> list[StoredSweep]:
        ids = list(reversed(self._sweeps))
        start = ids.index(before) + 1 if before else 0
        return [self.load_sweep(sweep_id) for sweep_id in ids[start : start + limit]]

    def find_runs(self, query: RunQuery) -> FoundRuns:
        """Newest sweep first; the fake sorts by nothing else."""
        every = [(run, sweep) for sweep in self.list_sweeps(limit=len(self._sweeps)) for run in sweep.runs]
        wanted = [
            ListedRun(run=run, sweep_name=sweep.sweep.name, sweep_runs=len(sweep.runs), eta_s=None)
            for run, sweep in every
            if (not query.states or run.state in query.states)
            and (not query.models or run.config.model.name in query.models)
            and (not query.datasets or run.config.dataset in query.datasets)
            and query.find.lower() in f"{run.name}\n{sweep.sweep.name}".lower()
        ]
        return FoundRuns(
            items=tuple(wanted[query.after : query.after + query.limit]),
            total=len(wanted),
            models=tuple(sorted({run.config.model.name for run, _ in every})),
            datasets=tuple(sorted({run.config.dataset for run, _ in every})),
        )

    def set_state(
        self,
        run_ids: Sequence[str],
        state: RunState,
        *,
        reason: str | None = None,
        only_from: Sequence[RunState] = (),
        held: bool = False,
        unless_held: bool = False,
    ) -> int:
        moved = 0
        now = self._clock.now()
        for sweep in list(self._sweeps.values()):
            runs = list(sweep.runs)
            for place, run in enumerate(runs):
                if run.id not in run_ids or (only_from and run.state not in only_from):
                    continue
                if unless_held and run.held:
                    continue
                changes = {"state": state, "reason": reason, "held": held}
                changes["finished_at"] = now if state.is_final else None
                if state is RunState.RUNNING:
                    changes["started_at"] = run.started_at or now
                runs[place] = run.model_copy(update=changes)
                moved += 1
            self._sweeps[sweep.id] = sweep.model_copy(update={"runs": tuple(runs)})
        return moved

    def finish(self, run_id: str, record: RunRecord, *, ledger: LedgerKind) -> bool:
        if not self.set_state([run_id], RunState.FINISHED, only_from=LIVE_STATES, unless_held=True):
            return False
        self.outbox.put_record(run_id, record, ledger=ledger)
        return True

    def _state_of(self, run_id: str) -> RunState | None:
        runs = [run for sweep in self._sweeps.values() for run in sweep.runs]
        return next((run.state for run in runs if run.id == run_id), None)

    # -- leases

    def acquire(self, sweep_id: str, owner: str, *, ttl_s: float) -> str:
        self.load_sweep(sweep_id)
        holder, until = self._leases.get(sweep_id, (owner, 0.0))
        now = self._clock.monotonic()
        if holder == owner or until < now:
            self._leases[sweep_id] = (owner, now + ttl_s)
            return owner
        return holder

    def release(self, sweep_id: str, owner: str) -> None:
        if self._leases.get(sweep_id, ("", 0.0))[0] == owner:
            del self._leases[sweep_id]

    def unfinished(self) -> list[str]:
        return [
            sweep.id
            for sweep in self._sweeps.values()
            if any(not run.state.is_final and not run.held for run in sweep.runs)
        ]

    def report(self, sweep_id: str, progress: SweepProgress) -> None:
        self._sweeps[sweep_id] = self._sweeps[sweep_id].model_copy(update={"progress": progress})

    # -- evaluations

    def record(self, facts: Sequence[Fact]) -> None:
        self.commits.append(list(facts))
        for fact in facts:
            match fact:
                case RankingFact():
                    self._rankings.setdefault((fact.sweep_id, fact.collection, fact.question_id), fact.ranking)
                case PromptFact(prompt=prompt):
                    self._prompts.setdefault(prompt.digest, prompt)
                case AnswerFact(answer=answer):
                    self._answers.setdefault(answer.key, answer)
                case PairFact(key=key, scores=scores):
                    self._pairs.setdefault(key, dict(scores))
                    self._scoring_s.setdefault(key, fact.scoring_s)
                case EvaluationFact(evaluation=evaluation):
                    key = (evaluation.run_id, evaluation.number)
                    if key not in self._evaluations or self._evaluations[key].state != "scored":
                        self._evaluations[key] = evaluation

    def evaluations(
        self,
        run_id: str,
        *,
        after: int = -1,
        limit: int | None = None,
        with_scores: bool = True,
        failed_only: bool = False,
    ) -> list[Evaluation]:
        mine = [e for (run, number), e in self._evaluations.items() if run == run_id and number > after]
        wanted = (e for e in mine if e.state == "failed" or not failed_only)
        found = sorted(wanted, key=lambda evaluation: evaluation.number)
        return [
            evaluation.model_copy(
                update={"scores": self._pairs.get(evaluation.pair_key or "") if with_scores else None}
            )
            for evaluation in found[:limit]
        ]

    def run_scores(self, run_id: str) -> RunScores:
        done = [item for item in self.evaluations(run_id) if item.state in ("scored", "failed")]
        failed = dict.fromkeys(VECTOR_ORDER, Score(value=None, reason="generation_failed"))
        lacking = dict.fromkeys(VECTOR_ORDER, Score(value=None, reason="not_requested"))
        rows = [lacking | item.scores if item.scores else failed for item in done]
        table = ScoreTable.of([item.question_id for item in done], rows)
        return RunScores(numbers=tuple(item.number for item in done), table=table)

    def outcomes(self, run_id: str) -> list[Outcome]:
        return [self._outcome(evaluation) for evaluation in self.evaluations(run_id, with_scores=False)]

    def _outcome(self, evaluation: Evaluation) -> Outcome:
        answer = self._answers.get(evaluation.answer_key or "")
        return Outcome(
            number=evaluation.number,
            question_id=evaluation.question_id,
            state=evaluation.state,
            kept=evaluation.kept,
            prompt_digest=evaluation.prompt_digest,
            abstained=answer and answer.abstained,
            truncated=answer and answer.truncated,
            generation_s=answer and answer.generation_s,
            prompt_tokens=answer and answer.timings.prompt_eval_count,
            output_tokens=answer and answer.timings.eval_count,
        )

    def rankings(self, sweep_id: str, collection: str, *, question_id: str | None = None) -> dict[str, Ranking]:
        return {
            question: ranking
            for (sweep, name, question), ranking in self._rankings.items()
            if (sweep, name) == (sweep_id, collection) and question_id in (None, question)
        }

    def bare_rankings(
        self, sweep_id: str, collection: str, question_ids: Sequence[str] | None = None
    ) -> dict[str, BareRanking]:
        return {
            question: BareRanking(
                tuple((passage.id, passage.similarity) for passage in ranking.passages),
                ranking.gold_ids,
                ranking.embedding_s,
                ranking.retrieval_s,
            )
            for question, ranking in self.rankings(sweep_id, collection).items()
            if question_ids is None or question in question_ids
        }

    def answers(self, keys: Sequence[str]) -> dict[str, Answer]:
        return {key: self._answers[key] for key in keys if key in self._answers}

    def pairs(self, keys: Sequence[str]) -> dict[str, dict[str, Score]]:
        return {key: self._pairs[key] for key in keys if key in self._pairs}

    def scoring_times(self, keys: Sequence[str]) -> dict[str, float]:
        return {key: self._scoring_s[key] for key in keys if key in self._scoring_s}

    def prompt(self, digest: str) -> Prompt | None:
        return self._prompts.get(digest)

    def reopen(self, run_ids: Sequence[str]) -> int:
        failed = [key for key, e in self._evaluations.items() if key[0] in run_ids and e.state == "failed"]
        for key in failed:
            del self._evaluations[key]
        self.set_state(run_ids, RunState.QUEUED)
        return len(failed)

    def save_import(self, imported: SheetImport) -> None:
        known = self._imports.get(imported.id)
        if known is None:
            self._imports[imported.id] = imported
        else:
            checked = {"audit": imported.audit, "dataset": imported.dataset, "dataset_digest": imported.dataset_digest}
            self._imports[imported.id] = replace(known, **checked)

    def load_import(self, import_id: str, *, with_answers: bool = True, path: str | None = None) -> SheetImport:
        if import_id not in self._imports:
            raise NotFoundError(f"There is no import {import_id!r}.")
        found = self._imports[import_id]
        if path is not None:
            found = replace(found, sheets=tuple(sheet for sheet in found.sheets if sheet.path == path))
        if not found.sheets:
            raise NotFoundError(f"{found.name} has no sheet {path!r}.")
        if with_answers:
            return found
        return replace(found, sheets=tuple(replace(sheet, answers=()) for sheet in found.sheets))

    def list_imports(self) -> list[ImportSummary]:
        return [
            ImportSummary(
                id=found.id,
                name=found.name,
                created_at=found.created_at,
                models=found.models,
                sheets=len(found.sheets),
                rows=found.rows,
                defects=sum(finding.severity == "defect" for finding in found.audit.findings),
            )
            for found in reversed(self._imports.values())
        ]

    def delete_import(self, import_id: str) -> None:
        self.load_import(import_id)
        del self._imports[import_id]

    def generation_times(self, model: Model) -> list[float]:
        same = [run for sweep in self._sweeps.values() for run in sweep.runs if run.config.model == model]
        begun = sorted((run for run in same if run.started_at), key=lambda run: run.started_at, reverse=True)
        newest = {run.id for run in begun[:20]}
        asked = [e for e in self._evaluations.values() if e.run_id in newest and _prompted(e) and not e.reused]
        return [self._answers[e.answer_key].generation_s for e in asked if e.answer_key in self._answers][:500]

    def effort(self, sweep_id: str) -> Effort:
        ids = {run.id for run in self._sweeps[sweep_id].runs}
        mine = [e for e in self._evaluations.values() if e.run_id in ids]
        return Effort(
            rankings=sum(sweep == sweep_id for sweep, _, _ in self._rankings),
            prompted=sum(_prompted(e) for e in mine),
            generated=sum(_prompted(e) and not e.reused for e in mine),
            scored=sum(e.state == "scored" for e in mine),
            pairs=len({e.pair_key for e in mine if e.pair_key}),
        )

    def _counted(self, run: Run, sweep: StoredSweep) -> Run:
        mine = [e for (run_id, _), e in self._evaluations.items() if run_id == run.id]
        said = [self._answers[e.answer_key] for e in mine if e.answer_key in self._answers]
        counts = RunCounts(
            questions=sweep.questions,
            answered=sum(e.state in ("answered", "scored") for e in mine),
            scored=sum(e.state == "scored" for e in mine),
            failed=sum(e.state == "failed" for e in mine),
            uncovered=sum(e.kept[0] == e.kept[1] for e in mine),
            abstained=sum(answer.abstained for answer in said),
            truncated=sum(answer.truncated is not None for answer in said),
            reused=sum(e.reused for e in mine),
        )
        return run.model_copy(update={"counts": counts})


def _prompted(evaluation: Evaluation) -> bool:
    return evaluation.prompt_digest is not None and evaluation.state in ("answered", "scored")
