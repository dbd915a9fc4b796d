"""Several servers that serve the same models: checked to be equal; tried in turn without an engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from passer.domain.models.chat import ChatRequest, Completion
from passer.domain.models.model import Model, ModelInfo
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, GeneratorUnavailable
from passer.ports import ChatModel

T = TypeVar("T")


class SeveralServers:
    """ports.ChatModel over those of the single addresses."""

    def __init__(self, servers: Sequence[tuple[str, ChatModel]]) -> None:
        self._servers = tuple(servers)

    def __repr__(self) -> str:
        return f"SeveralServers({', '.join(address for address, _ in self._servers)})"

    def complete(self, request: ChatRequest) -> Completion:
        """Make one attempt, at the first server that can be reached."""
        *others, last = self._servers
        for _, server in others:
            try:
                return server.complete(request)
            except GeneratorUnavailable:
                continue
        return last[1].complete(request)

    def describe(self, model: Model) -> ModelInfo:
        """Describe a model by all servers that respond; ConflictError where their models differ."""
        (first, info), *others = self._of_each(lambda server: server.describe(model))
        for address, other in others:
            if other.digest != info.digest:
                digests = tuple(each.digest[:12] for each in (info, other))
                raise ConflictError(
                    sentence("server.models-differ", model=model.name, first=first, second=address, digests=digests)
                )
        engines = sorted({each.engine for _, each in [(first, info), *others] if each.engine})
        return info.model_copy(update={"engine": ", ".join(engines) or None})

    def models(self) -> list[ModelInfo]:
        """List the models that all responding servers have, by name."""
        found = self._of_each(lambda server: server.models())
        names = [{info.name for info in infos} for _, infos in found]
        return [info for info in found[0][1] if all(info.name in listed for listed in names)]

    def _of_each(self, ask: Callable[[ChatModel], T]) -> list[tuple[str, T]]:
        """Collect the replies of the servers that respond; GeneratorUnavailable where none does."""
        found: list[tuple[str, T]] = []
        gone: list[GeneratorUnavailable] = []
        for address, server in self._servers:
            try:
                found.append((address, ask(server)))
            except GeneratorUnavailable as exc:
                gone.append(exc)
        if not found:
            raise gone[0]
        return found
