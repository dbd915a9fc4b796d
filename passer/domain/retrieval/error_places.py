"""Places of refused values, without the kinds of cuts and retrievers that pydantic puts into them."""

from __future__ import annotations

from collections.abc import Iterable

from passer.domain.base import tags
from passer.domain.retrieval.cuts import RetrievalPolicy
from passer.domain.retrieval.refinements import QueryRewriter, Reranker
from passer.domain.retrieval.retriever import Retriever

MODES = tags(RetrievalPolicy, "mode")
"""Modes of cuts."""
FORMS = tags(Retriever, "form")
"""Forms of retrievers."""
_KINDS = {*MODES, *FORMS, *tags(QueryRewriter, "form"), *tags(Reranker, "form")}
_OF_KINDS = ("retrieval", "retriever", "retrievers", "baseline", "of", "by")
"""Fields whose values have a kind, which pydantic puts after the field."""


def place_of(location: Iterable[int | str]) -> tuple[str, ...]:
    """Return the place of a refused value as it was given, without the kinds of cuts and retrievers."""
    place: list[str] = []
    field = ""
    for part in map(str, location):
        if field not in _OF_KINDS or part not in _KINDS:
            place.append(part)
        if not part.isdecimal():
            field = part
    return tuple(place)
