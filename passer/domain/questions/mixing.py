"""A sample of drafts with a given number of each model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np


def mixed(models: Sequence[str], wanted: Mapping[str, int], *, seed: int) -> tuple[list[int], dict[str, int]]:
    """Return the places of a sample that has the wanted number of each model, in order, and the number of each.

    `models` names the model of each draft. A model with too few drafts contributes all of them.
    """
    generator = np.random.default_rng(seed)
    chosen: list[int] = []
    given: dict[str, int] = {}
    for model, count in wanted.items():
        places = [place for place, name in enumerate(models) if name == model]
        given[model] = min(count, len(places))
        chosen += [places[n] for n in generator.permutation(len(places))[: given[model]]]
    return sorted(chosen), given
