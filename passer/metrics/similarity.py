"""Cosine similarity and Pearson correlation of the vectors of answer and reference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from passer.domain.score import Citation, MetricInfo, VectorProfile
from passer.metrics.pair import Pair, PairVectors
from passer.metrics.registry import Value, describe, register

ONE_ENCODER = "Comparable only between runs that used the same encoder with the same truncation limit."


def vectors_of(pair: Pair) -> PairVectors:
    """Return the vectors of a pair. The engine never calls a family that needs the encoder without them."""
    if pair.vectors is None:
        raise TypeError("this pair has no vectors; pass an encoder to the engine")
    return pair.vectors


def cosine(left: NDArray[np.float64], right: NDArray[np.float64]) -> Value:
    """Return the cosine of two vectors, or a reason if one of them is zero."""
    lengths = float(np.linalg.norm(left) * np.linalg.norm(right))
    if lengths == 0:
        return "constant_vector"
    return float(np.clip(left @ right / lengths, -1, 1))


def pearson(left: NDArray[np.float64], right: NDArray[np.float64]) -> Value:
    """Return Pearson's r over the components, or a reason if one vector is constant."""
    return cosine(left - left.mean(), right - right.mean())


def _cosine_info(profile: VectorProfile, vectors: str, citation: Citation) -> MetricInfo:
    return describe(
        "Cosine similarity",
        profile,
        summary=f"Cosine of the {vectors}.",
        formula="u . v / (|u| |v|)",
        minimum=-1.0,
        needs=("encoder",),
        citation=citation,
        notes=(ONE_ENCODER,),
    )


def _pearson_info(profile: VectorProfile) -> MetricInfo:
    return describe(
        "Pearson correlation",
        profile,
        summary="Pearson's correlation of the components of the two mean-pooled vectors.",
        formula="cos(u - mean(u), v - mean(v)), u and v the means of all token vectors, special tokens included",
        minimum=-1.0,
        needs=("encoder",),
        citation=Citation(
            text="Pearson, K. (1895). Note on regression and inheritance in the case of two parents. "
            "Proceedings of the Royal Society of London 58, 240-242.",
            url="https://doi.org/10.1098/rspl.1895.0041",
        ),
        notes=("Of the representations, not of other metrics' values.", ONE_ENCODER),
    )


@register(
    _cosine_info(
        "standard",
        "two mean-pooled sentence embeddings",
        Citation(
            text="Reimers, N. and Gurevych, I. (2019). Sentence-BERT: Sentence embeddings using Siamese BERT-networks. "
            "EMNLP-IJCNLP.",
            url="https://aclanthology.org/D19-1410/",
        ),
    ),
    _pearson_info("standard"),
)
def standard(pair: Pair) -> Sequence[Value]:
    """Return cosine and Pearson of the mean-pooled vectors."""
    reference, answer = vectors_of(pair).reference, vectors_of(pair).answer
    return cosine(reference.mean, answer.mean), pearson(reference.mean, answer.mean)


@register(
    _cosine_info(
        "published",
        "two last-layer [CLS] vectors",
        Citation(
            text="Devlin, J. et al. (2019). BERT: Pre-training of deep bidirectional transformers for language "
            "understanding. NAACL-HLT.",
            url="https://aclanthology.org/N19-1423/",
        ),
    ),
    _pearson_info("published"),
)
def published(pair: Pair) -> Sequence[Value]:
    """Return cosine of the [CLS] vectors and Pearson of the mean-pooled vectors."""
    reference, answer = vectors_of(pair).reference, vectors_of(pair).answer
    return cosine(reference.first, answer.first), pearson(reference.mean, answer.mean)
