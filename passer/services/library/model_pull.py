"""Downloads models to the model server and counts the bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from passer.domain.models.model import Model, ModelInfo
from passer.ports import ChatModel, Progress, Puller


@dataclass(frozen=True)
class ModelPull:
    """Pulls models."""

    puller: Callable[[], Puller]
    """The server as a downloader."""
    chat_model: Callable[[Model], ChatModel]
    """The same server as a model client."""

    def pull(self, name: str, *, progress: Progress) -> ModelInfo:
        """Download a model; progress counts bytes over all layers known so far."""
        layers: dict[str, tuple[int, int]] = {}
        for step in self.puller().pull(name):
            if step.total:
                layers[step.status] = (step.completed or 0, step.total)
            done, total = (sum(layer[place] for layer in layers.values()) for place in (0, 1))
            progress(step.status, done, total)
        model = Model(provider="ollama", name=name)
        return self.chat_model(model).describe(model)
