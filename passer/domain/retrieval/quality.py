"""Retrieval quality of a configuration, where the passages that contain the answer are known.

Of each question the passages kept, in rank order, are compared with its gold passages (binary relevance):

- hit rate: share of questions with at least one gold passage kept
- recall@k: gold passages kept / gold passages
- precision@k: gold passages kept / passages kept; undefined where none was kept
- MRR: mean of 1 / rank of the first gold passage kept, 0 without one
- nDCG: sum of 1 / log2(rank + 1) over gold passages kept, divided by the same sum for a list that begins with all
  gold passages; the ideal list is not cut at k, so keeping too few passages costs

k is what the policy kept, question by question. Coverage, abstention and mean passages count every question.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import Literal

import numpy as np

from passer.domain.base import Frozen
from passer.domain.dataset import GoldPassage
from passer.domain.retrieval.at_k import Span
from passer.domain.retrieval.passages import Passage
from passer.domain.statistics import Interval, wilson_interval

FEWEST_KEPT = 0.5
"""Share of questions with passages below which a configuration measures abstention more than retrieval."""


@dataclass(frozen=True, slots=True)
class QuestionRetrieval:
    """The passages kept for one question, and the ranks of its gold passages. ValueError for ranks that do not fit."""

    kept: int
    """Number of passages kept."""
    gold: int | None = None
    """Gold passages in the collection; None if unknown, 0 if the collection contains none of them."""
    gold_ranks: tuple[int, ...] = ()
    """Ranks, from 1 among the kept passages, of the gold passages that were kept."""
    first_gold: int | None = None
    """Rank, from 1 in the whole ranking, of the first gold passage, kept or not; None if unknown or not retrieved."""
    abstained: bool | None = None
    """True if the model answered that the passages do not contain the answer; None without an answer."""

    def __post_init__(self) -> None:
        ranks = self.gold_ranks
        if len(set(ranks)) != len(ranks) or len(ranks) > (self.gold or 0):
            raise ValueError("gold_ranks must contain each gold passage at most once")
        if self.kept < 0 or (ranks and (min(ranks) < 1 or max(ranks) > self.kept)):
            raise ValueError("gold_ranks must be ranks of the passages kept")

    @classmethod
    def of(
        cls,
        kept_ids: Sequence[str],
        gold_ids: Collection[str] | None,
        *,
        abstained: bool | None = None,
    ) -> QuestionRetrieval:
        """Build from the kept ids in rank order and the ids of the gold passages (None if unknown)."""
        if gold_ids is None:
            return cls(kept=len(kept_ids), abstained=abstained)
        gold = set(gold_ids)
        ranks = tuple(rank for rank, passage in enumerate(kept_ids, start=1) if passage in gold)
        return cls(kept=len(kept_ids), gold=len(gold), gold_ranks=ranks, abstained=abstained)

    @staticmethod
    @lru_cache(maxsize=65_536)
    def of_cut(
        kept: tuple[int, int], found: tuple[int, ...], gold: int | None, *, abstained: bool | None
    ) -> QuestionRetrieval:
        """Build from the places [first, last) that a cut keeps and the ascending ranks, from 1, of the gold found.

        `gold` counts the gold passages, found or not; None if unknown. The configurations of a sweep cut the same
        rankings, and most questions alike, so that thousands share one value.
        """
        first, last = kept
        ranks = tuple(rank - first for rank in found if first < rank <= last)
        return QuestionRetrieval(last - first, gold, ranks, found[0] if found else None, abstained)


class RetrievalQuality(Frozen):
    """Retrieval quality of one configuration over all its questions; None where nothing could be counted."""

    n_questions: int
    """Number of questions."""
    n_gold: int
    """Questions with gold passages in the collection, which the first five figures count."""
    n_gold_absent: int
    """Questions whose gold passages the collection does not contain; excluded from the first five figures."""
    hit_rate: float | None = None
    """Share of questions that kept a gold passage, in [0, 1]."""
    recall: float | None = None
    """Mean recall@k, in [0, 1]."""
    precision: float | None = None
    """Mean precision@k over the n_precision questions that kept a passage, in [0, 1]."""
    n_precision: int = 0
    """Questions with gold passages that kept at least one passage."""
    mrr: float | None = None
    """Mean reciprocal rank, in [0, 1]."""
    ndcg: float | None = None
    """Mean nDCG, in [0, 1]."""
    reason: Literal["no_gold_passages", "gold_passages_absent", "no_questions"] | None = None
    """Reason why the first five are None."""
    coverage: float | None = None
    """Share of questions with at least one passage kept, in [0, 1]."""
    abstention_rate: float | None = None
    """Share of the n_answered answers that say that the passages do not contain the answer."""
    n_answered: int = 0
    """Questions with an answer."""
    mean_passages: float | None = None
    """Mean number of passages kept per question."""
    hit_rate_ci: Interval | None = None
    """95 % Wilson interval of the hit rate."""
    coverage_ci: Interval | None = None
    """95 % Wilson interval of the coverage."""
    abstention_ci: Interval | None = None
    """95 % Wilson interval of the abstention rate."""


def _discount(ranks: Iterable[int]) -> float:
    return float(sum(1 / np.log2(rank + 1) for rank in ranks))


def ndcg(*, gold: int, gold_ranks: Sequence[int]) -> float:
    """Return nDCG of one question with `gold` >= 1 gold passages, in [0, 1]."""
    return _discount(gold_ranks) / _discount(range(1, gold + 1))


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None


def retrieval_quality(questions: Sequence[QuestionRetrieval]) -> RetrievalQuality:
    """Return all figures of a configuration; the first five count questions with gold passages in the collection."""
    judged = [(item, item.gold) for item in questions if item.gold]
    absent = sum(1 for item in questions if item.gold == 0)
    kept_any = [item for item, _ in judged if item.kept]
    answered = [item.abstained for item in questions if item.abstained is not None]
    reason: Literal["no_gold_passages", "gold_passages_absent", "no_questions"] | None = None
    if not judged:
        reason = "gold_passages_absent" if absent else "no_gold_passages" if questions else "no_questions"
    return RetrievalQuality(
        n_questions=len(questions),
        n_gold=len(judged),
        n_gold_absent=absent,
        hit_rate=_mean([float(bool(item.gold_ranks)) for item, _ in judged]),
        recall=_mean([len(item.gold_ranks) / gold for item, gold in judged]),
        precision=_mean([len(item.gold_ranks) / item.kept for item in kept_any]),
        n_precision=len(kept_any),
        mrr=_mean([1 / min(item.gold_ranks) if item.gold_ranks else 0.0 for item, _ in judged]),
        ndcg=_mean([ndcg(gold=gold, gold_ranks=item.gold_ranks) for item, gold in judged]),
        reason=reason,
        coverage=_mean([float(item.kept > 0) for item in questions]),
        abstention_rate=_mean([float(abstained) for abstained in answered]),
        n_answered=len(answered),
        mean_passages=_mean([float(item.kept) for item in questions]),
        hit_rate_ci=wilson_interval(sum(bool(item.gold_ranks) for item, _ in judged), len(judged)),
        coverage_ci=wilson_interval(sum(item.kept > 0 for item in questions), len(questions)),
        abstention_ci=wilson_interval(sum(answered), len(answered)),
    )


class _Words:
    """Collapse white space in a document's text; also return the original place of every character."""

    def __init__(self, text: str) -> None:
        self._original = text
        self.text = " ".join(text.split())

    @cached_property
    def _places(self) -> list[int]:
        # Made only for a document that contains a quote: all characters of a collection would take gigabytes.
        runs = ((match.start(), match.end()) for match in re.finditer(r"\S+", self._original))
        return [place for start, end in runs for place in range(start, end + 1)]

    def spans(self, wanted: str) -> list[tuple[int, int]]:
        """Return the original [start, end) of every occurrence of a quote whose white space is collapsed."""
        if not wanted or wanted not in self.text:
            return []
        found = [match.start() for match in re.finditer(re.escape(wanted), self.text)]
        return [(self._places[start], self._places[start + len(wanted) - 1] + 1) for start in found]


class GoldIndex:
    """Finds the passages that contain a quote, however the collection was cut.

    The text of each document is put together from its passages; a quote is matched up to white space. A passage holds
    it when their character spans overlap by at least half of the shorter one: neighbours share a few characters, and
    the tail of a quote does not hold its answer.
    """

    def __init__(self, passages: Iterable[Passage]) -> None:
        self._passages: dict[str, list[Passage]] = defaultdict(list)
        for passage in passages:
            self._passages[passage.document].append(passage)
        self._words: dict[str, _Words] = {}

    def _text(self, document: str) -> str:
        passages = self._passages[document]
        characters = [" "] * max(passage.end for passage in passages)
        for passage in passages:
            characters[passage.start : passage.start + len(passage.text)] = passage.text
        return "".join(characters)

    def passage_ids(self, gold: Sequence[GoldPassage]) -> frozenset[str] | None:
        """Return the ids of all passages that contain one of the quotes; empty if none does, None without quotes."""
        if not gold:
            return None
        found: set[str] = set()
        for span in chain.from_iterable(self.places(gold)):
            found |= {
                passage.id
                for passage in self._passages[span.document]
                if _holds(passage, start=span.start, end=span.end)
            }
        return frozenset(found)

    def places(self, gold: Sequence[GoldPassage]) -> list[list[Span]]:
        """Return every occurrence of each quote, without the quotes that the collection does not contain.

        A quote whose document is not known is searched in every document.
        """
        found = []
        for item in gold:
            documents = [item.document] if item.document else list(self._passages)
            wanted = " ".join(item.quote.split())
            found.append([Span(name, *span) for name in documents for span in self._words_of(name).spans(wanted)])
        return [places for places in found if places]

    def _words_of(self, document: str) -> _Words:
        if document not in self._words:
            self._words[document] = _Words(self._text(document) if document in self._passages else "")
        return self._words[document]

    def spans(self) -> dict[str, Span]:
        """Return the place of each passage, by id."""
        return {
            passage.id: Span(passage.document, passage.start, passage.end)
            for passages in self._passages.values()
            for passage in passages
        }


def _holds(passage: Passage, *, start: int, end: int) -> bool:
    """Return whether a passage and the quote at [start, end) share at least half of the shorter one."""
    shared = min(passage.end, end) - max(passage.start, start)
    return shared > 0 and 2 * shared >= min(passage.end - passage.start, end - start)
