"""Scoring as a service, and what each metric says of itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import Field

from passer.api.deps import Page, ServicesDep
from passer.domain.base import Frozen
from passer.domain.score import MetricInfo, Profile, Score, VectorProfile
from passer.domain.texts.words import ENGLISH
from passer.metrics.judged import decides
from passer.services.judging.dataset_items import COLUMNS as OF_DATASETS

router = APIRouter(prefix="/api/v1", tags=["scores"])


class Pair(Frozen):
    """A reference answer and an answer to score."""

    reference: str
    """The reference answer."""
    answer: str
    """The answer to score."""


class ScoreRequest(Frozen):
    """Pairs to score."""

    pairs: Annotated[tuple[Pair, ...], Field(min_length=1, max_length=100_000)]
    """Pairs of reference and answer."""
    profile: VectorProfile = "standard"
    """Definitions of the 24 columns."""
    language: Annotated[str, Field(min_length=2, max_length=35)] = ENGLISH
    """BCP 47 tag of the texts: METEOR uses stems and synonyms only for English."""


class ScoredPair(Frozen):
    """Scores of one pair; one line of the answer."""

    number: int
    """Place of the pair in the request, from 0."""
    scores: dict[str, Score]
    """Scores by column."""


LINE = {
    name: value
    for name, value in ScoredPair.model_json_schema(ref_template="#/components/schemas/{model}").items()
    if name != "$defs"
}
"""One line of the streamed reply; its members are described with the other models."""


@router.get("/metrics", operation_id="list_metrics")
def list_metrics(
    services: ServicesDep,
    profile: Profile = "standard",
    of_datasets: Annotated[
        bool, Query(description="Only judged metrics of a dataset's questions: they compare nothing with a reference.")
    ] = False,
    deciding: Annotated[
        bool, Query(description="Only judged metrics that can be the primary metric of a verdict, not explanations.")
    ] = False,
) -> Page[MetricInfo]:
    """List name, range, direction, formula, source and requirements of each metric; the 24 in vector order."""
    found = [each for each in services.pipeline.metrics(profile) if not of_datasets or each.name in OF_DATASETS]
    if deciding:
        found = [each for each in found if each.profile == "judged" and decides(each.name)]
    return Page(items=tuple(found))


@router.post(
    "/scores",
    operation_id="score_pairs",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/jsonl": {"schema": LINE}}}},
)
def score_pairs(body: ScoreRequest, services: ServicesDep) -> StreamingResponse:
    """Score pairs of reference and answer. The response is streamed: one JSON line per pair, in order."""
    pairs = [(pair.reference, pair.answer) for pair in body.pairs]

    def lines() -> Iterator[bytes]:
        scored = services.pipeline.scorer.stream(pairs, profile=body.profile, language=body.language)
        for number, scores in enumerate(scored):
            yield ScoredPair(number=number, scores=dict(scores)).model_dump_json().encode() + b"\n"

    return StreamingResponse(lines(), media_type="application/jsonl")
