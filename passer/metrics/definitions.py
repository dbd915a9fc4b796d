"""Definitions that scores depend on, as records name them."""

from __future__ import annotations

from passer.metrics.bleu import SIGNATURE
from passer.metrics.meteor import EXACT
from passer.metrics.sentences import PUBLISHED_SPLITTER, SENTENCE_SPLITTER
from passer.metrics.tokens import OTHER_LETTERS_TOKENIZER, ROUGE_TOKENIZER, WORD_TOKENIZER

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
