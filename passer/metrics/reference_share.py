"""The share of the reference's words that the answer contains: one value of the published ROUGE family.

The family computes nine values, and the union of longest common subsequences takes nearly all of its time. The audit of
result sheets needs only this one, for every row.
"""

from __future__ import annotations

from passer.domain.score import Score
from passer.metrics.rouge import words_by_sentence

COLUMN = "Rouge-1.p"
"""Field name in the published program."""


def reference_share(*, reference: str, answer: str) -> Score:
    """Return distinct common words / distinct words of the reference, in [0, 1], as the published family does."""
    if not reference.strip():
        return Score(value=None, reason="empty_reference")
    if not answer.strip():
        return Score(value=None, reason="empty_answer")
    theirs, ours = _words(reference), _words(answer)
    if not theirs or not ours:
        return Score(value=None, reason="no_tokens")
    return Score(value=len(theirs & ours) / len(theirs))


def _words(text: str) -> set[str]:
    return {word for sentence in words_by_sentence(text) for word in sentence}
