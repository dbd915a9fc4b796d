"""docs/metrics.md contains the descriptions of the metrics."""

from __future__ import annotations

import math

import pytest

from passer.domain.score import VECTOR_ORDER, VectorProfile, score_ranges
from passer.metrics import infos
from passer.metrics.document import document
from tests.conftest import ROOT


def test_the_page_is_fresh() -> None:
    page = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    assert page == document(), "run `make generate`"


def test_every_column_stands_in_it_twice() -> None:
    page = document()
    for column in VECTOR_ORDER:
        for profile in ("standard", "published"):
            assert f"### {column}, {profile}\n" in page


@pytest.mark.parametrize("profile", ["standard", "published"])
def test_a_bundle_s_scores_are_held_to_the_ranges_of_the_metrics(profile: VectorProfile):
    ranges = {info.name: (info.minimum, info.maximum) for info in infos(profile)}
    told = {name: (low, None if math.isinf(high) else high) for name, (low, high) in score_ranges(profile).items()}
    assert told == {column: ranges[column] for column in VECTOR_ORDER}
