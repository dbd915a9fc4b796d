"""Retrievers: rankings of the passages of a collection for a question. A cut decides which of them are kept.

Every retriever is a ranking function (question, depth) -> passages in order. Forms nest: hybrid retrieval is
`Fused(of=(Dense(), Lexical()))`. A shallower ranking is always the beginning of a deeper one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from passer.domain.base import Frozen, digest_of, members
from passer.domain.models.model import Model
from passer.domain.retrieval.refinements import PassageJudge, QueryRewriter, Reranker
from passer.domain.wording.sentence import sentence

ANALYSERS = {"plain": "plain-1", "english": "english-1"}
"""Version of each way to cut a text into terms. It is part of digests: other terms make another ranking.

Texts in which one word has several spellings are cut by the rules of their collection (`TextRules`), because a new
version here would change the digests of all other rankings as well.
"""

Analyser = Literal["plain", "english"]
"""Case-folded words of any script; or lower-cased words without stop words, stemmed by Snowball's English rules."""


MOST_SEARCHES = 16
"""Rankings that a retriever merges at most, nested ones included."""


MOST_LEVELS = 4
"""Largest depth of nested retrievers."""


class RetrieverForm(Frozen, ABC):
    """Base of all forms of retrievers; forms may contain one another."""

    @property
    @abstractmethod
    def label(self) -> str:
        """Return a short name for tables, in English; fields with text show it in the reader's language."""

    @property
    def parts(self) -> tuple[Retriever, ...]:
        """Return the retrievers that this one combines."""
        return ()

    @property
    def levels(self) -> int:
        """Return the nesting depth; 0 without nested retrievers."""
        return 1 + max(each.levels for each in self.parts) if self.parts else 0

    @property
    def searches(self) -> int:
        """Return the number of searches for one question."""
        return sum(each.searches for each in self.parts) or 1

    @property
    def content(self) -> object:
        """Return everything that determines the ranking, as a JSON value."""
        return self.model_dump(mode="json")

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 of everything that determines the ranking."""
        return digest_of(self.content)

    @property
    def key(self) -> str:
        """Return the key in the database: `dense`, or the first 24 digits of the digest."""
        return self.digest[:24]

    @property
    def is_by_similarity(self) -> bool:
        """Return whether passages are ordered by similarity with the question, so that a threshold can cut them."""
        return False


class Dense(RetrieverForm):
    """Passages by the cosine of their vectors with the question's."""

    form: Literal["dense"] = "dense"
    """`dense`"""

    @property
    def label(self) -> str:
        return sentence("retriever.dense")

    @property
    def key(self) -> str:
        return "dense"

    @property
    def is_by_similarity(self) -> bool:
        return True


class Lexical(RetrieverForm):
    """Passages by BM25 in the form of Lucene, with the defaults of OpenSearch.

    score(q, d) = sum over the terms t of q, repeated ones as often as they occur, of
    ln(1 + (N - n_t + .5) / (n_t + .5)) * f / (f + k1 (1 - b + b |d| / avg)), where N is the number of passages, n_t
    those with t, f how often d has t, |d| its terms, and avg the mean of |d|. Passages without any term of the
    question follow by id, with score 0.
    """

    form: Literal["lexical"] = "lexical"
    """`lexical`"""
    k1: float = Field(default=1.2, ge=0, le=10)
    """Saturation of repeated terms (k1): larger values let repetitions count longer."""
    b: float = Field(default=0.75, ge=0, le=1)
    """Length normalisation (b), 0 to 1: 0 none, 1 in proportion to the length of a passage."""
    analyser: Analyser = "plain"
    """Tokenization of texts into terms."""

    @property
    def label(self) -> str:
        """Return a short name for tables."""
        varied = [sentence("retriever.setting", name="k1", at=f"{self.k1:g}")] if self.k1 != 1.2 else []
        varied += [sentence("retriever.setting", name="b", at=f"{self.b:g}")] if self.b != 0.75 else []
        varied += [sentence("retriever.english")] if self.analyser == "english" else []
        return sentence("retriever.lexical", varied=tuple(varied)) if varied else "BM25"

    @property
    def content(self) -> object:
        return {**self.model_dump(mode="json"), "analyser": ANALYSERS[self.analyser]}


class NestedForm(RetrieverForm, ABC):
    """A retriever that combines others, within limits."""

    @model_validator(mode="after")
    def _is_small(self) -> Self:
        # Each search of the nesting is made for every question, so a small file could ask for a day of work.
        if self.searches > MOST_SEARCHES or self.levels > MOST_LEVELS:
            raise ValueError(sentence("retriever.too-many", most=MOST_SEARCHES, levels=MOST_LEVELS))
        return self


class Fused(NestedForm):
    """Rankings merged by reciprocal rank fusion (Cormack, Clarke and Buettcher 2009)."""

    form: Literal["fused"] = "fused"
    """`fused`"""
    of: tuple[Retriever, ...] = Field(min_length=2, max_length=8)
    """The retrievers whose rankings are merged; their order does not matter."""
    k: int = Field(default=60, ge=1, le=10_000)
    """score(d) = sum over the rankings of 1 / (k + rank of d)."""
    depth: int = Field(default=100, ge=1, le=1000)
    """Passages taken of each ranking, whatever is kept in the end."""

    @property
    def parts(self) -> tuple[Retriever, ...]:
        return self.of

    @property
    def label(self) -> str:
        return sentence("retriever.fused", of=tuple(each.label for each in self.of))

    @property
    def content(self) -> object:
        """Return everything that determines the ranking, as a JSON value."""
        parts = sorted(each.digest for each in self.of)
        return {"form": self.form, "of": parts, "k": self.k, "depth": self.depth}


class Rewritten(NestedForm):
    """Rankings of a question that was rewritten before it was searched for; RAG-Fusion with variations.

    Only the search sees the new texts: prompts keep the question, and similarities are those with the question.
    """

    form: Literal["rewritten"] = "rewritten"
    """`rewritten`"""
    of: Retriever
    """Retriever that ranks the passages for each text."""
    by: QueryRewriter
    """Rewriter of the question."""
    k: int = Field(default=60, ge=1, le=10_000)
    """Constant of the fusion of several rankings: score(d) = sum over them of 1 / (k + rank of d)."""
    depth: int = Field(default=100, ge=1, le=1000)
    """Passages taken of each ranking, whatever is kept in the end."""

    @property
    def parts(self) -> tuple[Retriever, ...]:
        return (self.of,)

    @property
    def searches(self) -> int:
        return self.of.searches * self.by.searches

    @property
    def label(self) -> str:
        return sentence("retriever.rewritten", by=self.by.label, of=self.of.label)

    @property
    def content(self) -> object:
        """Return everything that determines the ranking, as a JSON value."""
        by = self.by.model_dump(mode="json")
        return {"form": self.form, "of": self.of.digest, "by": by, "k": self.k, "depth": self.depth}


class Reranked(NestedForm):
    """A ranking whose first passages a reranker reorders, reading each with the question; the others follow."""

    form: Literal["reranked"] = "reranked"
    """`reranked`"""
    of: Retriever
    """Retriever that ranks the passages first."""
    by: Reranker
    """Reranker that orders them anew."""
    depth: int = Field(default=50, ge=1, le=1000)
    """Number of first passages that are ordered anew, whatever is kept in the end."""

    @property
    def parts(self) -> tuple[Retriever, ...]:
        return (self.of,)

    @property
    def label(self) -> str:
        return sentence("retriever.reranked", of=self.of.label, by=self.by.label)

    @property
    def content(self) -> object:
        return {"form": self.form, "of": self.of.digest, "by": self.by.model_dump(mode="json"), "depth": self.depth}


Retriever = Annotated[Dense | Lexical | Fused | Rewritten | Reranked, Field(discriminator="form")]
"""A ranking function: (question, depth) -> passages in order."""

for _form in members(Retriever):
    _form.model_rebuild()


def models_of(retriever: Retriever) -> Iterator[Model]:
    """Return every model that a retriever asks, nested ones included."""
    if isinstance(retriever, Rewritten | Reranked):
        yield from retriever.by.models
    for part in retriever.parts:
        yield from models_of(part)


def passage_judges(retriever: Retriever) -> Iterator[PassageJudge]:
    """Return every model that grades passages to rerank them, nested ones included."""
    if isinstance(retriever, Reranked) and isinstance(retriever.by, PassageJudge):
        yield retriever.by
    for part in retriever.parts:
        yield from passage_judges(part)


def with_helpers(
    retriever: Retriever,
    *,
    rewriter: Callable[[QueryRewriter], QueryRewriter] = lambda by: by,
    reranker: Callable[[Reranker], Reranker] = lambda by: by,
) -> Retriever:
    """Return the retriever with each rewriter of questions and each reranker replaced by what the functions return."""

    def changed(each: Retriever) -> Retriever:
        return with_helpers(each, rewriter=rewriter, reranker=reranker)

    # Built anew, because a copy would keep the digest that was computed before.
    match retriever:
        case Fused():
            return Fused(of=tuple(map(changed, retriever.of)), k=retriever.k, depth=retriever.depth)
        case Rewritten():
            by, k = rewriter(retriever.by), retriever.k
            return Rewritten(of=changed(retriever.of), by=by, k=k, depth=retriever.depth)
        case Reranked():
            return Reranked(of=changed(retriever.of), by=reranker(retriever.by), depth=retriever.depth)
        case Dense() | Lexical():
            return retriever


class RankedBy(NamedTuple):
    """Collection and retriever whose rankings a configuration cuts."""

    collection: str
    """Name of the collection."""
    retriever: str = "dense"
    """Key of the retriever."""
