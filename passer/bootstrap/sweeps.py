"""The services of sweeps, and the engine that executes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property, partial
from threading import RLock
from typing import TYPE_CHECKING, Any

from passer.adapters.surroundings import resident_memory
from passer.bootstrap.adapters import Adapters
from passer.bootstrap.pipeline import Pipeline
from passer.domain.dataset import Question
from passer.domain.models.model import addresses
from passer.domain.retrieval.passages import EMBEDDED
from passer.domain.study.registration import Registration
from passer.domain.sweeps.sweep import Sweep
from passer.domain.verdict.sample_size import PlannedSpread
from passer.ports import Engine, Scorer, StoredSweep, Workers
from passer.services.provenance.run_recorder import RunRecorder
from passer.services.sweeps.context import LOOK_AHEAD
from passer.services.sweeps.control import SweepControl
from passer.services.sweeps.function_answers import FunctionAnswers
from passer.services.sweeps.live_answers import LiveAnswers
from passer.services.sweeps.planner import SweepPlanner
from passer.services.sweeps.preview import RetrievalPreview
from passer.services.sweeps.runner import QuestionFlow, SweepRunner
from passer.services.sweeps.traced_flow import TracedFlow
from passer.settings import Settings

if TYPE_CHECKING:
    from passer.engines.ray import RayCluster
    from passer.engines.scoring_processes import ScoringProcesses


@dataclass(frozen=True)
class Sweeps:
    """Plans, previews, runs and controls sweeps."""

    adapters: Adapters
    pipeline: Pipeline
    run_recorder: RunRecorder
    register: Callable[[StoredSweep, Sequence[Question]], Registration]
    """Enters plans of sweeps in the ledger."""
    measured: Callable[[Sweep], PlannedSpread | None]
    """Returns what earlier sweeps measured that are like a planned one."""
    _building: Any = field(default_factory=RLock, init=False, repr=False, compare=False)

    @cached_property
    def planner(self) -> SweepPlanner:
        return SweepPlanner(
            runs=self.adapters.runs,
            evaluations=self.adapters.evaluations,
            datasets=self.adapters.datasets,
            collections=self.adapters.collections,
            describe=self.pipeline.answerer.describe,
            templates=self.adapters.templates,
            scored_by=self.pipeline.identity_for_sweeps,
            clock=self.adapters.clock,
            ranker=self.pipeline.ranker,
            per_endpoint=self.adapters.settings.concurrency,
            located=self.pipeline.answerer.located,
            register=self.register,
            measured=self.measured,
            reader_encoder=lambda: self.adapters.embedder_for(EMBEDDED).model,
        )

    @cached_property
    def preview(self) -> RetrievalPreview:
        return RetrievalPreview(planner=self.planner, answerer=self.pipeline.answerer)

    @cached_property
    def control(self) -> SweepControl:
        return SweepControl(
            runs=self.adapters.runs, evaluations=self.adapters.evaluations, lacking=self.function_answers.lacking
        )

    @cached_property
    def function_answers(self) -> FunctionAnswers:
        return FunctionAnswers(self.pipeline.answerer, self.adapters.evaluations, self.adapters.datasets)

    @cached_property
    def live_answers(self) -> LiveAnswers:
        return LiveAnswers()

    @cached_property
    def runner(self) -> SweepRunner:
        """Runs sweeps to their end."""
        settings = self.adapters.settings
        traces = self.adapters.traces
        most_addresses = max(len(addresses(url)) for url in (settings.ollama_url, settings.openai_url))
        return SweepRunner(
            runs=self.adapters.runs,
            work=self.adapters.work,
            evaluations=self.adapters.evaluations,
            datasets=self.adapters.datasets,
            collections=self.adapters.collections,
            answerer=self.pipeline.answerer,
            scorer=self.pipeline.scorer,
            engine=self.engine,
            run_recorder=self.run_recorder,
            clock=self.adapters.clock,
            live_answers=self.live_answers,
            previewed=self.planner.rankings,
            flow=partial(TracedFlow, traces=traces) if traces else QuestionFlow,
            slots=settings.concurrency * most_addresses,
            look_ahead=max(LOOK_AHEAD, 2 * settings.concurrency * most_addresses),
            resident=resident_memory,
        )

    def engine(self) -> Engine:
        """Return an engine for one sweep or assessment; limits of model servers are shared by all of this process."""
        if self.adapters.settings.engine == "ray":
            from passer.engines.ray import RayEngine

            return RayEngine(self._shared_cluster, limits=self.pipeline.shared_limits())
        from passer.engines.local import LocalEngine

        scoring_threads = max(1, self.adapters.settings.scoring_processes)
        return LocalEngine(self._workers, limits=self.pipeline.shared_limits(), scoring_threads=scoring_threads)

    @cached_property
    def _cluster(self) -> RayCluster:
        """The machines of `--engine ray`, shared by all sweeps of this process."""
        from passer.engines.ray import RayCluster

        settings = self.adapters.settings
        cluster = RayCluster(
            partial(remote_workers, settings.for_workers()),
            here=self._workers,
            address=settings.ray_address or None,
            per_endpoint=settings.concurrency,
        )
        return self.adapters.resources.enter_context(closing(cluster))

    @cached_property
    def _scoring_processes(self) -> ScoringProcesses:
        """Processes that score, started with the first batch and shared by all sweeps of this process."""
        from passer.adapters.encoders.encoder import usable_cores
        from passer.engines.scoring_processes import ScoringProcesses

        settings = self.adapters.settings
        share = settings.encoder_threads or -(-usable_cores() // settings.scoring_processes)
        there = partial(remote_workers, settings.for_workers().model_copy(update={"encoder_threads": share}))
        processes = ScoringProcesses(there, here=lambda: self.pipeline.scorer, processes=settings.scoring_processes)
        return self.adapters.resources.enter_context(closing(processes))

    def _shared_cluster(self) -> RayCluster:
        # Sweeps that begin at the same moment would build one each: cached_property does not lock.
        with self._building:
            return self._cluster

    def _workers(self) -> Workers:
        return Workers(chat_model=self.adapters.models.chat_model, scorer=self._scorer)

    def _scorer(self) -> Scorer:
        # A timing run must not read scores that an earlier sweep left in memory: each sweep gets its own.
        if self.adapters.settings.scoring_processes:
            with self._building:
                return self._scoring_processes
        return self.pipeline.scorer.fresh()


def remote_workers(settings: Settings) -> Workers:
    """Build what another process or machine runs, from the driver's settings."""
    adapters = Adapters(settings)
    return Workers(chat_model=adapters.models.chat_model, scorer=Pipeline(adapters).scorer.fresh)
