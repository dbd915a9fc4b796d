"""Retrieval compared alone: no model is asked, and nothing is stored."""

from __future__ import annotations

from fastapi import APIRouter

from passer.api.deps import ServicesDep
from passer.domain.retrieval_report import RetrievalReport, RetrievalRequest

MOST_RANKED = 2_000_000
"""Passages that one request may rank; the command line has no limit, because nobody else waits for it."""

router = APIRouter(prefix="/api/v1/retrievals", tags=["retrievals"])


@router.post("", operation_id="compare_retrievers")
def compare_retrievers(body: RetrievalRequest, services: ServicesDep) -> RetrievalReport:
    """Compare retrievers: rank passages for the questions of a dataset with each retriever.

    No model is called, except by retrievers that ask one; its replies are stored, so a repeated request asks nothing.
    """
    services.library.model_servers.check_named(body.models)
    return services.pipeline.retrieval_evaluation.evaluate(body, most=MOST_RANKED)
