"""A model brought to the model server, with the bytes counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from passer.domain.run import Model, ModelInfo
from passer.ports import Generator, Progress, Puller


@dataclass(frozen=True)
class Pulling:
    """Pulls models."""

    puller: Callable[[], Puller]
    """The server that downloads."""
    generator: Callable[[Model], Generator]
    """The same server, as the one that answers."""

    def pull(self, name: str, *, progress: Progress) -> ModelInfo:
        """Download a model; progress is in bytes over all layers known so far."""
        layers: dict[str, tuple[int, int]] = {}
        for step in self.puller().pull(name):
            if step.total:
                layers[step.status] = (step.completed or 0, step.total)
            done, total = (sum(layer[place] for layer in layers.values()) for place in (0, 1))
            progress(step.status, done, total)
        model = Model(provider="ollama", name=name)
        return self.generator(model).describe(model)
