"""Short names of common retrievers, for the command line and for experiment files."""

from __future__ import annotations

from collections.abc import Mapping

from passer.domain.model import model_of
from passer.domain.query_rewriters import Variations
from passer.domain.retriever import Dense, Fused, Lexical, Retriever, Rewritten

SHORTHANDS: Mapping[str, Retriever] = {
    "dense": Dense(),
    "bm25": Lexical(),
    "bm25-english": Lexical(analyser="english"),
    "hybrid": Fused(of=(Dense(), Lexical())),
    "hybrid-english": Fused(of=(Dense(), Lexical(analyser="english"))),
}
"""Retrievers that need no further setting."""
FUSION = "fusion:"
"""Beginning of the short name of RAG-Fusion: `fusion:RETRIEVER@MODEL`."""


def retriever_of(text: str) -> Retriever:
    """Return the retriever of a short name; ValueError with the names for any other."""
    if text in SHORTHANDS:
        return SHORTHANDS[text]
    if text.startswith(FUSION):
        return _fusion(text.removeprefix(FUSION), text)
    names = ", ".join(SHORTHANDS)
    raise ValueError(f"there is no retriever {text!r}: choose one of {names}, or {FUSION}RETRIEVER@MODEL")


def _fusion(rest: str, text: str) -> Retriever:
    name, _, model = rest.partition("@")
    if name not in SHORTHANDS or not model:
        raise ValueError(
            f"{text!r} does not name a retriever and the model that writes the variations. Example: "
            f"{FUSION}bm25@local/smollm2-135m"
        )
    return Rewritten(of=SHORTHANDS[name], by=Variations(judge=model_of(model)))
