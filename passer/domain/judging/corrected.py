"""Means of a run corrected by people's ratings: PPI++ and the post-stratified estimator (prediction-powered inference).

Labels must be drawn at random. Sources: Angelopoulos, A. N., Duchi, J. C., Zrnic, T. (2023), PPI++: Efficient
prediction-powered inference, arXiv:2311.01453; Mani, P. et al. (2025), No free lunch, arXiv:2505.20178; Chen, Y. et al.
(2026), arXiv:2601.05420.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from passer.domain.base import Frozen
from passer.domain.judging.draw import LabelDraw, is_simple
from passer.domain.statistics import Floats, Interval, standard_error, wilson_interval
from passer.domain.verdict.counter_random import shuffled_folds

FEWEST = 20
"""Fewest labels of a run for a corrected mean."""
MOST_UNRATED = 0.1
"""Largest share of a draw's answers without a label for a corrected mean."""
FOLDS = 5
"""Folds of the cross-fit of lambda."""
_ROUNDING = 1e-9
_FEW_LEVELS = 3
"""Most different verdicts for which the labels are post-stratified."""
_FEWEST_A_LEVEL = 5
"""Fewest labels of each verdict for post-stratifying."""

CorrectionMethod = Literal["post_stratified", "ppi", "labels"]


class Corrected(Frozen):
    """A mean, or a mean difference, corrected by labels."""

    value: float
    """Corrected estimate, on the scale of the column."""
    error: float
    """Its standard error."""
    interval: Interval
    """95 % interval by Student's t; on the logit scale for means of columns in [0, 1], by Wilson where all labels are
    equal."""
    method: CorrectionMethod
    """Method. `labels` means that the judge adds nothing and the labels alone count."""
    weight: float
    """PPI++'s lambda: how much the judge's values count; 0 for `labels`, 1 for `post_stratified`."""
    n: int
    """Number of labelled questions."""
    n_judged: int
    """Number of judged questions without a label."""


class Estimate(Frozen):
    """An estimate with its standard error."""

    value: float
    """The estimate."""
    error: float
    """Its standard error."""
    weight: float
    """Lambda of PPI++; 1 where the verdicts are strata."""


def ppi_weight(labels: Floats, judged: Floats, others: Floats) -> float:
    """Return lambda = cov(f, Y) / ((1 + n/N) var(f)), cut to [0, 1]; var over all f, ddof 1.

    `labels` Y and `judged` f have shape (n,); `others` are the judge's values of the N questions without a label.
    """
    if labels.size < 2 or not others.size:
        return 0.0
    spread = float(np.var(np.concatenate((judged, others)), ddof=1))
    if spread == 0:
        return 0.0
    return float(np.clip(np.cov(judged, labels)[0, 1] / ((1 + labels.size / others.size) * spread), 0.0, 1.0))


def ppi(
    labels: Floats,
    judged: Floats,
    others: Floats,
    *,
    weight: float | Floats,
    inclusion: Floats | None = None,
    others_inclusion: Floats | None = None,
) -> Estimate:
    """Return lambda mean(f') + mean(Y - lambda f) with its standard error.

    `inclusion` are the probabilities with which the draw included each question: labelled ones are weighted by 1/pi,
    the others by 1/(1 - pi); None means equal probabilities. `weight` is one lambda, or one for each labelled question
    (cross-fitted), whose mean weighs the others.
    """
    mean_weight = float(np.mean(weight))
    rest, rest_error = _weighted(labels - weight * judged, None if inclusion is None else 1 / inclusion)
    if mean_weight == 0 or not others.size:
        return Estimate(value=rest, error=rest_error, weight=mean_weight)
    known, known_error = _weighted(others, None if others_inclusion is None else 1 / (1 - others_inclusion))
    error = float(np.hypot(mean_weight * known_error, rest_error))
    return Estimate(value=mean_weight * known + rest, error=error, weight=mean_weight)


def post_stratified(labels: Floats, judged: Floats, everything: Floats) -> Estimate:
    """Return sum_k p_k mu_k with its standard error: p_k is the share of verdict k, mu_k the mean of its labels.

    `everything` contains the judged values of all questions, labelled or not. Each verdict in it needs a label.
    """
    value, within = 0.0, 0.0
    means: list[tuple[float, float]] = []
    for level in np.unique(everything):
        own = labels[judged == level]
        share = float((everything == level).mean())
        means.append((share, float(own.mean())))
        value += share * float(own.mean())
        within += share**2 * (float(own.var(ddof=1)) / own.size if own.size > 1 else 0.0)
    between = sum(share * (mean - value) ** 2 for share, mean in means) / everything.size
    return Estimate(value=value, error=float(np.sqrt(within + between)), weight=1.0)


def corrected_mean(
    labels: Floats,
    judged: Floats,
    others: Floats,
    *,
    inclusion: Floats | None = None,
    others_inclusion: Floats | None = None,
    is_share: bool = True,
    seed: int = 1,
) -> Corrected | None:
    """Return the corrected mean of one run, or of paired differences (`is_share` False); None below 20 labels.

    The judge counts only if |cor(Y, f)| >= 1/sqrt(n - 2); below that PPI++ is less exact than the labels alone. Means
    of two or three verdicts are post-stratified; differences always use PPI++, as the verdict of a sweep does.
    """
    n = labels.size
    if n < FEWEST:
        return None
    method: CorrectionMethod = "labels"
    found = ppi(labels, judged, others, weight=0.0, inclusion=inclusion)
    if others.size and _helps(labels, judged):
        if is_share and inclusion is None and _has_strata(judged, others):
            method = "post_stratified"
            everything = np.concatenate((judged, others))
            found = _with_unseen(
                post_stratified(labels, judged, everything), _unseen_in_strata(labels, judged, everything)
            )
        else:
            method = "ppi"
            weights = label_weights(labels, judged, others, seed=seed)
            found = ppi(labels, judged, others, weight=weights, inclusion=inclusion, others_inclusion=others_inclusion)
            if is_share:
                found = _with_unseen(found, _unseen_errors(labels, judged))
    return Corrected(
        value=found.value,
        error=found.error,
        interval=_interval(found, n, is_share=is_share),
        method=method,
        weight=found.weight if method != "labels" else 0.0,
        n=n,
        n_judged=others.size,
    )


def corrected_by(
    draw: LabelDraw, values: Mapping[int, tuple[float | None, float]], *, is_share: bool
) -> Corrected | None:
    """Return the corrected mean of (label or None, judged value) by number of the question; see `corrected_mean`.

    Questions outside the draw are left out. A drawn question without a label counts neither as labelled nor as another.
    """
    rated = [(question, values[question.number]) for question in draw.questions if question.number in values]
    labelled = [(question, label, judged) for question, (label, judged) in rated if label is not None]
    # Only questions that were not drawn: prediction-powered inference needs labelled and unlabelled ones apart.
    rest = [(question, values[question.number][1]) for question in draw.others if question.number in values]
    is_equal = is_simple((*draw.questions, *draw.others))
    return corrected_mean(
        np.array([label for _, label, _ in labelled]),
        np.array([judged for _, _, judged in labelled]),
        np.array([judged for _, judged in rest]),
        inclusion=None if is_equal else np.array([question.inclusion for question, _, _ in labelled]),
        others_inclusion=None if is_equal else np.array([question.inclusion for question, _ in rest]),
        is_share=is_share,
        seed=draw.seed,
    )


def _unseen(labels: Floats) -> float:
    """Return the variance of the mean of equal labels in [0, 1], which show none: that of one more label at each end.

    Agreement of a judge in all of 20 labels does not show that it never errs; with no variance for what was not seen
    intervals held the mean in .81 of simulated studies, with this in .98 (Agresti and Coull 1998, "Approximate is
    better than exact"; Lee et al. 2025, arXiv:2511.21140, adjust the judge's errors in the same way).
    """
    size = labels.size + 2
    share = (float(labels.sum()) + 1) / size
    return share * (1 - share) / size


def _unseen_in_strata(labels: Floats, judged: Floats, everything: Floats) -> float:
    found = 0.0
    for level in np.unique(everything):
        own = labels[judged == level]
        if np.ptp(own) <= _ROUNDING:
            found += float((everything == level).mean()) ** 2 * _unseen(own)
    return found


def _unseen_errors(labels: Floats, judged: Floats) -> float:
    """Return the variance that few or no errors of the judge add to that of Y - f."""
    errors = np.abs(labels - judged)
    is_binary = set(labels.tolist()) | set(judged.tolist()) <= {0.0, 1.0}
    if not is_binary and errors.max() > _ROUNDING:
        return 0.0
    return max(0.0, _unseen(errors) - float(np.var(labels - judged, ddof=1)) / labels.size)


def _with_unseen(found: Estimate, variance: float) -> Estimate:
    return found.model_copy(update={"error": float(np.hypot(found.error, np.sqrt(variance)))})


def _helps(labels: Floats, judged: Floats) -> bool:
    if np.ptp(labels) == 0 or np.ptp(judged) == 0:
        return False
    # With the slack a correlation that equals the bound helps, whatever the order of its sums was.
    return bool(abs(np.corrcoef(labels, judged)[0, 1]) >= 1 / np.sqrt(labels.size - 2) - _ROUNDING)


def _has_strata(judged: Floats, others: Floats) -> bool:
    levels = np.unique(np.concatenate((judged, others)))
    return len(levels) <= _FEW_LEVELS and all((judged == level).sum() >= _FEWEST_A_LEVEL for level in levels)


def label_weights(labels: Floats, judged: Floats, others: Floats, *, seed: int) -> Floats:
    """Return PPI++'s lambda of each labelled question, shape (n,); 0 if the judge adds no information to the labels.

    Lambda is estimated on the other folds, so that it does not depend on the question's own label.
    """
    if not others.size or not _helps(labels, judged):
        return np.zeros(labels.size)
    # By the counter, not by numpy's generator: verifiers in other languages make the same folds.
    folds = shuffled_folds(seed, size=labels.size, folds=FOLDS)
    weights = np.empty(labels.size)
    for fold in range(FOLDS):
        rest = folds != fold
        weights[~rest] = ppi_weight(labels[rest], judged[rest], others)
    return weights


def _weighted(values: Floats, weights: Floats | None) -> tuple[float, float]:
    """Return the weighted mean and its standard error, 0 of a single value."""
    w = np.ones(values.size) if weights is None else weights
    return float(w @ values / w.sum()), standard_error(values, w) if values.size > 1 else 0.0


def _interval(found: Estimate, n: int, *, is_share: bool) -> Interval:
    from scipy.special import expit, logit, stdtrit

    if is_share and found.error <= _ROUNDING:
        # Equal labels, such as 20 of 20 right, have no spread, which does not make the mean certain. No mean of values
        # in [0, 1] varies more than a share does.
        return wilson_interval(found.value * n, n) or Interval(low=0.0, high=1.0)
    half = float(stdtrit(n - 1, 0.975)) * found.error
    value = found.value
    if not is_share or not 0 < value < 1:
        low, high = value - half, value + half
        return Interval(low=max(0.0, low), high=min(1.0, high)) if is_share else Interval(low=low, high=high)
    centre, scale = float(logit(value)), half / (value * (1 - value))
    return Interval(low=float(expit(centre - scale)), high=float(expit(centre + scale)))
