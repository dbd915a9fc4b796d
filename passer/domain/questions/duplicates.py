"""Duplicates among drafts, decided in the order of the windows: the first one stays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from passer.domain.questions.drafting import Draft
from passer.domain.questions.form import normal_form

SAME_QUOTE = 0.8
"""Cosine from which two questions that the same quote answers are one."""
_ROUNDING = 1e-6
"""Rounding of cosines in float32."""
Vector = NDArray[np.float32]


class Accepted:
    """The accepted questions so far, with their vectors."""

    def __init__(self, similarity: float | None) -> None:
        """`similarity` is the cosine from which a question repeats another; None compares texts only."""
        self._similarity = similarity
        self._forms: set[str] = set()
        self._quotes: list[frozenset[str]] = []
        self._vectors: list[Vector] = []

    def __len__(self) -> int:
        return len(self._quotes)

    def has(self, form: str) -> bool:
        """Return whether an accepted question has this normal form."""
        return form in self._forms

    def problem(self, draft: Draft, vector: Vector | None) -> str | None:
        """Return why a draft repeats an accepted question: `same_text`, `similar` or `same_quote`; or None."""
        if self.has(normal_form(draft.question)):
            return "same_text"
        if vector is None or self._similarity is None or not self._vectors:
            return None
        cosines = np.stack(self._vectors) @ vector
        if float(cosines.max()) >= self._similarity - _ROUNDING:
            return "similar"
        mine = _quotes(draft)
        near = np.flatnonzero(cosines >= SAME_QUOTE - _ROUNDING)
        return "same_quote" if any(self._quotes[place] == mine for place in near) else None

    def add(self, draft: Draft, vector: Vector | None) -> None:
        """Add an accepted draft."""
        self._forms.add(normal_form(draft.question))
        self._quotes.append(_quotes(draft))
        if vector is not None:
            self._vectors.append(vector)


def _quotes(draft: Draft) -> frozenset[str]:
    return frozenset(each.quote for each in draft.gold)
