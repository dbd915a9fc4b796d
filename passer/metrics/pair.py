"""The input of metrics: a reference and an answer, with their tokens and vectors. Each form is computed once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from passer.domain.texts.words import Piece, has_other_letters
from passer.metrics import tokens
from passer.ports import TokenStates, Vectors, WordNet

T = TypeVar("T")


class Text:
    """One text and its tokens; each kind of token is computed on first use."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self._made: dict[Callable[[Text], Any], Any] = {}

    def once(self, make: Callable[[Text], T]) -> T:
        """Return a value that a metric derives from this text alone, computed once."""
        if make not in self._made:
            self._made[make] = make(self)
        made: T = self._made[make]
        return made

    @cached_property
    def is_blank(self) -> bool:
        """Return whether the text is empty or white space."""
        return not self.raw.strip()

    @cached_property
    def sentences(self) -> list[list[str]]:
        """Lower-cased word tokens, sentence by sentence."""
        return tokens.word_sentences(self.raw)

    @cached_property
    def words(self) -> list[str]:
        """Lower-cased word tokens, all sentences together."""
        return [word for sentence in self.sentences for word in sentence]

    @cached_property
    def published_sentences(self) -> list[list[str]]:
        """Lower-cased word tokens, sentences split by the published service's splitter."""
        return tokens.published_sentences(self.raw)

    @cached_property
    def published_words(self) -> list[str]:
        """Word tokens of the lower-cased text, split after lower-casing by the published splitter."""
        return [word for sentence in tokens.published_sentences(self.raw.lower()) for word in sentence]

    @cached_property
    def plain(self) -> list[str]:
        """White-space tokens as written."""
        return self.raw.split()

    @cached_property
    def plain_lower(self) -> list[str]:
        """White-space tokens, lower-cased."""
        return self.raw.lower().split()

    @cached_property
    def international(self) -> list[str]:
        """Tokens of mteval's 13a tokenizer."""
        return tokens.tokens_13a(self.raw)

    @cached_property
    def alphanumeric(self) -> list[str]:
        """Runs of a-z and 0-9, as rouge-score tokenizes."""
        return tokens.alphanumeric(self.raw)

    @cached_property
    def unicode_sentences(self) -> list[list[str]]:
        """Casefolded tokens of `unicode-1`, punctuation included, sentence by sentence."""
        return [[piece.text.casefold() for piece in sentence] for sentence in self._pieces]

    @cached_property
    def unicode_folded(self) -> list[str]:
        """Casefolded tokens of `unicode-1`, punctuation included."""
        return [token for sentence in self.unicode_sentences for token in sentence]

    @cached_property
    def unicode_words(self) -> list[str]:
        """Casefolded words of `unicode-1`, without punctuation."""
        return [piece.text.casefold() for sentence in self._pieces for piece in sentence if piece.is_word]

    @cached_property
    def unicode_tokens(self) -> list[str]:
        """Tokens of `unicode-1` as written, punctuation included."""
        return [piece.text for sentence in self._pieces for piece in sentence]

    @cached_property
    def _pieces(self) -> list[list[Piece]]:
        return tokens.unicode_sentences(self.raw)

    @cached_property
    def bare(self) -> list[str]:
        """Lower-cased words without ASCII punctuation and English articles, as in SQuAD."""
        return tokens.bare_words(self.raw)

    @cached_property
    def has_other_letters(self) -> bool:
        """Return whether the text has a letter or decimal digit beyond ASCII."""
        return has_other_letters(self.raw)

    @cached_property
    def counts_plain(self) -> list[tokens.NgramCounts]:
        """Counts of white-space n-grams, orders 1 to 4."""
        return [tokens.count_ngrams(self.plain, order) for order in range(1, 5)]


@dataclass(frozen=True)
class TextVectors:
    """The vectors of one text that metrics use."""

    first: NDArray[np.float64]
    """[CLS] of the last layer, shape (dimension,)."""
    mean: NDArray[np.float64]
    """Mean over all tokens of the last layer, shape (dimension,)."""
    unit: Vectors
    """Unit token vectors of the layer that BERTScore uses, shape (n_tokens, dimension)."""
    truncated: bool
    """True if the encoder's token limit cut the text."""
    unknown: float = 0.0
    """Share of its word pieces that the encoder does not know."""

    @property
    def has_tokens(self) -> bool:
        """Return whether the text has tokens besides [CLS] and [SEP]."""
        return len(self.unit) > 2

    @classmethod
    def of(cls, states: TokenStates, *, last_layer: bool) -> TextVectors:
        """Reduce token states to the vectors in use. BERTScore uses the last layer or the encoder's configured one."""
        compared = states.states if last_layer or states.layer_states is None else states.layer_states
        lengths = np.linalg.norm(compared, axis=1, keepdims=True)
        return cls(
            first=states.states[0].astype(np.float64),
            mean=states.states.mean(axis=0, dtype=np.float64),
            unit=(compared / np.where(lengths > 0, lengths, 1)).astype(np.float32, copy=False),
            truncated=states.truncated,
            unknown=states.unknown,
        )


@dataclass(frozen=True)
class PairVectors:
    """Vectors of a pair."""

    reference: TextVectors
    answer: TextVectors
    combined_first: NDArray[np.float64]
    """[CLS] of B-RT's combined text, shape (dimension,); empty if no column needs it."""
    answer_cut_off: bool = False
    """True if the token limit cut the combined text before the answer began."""


@dataclass(frozen=True)
class Pair:
    """A reference and the answer to score against it."""

    reference: Text
    answer: Text
    wordnet: WordNet | None = None
    vectors: PairVectors | None = None
    is_english: bool = True
    """True if the dataset's language is English."""

    @property
    def by_unicode(self) -> bool:
        """Return whether the text columns of `standard` use `unicode-1`: the reference alone decides."""
        return self.reference.has_other_letters
