"""Sweeps before and after they run: the plan, the creation, and what was saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from statistics import median

from passer.domain.base import digest_of
from passer.domain.cautions import ENGLISH, cautions, mismatch
from passer.domain.dataset import Dataset
from passer.domain.retrieval import Collection
from passer.domain.run import Model, ModelInfo, Run, RunConfig, RunState
from passer.domain.sweep import FrozenTemplate, Missing, ModelPlan, Saved, Savings, Sweep, SweepPlan
from passer.errors import ConfigError, ConflictError, NotFoundError, UnavailableError
from passer.ports import (
    Clock,
    Collections,
    DatasetStore,
    Effort,
    EvaluationStore,
    PromptTemplates,
    RankingFact,
    RunStore,
    StoredSweep,
)
from passer.services.retrieving import QUESTIONS_PER_SEARCH, Looked, RankingMemory, version_of

LONGEST_NAME = 300


@dataclass(frozen=True)
class Sweeping:
    """Plans and creates sweeps; running and steering them are other services'."""

    runs: RunStore
    evaluations: EvaluationStore
    datasets: DatasetStore
    collections: Collections
    describe: Callable[[Model], ModelInfo]
    templates: PromptTemplates
    scored_by: Callable[[], Mapping[str, str]]
    clock: Clock
    remembered: RankingMemory = field(default_factory=RankingMemory)
    """What previews looked up, so that the run need not."""
    per_endpoint: int = 4
    """Requests under way at each address of a model server; only used to tell how long a sweep takes."""
    located: Callable[[Model], Model] = lambda model: model
    """The model with the addresses that will be used."""
    _efforts: dict[tuple[str, tuple[datetime | None, ...]], Effort] = field(default_factory=dict, init=False)

    def plan(self, sweep: Sweep, *, questions: int | None = None) -> SweepPlan:
        """Counts and warnings, before anything is asked; `questions` stands in for a dataset that is not here."""
        dataset = self.datasets.load_dataset(sweep.config.dataset) if questions is None else None
        total = len(dataset.questions) if dataset else questions or 0
        count = min(total, sweep.config.questions or total)
        configurations = sweep.configurations()
        self._check_templates(configurations)
        bound = self._bound(sweep)
        models = self._models(configurations, count)
        expected = [model.expected_s for model in models if model.expected_s is not None]
        return SweepPlan(
            questions=count,
            configurations=len(configurations),
            evaluations=count * len(configurations),
            expected_s=sum(expected) if len(expected) == len(models) else None,
            models=models,
            missing=self._missing(sweep, bound),
            warnings=cautions(sweep, bound=bound, language=dataset.language if dataset else ENGLISH),
        )

    def create(self, sweep: Sweep, *, idempotency_key: str | None = None) -> StoredSweep:
        """Check that everything the sweep names is there, and keep it with its runs queued."""
        dataset = self.datasets.load_dataset(sweep.config.dataset)
        count = min(len(dataset.questions), sweep.config.questions or len(dataset.questions))
        configurations = sweep.configurations()
        self._check_templates(configurations)
        for planned in sweep.collections():
            problem = mismatch(planned, self.collections.open(planned.name).collection)
            if problem:
                raise ConflictError(problem)
        models = {config.model: None for config, _ in configurations}
        infos = {model: self.describe(model) for model in models}
        scored_by = dict(self.scored_by())
        templates = self._frozen_templates(configurations)
        sweep_id = self._new_id(sweep, dataset.digest, templates)
        now = self.clock.now()
        runs = tuple(
            Run(
                id=f"{sweep_id}-{position:03d}",
                sweep_id=sweep_id,
                position=position,
                name=_run_name(sweep, config, infos[config.model]),
                config=config,
                is_baseline=is_baseline,
                model_info=infos[config.model],
                scored_by=scored_by,
                created_at=now,
            )
            for position, (config, is_baseline) in enumerate(configurations)
        )
        stored = StoredSweep(
            id=sweep_id,
            sweep=sweep,
            dataset_digest=dataset.digest,
            questions=count,
            runs=runs,
            templates=templates,
            created_at=now,
        )
        created = self.runs.create_sweep(stored, idempotency_key=idempotency_key)
        if created.id == sweep_id and sweep.timing is None:
            # Only a help to the run, which looks up what is not there: the sweep exists, whatever happens to it.
            with suppress(UnavailableError):
                self._hand_over(created, dataset)
        return created

    def savings(self, sweep: StoredSweep) -> Savings:
        """What the sweep did not have to do twice, as far as it has come."""
        effort = self._effort(sweep)
        looked_up = (run.counts for run in sweep.runs if run.config.retrieval.depth)
        needed = sum(counts.answered + counts.failed for counts in looked_up)
        return Savings(
            retrievals=Saved(naive=max(needed, effort.rankings), made=effort.rankings),
            generations=Saved(naive=effort.prompted, made=effort.generated),
            scorings=Saved(naive=effort.scored, made=effort.pairs),
        )

    def _effort(self, sweep: StoredSweep) -> Effort:
        """What it took; of a sweep whose runs are all finished it is counted once."""
        if sweep.state is not RunState.FINISHED:
            return self.evaluations.effort(sweep.id)
        key = (sweep.id, tuple(run.finished_at for run in sweep.runs))
        if key not in self._efforts:
            self._efforts[key] = self.evaluations.effort(sweep.id)
        return self._efforts[key]

    def _hand_over(self, sweep: StoredSweep, dataset: Dataset) -> None:
        """Rankings of a preview that looked up exactly this become the sweep's own; the run asks for the rest."""
        for name, depth in depths(sweep.sweep).items():
            version = version_of(self.collections, name) if depth else ""
            rankings = self.remembered.get(Looked(name, version, dataset.digest, sweep.questions, depth)) or {}
            facts = [RankingFact(sweep.id, name, question, ranking) for question, ranking in rankings.items()]
            for start in range(0, len(facts), QUESTIONS_PER_SEARCH):
                self.evaluations.record(facts[start : start + QUESTIONS_PER_SEARCH])

    def _bound(self, sweep: Sweep) -> dict[str, Collection]:
        """The collections of a sweep that are there, by name."""
        named = {planned.name for planned in sweep.collections()}
        return {collection.name: collection for collection, _ in self.collections.list() if collection.name in named}

    def _missing(self, sweep: Sweep, bound: Mapping[str, Collection]) -> tuple[Missing, ...]:
        dataset = sweep.config.dataset
        there = any(known.name == dataset for known in self.datasets.list_datasets())
        questions = Missing(name=f"dataset {dataset}", command=f"passer import dataset FILE --name {dataset}")
        collections = (
            Missing(name=f"collection {planned.name}", command=planned.command)
            for planned in sweep.collections()
            if planned.name not in bound
        )
        return (*([] if there else [questions]), *collections)

    def _models(self, configurations: Sequence[tuple[RunConfig, bool]], questions: int) -> tuple[ModelPlan, ...]:
        counts: dict[Model, int] = {}
        for config, _ in configurations:
            counts[config.model] = counts.get(config.model, 0) + questions
        return tuple(self._model(model, count) for model, count in counts.items())

    def _model(self, model: Model, evaluations: int) -> ModelPlan:
        measured = self.evaluations.generation_times(model)
        seconds = median(measured) if measured else None
        plan = ModelPlan(model=model, evaluations=evaluations, median_s=seconds)
        return plan.model_copy(update={"expected_s": self.expected_s(plan, evaluations)})

    def expected_s(self, plan: ModelPlan, generations: int) -> float | None:
        """Seconds for so many generations with as many under way as when the speed was measured."""
        if not generations:
            return 0.0
        under_way = self.per_endpoint * len(self.located(plan.model).endpoints)
        return None if plan.median_s is None else generations * plan.median_s / under_way

    def _check_templates(self, configurations: Sequence[tuple[RunConfig, bool]]) -> None:
        known = set(self.templates.list())
        for name in {config.prompt for config, _ in configurations} - known:
            choices = ", ".join(sorted(known))
            raise ConfigError(f"There is no prompt template {name!r}: use one of {choices}.", field="prompt")

    def _frozen_templates(self, configurations: Sequence[tuple[RunConfig, bool]]) -> tuple[FrozenTemplate, ...]:
        loaded = map(self.templates.load, sorted({config.prompt for config, _ in configurations}))
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


def depths(sweep: Sweep) -> dict[str, int]:
    """Passages to retrieve for each question, by collection: the most that any policy needs."""
    depth = max(policy.depth for policy, _ in sweep.policies())
    return {planned.name: depth for planned in sweep.collections()}


def _run_name(sweep: Sweep, config: RunConfig, info: ModelInfo) -> str:
    parts = [config.retrieval.label]
    parts += [c.label for c in sweep.collections() if c.name == config.collection and c.label]
    if len(sweep.axes.model) > 1:
        parts.insert(0, info.name)
    if len(sweep.axes.prompt) > 1:
        parts.append(config.prompt)
    if len(sweep.axes.temperature) > 1:
        parts.append(f"T={config.options.temperature:g}")
    if sweep.axes.repeat > 1:
        parts.append(f"#{config.repeat}")
    return ", ".join(parts)[:LONGEST_NAME]
