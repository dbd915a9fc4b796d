"""What a researcher should know before a sweep starts."""

from __future__ import annotations

TEMPLATES: dict[str, str] = {
    "caution.other-chunking": (
        "Collection {name} was cut into passages of {size} {unit} with {overlap} shared, not as this sweep says: name "
        "another collection, or leave chunking out."
    ),
    "caution.other-embedding": (
        "Collection {name} is bound to the embedding model {bound}, not to {planned}: name another collection, or "
        "leave embedding out."
    ),
    "caution.overflow": (
        "{policy} of {collection}: {over:,} of {prompts:,} prompts (the longest about {most:,} tokens) may not fit "
        "num_ctx together with the answer: raise num_ctx or keep less."
    ),
    "caution.nothing-kept": (
        "{policy} of {collection}: no passage is kept for any question: lower the threshold, or leave it out."
    ),
    "caution.shorter-window": (
        "{model} was made for {window:,} tokens, less than num_ctx {num_ctx:,}: what does not fit the smaller of the "
        "two is cut."
    ),
    "caution.too-long": (
        "{k} passages of {size:,} {unit} are about {tokens:,} tokens and do not fit num_ctx {num_ctx:,}: prompts of "
        "the Normal runs may be cut; raise num_ctx or lower k."
    ),
    "caution.judge-and-party": (
        "{model} is evaluated on passages that {embedder} itself retrieved: the others read what a rival chose; say "
        "so, or embed with a model that is not compared."
    ),
    "caution.idle-axes": "The extractive reader copies sentences: {axes} changes nothing for it.",
    "caution.one": "{one}",
    "caution.two": "{one} and {other}",
    "caution.three": "{one} and {other} and {third}",
    "caution.same-seed": (
        "All {repeats} repetitions are asked with seed {seed}: a server that honours it gives the same answer again; "
        "compare sweeps of different seeds to see how much answers vary."
    ),
    "caution.no-baseline": (
        "There is no baseline: nothing is compared with anything; set one, or name one in the analysis."
    ),
    "caution.not-english": (
        "The questions are in {language!r}, but METEOR (WordNet, stemmer), the perplexities' sentence splitter and the "
        "embedded encoder are made for English: rely on ROUGE, BLEU and F1, and for the encoder's columns set "
        "PASSER_ENCODER to a model of that language."
    ),
    "caution.cache-unknown": "What is cached of {model} cannot be told: {reason}",
    "unit.characters": "characters",
    "unit.tokens": "tokens",
}
