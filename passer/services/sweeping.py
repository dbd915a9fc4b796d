"""Sweeps before and after they run: the plan, the creation, and what a person does to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from passer.domain.base import digest_of
from passer.domain.run import Model, ModelInfo, Run, RunConfig, RunState
from passer.domain.sweep import Sweep, SweepPlan
from passer.errors import ConfigError, ConflictError, NotFoundError
from passer.ports import Clock, Collections, DatasetStore, EvaluationStore, PromptTemplates, RunStore, StoredSweep

CHARACTERS_PER_TOKEN = 4
"""A cautious average for English; used only to warn."""


@dataclass(frozen=True)
class Sweeping:
    """Plans, creates and steers sweeps; running them is another service's."""

    runs: RunStore
    evaluations: EvaluationStore
    datasets: DatasetStore
    collections: Collections
    describe: Callable[[Model], ModelInfo]
    templates: PromptTemplates
    scored_by: Callable[[], Mapping[str, str]]
    clock: Clock

    def plan(self, sweep: Sweep, *, questions: int | None = None) -> SweepPlan:
        """Counts and warnings, before anything is asked; `questions` stands in for a dataset that is not here."""
        count = questions if questions is not None else self._question_count(sweep)
        configurations = sweep.configurations()
        return SweepPlan(
            questions=count,
            configurations=len(configurations),
            evaluations=count * len(configurations),
            warnings=tuple(dict.fromkeys(_warnings([config for config, _ in configurations]))),
        )

    def create(self, sweep: Sweep, *, idempotency_key: str | None = None) -> StoredSweep:
        """Check that everything the sweep names is there, and keep it with its runs queued."""
        dataset = self.datasets.load_dataset(sweep.config.dataset)
        count = min(len(dataset.questions), sweep.config.questions or len(dataset.questions))
        configurations = sweep.configurations()
        self._check_templates(configurations)
        for name in {config.collection for config, _ in configurations}:
            self.collections.open(name)
        models = {config.model: None for config, _ in configurations}
        infos = {model: self.describe(model) for model in models}
        scored_by = dict(self.scored_by())
        sweep_id = self._new_id(sweep, dataset.digest)
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
            id=sweep_id, sweep=sweep, dataset_digest=dataset.digest, questions=count, runs=runs, created_at=now
        )
        return self.runs.create_sweep(stored, idempotency_key=idempotency_key)

    def cancel(self, sweep_id: str, *, run_ids: Sequence[str] = ()) -> StoredSweep:
        """Stop; what is there is kept."""
        live = (RunState.QUEUED, RunState.RUNNING, RunState.PAUSED)
        return self._move(sweep_id, run_ids, RunState.CANCELLED, only_from=live, act="cancelled")

    def pause(self, sweep_id: str, *, run_ids: Sequence[str] = ()) -> StoredSweep:
        """Stop until a person resumes."""
        reason = "Paused by a person: resume it to go on."
        live = (RunState.QUEUED, RunState.RUNNING, RunState.PAUSED)
        return self._move(sweep_id, run_ids, RunState.PAUSED, only_from=live, act="paused", reason=reason, held=True)

    def resume(self, sweep_id: str, *, run_ids: Sequence[str] = ()) -> StoredSweep:
        """Queue again what was paused, cancelled or failed; what is there is not asked again."""
        stopped = (RunState.PAUSED, RunState.CANCELLED, RunState.FAILED)
        return self._move(sweep_id, run_ids, RunState.QUEUED, only_from=stopped, act="resumed", strict=False)

    def retry(self, sweep_id: str, *, run_ids: Sequence[str] = ()) -> StoredSweep:
        """Ask again the questions that failed, and only those."""
        sweep = self.runs.load_sweep(sweep_id)
        chosen = [run for run in sweep.runs if not run_ids or run.id in run_ids]
        reopened = [run.id for run in chosen if run.counts.failed and self.evaluations.reopen(run.id)]
        if reopened:
            self.runs.set_state(reopened, RunState.QUEUED)
        return self.runs.load_sweep(sweep_id)

    def _move(
        self,
        sweep_id: str,
        run_ids: Sequence[str],
        state: RunState,
        *,
        only_from: Sequence[RunState],
        act: str,
        reason: str | None = None,
        held: bool = False,
        strict: bool = True,
    ) -> StoredSweep:
        sweep = self.runs.load_sweep(sweep_id)
        chosen = {run.id: run.state.value for run in sweep.runs if not run_ids or run.id in run_ids}
        moved = self.runs.set_state(list(chosen), state, reason=reason, only_from=only_from, held=held)
        if not moved and strict:
            found = " and ".join(sorted(set(chosen.values()))) or "not in this sweep"
            raise ConflictError(f"What was named of sweep {sweep_id} is {found}, so it cannot be {act}.")
        return self.runs.load_sweep(sweep_id)

    def _question_count(self, sweep: Sweep) -> int:
        total = len(self.datasets.load_dataset(sweep.config.dataset).questions)
        return min(total, sweep.config.questions or total)

    def _check_templates(self, configurations: Sequence[tuple[RunConfig, bool]]) -> None:
        known = set(self.templates.list())
        for name in {config.prompt for config, _ in configurations} - known:
            choices = ", ".join(sorted(known))
            raise ConfigError(f"There is no prompt template {name!r}: use one of {choices}.", field="prompt")

    def _new_id(self, sweep: Sweep, dataset_digest: str) -> str:
        """Content-addressed, so that the same study in two places has the same ids; a repetition counts up."""
        content = {"sweep": sweep.model_dump(mode="json"), "dataset": dataset_digest}
        attempt = 0
        while self._is_taken(candidate := digest_of({**content, "attempt": attempt})[:12]):
            attempt += 1
        return candidate

    def _is_taken(self, sweep_id: str) -> bool:
        try:
            self.runs.load_sweep(sweep_id)
        except NotFoundError:
            return False
        return True


def _run_name(sweep: Sweep, config: RunConfig, info: ModelInfo) -> str:
    parts = [config.retrieval.label]
    if len(sweep.axes.model) > 1:
        parts.insert(0, info.name)
    if len(sweep.axes.prompt) > 1:
        parts.append(config.prompt)
    if len(sweep.axes.temperature) > 1:
        parts.append(f"T={config.options.temperature:g}")
    if sweep.axes.repeat > 1:
        parts.append(f"#{config.repeat}")
    return ", ".join(parts)


def _warnings(configurations: Sequence[RunConfig]) -> list[str]:
    """What a researcher should know first."""
    found = []
    for config in configurations:
        policy = config.retrieval
        if policy.mode != "normal" or config.model.provider == "extractive":
            continue
        tokens = policy.k * 1024 // CHARACTERS_PER_TOKEN
        if tokens + config.options.num_predict > config.options.num_ctx:
            found.append(
                f"{policy.k} passages of 1,024 characters are about {tokens:,} tokens and do not fit num_ctx "
                f"{config.options.num_ctx:,}: prompts of the Normal runs may be cut; raise num_ctx or lower k."
            )
    return found
