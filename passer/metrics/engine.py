"""One engine for both profiles: it streams pairs, shares tokens and encodings, and never lets a NaN out."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from passer.domain.score import VECTOR_ORDER, MissingReason, Profile, Score, Scores
from passer.errors import InputError
from passer.metrics.encodings import Encodings
from passer.metrics.pair import Pair, PairVectors, Text
from passer.metrics.recent import Recent
from passer.metrics.registry import Value, families, infos
from passer.ports import Encoder, WordNet

ENCODER_DECIMALS = 6
"""Decimals that encoder metrics are rounded to: float32 means no more."""

_WINDOW = 64
"""Pairs whose texts are encoded together; bounds memory."""
_TEXT_CHARACTERS = 2_000_000
"""Characters of texts whose tokens are kept for the next pair."""
_PAIRS = 32_768
"""Pairs whose values are kept."""

_FROM_COMBINED = frozenset({"B-RT.coherence", "B-RT.fluency", "B-RT.average"})
"""Columns that read B-RT's combined text."""


@dataclass(frozen=True)
class _Measured:
    """Values of one pair, in the order of the engine's columns."""

    values: tuple[Value, ...]
    answer_cut_off: bool = False


class PairScorer:
    """Scores pairs by one profile; a pair's values depend on it alone. Safe in many threads."""

    def __init__(
        self,
        *,
        profile: Profile,
        encoder: Encoder | None,
        wordnet: WordNet | None,
        columns: Sequence[str] = VECTOR_ORDER,
    ) -> None:
        known = {info.name for info in infos(profile)}
        for column in columns:
            if column not in known:
                raise InputError(f"There is no metric {column!r}: `passer metrics` lists them.", field="columns")
        wanted = [family for family in families(profile) if {info.name for info in family.infos} & set(columns)]
        self._columns = tuple(columns)
        self._wordnet = wordnet
        self._on_text = [family for family in wanted if not family.needs_encoder]
        self._on_vectors = [family for family in wanted if family.needs_encoder]
        self._encodings: Encodings | None = None
        if encoder is not None and self._on_vectors:
            combined = any(column.startswith("B-RT.") for column in columns)
            self._encodings = Encodings(encoder, last_layer=profile == "published", combined=combined)
        self._texts: Recent[str, Text] = Recent(_TEXT_CHARACTERS)
        self._measured: Recent[bytes, _Measured] = Recent(_PAIRS)

    def score(self, pairs: Iterable[tuple[str, str]]) -> Iterator[Scores]:
        """Scores of (reference, answer) pairs, in order, as they are ready; memory does not grow with their number."""
        source = iter(pairs)
        while window := [(_sound(reference), _sound(answer)) for reference, answer in islice(source, _WINDOW)]:
            yield from self._window(window)

    def _window(self, pairs: Sequence[tuple[str, str]]) -> Iterator[Scores]:
        known = {pair: self._measured.get(_key(pair)) for pair in dict.fromkeys(pairs)}
        fresh = self._measure([pair for pair, measured in known.items() if measured is None])
        for pair in pairs:
            measured = known[pair]
            if measured is None:
                # Pairs are measured in the order in which they first stand here, so the next one is this one.
                known[pair] = measured = next(fresh)
                self._measured.put(_key(pair), measured, size=1)
            yield {
                column: _score(column, value, answer_cut_off=measured.answer_cut_off)
                for column, value in zip(self._columns, measured.values, strict=True)
            }

    def _measure(self, pairs: Sequence[tuple[str, str]]) -> Iterator[_Measured]:
        """Values of distinct pairs, in order."""
        texts = [(self._text(reference), self._text(answer)) for reference, answer in pairs]
        blanks = [_blank(reference=reference, answer=answer) for reference, answer in texts]
        full = [pair for pair, blank in zip(pairs, blanks, strict=True) if blank is None]
        window = self._encodings.window(full) if self._encodings else None
        for (reference, answer), blank in zip(texts, blanks, strict=True):
            if blank is not None:
                yield _Measured((blank,) * len(self._columns))
                continue
            vectors = window.take(reference=reference.raw, answer=answer.raw) if window else None
            yield self._values(Pair(reference, answer, self._wordnet, vectors))

    def _values(self, pair: Pair) -> _Measured:
        found: dict[str, Value] = {}
        for family in self._on_text:
            for info, value in zip(family.infos, family.compute(pair), strict=True):
                found[info.name] = _finite(value)
        for family in self._on_vectors:
            values = family.compute(pair) if _readable(pair.vectors) else (_why_not(pair.vectors),) * len(family.infos)
            for info, value in zip(family.infos, values, strict=True):
                found[info.name] = _finite(value, decimals=ENCODER_DECIMALS)
        cut_off = pair.vectors is not None and pair.vectors.answer_cut_off
        return _Measured(tuple(found[column] for column in self._columns), cut_off)

    def _text(self, raw: str) -> Text:
        text = self._texts.get(raw)
        if text is None:
            text = Text(raw)
            self._texts.put(raw, text, size=len(raw) + 1)
        return text


def score_pairs(
    pairs: Iterable[tuple[str, str]],
    *,
    profile: Profile,
    encoder: Encoder | None,
    wordnet: WordNet | None,
    columns: Sequence[str] = VECTOR_ORDER,
) -> Iterator[Scores]:
    """Scores of (reference, answer) pairs, in order; without an encoder or WordNet their columns have a reason."""
    return PairScorer(profile=profile, encoder=encoder, wordnet=wordnet, columns=columns).score(pairs)


def _sound(text: str) -> str:
    """The text with lone surrogates, which no file and no encoder can hold, as question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _key(pair: tuple[str, str]) -> bytes:
    reference, answer = pair
    return hashlib.blake2b(f"{len(reference)}:{reference}{answer}".encode(), digest_size=16).digest()


def _blank(*, reference: Text, answer: Text) -> MissingReason | None:
    """Why a pair cannot be scored at all; a blank reference is never the answer's fault."""
    if reference.is_blank:
        return "empty_reference"
    return "empty_answer" if answer.is_blank else None


def _readable(vectors: PairVectors | None) -> bool:
    return vectors is not None and vectors.reference.has_tokens and vectors.answer.has_tokens


def _why_not(vectors: PairVectors | None) -> MissingReason:
    return "encoder_unavailable" if vectors is None else "no_tokens"


def _finite(value: Value, *, decimals: int | None = None) -> Value:
    if isinstance(value, str):
        return value
    if not math.isfinite(value):
        return "not_finite"
    return value if decimals is None else round(value, decimals)


def _score(column: str, value: Value, *, answer_cut_off: bool) -> Score:
    if isinstance(value, str):
        return Score(value=None, reason=value)
    return Score(value=value, note="answer_cut_off" if answer_cut_off and column in _FROM_COMBINED else None)
