"""Figures of two domains side by side."""

from __future__ import annotations

from passer.domain.crossing.crossed import AcrossDomains, BestInDomain, CrossDomain, DomainDifference, MovedCorrelation
from passer.domain.figures.of_crossing import crossing_figures


def best(domain: str, threshold: float | None, gain: float | None) -> BestInDomain:
    return BestInDomain(
        domain=domain,
        n_questions=8,
        best_threshold=threshold,
        gain=gain,
        baseline_cv=None,
        cv=None,
        tcps=None,
        rank=1,
        mean_passages=None,
        similarity_percentile=None,
    )


def across(model: str, first: BestInDomain, second: BestInDomain) -> AcrossDomains:
    return AcrossDomains(
        model=model, first=first, second=second, shift=None, change_of_gain=None, differing=(), statement=""
    )


def difference(threshold: float, value: float, p: float | None) -> DomainDifference:
    return DomainDifference(model="mistral", threshold=threshold, difference=value, t=None, p=None, p_max_t=p)


CROSSED = CrossDomain(
    first="farm",
    second="law",
    constants="joint",
    is_comparable=True,
    pools=(),
    models=(
        across("mistral", best("farm", 0.5, 0.02), best("law", 0.7, 0.05)),
        across("orca", best("farm", None, None), best("law", 0.5, 0.01)),
    ),
    differences=(difference(0.5, -0.03, 0.009), difference(0.7, 0.01, 0.5), difference(0.8, 0.0, None)),
    moved=(MovedCorrelation(metric="METEOR", other_metric="BLEU", first=0.8, second=-0.1),),
    only_first=(),
    only_second=(),
    statements=(),
)


def test_gains_are_in_points_by_model_and_domain_and_empty_where_none_gains():
    gains, *_ = crossing_figures(CROSSED)
    rows = [(row.x, row.y, row.value, row.label) for row in gains.series[0].rows]
    assert rows == [
        ("farm", "mistral", 2.0, "threshold 0.5"),
        ("law", "mistral", 5.0, "threshold 0.7"),
        ("farm", "orca", None, ""),
        ("law", "orca", 1.0, "threshold 0.5"),
    ]


def test_differences_carry_the_stars_of_their_corrected_p():
    _, differences, _ = crossing_figures(CROSSED)
    assert differences.title == "Difference in gain: farm − law"
    rows = [(row.x, row.y, row.mark, row.p) for row in differences.series[0].rows]
    assert rows == [(0.5, -3.0, "**", 0.009), (0.7, 1.0, "ns", 0.5), (0.8, 0.0, "", None)]


def test_a_moved_pair_of_metrics_has_a_cell_in_each_domain():
    *_, moved = crossing_figures(CROSSED)
    rows = [(row.x, row.y, row.value) for row in moved.series[0].rows]
    assert rows == [("farm", "METEOR × BLEU", 0.8), ("law", "METEOR × BLEU", -0.1)]


def test_gains_on_different_constants_are_not_drawn():
    own = CROSSED.model_copy(update={"is_comparable": False, "differences": ()})
    assert [figure.id for figure in crossing_figures(own)] == ["domains-moved"]
