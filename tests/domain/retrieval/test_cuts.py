"""Cuts that adapt to each question: by hand, and as properties of any ranking."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passer.adapters.experiments.reader import experiment_of
from passer.cli.option_models import cut_named
from passer.domain.retrieval.cuts import GapPolicy, RelativePolicy
from passer.domain.retrieval.retriever import Lexical
from passer.domain.sweeps.run import RunConfig
from passer.errors import ConfigError

RANKINGS = st.lists(st.floats(-1, 1), max_size=40).map(lambda found: sorted(found, reverse=True))


@pytest.mark.parametrize(
    ("similarities", "relative", "gap"),
    [
        # .85 x .80 = .68; drops .02, .08, .30, .05
        ([0.80, 0.78, 0.70, 0.40, 0.35], 3, 3),
        # .85 x .40 = .34; the first of equal drops counts
        ([0.4, 0.3, 0.2], 1, 1),
        ([0.5, 0.5, 0.5], 3, 3),
        ([0.9], 1, 1),
        ([], 0, 0),
        # A share of a negative number lies above it: the best one stays.
        ([-0.1, -0.1, -0.2], 2, 2),
        ([0.0, -0.5], 1, 1),
    ],
)
def test_cuts_by_hand(similarities: list[float], relative: int, gap: int) -> None:
    assert RelativePolicy().keep(similarities) == range(relative)
    assert GapPolicy().keep(similarities) == range(gap)


@given(RANKINGS, st.floats(0.01, 1), st.integers(2, 40))
def test_a_cut_needs_no_more_than_its_depth_and_keeps_the_best(
    similarities: list[float], share: float, most: int
) -> None:
    for policy in (RelativePolicy(share=share, max_k=most), GapPolicy(among=most)):
        kept = policy.keep(similarities)
        assert kept == policy.keep(similarities[: policy.depth])
        assert kept.start == 0
        assert min(1, len(similarities)) <= len(kept) <= min(most, len(similarities))


@given(RANKINGS, st.floats(0.01, 1), st.floats(0.01, 1))
def test_a_larger_share_keeps_no_more(similarities: list[float], one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert len(RelativePolicy(share=high).keep(similarities)) <= len(RelativePolicy(share=low).keep(similarities))


def test_a_sweep_compares_them() -> None:
    given_keys = {"name": "n", "dataset": "d", "collection": "ccc", "baseline": {"mode": "normal", "k": 5}}
    sweep = experiment_of(
        {**given_keys, "retrieval": [{"mode": "relative", "share": [0.8, 0.9]}, {"mode": "gap"}]}, Path()
    )
    assert [policy.label for policy, _ in sweep.policies()] == [
        "Top-k 5",
        "Relative ≥ 0.80",
        "Relative ≥ 0.90",
        "Largest gap of 20",
    ]
    with pytest.raises(ConfigError, match=r"retrieval\.share: The value must be at most 1"):
        experiment_of({**given_keys, "retrieval": {"mode": "relative", "share": 1.2}}, Path())
    with pytest.raises(ValueError, match="does not rank by similarity"):
        RunConfig(dataset="d", collection="c", retrieval=GapPolicy(), retriever=Lexical())
    assert (cut_named("relative:.8"), cut_named("gap")) == ({"mode": "relative", "share": ".8"}, {"mode": "gap"})
    with pytest.raises(ConfigError, match="relative:SHARE or gap:N"):
        cut_named("score:.5")
