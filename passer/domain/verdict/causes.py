"""Causes of low scores where gold passages are known, and the largest gain that the remedy of each can add."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from passer.domain.base import Count, Frozen
from passer.domain.verdict.lines import Line
from passer.domain.wording.sentence import LocalizedText

CauseCode = Literal["gold_absent", "not_retrieved", "cut", "abstained"]
"""Why a question may score low, although its gold passages are known.

gold_absent: the collection does not contain them. not_retrieved: they are below the retrieved depth. cut: they were
retrieved and not kept. abstained: one was kept, and the model answered that the passages do not contain the answer.
"""
Remedy = Literal["documents", "retriever", "cut", "prompt"]
"""Remedies: other documents, another retriever or chunking, another k or threshold, another prompt or model."""


class Cause(Frozen):
    """Questions that score low for one reason, and the most that its remedy can add."""

    code: CauseCode
    """The reason."""
    remedy: Remedy
    """The remedy."""
    questions: Count
    """Questions with this reason."""
    of: Count
    """Questions whose gold passages are known."""
    k: int | None = None
    """Smallest k that keeps a gold passage in half of them; only with `cut`."""
    kept_at_k: int | None = None
    """Questions that would keep a gold passage at that k."""
    at_most: float | None = None
    """Ceiling of the gain in the mean: these questions at 1 instead of what they scored. None unless it is CPS."""
    line: Line
    """The cause in words."""


class RetrievalCause(Frozen):
    """Effect of the cut on the gold passages."""

    name: LocalizedText
    """Configuration whose losses these are: the recommended one, else the one that lost most."""
    lost: Count
    """Questions that kept a gold passage with the baseline and keep none here."""
    won: Count
    """Questions that keep a gold passage here and kept none with the baseline."""
    of: Count
    """Questions whose gold passages the collection contains."""
    question_ids: tuple[str, ...] = Field(max_length=100)
    """The first of those that lost it."""
    line: Line
    """The causes in words."""
    causes: tuple[Cause, ...]
    """Causes of the configuration to use (the recommended one, else the baseline), the most questions first."""
