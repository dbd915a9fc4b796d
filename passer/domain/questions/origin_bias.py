"""Test whether questions that a model drafted favour the answers of that model.

A matrix of who wrote the questions by who answered them, and for each model the mean on its own questions minus that on
the others'. Datasets differ in difficulty, which moves a whole row of the matrix and is no bias; the interaction (mean
minus those of row and column plus the grand mean) is free of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Literal

import numpy as np

from passer.domain.base import Count, Frozen
from passer.domain.judging.judgement import NamedJudge
from passer.domain.statistics import Floats, adjusted_p_values
from passer.domain.wording.sentence import LocalizedText, sentence

PEOPLE = "people"
"""Origin of questions that no model drafted."""
DRAWS = 2_000
"""Bootstrap draws of whole questions, and most assignments of origins to datasets."""
SEED = 42
FEWEST = 2
"""Questions of a cell below which it has no interval, and datasets of an origin below which none is permuted."""

Method = Literal["permutation", "bootstrap"]


@dataclass(frozen=True)
class OriginValue:
    """The value of one answer, with who wrote its question."""

    dataset: str
    """Name of the dataset."""
    origin: str
    """Name of the model that drafted the question, or `people`."""
    model: str
    """Name of the model that answered."""
    question: str
    """Id of the question; answers of a model to the same question, under several configurations, are averaged."""
    value: float
    """Score, finite."""


class OriginCell(Frozen):
    """Answers of one model to the questions of one origin."""

    origin: str
    """Author of the questions: a model or people."""
    model: str
    """Model that answered."""
    n: Count
    """Number of questions."""
    mean: float | None
    """Mean over questions; None without any."""
    low: float | None
    """Lower end of its 95 % interval by a bootstrap of questions; None below two questions."""
    high: float | None
    """Upper end."""
    is_own: bool
    """True if the model wrote the questions that it answers here."""
    interaction: float | None
    """Mean minus those of row and column plus the grand mean, cells weighted equally; None if a cell is empty."""


class OriginEffect(Frozen):
    """A model on its own questions against all others."""

    model: str
    """The model, which wrote questions and answered."""
    difference: float
    """Mean on its own questions minus the mean of the means on the other origins' questions."""
    low: float | None
    """Lower end of the 95 % interval by a bootstrap of questions; None with permuted origins."""
    high: float | None
    """Upper end."""
    p: float
    """Two-sided p value."""
    p_adjusted: float
    """The same, adjusted for all effects by Holm's method."""
    method: Method
    """`permutation` of origins over datasets, if each origin has two or more; else `bootstrap` of questions."""


class OriginMatrix(Frozen):
    """Means by the writer of the questions and the model that answered."""

    metric: str
    """Name of the column."""
    judge: str | None
    """Name of the judge of a judged column; None for any other."""
    origins: tuple[str, ...]
    """Writers of the questions, one for each row."""
    models: tuple[str, ...]
    """Models that answered, one for each column."""
    cells: tuple[OriginCell, ...]
    """Cells row by row."""
    effects: tuple[OriginEffect, ...]
    """Effect of each model that also wrote questions, if there are questions of others."""
    missing: Count
    """Answers without a value, which are left out."""
    notes: tuple[LocalizedText, ...]
    """Remarks to read before these figures are used."""


def origin_matrix(
    values: Sequence[OriginValue], *, metric: str, judge: NamedJudge | None = None, missing: int = 0
) -> OriginMatrix:
    """Return the matrix and effects of some answers; origins and models are in order of first appearance."""
    origins = tuple(dict.fromkeys(each.origin for each in values))
    models = tuple(dict.fromkeys(each.model for each in values))
    by_cell = _by_cell(values)
    means = np.array([[_mean(by_cell.get((origin, model))) for model in models] for origin in origins])
    effects = _effects(values, by_cell, origins, models)
    return OriginMatrix(
        metric=metric,
        judge=None if judge is None else judge.name,
        origins=origins,
        models=models,
        cells=tuple(
            _cell(origin, model, by_cell.get((origin, model)), _interaction(means, row, column))
            for row, origin in enumerate(origins)
            for column, model in enumerate(models)
        ),
        effects=effects,
        missing=missing,
        notes=_notes(origins, effects, judge),
    )


def _by_cell(values: Sequence[OriginValue]) -> dict[tuple[str, str], Floats]:
    """Return one value for each question, by origin and model."""
    found: dict[tuple[str, str], dict[tuple[str, str], list[float]]] = {}
    for each in values:
        cell = found.setdefault((each.origin, each.model), {})
        cell.setdefault((each.dataset, each.question), []).append(each.value)
    return {key: np.array([np.mean(several) for several in own.values()]) for key, own in found.items()}


def _mean(values: Floats | None) -> float:
    return float("nan") if values is None else float(values.mean())


def _interaction(means: Floats, row: int, column: int) -> float | None:
    if not np.isfinite(means).all():
        return None
    return float(means[row, column] - means[row].mean() - means[:, column].mean() + means.mean())


def _cell(origin: str, model: str, values: Floats | None, interaction: float | None) -> OriginCell:
    low = high = None
    if values is not None and values.size >= FEWEST:
        low, high = _percentiles(_resampled(values, np.random.default_rng(SEED)))
    return OriginCell(
        origin=origin,
        model=model,
        n=0 if values is None else values.size,
        mean=None if values is None else float(values.mean()),
        low=low,
        high=high,
        is_own=origin == model,
        interaction=interaction,
    )


def _effects(
    values: Sequence[OriginValue],
    by_cell: Mapping[tuple[str, str], Floats],
    origins: Sequence[str],
    models: Sequence[str],
) -> tuple[OriginEffect, ...]:
    found = []
    for model in models:
        own = by_cell.get((model, model))
        others = [each for origin in origins if origin != model and (each := by_cell.get((origin, model))) is not None]
        if own is None or not others:
            continue
        permuted = _permuted(values, model)
        if permuted is not None:
            found.append(permuted)
        elif own.size >= FEWEST and all(each.size >= FEWEST for each in others):
            found.append(_bootstrapped(model, own, others))
    adjusted = adjusted_p_values([each.p for each in found])
    return tuple(
        each.model_copy(update={"p_adjusted": p}) for each, p in zip(found, adjusted, strict=True) if p is not None
    )


def _permuted(values: Sequence[OriginValue], model: str) -> OriginEffect | None:
    """Permute origins over datasets; None unless every origin has two datasets or more, each of one origin."""
    of_dataset: dict[str, list[OriginValue]] = {}
    for each in values:
        if each.model == model:
            of_dataset.setdefault(each.dataset, []).append(each)
    if any(len({each.origin for each in own}) > 1 for own in of_dataset.values()):
        return None
    origins = [own[0].origin for own in of_dataset.values()]
    if min(origins.count(each) for each in origins) < FEWEST:
        return None
    means = np.array([_by_cell(own)[own[0].origin, model].mean() for own in of_dataset.values()])
    is_own = np.array([origin == model for origin in origins])
    # Which datasets are called the model's own decides the statistic; the others are one group.
    stated = float(means[is_own].mean() - means[~is_own].mean())
    shuffled = np.array([_difference(means, chosen) for chosen in _choices(len(means), int(is_own.sum()))])
    extreme = int((np.abs(shuffled) >= abs(stated) - 1e-12).sum())
    # All assignments contain the stated one; drawn ones may not, and a p of 0 would claim too much (Phipson and
    # Smyth 2010).
    is_drawn = comb(len(means), int(is_own.sum())) > DRAWS
    p = (extreme + is_drawn) / (len(shuffled) + is_drawn)
    return OriginEffect(model=model, difference=stated, low=None, high=None, p=p, p_adjusted=p, method="permutation")


def _choices(size: int, own: int) -> list[tuple[int, ...]]:
    """Return all choices of `own` of `size` datasets, or 2,000 drawn ones where there are more."""
    if comb(size, own) <= DRAWS:
        return list(combinations(range(size), own))
    rng = np.random.default_rng(SEED)
    return [tuple(rng.choice(size, own, replace=False).tolist()) for _ in range(DRAWS)]


def _difference(means: Floats, chosen: Sequence[int]) -> float:
    is_own = np.zeros(means.size, dtype=bool)
    is_own[list(chosen)] = True
    return float(means[is_own].mean() - means[~is_own].mean())


def _bootstrapped(model: str, own: Floats, others: Sequence[Floats]) -> OriginEffect:
    """Resample the questions of each cell by themselves: other origins have other questions, so nothing is paired."""
    rng = np.random.default_rng(SEED)
    stated = float(own.mean() - np.mean([each.mean() for each in others]))
    drawn = _resampled(own, rng) - np.mean([_resampled(each, rng) for each in others], axis=0)
    low, high = _percentiles(drawn)
    p = float((1 + (np.abs(drawn - stated) >= abs(stated) - 1e-12).sum()) / (DRAWS + 1))
    return OriginEffect(model=model, difference=stated, low=low, high=high, p=p, p_adjusted=p, method="bootstrap")


def _resampled(values: Floats, rng: np.random.Generator) -> Floats:
    """Return the means of 2,000 resamples."""
    return np.asarray(values[rng.integers(values.size, size=(DRAWS, values.size))].mean(axis=1))


def _percentiles(drawn: Floats) -> tuple[float, float]:
    low, high = np.percentile(drawn, [2.5, 97.5])
    return float(low), float(high)


def _notes(
    origins: Sequence[str], effects: Sequence[OriginEffect], judge: NamedJudge | None
) -> tuple[LocalizedText, ...]:
    notes = [sentence("origins.difficulty")]
    if not effects:
        notes.append(sentence("origins.no-own"))
    if judge is not None:
        notes.append(sentence("judge.judged-by", judges=(judge.label,)))
        if judge.name in origins:
            notes.append(sentence("origins.own-judge", judge=judge.name))
    return tuple(notes)
