"""Retrieval compared alone: no model is asked, and nothing is stored."""

from __future__ import annotations

import zipfile
from io import BytesIO

from fastapi import APIRouter
from fastapi.responses import StreamingResponse
from pydantic import Field

from passer.api.deps import Page, ServicesDep
from passer.api.files import file_response
from passer.bootstrap import Services
from passer.domain.base import Frozen
from passer.domain.rerankers import CrossEncoder
from passer.domain.retrieval_report import RetrievalReport, RetrievalRequest

MOST_RANKED = 2_000_000
"""Passages that one request may rank; the command line has no limit, because nobody else waits for it."""
MOST_CHARACTERS = 20_000_000
"""Length of an imported file."""

router = APIRouter(prefix="/api/v1/retrievals", tags=["retrievals"])


class RankingFile(Frozen):
    """A file of another system."""

    name: str = Field(min_length=1, max_length=200)
    """File name. A run with the suffix .csv is read as the documents of RAGElo, any other as a TREC run."""
    text: str = Field(max_length=MOST_CHARACTERS)
    """Its content."""


class ComparisonRequest(RetrievalRequest):
    """Which retrievers to compare, and the files of other systems to compare them with."""

    runs: tuple[RankingFile, ...] = Field(default=(), max_length=20)
    """Rankings of other systems, compared beside the retrievers."""
    qrels: RankingFile | None = None
    """TREC qrels that replace the gold passages of the dataset."""


@router.post("", operation_id="compare_retrievers")
def compare_retrievers(body: ComparisonRequest, services: ServicesDep) -> RetrievalReport:
    """Compare retrievers: rank passages for the questions of a dataset with each retriever.

    No model is called, except by retrievers that ask one; its replies are stored, so a repeated request asks nothing.
    """
    return _compared(body, services)


@router.post("/trec", operation_id="export_trec", response_class=StreamingResponse)
def export_trec(body: ComparisonRequest, services: ServicesDep) -> StreamingResponse:
    """Return the rankings of a comparison as TREC runs, and what they were judged by as TREC qrels, as a zip."""
    from passer.adapters.trec import trec_files

    written = BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in trec_files(_compared(body, services)).items():
            archive.writestr(zipfile.ZipInfo(name), text)
    written.seek(0)
    return file_response(written, name="trec.zip")


@router.get("/rerankers", operation_id="list_rerankers")
def list_rerankers(services: ServicesDep) -> Page[CrossEncoder]:
    """List the cross-encoders of this installation."""
    return Page(items=tuple(CrossEncoder(name=name) for name in services.adapters.cross_encoders.names()))


def _compared(body: ComparisonRequest, services: Services) -> RetrievalReport:
    from passer.adapters.trec import read_qrels, read_run
    from passer.services.pipeline.retrieval_evaluation import Imported

    services.library.model_servers.check_named(body.models)
    imported = Imported(
        runs=[read_run(each.text.encode(), each.name) for each in body.runs],
        grades=None if body.qrels is None else read_qrels(body.qrels.text.encode(), body.qrels.name),
    )
    return services.pipeline.retrieval_evaluation.evaluate(body, imported=imported, most=MOST_RANKED)
