"""Check that a server still has the model and engine that the key of a request names."""

from __future__ import annotations

from passer.adapters.generators.faults import failure
from passer.domain.models.chat import ChatRequest
from passer.domain.models.model import ModelInfo, is_other_engine
from passer.domain.wording.sentence import sentence


def check_same(request: ChatRequest, info: ModelInfo, *, server: str) -> None:
    """Refuse to answer with other weights or another engine; several servers may have several engines."""
    name, before = request.model.name, request.model_digest
    if before not in ("unknown", info.digest):
        changed = sentence("server.other-model", model=name, server=server, now=info.digest[:12], before=before[:12])
        raise failure(changed, "model_changed")
    if is_other_engine(request.engine, info.engine):
        changed = sentence("server.other-engine", server=server, now=info.engine or "", before=request.engine or "")
        raise failure(changed, "model_changed")
