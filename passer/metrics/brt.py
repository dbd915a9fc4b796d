"""B-RT: four scores that the published service derives from [CLS] vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from passer.domain.score import Citation, MetricInfo, ScoreNote, VectorProfile
from passer.metrics.pair import Pair, PairVectors
from passer.metrics.registry import Value, describe, register
from passer.metrics.similarity import ONE_ENCODER, cosine, vectors_of

_FIELDS = ("coherence", "consistency", "fluency", "relevance", "average")
_WHERE = {
    "s": "s = cosine of the [CLS] vectors of reference and answer",
    "c": 'c = [CLS] of "Reference: " + reference + " Candidate: " + answer, last layer',
}
_CLIPPED = {"standard": "clip(5 s, 0, 5)", "published": "5 s"}
_NOTES = (
    "Unvalidated: no study has compared these marks with human judgement.",
    "Relevance and consistency are the same number, 5 s.",
    "It never sees the question.",
    "The divisors 10 and 15 are those of the published program; values on another encoder are not comparable.",
    "The combined text is cut at the encoder's limit: after a long reference it holds little or nothing of the answer.",
    ONE_ENCODER,
)


_FROM_COMBINED = frozenset({"B-RT.coherence", "B-RT.fluency", "B-RT.average"})
"""Columns that depend on the combined text."""


def _cut_off(pair: Pair) -> ScoreNote | None:
    return "answer_cut_off" if pair.vectors is not None and pair.vectors.answer_cut_off else None


def combined_text(*, reference: str, answer: str) -> str:
    """Return the combined text that B-RT encodes."""
    return f"Reference: {reference} Candidate: {answer}"


def _info(profile: VectorProfile, field: str) -> MetricInfo:
    formula = {
        "coherence": f"clip(|c[0:100]| / 10 s, 0, 5); {_WHERE['s']}; {_WHERE['c']}",
        "consistency": f"{_CLIPPED[profile]}; {_WHERE['s']}",
        "fluency": f"clip(|c[100:300]| / 15 s, 0, 5); {_WHERE['s']}; {_WHERE['c']}",
        "relevance": f"{_CLIPPED[profile]}; {_WHERE['s']}",
        "average": "mean of coherence, consistency, fluency and relevance",
    }[field]
    unclipped = profile == "published" and field in ("consistency", "relevance")
    return describe(
        f"B-RT.{field}",
        profile,
        summary=f"B-RT {field}, from [CLS] vectors.",
        formula=formula,
        minimum={"average": -2.5}.get(field, -5.0 if unclipped else 0.0) if profile == "published" else 0.0,
        maximum=5.0,
        needs=("encoder",),
        citation=Citation(
            text="Radeva, I. et al. (2024). Web application for retrieval-augmented generation: Implementation and "
            "testing. Electronics 13(7), 1361.",
            url="https://doi.org/10.3390/electronics13071361",
        ),
        notes=_NOTES,
    )


@register(*(_info("standard", field) for field in _FIELDS), note=_cut_off, noted=_FROM_COMBINED)
def standard(pair: Pair) -> Sequence[Value]:
    """Return the five B-RT scores, each clipped to [0, 5]."""
    return _marks(vectors_of(pair), clipped=True)


@register(*(_info("published", field) for field in _FIELDS), note=_cut_off, noted=_FROM_COMBINED)
def published(pair: Pair) -> Sequence[Value]:
    """Return the five B-RT scores; consistency and relevance are not clipped."""
    return _marks(vectors_of(pair), clipped=False)


def _marks(vectors: PairVectors, *, clipped: bool) -> Sequence[Value]:
    s = cosine(vectors.reference.first, vectors.answer.first)
    if isinstance(s, str):
        return (s,) * len(_FIELDS)
    combined = vectors.combined_first
    coherence = _within(float(np.linalg.norm(combined[:100])) / 10 * s)
    fluency = _within(float(np.linalg.norm(combined[100:300])) / 15 * s)
    same = _within(5 * s) if clipped else 5 * s
    return coherence, same, fluency, same, (coherence + same + fluency + same) / 4


def _within(value: float) -> float:
    return min(5.0, max(0.0, value))
