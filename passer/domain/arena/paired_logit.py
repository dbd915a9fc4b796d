"""Maximum likelihood of paired comparisons with ties, for many samples at once.

Davidson (1970): P(a) : P(b) : P(tie) = p_a : p_b : nu sqrt(p_a p_b). With u = log p_a - log p_b this is a multinomial
logit with the logits u/2, -u/2 and log nu, so the log likelihood is concave and Newton's method finds its maximum. u is
linear in the parameters: the strengths of both sides, and whatever else may move a verdict, such as the order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from passer.domain.arena.tally import Ints, Mask
from passer.domain.statistics import Floats

MOST_NU = 1e6
"""nu where no game was decided; the likelihood would have it infinite."""
_STEPS, _LONGEST_STEP, _GRADIENT = 200, 2.0, 1e-9
_RIDGE = 1e-6
"""Keeps effects finite where they separate the outcomes, as when the longer answer always wins."""


@dataclass(frozen=True)
class Fit:
    """Parameters of each sample."""

    parameters: Floats
    """Shape (samples, parameters); the strengths come first and sum to 0."""
    nu: Floats
    """Shape (samples,); 0 without ties."""


def fit(
    design: Floats, counts: Floats, *, runs: int, prior: Mask, start: Floats | None = None, log_nu: float = -1.0
) -> Fit:
    """Fit samples of the same rows.

    `design` has shape (rows, parameters), the first `runs` of which are strengths; `counts` has shape (samples, rows,
    3): first wins, second wins, ties. In samples with `prior`, shape (samples,), every run also ties once with a
    phantom of strength 0, counted as half a win and half a loss. As a tie of the model it would say something of nu,
    and nu and the strength of an unbeaten run would grow together without limit.
    """
    samples, size = counts.shape[0], design.shape[1]
    theta = np.zeros((samples, size)) if start is None else np.tile(start, (samples, 1))
    decided, ties = counts[:, :, :2].sum(axis=(1, 2)), counts[:, :, 2].sum(axis=1)
    is_free = (decided > 0) & (ties > 0)
    eta = np.where(is_free, log_nu, np.where(ties > 0, np.log(MOST_NU), -np.inf))
    products = np.einsum("ri,rj->rij", design, design).reshape(len(design), -1)
    games = np.maximum(1.0, counts.sum(axis=(1, 2)))
    for _ in range(_STEPS):
        gradient, hessian = _derivatives(theta, eta, design, products, counts)
        _add_prior(theta, gradient, hessian, runs, prior)
        gradient[:, runs:size] -= _RIDGE * theta[:, runs:]
        free = np.append(np.ones((samples, size), bool), is_free[:, None], axis=1)
        gradient[~free] = 0
        hessian[~(free[:, :, None] & free[:, None, :])] = 0
        hessian[:, np.arange(size + 1), np.arange(size + 1)] += np.where(free, _RIDGE * 1e-3, 1.0)
        if (np.abs(gradient).max(axis=1) <= _GRADIENT * games).all():
            break
        step = np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
        # A full step may overshoot where outcomes are nearly separated.
        step *= np.minimum(1.0, _LONGEST_STEP / np.maximum(np.abs(step).max(axis=1), 1e-300))[:, None]
        theta = theta + step[:, :size]
        eta = np.where(is_free, eta + step[:, size], eta)
    if runs:
        theta[:, :runs] -= theta[:, :runs].mean(axis=1, keepdims=True)
    return Fit(theta, np.exp(eta))


def one_step(design: Floats, counts: Floats, found: Fit, *, runs: int, groups: Ints, weights: Floats) -> Floats:
    """Return the parameters of bootstrap samples by one Newton step each from the fit of all rows.

    `counts` has shape (rows, 3), `groups` gives the question of each row, `weights` of shape (draws, questions) how
    often each question occurs. For effects of single games, whose rows cannot be summed before: full fits of 1,000
    samples of 3,000 games take twenty times as long. The step leaves an error of second order (Moulton and Zeger 1989).
    """
    size, questions = design.shape[1], weights.shape[1]
    theta, nu = found.parameters[:1], found.nu[0]
    eta = np.array([np.log(nu) if nu > 0 else -np.inf])
    rows = _row_terms(theta, eta, design, counts[None])
    gradient = np.zeros((questions, size + 1))
    hessian = np.zeros((questions, size + 1, size + 1))
    np.add.at(gradient[:, :size], groups, rows.score[0][:, None] * design)
    np.add.at(gradient[:, size], groups, rows.tie_score[0])
    outer = np.einsum("r,ri,rj->rij", rows.curve[0], design, design)
    np.add.at(hessian[:, :size, :size], groups, outer)
    np.add.at(hessian[:, :size, size], groups, rows.cross[0][:, None] * design)
    np.add.at(hessian[:, size, size], groups, rows.tie_curve[0])
    hessian[:, size, :size] = hessian[:, :size, size]
    drawn_gradient = weights @ gradient
    drawn_hessian = (weights @ hessian.reshape(questions, -1)).reshape(-1, size + 1, size + 1)
    repeated = np.repeat(theta, len(weights), axis=0)
    if runs:
        _add_prior(repeated, drawn_gradient, drawn_hessian, runs, np.ones(len(weights), bool))
    drawn_gradient[:, runs:size] -= _RIDGE * repeated[:, runs:]
    diagonal = np.arange(size + 1)
    # Without ties, or without decided rows, nothing is known of nu: its step is 0.
    drawn_hessian[:, diagonal, diagonal] += np.where(drawn_hessian[:, diagonal, diagonal] == 0, 1.0, _RIDGE)
    step = np.linalg.solve(drawn_hessian, drawn_gradient[:, :, None])[:, :size, 0]
    return np.asarray(repeated + np.clip(step, -_LONGEST_STEP, _LONGEST_STEP))


class _RowTerms(NamedTuple):
    """Derivatives of the log likelihood of each row, shape (samples, rows), by u and by log nu."""

    score: Floats
    tie_score: Floats
    curve: Floats
    cross: Floats
    tie_curve: Floats


def _row_terms(theta: Floats, eta: Floats, design: Floats, counts: Floats) -> _RowTerms:
    half = theta @ design.T / 2
    tied = np.broadcast_to(eta[:, None], half.shape)
    highest = np.maximum(np.abs(half), tied)
    first, second, tie = np.exp(half - highest), np.exp(-half - highest), np.exp(tied - highest)
    total = first + second + tie
    first, second, tie = first / total, second / total, tie / total
    lead, weights = (first - second) / 2, counts.sum(axis=2)
    return _RowTerms(
        score=(counts[:, :, 0] - counts[:, :, 1]) / 2 - weights * lead,
        tie_score=counts[:, :, 2] - weights * tie,
        curve=weights * ((first + second) / 4 - lead**2),
        cross=-weights * lead * tie,
        tie_curve=weights * tie * (1 - tie),
    )


def _derivatives(theta: Floats, eta: Floats, design: Floats, products: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Gradient (samples, parameters + 1) and negative Hessian of the log likelihood; log nu comes last."""
    rows, size = _row_terms(theta, eta, design, counts), design.shape[1]
    gradient = np.empty((len(theta), size + 1))
    gradient[:, :size] = rows.score @ design
    gradient[:, size] = rows.tie_score.sum(axis=1)
    hessian = np.empty((len(theta), size + 1, size + 1))
    hessian[:, :size, :size] = (rows.curve @ products).reshape(-1, size, size)
    hessian[:, :size, size] = hessian[:, size, :size] = rows.cross @ design
    hessian[:, size, size] = rows.tie_curve.sum(axis=1)
    return gradient, hessian


def _add_prior(theta: Floats, gradient: Floats, hessian: Floats, runs: int, prior: Mask) -> None:
    """Games with the phantom; without them the strengths are known up to a constant, which the sum of 0 fixes."""
    chance = 1 / (1 + np.exp(-theta[:, :runs]))
    gradient[:, :runs] += prior[:, None] * (0.5 - chance)
    places = np.arange(runs)
    hessian[:, places, places] += prior[:, None] * chance * (1 - chance)
    hessian[:, :runs, :runs] += np.where(prior, 0.0, 1.0)[:, None, None]
