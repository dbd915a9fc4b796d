"""The 24 metrics in two profiles, and judged metrics. Each file holds one family of metrics with its description."""

from __future__ import annotations

from passer.metrics import bertscore, bleu, brt, f1, grounded, judged, meteor, perplexity, rouge, similarity
from passer.metrics.bleu import SIGNATURE
from passer.metrics.engine import ENCODER_DECIMALS, PairScorer, score_pairs
from passer.metrics.meteor import EXACT, EXACT_AND_STEM, METEOR
from passer.metrics.registry import infos
from passer.metrics.sentences import PUBLISHED_SPLITTER, SENTENCE_SPLITTER
from passer.metrics.tokens import OTHER_LETTERS_TOKENIZER, ROUGE_TOKENIZER, WORD_TOKENIZER

FAMILIES = (meteor, bleu, rouge, perplexity, similarity, f1, bertscore, brt, *grounded.FAMILIES, *judged.FAMILIES)
"""Importing a family registers it."""

DEFINITIONS = {
    "bleu": SIGNATURE,
    "other_letters": f"{OTHER_LETTERS_TOKENIZER}; {EXACT} there and for other languages than English",
    "rouge_tokenizer": ROUGE_TOKENIZER,
    "sentence_splitter": SENTENCE_SPLITTER,
    "sentence_splitter_published": PUBLISHED_SPLITTER,
    "word_tokenizer": WORD_TOKENIZER,
}
"""Tokenizer and signature names recorded in each manifest; those of BLEU, ROUGE and other letters are of `standard`."""

EARLIER = {
    "rouge_tokenizer": f"{ROUGE_TOKENIZER}; unicode-words where the reference is mostly in another script",
}
"""Definitions before `unicode-1`. English texts without letters beyond ASCII have the same scores by both."""

__all__ = [
    "DEFINITIONS",
    "EARLIER",
    "ENCODER_DECIMALS",
    "EXACT_AND_STEM",
    "FAMILIES",
    "METEOR",
    "PairScorer",
    "infos",
    "score_pairs",
]
