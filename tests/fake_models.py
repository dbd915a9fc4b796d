"""A model server that says what a model takes of its memory."""

from __future__ import annotations

from passer.domain.model import Model, ModelMemory
from passer.errors import GeneratorUnavailable
from tests.fakes import FakeChatModel


class FakeLoadedModel(FakeChatModel):
    """Says what its models take, or is gone."""

    def __init__(self, taken: ModelMemory | None = None) -> None:
        super().__init__()
        self.taken = taken
        """What each model takes; None means that the server is gone."""

    def memory(self, model: Model) -> ModelMemory | None:
        if self.taken is None:
            raise GeneratorUnavailable("The server is gone.")
        return self.taken
