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
_MOST_SCORES = 4_000_000
"""Scores of questions that are computed together; bounds memory."""
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
    ties, is_free = counts[:, :, 2].sum(axis=1), _has_nu(counts)
    eta = np.where(is_free, log_nu, np.where(ties > 0, np.log(MOST_NU), -np.inf))
    products = np.einsum("ri,rj->rij", design, design).reshape(len(design), -1)
    games = np.maximum(1.0, counts.sum(axis=(1, 2)))
    for _ in range(_STEPS):
        gradient, hessian = _derivatives(theta, eta, design, products, counts)
        _add_prior(theta, gradient, hessian, runs, prior)
        gradient[:, runs:size] -= _RIDGE * theta[:, runs:]
        _hold_nu(gradient, hessian, ~is_free)
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


def gap_errors(
    design: Floats, counts: Floats, weights: Floats, found: Fit, *, runs: int, prior: Mask, contrasts: Floats
) -> Floats:
    """Return the standard errors of contrasts of strengths, shape (samples, contrasts), at the fit of each sample.

    `counts` has shape (questions, rows, 3), `weights` of shape (samples, questions) says how often a question occurs,
    `contrasts` has shape (contrasts, runs). The variance is that of clusters, G/(G - 1) H^-1 (sum of w s s') H^-1 with
    s the score of a question (Liang and Zeger, 1986). In samples with `prior` it is at least H^-1, that of independent
    games: where a run wins all its games, its scores hardly differ, and their spread does not show how little is known.
    """
    products = np.einsum("ri,rj->rij", design, design).reshape(len(design), -1)
    games, ties = counts.sum(axis=2), counts[:, :, 2].sum(axis=1)
    won = (counts[:, :, 0] - counts[:, :, 1]) / 2 @ design
    wide = np.append(contrasts, np.zeros((len(contrasts), 1)), axis=1)
    clusters = len(counts) / (len(counts) - 1)
    errors = np.empty((len(weights), len(contrasts)))
    at_once = max(1, _MOST_SCORES // (len(counts) * (runs + 1)))
    for part in (slice(first, first + at_once) for first in range(0, len(weights), at_once)):
        theta, eta = found.parameters[part], np.log(np.maximum(found.nu[part], 1e-300))
        drawn = np.tensordot(weights[part], counts, 1)
        gradient, hessian = _derivatives(theta, eta, design, products, drawn)
        _add_prior(theta, gradient, hessian, runs, prior[part])
        _hold_nu(gradient, hessian, ~_has_nu(drawn))
        chances = _chances(theta, eta, design)
        # A score is linear in the counts: what was won, less what the fit expects of as many games.
        scores = np.empty((len(theta), len(counts), runs + 1))
        scores[:, :, :runs] = won - games @ (chances.lead[:, :, None] * design)
        scores[:, :, runs] = np.where(_has_nu(drawn)[:, None], ties - chances.tie @ games.T, 0.0)
        meat = scores.transpose(0, 2, 1) @ (weights[part][:, :, None] * scores)
        bread = wide @ np.linalg.inv(hessian)
        variance = clusters * (bread @ meat * bread).sum(axis=2)
        least = np.where(prior[part][:, None], (bread * wide).sum(axis=2), 0.0)
        errors[part] = np.sqrt(np.maximum(variance, least))
    return errors


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


class _Chances(NamedTuple):
    """Expected outcome of one game of each row, shape (samples, rows)."""

    lead: Floats
    """Half the difference of the chances of a first and of a second win."""
    tie: Floats


def _chances(theta: Floats, eta: Floats, design: Floats) -> _Chances:
    half = theta @ design.T / 2
    tied = np.broadcast_to(eta[:, None], half.shape)
    highest = np.maximum(np.abs(half), tied)
    first, second, tie = np.exp(half - highest), np.exp(-half - highest), np.exp(tied - highest)
    total = first + second + tie
    return _Chances((first - second) / total / 2, tie / total)


def _row_terms(theta: Floats, eta: Floats, design: Floats, counts: Floats) -> _RowTerms:
    lead, tie = _chances(theta, eta, design)
    weights = counts.sum(axis=2)
    return _RowTerms(
        score=(counts[:, :, 0] - counts[:, :, 1]) / 2 - weights * lead,
        tie_score=counts[:, :, 2] - weights * tie,
        curve=weights * ((1 - tie) / 4 - lead**2),
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


def _has_nu(counts: Floats) -> Mask:
    """Return which samples have decided games and ties, so that nu is neither 0 nor infinite."""
    return np.asarray((counts[:, :, :2].sum(axis=(1, 2)) > 0) & (counts[:, :, 2].sum(axis=1) > 0))


def _hold_nu(gradient: Floats, hessian: Floats, held: Mask) -> None:
    """Keep log nu, the last parameter, where it is in some samples; a small ridge keeps the others solvable."""
    gradient[held, -1] = 0
    hessian[held, -1, :] = hessian[held, :, -1] = 0
    places = np.arange(hessian.shape[1])
    hessian[:, places, places] += _RIDGE * 1e-3
    hessian[held, -1, -1] = 1.0


def _add_prior(theta: Floats, gradient: Floats, hessian: Floats, runs: int, prior: Mask) -> None:
    """Games with the phantom; without them the strengths are known up to a constant, which the sum of 0 fixes."""
    chance = 1 / (1 + np.exp(-theta[:, :runs]))
    gradient[:, :runs] += prior[:, None] * (0.5 - chance)
    places = np.arange(runs)
    hessian[:, places, places] += prior[:, None] * chance * (1 - chance)
    hessian[:, :runs, :runs] += np.where(prior, 0.0, 1.0)[:, None, None]
