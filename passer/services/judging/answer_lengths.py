"""The effect of an answer's length on a judge's values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from passer.domain.judging.length_slope import LengthSlope, length_slope
from passer.domain.texts.words import unicode_words
from passer.services.judging.items import ItemKey


def answer_length_slope(keys: Sequence[ItemKey], judge: Mapping[str, float]) -> LengthSlope | None:
    """Return the slope over the distinct answers with a reference; `judge` are the judged values by item key."""
    found: dict[str, tuple[float, float, float, str]] = {}
    for key in keys:
        if key.key is None or key.key not in judge or key.key in found:
            continue
        words, wanted = unicode_words(key.answer), unicode_words(key.reference)
        if words and wanted:
            overlap = 2 * (Counter(words) & Counter(wanted)).total() / (len(words) + len(wanted))
            found[key.key] = (judge[key.key], float(len(words)), overlap, key.place.question_id)
    rows = list(found.values())
    values, lengths, overlaps = (np.array([row[column] for row in rows]) for column in range(3))
    return length_slope(values, lengths, overlaps, [question for *_, question in rows])
