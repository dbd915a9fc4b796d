"""Passages of a ranking, made without validation: a search makes a hundred for each question.

Pydantic's own ways to make or copy one take four to twenty times as long. What is set here is what `model_construct`
sets; the values come from searches of ours, never from a file or a request.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any

from pydantic import BaseModel

from passer.domain.retrieval.passages import Passage, RetrievedPassage

_set_values, _set_fields, _set_extra, _set_private = (
    BaseModel.__dict__[name].__set__
    for name in ("__dict__", "__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__")
)
# The slots of a model, set directly: a model's own __setattr__ refuses, and `object.__setattr__` takes twice as long.
_new: Callable[[type[RetrievedPassage]], RetrievedPassage] = RetrievedPassage.__new__
_exhaust = deque[object](maxlen=0).extend
_SEARCHED = {*Passage.model_fields, "rank", "similarity"}
_SCORED = {*_SEARCHED, "score"}


def retrieved(
    passages: Iterable[Passage], similarities: Iterable[float], scores: Iterable[float | None] | None = None
) -> tuple[RetrievedPassage, ...]:
    """Return passages, best first, with their similarities in [-1, 1] and the scores that ordered them, if any."""
    by_score: Iterable[float | None] = repeat(None) if scores is None else scores
    found = []
    for rank, (passage, near, score) in enumerate(zip(passages, similarities, by_score, strict=False), start=1):
        # A copy that then grows takes two thirds of the time of a new mapping.
        values = passage.__dict__.copy()
        values["rank"], values["similarity"], values["score"] = rank, near, score
        found.append(values)
    return _made(found, _SEARCHED if scores is None else _SCORED)


def _made(found: Sequence[Mapping[str, Any]], fields: set[str]) -> tuple[RetrievedPassage, ...]:
    """Return a passage for each mapping of all fields."""
    # Loops of the interpreter would take half as long again.
    made = tuple(map(_new, repeat(RetrievedPassage, len(found))))
    _exhaust(map(_set_values, made, found))
    _exhaust(map(_set_fields, made, repeat(fields)))
    _exhaust(map(_set_extra, made, repeat(None)))
    _exhaust(map(_set_private, made, repeat(None)))
    return made
