"""Scores pairs, 24 values each by either profile: streams them, shares tokens and encodings, never returns NaN."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from threading import Lock
from typing import Literal

from passer.domain.lru_cache import LruCache
from passer.domain.score import (
    UNKNOWN_SCRIPT,
    VECTOR_ORDER,
    MissingReason,
    Score,
    ScoreNote,
    Scores,
    ScoreTable,
    VectorProfile,
)
from passer.domain.texts.words import ENGLISH, is_english
from passer.errors import EncoderUnavailable, InputError
from passer.metrics.definitions import DEFINITIONS
from passer.metrics.encodings import Encodings
from passer.metrics.meteor import EXACT_AND_STEM, METEOR
from passer.metrics.pair import Pair, PairVectors, Text
from passer.metrics.registry import Value, families, infos
from passer.ports import Encoder, WordNet

ENCODER_DECIMALS = 6
"""Decimals of encoder metrics. float32 results differ by 5e-6 between batchings."""

_WINDOW = 64
"""Pairs whose texts are encoded together; bounds memory."""
_TEXT_CHARACTERS = 2_000_000
"""Characters of texts whose tokens are cached for later pairs."""
_PAIRS = 32_768
"""Pairs whose values are cached."""
_MOST_UNKNOWN = 0.3
"""Largest share of a text's word pieces that the encoder may not know, for `standard`."""

MeteorVariant = Literal["wordnet", "exact_and_stem"]
"""`exact_and_stem` adds the variant without synonyms as a column of its own; METEOR itself then has no value."""

BERTSCORE_VERSION = "0.3.13"
"""The release of bert-score whose definition and hash string are kept."""


class MetricScorer:
    """ports.Scorer over one encoder and one WordNet; without one of them, its columns have a reason and no value."""

    def __init__(self, *, encoder: Encoder | None, wordnet: WordNet | None, meteor: MeteorVariant = "wordnet") -> None:
        self._encoder = encoder
        self._meteor: MeteorVariant = meteor
        self._wordnet = wordnet if meteor == "wordnet" else None
        self._lock = Lock()
        self._scorers: dict[tuple[VectorProfile, tuple[str, ...]], PairScorer] = {}

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the columns of a table: the 24, and METEOR's variant if chosen."""
        return VECTOR_ORDER if self._meteor == "wordnet" else (*VECTOR_ORDER, EXACT_AND_STEM)

    def fresh(self) -> MetricScorer:
        """Return a scorer over the same encoder with empty caches, so that it measures its own time."""
        return MetricScorer(encoder=self._encoder, wordnet=self._wordnet, meteor=self._meteor)

    @cached_property
    def identity(self) -> Mapping[str, str]:
        """Return what scores depend on besides profile and texts: encoder, limits, variants, tokenizers."""
        # A sweep records this when it is created and stops if it differs later: scores of two encoders, or from before
        # and after WordNet was installed, must not be mixed (decision 001).
        return {**self._encoder_identity(), "meteor": self._meteor_identity(), **DEFINITIONS}

    def score(
        self, pairs: Sequence[tuple[str, str]], *, profile: VectorProfile, language: str = ENGLISH
    ) -> list[Scores]:
        return list(self.stream(pairs, profile=profile, language=language))

    def stream(
        self,
        pairs: Iterable[tuple[str, str]],
        *,
        profile: VectorProfile,
        columns: Sequence[str] | None = None,
        language: str = ENGLISH,
    ) -> Iterator[Scores]:
        """Yield scores one by one as they are ready; InputError for an unknown column."""
        chosen = self.columns if columns is None else tuple(columns)
        return self._scorer(profile, chosen).score(pairs, language=language)

    def score_table(
        self,
        *,
        references: Sequence[str],
        answers: Sequence[str],
        ids: Sequence[str] | None = None,
        profile: VectorProfile = "standard",
        columns: Sequence[str] | None = None,
        language: str = ENGLISH,
    ) -> ScoreTable:
        """Return the scores of many answers as a table; ids default to row numbers; InputError if lengths differ."""
        if isinstance(references, str) or isinstance(answers, str):
            raise InputError("References and answers must be lists of texts. Put a single text into a list.")
        ids = [str(number) for number in range(1, len(references) + 1)] if ids is None else ids
        if not len(references) == len(answers) == len(ids):
            raise InputError(
                f"There are {len(references)} references, {len(answers)} answers and {len(ids)} ids. "
                "Pass one of each for every row."
            )
        columns = self.columns if columns is None else tuple(columns)
        pairs = zip(references, answers, strict=True)
        rows = list(self.stream(pairs, profile=profile, columns=columns, language=language))
        return ScoreTable.of(ids, rows, columns)

    def _scorer(self, profile: VectorProfile, columns: tuple[str, ...]) -> PairScorer:
        with self._lock:
            scorer = self._scorers.get((profile, columns))
            if scorer is None:
                scorer = PairScorer(profile=profile, encoder=self._encoder, wordnet=self._wordnet, columns=columns)
                self._scorers[profile, columns] = scorer
            return scorer

    def _encoder_identity(self) -> dict[str, str]:
        if self._encoder is None:
            return {"encoder": "none"}
        try:
            model = self._encoder.model
        except EncoderUnavailable:
            return {"encoder": "unavailable"}
        return {
            "encoder": model.name,
            "encoder_digest": model.digest,
            "encoder_decimals": str(ENCODER_DECIMALS),
            "max_tokens": str(self._encoder.max_tokens),
            "bertscore": f"{model.name}_L{self._encoder.layer}_no-idf_version={BERTSCORE_VERSION}",
        }

    def _meteor_identity(self) -> str:
        if self._meteor == "exact_and_stem":
            return EXACT_AND_STEM
        return f"{METEOR}, {self._wordnet.identity}" if self._wordnet else "none, WordNet is missing"


@dataclass(frozen=True)
class _Measured:
    """Values and notes of one pair, in the order of the engine's columns."""

    values: tuple[Value, ...]
    notes: tuple[ScoreNote | None, ...]


class PairScorer:
    """Scores pairs by one profile. The values of a pair depend on that pair alone. Thread-safe."""

    def __init__(
        self,
        *,
        profile: VectorProfile,
        encoder: Encoder | None,
        wordnet: WordNet | None,
        columns: Sequence[str] = VECTOR_ORDER,
    ) -> None:
        known = {info.name for info in infos(profile)}
        for column in columns:
            if column not in known:
                raise InputError(f"There is no metric “{column}”. `passer metrics` lists all metrics.", field="columns")
        wanted = [family for family in families(profile) if {info.name for info in family.infos} & set(columns)]
        self._columns = tuple(columns)
        self._wordnet = wordnet
        self._profile = profile
        self._families = wanted
        self._on_vectors = any(family.needs_encoder for family in wanted)
        self._encodings: Encodings | None = None
        if encoder is not None and self._on_vectors:
            combined = any(column.startswith("B-RT.") for column in columns)
            self._encodings = Encodings(encoder, last_layer=profile == "published", combined=combined)
        self._texts: LruCache[str, Text] = LruCache(_TEXT_CHARACTERS, weigh=lambda text: len(text.raw) + 1)
        self._measured: LruCache[bytes, _Measured] = LruCache(_PAIRS)

    def score(self, pairs: Iterable[tuple[str, str]], *, language: str = ENGLISH) -> Iterator[Scores]:
        """Yield the scores of (reference, answer) pairs in order; memory use does not grow with their number.

        `language` is the BCP 47 tag of the dataset: METEOR of `standard` uses stems and synonyms only for English.
        """
        english, source = is_english(language), iter(pairs)
        while window := [(_sound(reference), _sound(answer)) for reference, answer in islice(source, _WINDOW)]:
            yield from self._window(window, english)

    def _window(self, pairs: Sequence[tuple[str, str]], english: bool) -> Iterator[Scores]:
        keys = {pair: _key(pair, english) for pair in dict.fromkeys(pairs)}
        known = {pair: self._measured.get(key) for pair, key in keys.items()}
        fresh = self._measure([pair for pair, measured in known.items() if measured is None], english)
        for pair in pairs:
            measured = known[pair]
            if measured is None:
                # `_measure` yields distinct pairs in order of first occurrence, so the next value belongs to this pair.
                known[pair] = measured = next(fresh)
                self._measured.put(keys[pair], measured)
            yield {
                column: _score(value, note)
                for column, value, note in zip(self._columns, measured.values, measured.notes, strict=True)
            }

    def _measure(self, pairs: Sequence[tuple[str, str]], english: bool) -> Iterator[_Measured]:
        """Yield the values of distinct pairs in order."""
        texts = [(self._text(reference), self._text(answer)) for reference, answer in pairs]
        blanks = [_blank(reference=reference, answer=answer) for reference, answer in texts]
        full = [pair for pair, blank in zip(pairs, blanks, strict=True) if blank is None]
        window = self._encodings.window(full) if self._encodings else None
        for (reference, answer), blank in zip(texts, blanks, strict=True):
            if blank is not None:
                yield _Measured((blank,) * len(self._columns), (None,) * len(self._columns))
                continue
            vectors = window.pop(reference=reference.raw, answer=answer.raw) if window else None
            yield self._values(Pair(reference, answer, self._wordnet, vectors, english))

    def _values(self, pair: Pair) -> _Measured:
        found: dict[str, Value] = {}
        noted: dict[str, ScoreNote | None] = {}
        unreadable = self._unreadable(pair.vectors) if self._on_vectors else None
        for family in self._families:
            reason = unreadable if family.needs_encoder else None
            values = family.compute(pair) if reason is None else (reason,) * len(family.infos)
            decimals = ENCODER_DECIMALS if family.needs_encoder else None
            for info, value in zip(family.infos, values, strict=True):
                found[info.name] = _finite(value, decimals=decimals)
            if (note := family.note(pair)) is not None:
                noted |= dict.fromkeys(family.noted, note)
        return _Measured(
            tuple(found[column] for column in self._columns), tuple(noted.get(column) for column in self._columns)
        )

    def _unreadable(self, vectors: PairVectors | None) -> MissingReason | None:
        """Return why the vectors of a pair have no meaning; the published service compared unknown words as well."""
        if vectors is None:
            return "encoder_unavailable"
        sides = vectors.reference, vectors.answer
        if self._profile == "standard" and any(side.unknown > _MOST_UNKNOWN for side in sides):
            return UNKNOWN_SCRIPT
        return None if all(side.has_tokens for side in sides) else "no_tokens"

    def _text(self, raw: str) -> Text:
        return self._texts.get_or_compute(raw, lambda: Text(raw))


def score_pairs(
    pairs: Iterable[tuple[str, str]],
    *,
    profile: VectorProfile,
    encoder: Encoder | None,
    wordnet: WordNet | None,
    columns: Sequence[str] = VECTOR_ORDER,
    language: str = ENGLISH,
) -> Iterator[Scores]:
    """Yield the scores of (reference, answer) pairs in order.

    Without an encoder or WordNet, the columns that need it are None with a reason.
    """
    scorer = PairScorer(profile=profile, encoder=encoder, wordnet=wordnet, columns=columns)
    return scorer.score(pairs, language=language)


def _sound(text: str) -> str:
    """Replace lone surrogates by question marks: no file and no encoder accepts them."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _key(pair: tuple[str, str], english: bool) -> bytes:
    reference, answer = pair
    # The length separates pairs whose concatenated texts are equal.
    return hashlib.blake2b(f"{english:d}{len(reference)}:{reference}{answer}".encode(), digest_size=16).digest()


def _blank(*, reference: Text, answer: Text) -> MissingReason | None:
    """Return why a pair cannot be scored at all. A blank reference is checked first: it is no defect of the answer."""
    if reference.is_blank:
        return "empty_reference"
    return "empty_answer" if answer.is_blank else None


def _finite(value: Value, *, decimals: int | None = None) -> Value:
    if isinstance(value, str):
        return value
    if not math.isfinite(value):
        return "not_finite"
    return value if decimals is None else round(value, decimals)


def _score(value: Value, note: ScoreNote | None) -> Score:
    return Score(value=None, reason=value) if isinstance(value, str) else Score(value=value, note=note)
