"""Search results as numbers, from which passages are built last: a merge of five rankings drops most of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from passer.domain.retrieval.passages import Passage, Ranking, RetrievedPassage, Rewriting

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


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """The first passages of a retriever for one question, best first."""

    corpus: Sequence[Passage]
    """All passages that were searched, in the order of their ids."""
    rows: NDArray[np.intp]
    """Places of the passages in the corpus, best first."""
    similarities: NDArray[np.float64]
    """Cosine of each with the question, in [-1, 1]."""
    scores: Sequence[float | None] | None = None
    """What ordered them; None for the similarity."""
    embedding_s: float = 0.0
    """Seconds to embed the question."""
    retrieval_s: float = 0.0
    """Seconds to search."""
    rewriting: Rewriting | None = None
    """Query; None if the question was searched for as it was asked."""
    is_complete: bool = True
    """Whether every model that took part replied."""

    def found(self) -> list[Passage]:
        """Return the passages, best first."""
        return [self.corpus[row] for row in self.rows.tolist()]

    def first(self, depth: int) -> Places:
        """Return the first passages."""
        scores = None if self.scores is None else self.scores[:depth]
        return replace(self, rows=self.rows[:depth], similarities=self.similarities[:depth], scores=scores)

    def ranking(self) -> Ranking:
        """Return the ranking, its passages made."""
        return Ranking(
            passages=retrieved(self.found(), self.similarities.tolist(), self.scores),
            embedding_s=self.embedding_s,
            retrieval_s=self.retrieval_s,
            is_complete=self.is_complete,
            rewriting=self.rewriting,
        )


def on_one_corpus(found: Sequence[Places]) -> Sequence[Places]:
    """Return what several searches found as rows of the same passages.

    Searches of one version of a collection share them already. Those of an approximate graph, and those between which
    the collection changed, have each their own.
    """
    if all(each.corpus is found[0].corpus for each in found):
        return found
    by_id = {passage.id: passage for each in reversed(found) for passage in each.found()}
    corpus = [by_id[key] for key in sorted(by_id)]
    row_of = {passage.id: row for row, passage in enumerate(corpus)}
    return [
        replace(each, corpus=corpus, rows=np.array([row_of[passage.id] for passage in each.found()], dtype=np.intp))
        for each in found
    ]
