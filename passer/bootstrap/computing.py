"""Where evaluations execute: threads of this process, or the machines of a Ray cluster."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

from passer.bootstrap.material import Material
from passer.ports import Engine, Scorer, Workers
from passer.settings import Settings

if TYPE_CHECKING:
    from passer.engines.limits import EndpointLimits
    from passer.engines.ray import RayCluster
    from passer.engines.scoring_processes import ScoringProcesses


@dataclass(frozen=True)
class Computing(Material):
    """The engine of a process, over its own workers or a cluster's."""

    @cached_property
    def _cluster(self) -> RayCluster:
        """The machines of `--engine ray`; sweeps that follow one another share them."""
        from passer.engines.ray import RayCluster

        return self._taken.enter_context(
            closing(
                RayCluster(
                    partial(workers_there, self.settings.for_workers()),
                    here=self._workers,
                    address=self.settings.ray_address or None,
                    per_endpoint=self.settings.concurrency,
                )
            )
        )

    @cached_property
    def _scoring_processes(self) -> ScoringProcesses:
        """Started at the first batch; sweeps that follow one another share them."""
        from passer.adapters.encoder import usable_cores
        from passer.engines.scoring_processes import ScoringProcesses

        processes = self.settings.scoring_processes
        share = self.settings.encoder_threads or -(-usable_cores() // processes)
        there = partial(workers_there, self.settings.for_workers().model_copy(update={"encoder_threads": share}))
        return self._taken.enter_context(
            closing(ScoringProcesses(there, here=lambda: self.scoring, processes=processes))
        )

    def _workers(self) -> Workers:
        return Workers(generator=self.generator, scorer=self._scorer)

    def _scorer(self) -> Scorer:
        """Of one sweep: a timing run must not find what an earlier one has scored."""
        return self._scoring_processes if self.settings.scoring_processes else self.scoring.fresh()

    @cached_property
    def _limits(self) -> EndpointLimits:
        """Requests under way at each endpoint, over all sweeps of this process."""
        from passer.engines.limits import EndpointLimits

        return EndpointLimits(self.settings.concurrency)

    def _engine(self) -> Engine:
        if self.settings.engine == "ray":
            from passer.engines.ray import RayEngine

            return RayEngine(lambda: self._cluster, limits=self._limits)
        from passer.engines.local import LocalEngine

        return LocalEngine(self._workers, limits=self._limits, scoring_threads=max(1, self.settings.scoring_processes))


def workers_there(settings: Settings) -> Workers:
    """What another process runs, built from the driver's settings."""
    return Computing(settings)._workers()
