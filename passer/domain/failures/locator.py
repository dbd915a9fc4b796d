"""Failure stage of a question: the first step of a run at which its answer was lost.

One label for each question, the first that holds, so that counts sum to the number of questions:

- failed: no answer.
- unanswerable: the dataset declares that no document answers the question.
- gold_unknown: the dataset has no gold passage for it.
- gold_absent: the collection contains none of its gold passages.
- not_retrieved: a gold passage is not in the stored ranking.
- cut: all were retrieved, and one was not kept by k or threshold.
- prompt_cut: all were kept, and the prompt was truncated.
- abstained: the model answered that the passages do not contain the answer.
- answer_cut: the answer was truncated.
- unscored: the column that decides what is low has no value, for a reason that measuring caused.
- unused: a low score, and less than 30 % of the keywords that reference and gold passages share are in the answer.
- used_and_low: a low score, although the answer uses the gold passages.
- fine: none of these.

A run without retrieval has no passages to lose: it skips the labels from gold_unknown to cut, and `low` means a
low score. With several gold passages the worst one decides, or with `best` the best one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, get_args

from passer.domain.base import Frozen
from passer.domain.texts.keywords import folded_keywords, shared

FailureLabel = Literal[
    "failed",
    "unanswerable",
    "gold_unknown",
    "gold_absent",
    "not_retrieved",
    "cut",
    "prompt_cut",
    "abstained",
    "answer_cut",
    "unscored",
    "unused",
    "used_and_low",
    "low",
    "fine",
]
"""Stage at which a question failed, in the order in which the labels are tried."""
RetrievalLoss = Literal["gold_unknown", "gold_absent", "not_retrieved", "cut"]
"""Stage of retrieval that lost the gold passages of a question."""
LABELS: tuple[FailureLabel, ...] = get_args(FailureLabel)
LEAST_USED = 0.30
"""Share of the keywords shared by reference and gold passages below which an answer did not use them."""


class GoldPlace(Frozen):
    """Rank of the deciding gold passage of a question."""

    rank: int
    """Rank, from 1."""
    similarity: float
    """Similarity with the question, -1 to 1."""


class QuestionEvidence(Frozen):
    """Evidence on one question of a run."""

    answered: bool
    """True if there is an answer; False for a failed question."""
    unanswerable: bool = False
    """True if the dataset declares that no document answers it."""
    retrieves: bool = True
    """True if the run retrieves passages."""
    gold: int | None = None
    """Gold passages in the collection; None if unknown."""
    ranks: tuple[GoldPlace, ...] = ()
    """Places of the gold passages that were retrieved, best first."""
    kept: tuple[int, int] = (0, 0)
    """Places [first, last) of the ranking, from 0, that were kept."""
    abstained: bool = False
    """True if code recognises the answer as an abstention."""
    attempted: bool | None = None
    """True if a judge says that it is an attempt to answer; None without a judge."""
    answerable: bool | None = None
    """True if a judge says that the kept passages contain the answer; None without a judge."""
    truncated: Literal["prompt", "answer"] | None = None
    is_low: bool | None = None
    """True if the deciding score is low; None without a value."""

    def place(self, *, best: bool) -> GoldPlace | None:
        """Return the place of the gold passage that decides; None if it was not retrieved."""
        if not self.ranks or (not best and len(self.ranks) < (self.gold or 0)):
            return None
        return self.ranks[0] if best else self.ranks[-1]

    def keeps(self, place: GoldPlace) -> bool:
        """Return whether a place of the ranking was kept."""
        return self.kept[0] < place.rank <= self.kept[1]

    def holds_gold(self, *, best: bool) -> bool:
        """Return whether the passages that were kept contain the answer."""
        found = [self.keeps(place) for place in self.ranks]
        return any(found) if best else bool(self.gold) and sum(found) == self.gold

    @property
    def declined(self) -> bool:
        """True if the answer is an abstention, as decided by a judge if there is one, else by code."""
        return self.abstained if self.attempted is None else not self.attempted

    def may_answer(self, *, best: bool) -> bool | None:
        """Return whether the passages contain the answer: by gold passages, else by a judge; None if unknown."""
        if self.unanswerable:
            return False
        return self.answerable if self.gold is None else self.holds_gold(best=best)


def locate(found: QuestionEvidence, used: Callable[[], float | None], *, best: bool = False) -> FailureLabel:
    """Return where a question failed. `used` gives the share of keywords used, and is called for low scores only."""
    if not found.answered:
        return "failed"
    if found.unanswerable:
        return "unanswerable"
    if found.retrieves:
        is_retrieved, is_kept = found.place(best=best) is not None, found.holds_gold(best=best)
        if lost := retrieval_loss(found.gold, is_retrieved=is_retrieved, is_kept=is_kept):
            return lost
    return _answer_failure(found, used)


def retrieval_loss(gold: int | None, *, is_retrieved: bool, is_kept: bool) -> RetrievalLoss | None:
    """Return how retrieval lost the gold passages, of which the collection holds `gold`; None if it kept them."""
    if gold is None:
        return "gold_unknown"
    if gold == 0:
        return "gold_absent"
    if is_kept:
        return None
    return "cut" if is_retrieved else "not_retrieved"


def _answer_failure(found: QuestionEvidence, used: Callable[[], float | None]) -> FailureLabel:
    if found.truncated == "prompt":
        return "prompt_cut"
    if found.abstained:
        return "abstained"
    if found.truncated == "answer":
        return "answer_cut"
    if found.is_low is None:
        return "unscored"
    if not found.is_low:
        return "fine"
    if not found.retrieves:
        return "low"
    share = used()
    return "unused" if share is not None and share < LEAST_USED else "used_and_low"


def gold_used(*, references: Sequence[str], gold: Sequence[str], answer: str, language: str) -> float | None:
    """Return the share of the keywords common to reference and gold passages that the answer has; None without any.

    Of several right answers, the one with the highest share counts.
    """
    in_gold = frozenset[str]().union(*(folded_keywords(text, language) for text in gold))
    said = folded_keywords(answer, language)
    shares = [shared(folded_keywords(each, language) & in_gold, said) for each in references]
    return max((each for each in shares if each is not None), default=None)
