"""The 24 metrics in two profiles, and judged metrics. Each file holds one family of metrics with its description."""

from __future__ import annotations

from passer.metrics import bertscore, bleu, brt, f1, grounded, judged, meteor, perplexity, rouge, similarity
from passer.metrics.definitions import DEFINITIONS, EARLIER
from passer.metrics.engine import ENCODER_DECIMALS, MetricScorer, PairScorer, score_pairs
from passer.metrics.meteor import EXACT_AND_STEM, METEOR
from passer.metrics.registry import infos

FAMILIES = (meteor, bleu, rouge, perplexity, similarity, f1, bertscore, brt, *grounded.FAMILIES, *judged.FAMILIES)
"""Importing a family registers it."""

__all__ = [
    "DEFINITIONS",
    "EARLIER",
    "ENCODER_DECIMALS",
    "EXACT_AND_STEM",
    "FAMILIES",
    "METEOR",
    "MetricScorer",
    "PairScorer",
    "infos",
    "score_pairs",
]
