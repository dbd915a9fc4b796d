"""Where evaluations execute: threads of this process, or the machines of a Ray cluster."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

from passer.bootstrap.material import Material
from passer.ports import Engine, Workers
from passer.settings import Settings

if TYPE_CHECKING:
    from passer.engines.limits import EndpointLimits
    from passer.engines.ray import RayCluster


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

    def _workers(self) -> Workers:
        return Workers(generator=self.generator, scorer=lambda: self.scoring)

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

        return LocalEngine(self._workers, limits=self._limits)


def workers_there(settings: Settings) -> Workers:
    """What another process runs, built from the driver's settings."""
    return Computing(settings)._workers()
