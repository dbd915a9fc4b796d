"""Every tokenizer gives what the library that it follows gives, on anything."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from passer.domain.texts.words import has_other_letters
from passer.metrics import tokens
from passer.metrics.sentences import split_published, split_sentences
from tests.metrics.texts import PAIRS

TEXTS = sorted({text for pair in PAIRS for text in pair})
PIECES = (
    *" .,:;!?()[]{}<>-\"'`“”‘’«»–—*%$#@&abcdi19\n\t",
    *("cannot", "gonna ", "wanna", "'s ", "n't ", "'ll", "''", "'tis", ". ", "! ", "...", ". . .", ".) ", '. "'),
    *(
        "word",
        "Word",
        "vs",
        "u.s",
        "U.S",
        "12",
        "No",
        "etc",
        "é",
        "**",
        "<skipped>",
        "-\n",
        "&quot;",
        "&amp;",
        "1.5",
        ",5",
    ),
)
anything = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=16).map("".join))
many = settings(max_examples=400)


@cache
def _nltk_words() -> Any:
    from nltk.tokenize.destructive import NLTKWordTokenizer

    return NLTKWordTokenizer()


@cache
def _punkt(*abbreviations: str) -> Any:
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    parameters = PunktParameters()
    parameters.abbrev_types = set(abbreviations)
    return PunktSentenceTokenizer(parameters)


@many
@given(anything)
def test_words_are_those_of_nltk(text: str) -> None:
    assert tokens.words_of([text.lower()]) == [_nltk_words().tokenize(text.lower())]


@many
@given(anything)
def test_sentences_are_those_of_untrained_punkt(text: str) -> None:
    assert split_sentences(text) == [found for found in _punkt().tokenize(text) if found.strip()]
    assert split_published(text) == [found for found in _punkt("u.s", "vs").tokenize(text) if found.strip()]


@many
@given(anything)
def test_13a_is_that_of_sacrebleu(text: str) -> None:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    assert tokens.tokens_13a(text) == Tokenizer13a()(text.rstrip()).split()


@many
@given(anything)
def test_alphanumeric_is_that_of_rouge_score_without_letters_beyond_ascii(text: str) -> None:
    from rouge_score.tokenize import tokenize

    assume(not has_other_letters(text))
    assert tokens.alphanumeric(text) == tokenize(text, None)


@pytest.mark.parametrize("text", TEXTS)
def test_many_sentences_are_cut_as_one_by_one(text: str) -> None:
    sentences = [found.lower() for found in split_sentences(text)]
    assert tokens.words_of(sentences) == [_nltk_words().tokenize(sentence) for sentence in sentences]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The cat, an owl and A dog!", ["cat", "owl", "and", "dog"]),
        ("U.S. state-of-the-art", ["us", "stateoftheart"]),
        ("the a an ...", []),
    ],
)
def test_squad_words(text: str, words: list[str]) -> None:
    assert tokens.bare_words(text) == words
