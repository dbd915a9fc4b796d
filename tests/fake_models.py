"""Fakes of model servers: they reply, download, and report the memory of a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from passer.domain.models.abstention import ABSTENTION
from passer.domain.models.chat import ChatRequest, Completion, CompletionTimings, PromptSource, TokenUsage
from passer.domain.models.model import Model, ModelInfo, ModelMemory
from passer.errors import GeneratorUnavailable
from passer.ports import PullProgress


class FakeChatModel:
    """Replies with the first passage; or as `script` says, which may raise."""

    def __init__(self, script: Callable[[PromptSource], str] | None = None) -> None:
        self._script = script or (lambda source: source.passages[0].text if source.passages else ABSTENTION)
        self.asked: list[str] = []
        self.seconds = 0.0
        """What each reply is said to have taken."""
        self.counts_tokens = False
        """Whether words are counted as tokens; else nothing is said of tokens."""

    def complete(self, request: ChatRequest) -> Completion:
        self.asked.append(request.key)
        assert request.source is not None
        text = self._script(request.source)
        words = sum(len(message.content.split()) for message in request.messages)
        usage = TokenUsage(prompt_tokens=words, output_tokens=len(text.split())) if self.counts_tokens else TokenUsage()
        timings = CompletionTimings(elapsed_s=self.seconds)
        return Completion(text=text, finish_reason="stop", usage=usage, timings=timings)

    def describe(self, model: Model) -> ModelInfo:
        return ModelInfo(name=model.name, digest=f"digest of {model.name}")

    def models(self) -> list[ModelInfo]:
        return [self.describe(Model())]


class FakePuller:
    """Downloads two layers in three steps."""

    def pull(self, name: str) -> Iterator[PullProgress]:
        yield PullProgress("pulling manifest", None, None)
        yield PullProgress("pulling one", 50, 100)
        yield PullProgress("pulling one", 100, 100)
        yield PullProgress("pulling two", 10, 10)
        yield PullProgress("success", None, None)


class FakeLoadedModel(FakeChatModel):
    """Reports the memory of its models, or is unreachable."""

    def __init__(self, taken: ModelMemory | None = None) -> None:
        super().__init__()
        self.taken = taken
        """What each model takes; None means that the server is gone."""

    def memory(self, model: Model) -> ModelMemory | None:
        if self.taken is None:
            raise GeneratorUnavailable("The server is gone.")
        return self.taken
