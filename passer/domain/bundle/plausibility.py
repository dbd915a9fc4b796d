"""Values that no honest run can have: scores out of range, passages below the threshold, contradicting names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from passer.domain.bundle.documents import Violation
from passer.domain.bundle.manifest import Manifest
from passer.domain.bundle.question_record import QuestionRecord
from passer.domain.score import score_ranges

TOLERANCE = 1e-6
"""Largest excess of a score or a similarity over its range that rounding can cause."""


class Plausibility:
    """Checks one run: its names at once, its records as they are seen; `violation` is the first problem."""

    def __init__(self, manifest: Manifest) -> None:
        config = manifest.config
        self._ranges = score_ranges("published" if config.get("profile") == "published" else "standard")
        # Other retrievers rank by other scores: their similarities need not fall with the rank.
        self._is_dense = "retriever" not in config
        retrieval = config.get("retrieval")
        self._policy: Mapping[str, Any] = retrieval if isinstance(retrieval, dict) else {}
        self.violation: Violation | None = _other_name(manifest)
        """None while everything is possible. Its `number` is None if the manifest contradicts itself."""

    def see(self, record: QuestionRecord) -> None:
        """Check the next record."""
        if self.violation is None:
            detail = next(self._problems(record), None)
            self.violation = Violation(detail, number=record.number) if detail is not None else None

    def _problems(self, record: QuestionRecord) -> Iterator[str]:
        for column, (low, high) in self._ranges.items() if record.scores else ():
            value = (record.scores or {})[column]
            if value is not None and not low - TOLERANCE <= value <= high + TOLERANCE:
                yield f"{column} is {value:g}, outside {low:g} to {high:g}."
        similarities = [passage.similarity for passage in record.passages]
        if any(abs(value) > 1 + TOLERANCE for value in similarities):
            yield "A similarity is outside -1 to 1."
        # Published Score mode drops the nearest passages, so that its ranks need not begin at 1.
        first = record.passages[0].rank if self._policy.get("mode") == "published-score" and record.passages else 1
        if [passage.rank for passage in record.passages] != list(range(first, first + len(similarities))):
            yield "The ranks of its passages are not consecutive."
        if self._is_dense and any(one < two for one, two in pairwise(similarities)):
            yield "Its passages are not in the order of their similarity."
        yield from self._cut_problems(similarities)

    def _cut_problems(self, similarities: list[float]) -> Iterator[str]:
        mode = self._policy.get("mode")
        most = {"none": 0, "normal": self._number("k"), "gap": self._number("among")}.get(
            str(mode), self._number("max_k")
        )
        if most is not None and len(similarities) > most:
            yield f"It has {len(similarities)} passages, but the configuration keeps at most {most:g}."
        bound: Callable[[float], bool] | None = None
        if mode == "score" and (least := self._number("min_similarity")) is not None:
            bound = lambda value: value >= least  # noqa: E731
        if mode == "published-score" and (distance := self._number("min_distance")) is not None:
            bound = lambda value: 1 - value >= distance  # noqa: E731
        if mode == "relative" and similarities and (share := self._number("share")) is not None:
            best = similarities[0]
            # A share of a negative similarity is above it: without `min` not even the best passage would be kept.
            bound = lambda value: value >= min(best, share * best)  # noqa: E731
        if bound is not None and not all(map(bound, similarities)):
            yield "A passage is beyond the similarity threshold of the configuration."

    def _number(self, name: str) -> float | None:
        value = self._policy.get(name)
        return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _other_name(manifest: Manifest) -> Violation | None:
    """Return the first member of the manifest that contradicts the configuration."""
    config = manifest.config
    model = config.get("model")
    asked = config.get("questions")
    pairs: dict[str, tuple[object, object]] = {
        "dataset.name": (manifest.dataset.name, config.get("dataset")),
        "prompt_template.name": (manifest.prompt_template.name, config.get("prompt")),
    }
    if manifest.collection is not None:
        pairs["collection.name"] = (manifest.collection.name, config.get("collection"))
    if manifest.model is not None:
        pairs["model.name"] = (manifest.model.name, model.get("name") if isinstance(model, dict) else None)
    for path, (stated, configured) in pairs.items():
        if stated != configured:
            return Violation(f"{path} is not the one of the configuration.", field=path)
    if isinstance(asked, int | float) and manifest.dataset.questions > asked:
        return Violation("The run has more questions than the configuration asks.", field="dataset.questions")
    return None
