"""Scores of recorded texts computed again: they are a function of reference, answer, profile and scorer alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from passer.domain.bundle.documents import Wrong
from passer.domain.bundle.manifest import Manifest
from passer.domain.bundle.question_record import QuestionRecord, recorded_scores
from passer.domain.bundle.verification import Outcome
from passer.domain.score import VECTOR_ORDER, VectorProfile
from passer.domain.texts.words import ENGLISH
from passer.ports import Scorer

TEXT_TOLERANCE, ENCODER_TOLERANCE = 1e-9, 1e-4
"""Largest differences of honest scores: processors and libraries round encodings differently."""
_ENCODER = ("encoder_digest", "max_tokens", "bertscore", "encoder_decimals")
_TOKENS = ("word_tokenizer", "sentence_splitter", "sentence_splitter_published", "other_letters")
_SOURCES = {
    "METEOR": ("meteor", *_TOKENS),
    "BLEU": ("bleu", "other_letters"),
    "Rouge": ("rouge_tokenizer", *_TOKENS),
    "Laplace": _TOKENS,
    "Lidstone": _TOKENS,
    "F1": ("other_letters",),
}
"""Parts of the scorer's identity that the values of a column depend on, by the beginning of its name."""


@dataclass(frozen=True)
class Rescoring:
    """Computes scores again with one scorer, and compares them with the recorded ones."""

    scorer: Scorer

    def __call__(self, manifest: Manifest, records: Sequence[QuestionRecord]) -> tuple[Outcome, str | Wrong]:
        """Return the outcome for the scored records of a run, with one sentence or with the first problem."""
        comparable = self._comparable(manifest)
        others = [column for column in VECTOR_ORDER if column not in comparable]
        left = f" Not compared, because this scorer is another one: {', '.join(others)}." if others else ""
        differing = list(self._differing(manifest, records, comparable))
        if differing:
            more = f" {len(differing) - 1} more questions differ." if len(differing) > 1 else ""
            return "fail", Wrong(differing[0].detail + more, number=differing[0].number)
        compared = [
            column for column in comparable if any((record.scores or {})[column] is not None for record in records)
        ]
        if not compared:
            return "not_checked", f"Not checked, because there is no value to compare.{left}"
        return "pass", (
            f"{len(records)} answers scored again: {len(compared)} columns are equal, text columns within "
            f"{TEXT_TOLERANCE:g}, encoder columns within {ENCODER_TOLERANCE:g}.{left}"
        )

    def _comparable(self, manifest: Manifest) -> tuple[str, ...]:
        """Return the columns of which this scorer and the run's have the same definitions and weights."""
        own, stated = self.scorer.identity, manifest.scored_by
        differs = {name for name in own.keys() | stated.keys() if own.get(name) != stated.get(name)}
        return tuple(column for column in VECTOR_ORDER if differs.isdisjoint(_sources(column)))

    def _differing(
        self, manifest: Manifest, records: Sequence[QuestionRecord], columns: Sequence[str]
    ) -> Iterator[Wrong]:
        """Yield the first difference of each record."""
        profile: VectorProfile = "published" if manifest.config.get("profile") == "published" else "standard"
        pairs = [(record.reference, record.answer or "") for record in records]
        again = self.scorer.score(pairs, profile=profile, language=manifest.dataset.language or ENGLISH)
        for record, scores in zip(records, again, strict=True):
            values, missing, _ = recorded_scores(scores)
            for column in columns:
                stated, found = (record.scores or {})[column], values[column]
                if not _is_same(column, stated, found) or record.missing.get(column) != missing.get(column):
                    both = " and ".join("no value" if one is None else f"{one:.6g}" for one in (stated, found))
                    yield Wrong(f"Recorded and recomputed {column} differ: {both}.", number=record.number)
                    break


def _sources(column: str) -> tuple[str, ...]:
    return next((names for start, names in _SOURCES.items() if column.startswith(start)), _ENCODER)


def _is_same(column: str, stated: float | None, found: float | None) -> bool:
    if stated is None or found is None:
        return stated is found
    tolerance = ENCODER_TOLERANCE if _sources(column) == _ENCODER else TEXT_TOLERANCE
    return abs(stated - found) <= tolerance * max(1.0, abs(found))
