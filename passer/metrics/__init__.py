"""The 24 metrics in two profiles: one family to a file, each describing itself; one engine for all."""

from __future__ import annotations

from passer.metrics import bertscore, bleu, brt, f1, meteor, perplexity, rouge, similarity
from passer.metrics.bleu import SIGNATURE
from passer.metrics.engine import ENCODER_DECIMALS, PairScorer, score_pairs
from passer.metrics.meteor import EXACT_AND_STEM, METEOR
from passer.metrics.registry import infos
from passer.metrics.sentences import PUBLISHED_SPLITTER, SENTENCE_SPLITTER
from passer.metrics.tokens import ROUGE_TOKENIZER, WORD_TOKENIZER

FAMILIES = (meteor, bleu, rouge, perplexity, similarity, f1, bertscore, brt)
"""Importing a family registers it."""

DEFINITIONS = {
    "bleu": SIGNATURE,
    "rouge_tokenizer": ROUGE_TOKENIZER,
    "sentence_splitter": SENTENCE_SPLITTER,
    "sentence_splitter_published": PUBLISHED_SPLITTER,
    "word_tokenizer": WORD_TOKENIZER,
}
"""What stands in a manifest so that values can be compared later; of these, BLEU's and ROUGE's are of `standard`."""

__all__ = [
    "DEFINITIONS",
    "ENCODER_DECIMALS",
    "EXACT_AND_STEM",
    "FAMILIES",
    "METEOR",
    "PairScorer",
    "infos",
    "score_pairs",
]
