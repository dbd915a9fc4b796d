"""Whether a server still is what the key of a request was made with."""

from __future__ import annotations

from passer.adapters.generators.faults import failure
from passer.domain.chat import ChatRequest
from passer.domain.model import ModelInfo
from passer.domain.wording.sentence import sentence


def check_same(request: ChatRequest, info: ModelInfo, *, server: str) -> None:
    """Refuse to answer with other weights or another engine; several servers may have several engines."""
    name, before = request.model.name, request.model_digest
    if before not in ("unknown", info.digest):
        changed = sentence("server.other-model", model=name, server=server, now=info.digest[:12], before=before[:12])
        raise failure(changed, "model_changed")
    if request.engine is not None and info.engine is not None and info.engine not in request.engine.split(", "):
        changed = sentence("server.other-engine", server=server, now=info.engine, before=request.engine)
        raise failure(changed, "model_changed")
