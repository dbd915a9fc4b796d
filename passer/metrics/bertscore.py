"""BERTScore: each token matched with the most similar token of the other side."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.score import Citation, MetricInfo, VectorProfile
from passer.metrics.pair import Pair, PairVectors
from passer.metrics.registry import Value, describe, register
from passer.metrics.similarity import ONE_ENCODER, vectors_of
from passer.ports import Vectors

_CITATION = Citation(
    text="Zhang, T. et al. (2020). BERTScore: Evaluating text generation with BERT. ICLR.",
    url="https://openreview.net/forum?id=SkeHuCVFDr",
)
_FIELDS = ("precision", "recall", "f1")
_STANDARD = {
    "precision": "mean over the answer's tokens of the highest cosine with a token of the reference",
    "recall": "mean over the reference's tokens of the highest cosine with a token of the answer",
    "f1": "2 P R / (P + R)",
}
_PUBLISHED = {
    "precision": "mean over the reference's tokens of the highest cosine with a token of the answer",
    "recall": "mean over the answer's tokens of the highest cosine with a token of the reference",
    "f1": "2 P R / (P + R); 0 if P + R <= 0",
}
_CUT = {
    "standard": (
        "The layer that bert-score names for the encoder, else the last; [CLS] and [SEP] are not averaged over but may "
        "be matched, as in bert-score; no IDF, no rescaling."
    ),
    "published": "Last layer; [CLS] and [SEP] are tokens like others; precision and recall stand exchanged.",
}


def _info(profile: VectorProfile, field: str) -> MetricInfo:
    formula = (_STANDARD if profile == "standard" else _PUBLISHED)[field]
    return describe(
        f"Bert-Score.{field}",
        profile,
        summary=f"BERTScore {'F1' if field == 'f1' else field} of contextual token vectors.",
        formula=f"{formula}. {_CUT[profile]}",
        minimum=-1.0,
        needs=("encoder",),
        citation=_CITATION,
        notes=(ONE_ENCODER,),
    )


@register(*(_info("standard", field) for field in _FIELDS))
def standard(pair: Pair) -> Sequence[Value]:
    """Return precision, recall and F1 as bert-score defines them, each in [-1, 1]."""
    vectors = vectors_of(pair)
    if not (vectors.reference.has_tokens and vectors.answer.has_tokens):
        return ("no_tokens",) * 3
    cosines = _cosines(vectors)
    precision = float(cosines[1:-1].max(axis=1).mean(dtype=float))
    recall = float(cosines[:, 1:-1].max(axis=0).mean(dtype=float))
    return _bounded(precision), _bounded(recall), _bounded(_f1(precision, recall))


@register(*(_info("published", field) for field in _FIELDS))
def published(pair: Pair) -> Sequence[Value]:
    """Return the published precision, recall and F1: special tokens included, precision averaged over the reference."""
    vectors = vectors_of(pair)
    cosines = _cosines(vectors)
    precision = float(cosines.max(axis=0).mean(dtype=float))
    recall = float(cosines.max(axis=1).mean(dtype=float))
    f1 = _f1(precision, recall) if precision + recall > 0 else 0.0
    return _bounded(precision), _bounded(recall), _bounded(f1)


def _cosines(vectors: PairVectors) -> Vectors:
    """Return the cosine of each answer token with each reference token, float32, shape (answer, reference)."""
    import torch

    # torch, not numpy: numpy's product wakes BLAS threads that spin for 25 ms afterwards on the encoder's cores.
    product = torch.from_numpy(vectors.answer.unit) @ torch.from_numpy(vectors.reference.unit).T
    cosines: Vectors = product.numpy()
    return cosines


def _f1(precision: float, recall: float) -> float:
    both = precision + recall
    return 2 * precision * recall / both if both else 0.0


def _bounded(value: float) -> float:
    """Clip to [-1, 1], which float32 rounding can exceed."""
    return min(1.0, max(-1.0, value))
