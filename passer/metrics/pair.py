"""What metrics read: a reference and an answer, as text with its tokens and as vectors. Each is prepared once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from passer.metrics import tokens
from passer.ports import TokenStates, Vectors, WordNet

T = TypeVar("T")


class Text:
    """One text and what its metrics cut it into, each kind made when it is first asked for."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self._made: dict[Callable[[Text], Any], Any] = {}

    def once(self, make: Callable[[Text], T]) -> T:
        """What a metric makes of this text alone, made once however many texts it is compared with."""
        if make not in self._made:
            self._made[make] = make(self)
        made: T = self._made[make]
        return made

    @cached_property
    def is_blank(self) -> bool:
        """Whether there is nothing but white space."""
        return not self.raw.strip()

    @cached_property
    def sentences(self) -> list[list[str]]:
        """Lower-cased word tokens, sentence by sentence."""
        return tokens.word_sentences(self.raw)

    @cached_property
    def words(self) -> list[str]:
        """Lower-cased word tokens of all sentences."""
        return [word for sentence in self.sentences for word in sentence]

    @cached_property
    def published_sentences(self) -> list[list[str]]:
        """The same by the published service's splitter."""
        return tokens.published_sentences(self.raw)

    @cached_property
    def published_words(self) -> list[str]:
        """Word tokens of the sentences of the lower-cased text: lower-cased before it is split, by that splitter."""
        return [word for sentence in tokens.published_sentences(self.raw.lower()) for word in sentence]

    @cached_property
    def plain(self) -> list[str]:
        """What stands between white space, as written."""
        return self.raw.split()

    @cached_property
    def plain_lower(self) -> list[str]:
        """What stands between white space, lower-cased."""
        return self.raw.lower().split()

    @cached_property
    def international(self) -> list[str]:
        """Tokens of mteval's 13a."""
        return tokens.tokens_13a(self.raw)

    @cached_property
    def alphanumeric(self) -> list[str]:
        """Runs of a-z and 0-9, as rouge-score cuts them."""
        return tokens.alphanumeric(self.raw)

    @cached_property
    def unicode_words(self) -> list[str]:
        """Words of any script."""
        return tokens.unicode_words(self.raw)

    @cached_property
    def bare(self) -> list[str]:
        """Lower-cased words without ASCII punctuation and English articles, as SQuAD compares them."""
        return tokens.bare_words(self.raw)

    @cached_property
    def is_latin(self) -> bool:
        """Whether at least half of the letters are Latin, or there are none."""
        return tokens.mostly_latin(self.raw)

    @cached_property
    def counts_13a(self) -> list[tokens.NgramCounts]:
        """N-grams of 13a tokens with their counts, orders 1 to 4."""
        return [tokens.count_ngrams(self.international, order) for order in range(1, 5)]

    @cached_property
    def counts_plain(self) -> list[tokens.NgramCounts]:
        """N-grams of white-space tokens with their counts, orders 1 to 4."""
        return [tokens.count_ngrams(self.plain, order) for order in range(1, 5)]


@dataclass(frozen=True)
class TextVectors:
    """What metrics keep of a text's token states."""

    first: NDArray[np.float64]
    """[CLS] of the last layer, shape (dimension,)."""
    mean: NDArray[np.float64]
    """Mean over all tokens of the last layer, shape (dimension,)."""
    unit: Vectors
    """Token vectors of length 1 at the layer that BERTScore compares, shape (n_tokens, dimension)."""
    truncated: bool
    """Whether the text was cut."""

    @property
    def has_tokens(self) -> bool:
        """Whether there is more than [CLS] and [SEP]."""
        return len(self.unit) > 2

    @classmethod
    def of(cls, states: TokenStates, *, last_layer: bool) -> TextVectors:
        """Reduce token states; BERTScore compares the last layer or the encoder's configured one."""
        compared = states.states if last_layer or states.layer_states is None else states.layer_states
        lengths = np.linalg.norm(compared, axis=1, keepdims=True)
        return cls(
            first=states.states[0].astype(np.float64),
            mean=states.states.mean(axis=0, dtype=np.float64),
            unit=(compared / np.where(lengths > 0, lengths, 1)).astype(np.float32, copy=False),
            truncated=states.truncated,
        )


@dataclass(frozen=True)
class PairVectors:
    """Vectors of a pair."""

    reference: TextVectors
    answer: TextVectors
    combined_first: NDArray[np.float64]
    """[CLS] of the combined text of B-RT, shape (dimension,); empty where no column needs it."""
    answer_cut_off: bool = False
    """Whether the combined text was cut before the answer began."""


@dataclass(frozen=True)
class Pair:
    """A reference and the answer that is measured against it."""

    reference: Text
    answer: Text
    wordnet: WordNet | None = None
    vectors: PairVectors | None = None

    @property
    def is_latin(self) -> bool:
        """Whether the reference is in Latin script: the tokenizers of rouge-score and SQuAD know no other."""
        return self.reference.is_latin
