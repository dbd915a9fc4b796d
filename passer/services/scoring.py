"""Scoring: reference and answer in, 24 scores out, by either profile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from threading import Lock
from typing import Literal

from passer.domain.score import VECTOR_ORDER, Profile, Scores, ScoreTable
from passer.errors import EncoderUnavailable, InputError
from passer.metrics import DEFINITIONS, ENCODER_DECIMALS, EXACT_AND_STEM, METEOR, PairScorer
from passer.ports import Encoder, WordNet

MeteorVariant = Literal["wordnet", "exact_and_stem"]
"""`exact_and_stem` adds the variant without synonyms as a column of its own; METEOR itself then has no value."""

BERTSCORE_VERSION = "0.3.13"
"""The release of bert-score whose definition and hash string are kept."""


class Scoring:
    """ports.Scorer over one encoder and one WordNet; either may be missing, and its columns then say so."""

    def __init__(self, *, encoder: Encoder | None, wordnet: WordNet | None, meteor: MeteorVariant = "wordnet") -> None:
        self._encoder = encoder
        self._meteor: MeteorVariant = meteor
        self._wordnet = wordnet if meteor == "wordnet" else None
        self._lock = Lock()
        self._scorers: dict[tuple[Profile, tuple[str, ...]], PairScorer] = {}

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of a table: the 24, and METEOR's variant where it was chosen."""
        return VECTOR_ORDER if self._meteor == "wordnet" else (*VECTOR_ORDER, EXACT_AND_STEM)

    def fresh(self) -> Scoring:
        """The same over the same encoder, with nothing remembered: what it then takes is not what it took before."""
        return Scoring(encoder=self._encoder, wordnet=self._wordnet, meteor=self._meteor)

    @cached_property
    def identity(self) -> Mapping[str, str]:
        """What values depend on beyond profile and texts: encoder, limits, variants, tokenizers."""
        return {**self._encoder_identity(), "meteor": self._meteor_identity(), **DEFINITIONS}

    def score(self, pairs: Sequence[tuple[str, str]], *, profile: Profile) -> list[Scores]:
        """Scores of (reference, answer) pairs, in order; a pair's values do not depend on the others."""
        return list(self.stream(pairs, profile=profile))

    def stream(
        self, pairs: Iterable[tuple[str, str]], *, profile: Profile, columns: Sequence[str] | None = None
    ) -> Iterator[Scores]:
        """The same, one by one as they are ready; InputError if there is no such column."""
        return self._scorer(profile, self.columns if columns is None else tuple(columns)).score(pairs)

    def score_table(
        self,
        *,
        references: Sequence[str],
        answers: Sequence[str],
        ids: Sequence[str] | None = None,
        profile: Profile = "standard",
        columns: Sequence[str] | None = None,
    ) -> ScoreTable:
        """Scores of many answers side by side; ids are row numbers unless given; InputError if lengths differ."""
        if isinstance(references, str) or isinstance(answers, str):
            raise InputError("References and answers are lists of texts: put a single text into a list.")
        ids = [str(number) for number in range(1, len(references) + 1)] if ids is None else ids
        if not len(references) == len(answers) == len(ids):
            raise InputError(
                f"There are {len(references)} references, {len(answers)} answers and {len(ids)} ids: "
                "give one of each for every row."
            )
        columns = self.columns if columns is None else tuple(columns)
        pairs = zip(references, answers, strict=True)
        return ScoreTable.of(ids, list(self.stream(pairs, profile=profile, columns=columns)), columns)

    def _scorer(self, profile: Profile, columns: tuple[str, ...]) -> PairScorer:
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
