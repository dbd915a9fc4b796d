"""Short names of common retrievers, for the command line and for experiment files."""

from __future__ import annotations

from collections.abc import Mapping

from passer.domain.models.model import model_of
from passer.domain.retrieval.refinements import CrossEncoder, PassageJudge, Variations
from passer.domain.retrieval.retriever import Dense, Fused, Lexical, Reranked, Retriever, Rewritten

SHORTHANDS: Mapping[str, Retriever] = {
    "dense": Dense(),
    "bm25": Lexical(),
    "bm25-english": Lexical(analyser="english"),
    "hybrid": Fused(of=(Dense(), Lexical())),
    "hybrid-english": Fused(of=(Dense(), Lexical(analyser="english"))),
}
"""Retrievers that need no further setting."""
GRADED = 10
"""Passages that a model of a short name grades for each question; each one is a request."""
FUSION, RERANK, TERMS = "fusion:", "rerank:", "terms:"
"""Beginnings of short names: `fusion:RETRIEVER@MODEL` is RAG-Fusion, `rerank:RETRIEVER@NAME` has a cross-encoder, or a
model if NAME has a slash, and the command line reads the map of `terms:RETRIEVER@FILE`."""


def retriever_of(text: str) -> Retriever:
    """Return the retriever of a short name; ValueError with the names for any other."""
    if text in SHORTHANDS:
        return SHORTHANDS[text]
    if text.startswith(FUSION):
        return _fusion(text.removeprefix(FUSION), text)
    if text.startswith(RERANK):
        return _reranked(text.removeprefix(RERANK), text)
    names = ", ".join(SHORTHANDS)
    raise ValueError(
        f"there is no retriever {text!r}: choose one of {names}, {FUSION}RETRIEVER@MODEL, {TERMS}RETRIEVER@NAME or "
        f"{RERANK}RETRIEVER@NAME"
    )


def _fusion(rest: str, text: str) -> Retriever:
    name, _, model = rest.partition("@")
    if name not in SHORTHANDS or not model:
        raise ValueError(
            f"{text!r} does not name a retriever and the model that writes the variations. Example: "
            f"{FUSION}bm25@local/smollm2-135m"
        )
    return Rewritten(of=SHORTHANDS[name], by=Variations(judge=model_of(model)))


def _reranked(rest: str, text: str) -> Retriever:
    name, _, model = rest.partition("@")
    if name in SHORTHANDS and "/" in model:
        return Reranked(of=SHORTHANDS[name], by=PassageJudge(judge=model_of(model)), depth=GRADED)
    name, _, encoder = rest.rpartition("@")
    # What is reranked may itself have a model: rerank:fusion:bm25@local/smollm2-135m@NAME.
    if not name or not encoder:
        raise ValueError(
            f"{text!r} does not name a retriever and a cross-encoder or a model. Examples: "
            f"{RERANK}hybrid@ms-marco-MiniLM-L6-v2, {RERANK}hybrid@local/smollm2-135m"
        )
    return Reranked(of=retriever_of(name), by=CrossEncoder(name=encoder))
