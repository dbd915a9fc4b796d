"""Search and sorting of a list of questions, of a run or of an imported sheet."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.score import VECTOR_ORDER
from passer.domain.texts.search_words import folded
from passer.domain.wording.sentence import sentence
from passer.errors import InputError

NUMBER = "number"
"""The order of the dataset or sheet; the other orders are the 24 columns."""


def words_of(find: str) -> list[str]:
    """Return the words of a search text, without regard to case and optional marks."""
    return folded(find).split()


def holds(texts: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether the texts together contain every word of `words_of`."""
    whole = folded("\n".join(texts))
    return all(word in whole for word in words)


def check_order(order: str) -> None:
    """Raise InputError for an unknown order."""
    if order != NUMBER and order not in VECTOR_ORDER:
        raise InputError(sentence("analysis.no-order", order=order), field="order")
