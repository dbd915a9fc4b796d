"""Statements of the evidence of a study, as messages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from passer.domain.analysis.levels import level_text, threshold_of
from passer.domain.evidence.families import THRESHOLDS
from passer.domain.evidence.half_splits import SplitChoice
from passer.domain.evidence.permutation import FlipTest
from passer.domain.evidence.results import GainTests, ModelEvidence
from passer.domain.wording.sentence import Sentence, Value, sentence


def statements_of(
    models: Sequence[ModelEvidence],
    tested: Sequence[GainTests],
    flips: FlipTest,
    factors: Sequence[str],
    *,
    is_weighted: bool,
) -> list[Sentence]:
    """Return how gains were tested, the profile of each model's gains, and what half splits choose."""
    if not tested:
        return [sentence("evidence.nothing")]
    said = [sentence("evidence.corrected", n=len(tested), draws=flips.draws, smallest=flips.resolution)]
    if is_weighted:
        said.append(sentence("evidence.weighted"))
    for model in models:
        profile = model.profile
        said.append(
            sentence(
                "evidence.profile" if factors == THRESHOLDS else "evidence.profile-levels",
                model=model.model,
                gains=len(profile.gains),
                tested=profile.tested,
                losses=len(profile.losses),
                kind=sentence(f"profile.{profile.kind}"),
            )
        )
        if model.choice is not None:
            said.append(_split_sentence(model, model.choice))
    return said


def _split_sentence(model: ModelEvidence, choice: SplitChoice) -> Sentence:
    """Return the sentence on which configuration most half splits choose, and which gain the other halves confirm."""
    shares = [*choice.chosen_share, choice.baseline_share]
    most = int(np.argmax(shares))
    found: dict[str, Value] = {
        "model": model.model,
        "splits": choice.splits,
        "n": choice.n_questions,
        "share": shares[most],
        "gain": choice.confirmed_gain * 100,
        "low": choice.confirmed_range.low * 100,
        "high": choice.confirmed_range.high * 100,
        "optimism": choice.optimism * 100,
    }
    if most == len(model.levels):
        return sentence("evidence.splits-baseline", **found)
    levels = model.levels[most]
    threshold = threshold_of(levels)
    if threshold is None or len(levels) > 1:
        return sentence("evidence.splits-level", level=level_text(levels), **found)
    return sentence("evidence.splits-threshold", threshold=threshold, **found)
