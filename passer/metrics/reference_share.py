"""One number of the published ROUGE alone: which share of the reference's words the answer has.

The family computes nine, of which the union of longest common subsequences takes nearly all the time. The audit of
old sheets needs this one for every row.
"""

from __future__ import annotations

from passer.domain.score import Score
from passer.metrics.rouge_published import words_by_sentence

COLUMN = "Rouge-1.p"
"""The field's name in the published program."""


def reference_share(*, reference: str, answer: str) -> Score:
    """Distinct words in common / distinct words of the reference, in [0, 1]; the published family's own value."""
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
