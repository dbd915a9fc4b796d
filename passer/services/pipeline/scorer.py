"""Scoring: reference and answer in, 24 scores out, by either profile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from threading import Lock
from typing import Literal

from passer.domain.score import VECTOR_ORDER, Scores, ScoreTable, VectorProfile
from passer.domain.words import ENGLISH
from passer.errors import EncoderUnavailable, InputError
from passer.metrics import DEFINITIONS, ENCODER_DECIMALS, EXACT_AND_STEM, METEOR, PairScorer
from passer.ports import Encoder, WordNet

MeteorVariant = Literal["wordnet", "exact_and_stem"]
"""`exact_and_stem` adds the variant without synonyms as a column of its own; METEOR itself then has no value."""

BERTSCORE_VERSION = "0.3.13"
"""The release of bert-score whose definition and hash string are kept."""


class MetricScorer:
    """ports.Scorer over one encoder and one WordNet; either may be missing, and its columns then say so."""

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
