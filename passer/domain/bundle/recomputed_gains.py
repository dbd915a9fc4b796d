"""Gains and corrected means of verdict.json, computed again from its values and ratings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from passer.domain.bundle.documents import Violation
from passer.domain.bundle.ratings import drawn_labels
from passer.domain.bundle.verdict_document import ConfigurationRecord, VerdictDocument
from passer.domain.statistics import Floats
from passer.domain.verdict.family import FamilyGain, FamilyRule, family_gains, first_look
from passer.domain.verdict.label_gains import (
    label_corrected_gains,
    label_corrected_means,
    labelled_differences,
    labelled_values,
)

TOLERANCE = 1e-8
"""Numbers summed in another order agree within this, relative above 1: statistics lie on a grid of 2^-30."""


def recomputed_gains(read: VerdictDocument, places: Sequence[int]) -> Mapping[int, FamilyGain]:
    """Return the gains of the configurations at `places`, which have a baseline, as one family."""
    if not places:
        return {}
    look, looks, values, weights = read.look, None, _values(read), _weights(read)
    bases = [read.configurations[place].baseline or 0 for place in places]
    differences = values[:, list(places)] - values[:, bases]
    if look is not None and look.is_planned:
        looks = first_look(look.in_first, read.clusters, share=look.share)
    elif look is not None:
        differences[np.array(look.in_first, dtype=bool)] = np.nan
    # Old documents were computed by other rules of rank and family, and must be verified by them.
    stated = read.rule.model_dump(include=set(FamilyRule.model_fields))
    rule = FamilyRule(**stated, old_rank=read.has_old_rank, old_family=read.has_old_family)
    labels = drawn_labels(read.judged)
    if labels is not None:
        runs = [run_ids(each) for each in read.configurations]
        compared = [(runs[own], runs[base]) for own, base in zip(places, bases, strict=True)]
        given = labelled_differences(differences, labels, read.questions, compared, weights=weights)
        gains = label_corrected_gains(given, rule, clusters=read.clusters)
    else:
        gains = family_gains(differences, rule, clusters=read.clusters, weights=weights, looks=looks)
    return dict(zip(places, gains, strict=True))


def wrong_means(read: VerdictDocument) -> Violation | None:
    """Return the first mean of a configuration that does not follow from ratings and judged values."""
    labels = drawn_labels(read.judged)
    if labels is None or read.judged is None or read.judged.ratings is None:
        return None
    stated, runs = read.judged.ratings.means, [run_ids(each) for each in read.configurations]
    given = labelled_values(_values(read), labels, read.questions, runs, weights=_weights(read))
    follows = label_corrected_means(given, clusters=read.clusters)
    if len(stated) != len(follows):
        return Violation("There is one for each configuration.", field="judged.ratings.means")
    for number, (one, other) in enumerate(zip(stated, follows, strict=True)):
        for name, value in asdict(other).items():
            if not is_same(getattr(one, name), value):
                return Violation("It does not follow from the ratings.", field=f"judged.ratings.means[{number}].{name}")
    return None


def run_ids(configuration: ConfigurationRecord) -> list[str]:
    """Return the ids of the runs of a configuration."""
    return [run.id for run in configuration.runs]


def is_same(stated: Any, follows: Any) -> bool:
    """Compare numbers within the tolerance, everything else exactly."""
    if isinstance(stated, float | int) and isinstance(follows, float | int):
        return math.isclose(stated, follows, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return bool(stated == follows)


def _values(read: VerdictDocument) -> Floats:
    """Return values of shape (questions, configurations), NaN where there is none."""
    return np.array([each.values for each in read.configurations], dtype=np.float64).T


def _weights(read: VerdictDocument) -> Floats | None:
    return None if read.weights is None else np.array(read.weights)
