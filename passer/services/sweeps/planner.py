"""Sweeps before and after they run: the plan, the creation, and what was saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from statistics import median

from passer.domain.base import digest_of
from passer.domain.dataset import Dataset, Question
from passer.domain.lru_cache import LruCache
from passer.domain.models.chat import FrozenTemplate
from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.passages import Collection, EmbeddingModel, Ranking
from passer.domain.study.registration import Registration, with_stated_rule
from passer.domain.sweeps.budget import NO_LIMITS, SweepBudget
from passer.domain.sweeps.cautions import cautions, fewer_questions, mismatch, same_questions
from passer.domain.sweeps.plan import ModelPlan, Saved, Savings, SweepPlan, decision_plan, reading_and_writing
from passer.domain.sweeps.run import RunConfig, RunState
from passer.domain.sweeps.run_names import queued_runs
from passer.domain.sweeps.sweep import Sweep
from passer.domain.verdict.sample_size import PlannedSpread
from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import ConfigError, ConflictError, NotFoundError
from passer.ports import (
    Clock,
    Collections,
    DatasetStore,
    Effort,
    EvaluationStore,
    PromptTemplates,
    RunStore,
    StoredSweep,
)
from passer.services.judging.first_asks import judging_plan, planned_items
from passer.services.pipeline.ranker import WITHOUT_MODELS, Ranker, RetrievalKey, ranking_cache
from passer.services.sweeps.requirements import Requirements, check_answers, check_judge, check_reader

MOST_EFFORTS = 1000


@dataclass(frozen=True)
class SweepPlanner:
    """Plans and creates sweeps; running and steering them are other services'."""

    runs: RunStore
    evaluations: EvaluationStore
    datasets: DatasetStore
    collections: Collections
    describe: Callable[[Model], ModelInfo]
    templates: PromptTemplates
    scored_by: Callable[[], Mapping[str, str]]
    clock: Clock
    rankings: LruCache[RetrievalKey, Mapping[str, Ranking]] = field(default_factory=ranking_cache)
    """Rankings of previews, which the runner of this process reuses."""
    per_endpoint: int = 4
    """Concurrent requests per address of a model server, used only to estimate the duration of a sweep."""
    ranker: Ranker = WITHOUT_MODELS
    """Finds the dependencies of retrievers and their digests."""
    located: Callable[[Model], Model] = lambda model: model
    """The model with the addresses that will be used."""
    register: Callable[[StoredSweep, Sequence[Question]], Registration] | None = None
    """Enters the plan of a sweep in the ledger; None where nothing can be registered."""
    reader_encoder: Callable[[], EmbeddingModel] | None = None
    """Returns the encoder of the extractive reader; None where none is there to compare with."""
    measured: Callable[[Sweep], PlannedSpread | None] = lambda _: None
    """Returns the spread of differences that earlier sweeps like this one measured; None without any."""
    _efforts: LruCache[tuple[str, tuple[datetime | None, ...]], Effort] = field(
        default_factory=lambda: LruCache(MOST_EFFORTS), init=False
    )

    def plan(self, sweep: Sweep, *, questions: int | None = None) -> SweepPlan:
        """Return counts and warnings of a sweep before it starts.

        `questions` replaces a dataset that does not exist; without either there are no evaluations to count.
        """
        dataset = self._dataset(sweep.config.dataset) if questions is None else None
        total = len(dataset.questions) if dataset else questions or 0
        count = min(total, sweep.config.questions or total)
        configurations = sweep.configurations()
        self._check_templates(configurations)
        check_answers(configurations)
        check_judge(sweep)
        bound = self._bound(sweep)
        self._check_reader(configurations, bound)
        evaluations = count * len(configurations)
        models = self._models(configurations, count, is_alone=sweep.is_alone)
        expected = [model.expected_s for model in models if model.expected_s is not None]
        items = planned_items(dataset, count) if sweep.judge else []
        return SweepPlan(
            questions=count,
            configurations=len(configurations),
            evaluations=evaluations,
            expected_s=sum(expected) if len(expected) == len(models) else None,
            models=models,
            missing=self._requirements.missing(sweep, bound),
            judging=judging_plan(sweep, items, evaluations, self.describe, has_passages=False),
            # Without a baseline nothing is decided, and reading earlier sweeps takes up to some seconds.
            decision=decision_plan(sweep, count, self.measured(sweep)) if sweep.baseline else None,
            warnings=self._warnings(sweep, bound, dataset, count),
        )

    def _warnings(
        self, sweep: Sweep, bound: Mapping[str, Collection], dataset: Dataset | None, count: int
    ) -> tuple[str, ...]:
        """Return the warnings of a sweep; without a dataset those of its configurations alone."""
        if dataset is None:
            return cautions(sweep, bound=bound)
        short = fewer_questions(sweep, len(dataset.questions))
        references = [each for question in dataset.questions[:count] for each in question.references]
        others = cautions(sweep, bound=bound, language=dataset.language, references=references)
        repeated = same_questions(dataset.questions[:count])
        return tuple(each for each in (short, repeated, *others) if each)

    def create(
        self, sweep: Sweep, *, idempotency_key: str | None = None, budget: SweepBudget = NO_LIMITS
    ) -> StoredSweep:
        """Check that everything the sweep names exists, and store it with its runs queued."""
        dataset = self.datasets.load_dataset(sweep.config.dataset)
        count = min(len(dataset.questions), sweep.config.questions or len(dataset.questions))
        infos = self._checked(sweep)
        sweep = self.pinned(with_stated_rule(sweep))
        templates = self._frozen_templates(sweep.configurations())
        sweep_id = self._new_id(sweep, dataset.digest, templates)
        now = self.clock.now()
        # The scorer is fixed here: if it changes later, the sweep stops instead of mixing two scorers (decision 001).
        runs = queued_runs(sweep, sweep_id, infos, scored_by=dict(self.scored_by()), at=now)
        stored = StoredSweep(
            id=sweep_id,
            sweep=sweep,
            dataset_digest=dataset.digest,
            questions=count,
            runs=runs,
            templates=templates,
            created_at=now,
            budget=budget,
        )
        registration = self._registered(stored, dataset, idempotency_key)
        if registration is not None:
            stored = stored.model_copy(update={"registered": registration.plan})
        return self.runs.create_sweep(stored, idempotency_key=idempotency_key, registration=registration)

    def _checked(self, sweep: Sweep) -> dict[Model, ModelInfo]:
        """Return the description of each model; an error names what is missing or does not match."""
        configurations = sweep.configurations()
        self._check_templates(configurations)
        check_answers(configurations)
        check_judge(sweep)
        bound = {}
        for planned in sweep.collections():
            found = bound[planned.name] = self.collections.open(planned.name).collection
            problem = mismatch(planned, found)
            if problem:
                raise ConflictError(problem)
        self._check_reader(configurations, bound)
        # Once a model: its digest is in the key of every answer, and all runs must have the same one.
        infos = {model: self.describe(model) for model in dict.fromkeys(config.model for config, _ in configurations)}
        # Refused now: the judge is asked last, when all answers have been paid for.
        if sweep.judge is not None:
            self.describe(sweep.judge)
        return infos

    def _registered(self, stored: StoredSweep, dataset: Dataset, idempotency_key: str | None) -> Registration | None:
        """Register a plan with a hypothesis before its sweep exists, so that no question can be asked earlier.

        A process that is killed in between leaves a registered plan without a sweep, which a ledger may have.
        """
        is_new = idempotency_key is None or self.runs.sweep_of_key(idempotency_key) is None
        if stored.sweep.hypothesis is None or self.register is None or not is_new:
            return None
        return self.register(stored, dataset.questions[: stored.questions])

    def pinned(self, sweep: Sweep) -> Sweep:
        """Return the sweep with the digests of what its retrievers use; models that they ask must be available."""
        config = sweep.config.model_copy(update={"retriever": self.ranker.pinned(sweep.config.retriever)})
        axes = sweep.axes.model_copy(update={"retriever": tuple(map(self.ranker.pinned, sweep.axes.retriever))})
        return sweep.model_copy(update={"config": config, "axes": axes})

    def savings(self, sweep: StoredSweep) -> Savings:
        """Return the work that the sweep has saved so far by reuse."""
        effort = self._effort(sweep)
        looked_up = (run.counts for run in sweep.runs if run.config.retrieval.depth)
        needed = sum(counts.answered + counts.failed for counts in looked_up)
        return Savings(
            # Searches are ahead of answers: a sweep that was stopped has made more of them than it has answers.
            retrievals=Saved(naive=max(needed, effort.rankings), made=effort.rankings),
            generations=Saved(naive=effort.prompted, made=effort.generated),
            scorings=Saved(naive=effort.scored, made=effort.pairs),
        )

    def _effort(self, sweep: StoredSweep) -> Effort:
        """Return the effort of a sweep; it is counted once after all runs are finished."""
        if sweep.state is not RunState.FINISHED:
            return self.evaluations.effort(sweep.id)
        key = (sweep.id, tuple(run.finished_at for run in sweep.runs))
        return self._efforts.get_or_compute(key, lambda: self.evaluations.effort(sweep.id))

    def _dataset(self, name: str) -> Dataset | None:
        with suppress(NotFoundError):
            return self.datasets.load_dataset(name)
        return None

    def _bound(self, sweep: Sweep) -> dict[str, Collection]:
        """The existing collections of a sweep, by name."""
        named = {planned.name for planned in sweep.collections()}
        return {collection.name: collection for collection, _ in self.collections.list() if collection.name in named}

    def changed_models(self, stored: StoredSweep) -> tuple[Sentence, ...]:
        """Return which models of unfinished runs are others now than when the sweep was created."""
        return self._requirements.changed(stored)

    @cached_property
    def _requirements(self) -> Requirements:
        return Requirements(self.datasets, self.describe)

    def _models(
        self, configurations: Sequence[tuple[RunConfig, bool]], questions: int, *, is_alone: bool
    ) -> tuple[ModelPlan, ...]:
        counts: dict[Model, int] = {}
        for config, _ in configurations:
            counts[config.model] = counts.get(config.model, 0) + questions
        return tuple(self._model(model, count, is_alone=is_alone) for model, count in counts.items())

    def _model(self, model: Model, evaluations: int, *, is_alone: bool) -> ModelPlan:
        measured = self.evaluations.generation_times(model)
        seconds = median(each for each, _ in measured) if measured else None
        writing_s, token_s = reading_and_writing(measured)
        plan = ModelPlan(model=model, evaluations=evaluations, median_s=seconds, writing_s=writing_s, token_s=token_s)
        at_once = self.at_once(model, is_alone=is_alone)
        return plan.model_copy(update={"expected_s": plan.seconds(evaluations, read_tokens=None, at_once=at_once)})

    def at_once(self, model: Model, *, is_alone: bool) -> int:
        """Return the number of concurrent requests at all addresses of a model; 1 with `is_alone`."""
        return 1 if is_alone else self.per_endpoint * len(self.located(model).endpoints)

    def _check_reader(self, configurations: Sequence[tuple[RunConfig, bool]], bound: Mapping[str, Collection]) -> None:
        if self.reader_encoder is not None:
            check_reader(configurations, bound, self.reader_encoder)

    def _check_templates(self, configurations: Sequence[tuple[RunConfig, bool]]) -> None:
        known = set(self.templates.list())
        for name in _templates_of(configurations) - known:
            choices = ", ".join(sorted(known))
            raise ConfigError(sentence("template.none", name=name, known=choices), field="prompt")

    def _frozen_templates(self, configurations: Sequence[tuple[RunConfig, bool]]) -> tuple[FrozenTemplate, ...]:
        loaded = map(self.templates.load, sorted(_templates_of(configurations)))
        return tuple(FrozenTemplate(name=each.name, digest=each.digest, text=each.text) for each in loaded)

    def _new_id(self, sweep: Sweep, dataset_digest: str, templates: Sequence[FrozenTemplate]) -> str:
        """Content-addressed, so that the same study in two places has the same ids; a repetition counts up."""
        content = {
            "sweep": sweep.model_dump(mode="json"),
            "dataset": dataset_digest,
            "templates": {template.name: template.digest for template in templates},
        }
        attempt = 0
        while self._is_taken(candidate := digest_of({**content, "attempt": attempt})[:12]):
            attempt += 1
        return candidate

    def _is_taken(self, sweep_id: str) -> bool:
        try:
            self.runs.load_sweep(sweep_id, counted=False)
        except NotFoundError:
            return False
        return True


def _templates_of(configurations: Sequence[tuple[RunConfig, bool]]) -> set[str]:
    """Return the names of the templates that configurations need; an external system needs none."""
    return {config.prompt for config, _ in configurations if not config.model.is_outside}
