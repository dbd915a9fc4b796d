"""Settings that a person chooses for an analysis, of a sweep and of imported sheets."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from passer.domain.analysis.analysis import Scope, TruncatedPolicy
from passer.domain.analysis.constants import Constants
from passer.domain.analysis.study_tables import BandSetting
from passer.domain.base import Frozen
from passer.domain.composite import PUBLISHED, MissingPolicy, Normalisation, TcpsWeights
from passer.domain.sheets.procedures import Procedure
from passer.domain.wording.sentence import sentence
from passer.errors import InputError

ClusterChoice = Literal["declared", "documents", "none"]
"""Source of the clusters of questions."""
OwnScope = Literal["all", "model", "run"]
"""Scopes that a person can choose; `given` follows from constants."""

SEVERAL_POOLS: tuple[Scope, ...] = ("model", "run")
"""Scopes without one scale for all runs."""


def check_scope(scope: Scope, *, pinned: bool) -> None:
    """Refuse constants for all runs together with a scope that gives each pool its own."""
    if pinned and scope in SEVERAL_POOLS:
        raise InputError(
            sentence("analysis.constants-or-scope", scope=scope),
            field="scope",
        )


class SweepChoices(Frozen):
    """Settings of the analysis of a sweep."""

    panel: str | None = None
    """Name of the panel; None takes the recorded one or phase3, without METEOR where it could not be computed."""
    normalisation: Normalisation | None = None
    """Bounds of the pools; None takes the recorded one, or min-max."""
    missing: MissingPolicy = "worst"
    """Treatment of missing scores."""
    truncated: TruncatedPolicy = "keep"
    """Treatment of questions with a truncated prompt or answer."""
    scope: OwnScope = "all"
    """Rows that give minimum and maximum; with constants only `all`, and the constants are used instead."""
    constants: Constants | None = None
    """Constants of an earlier analysis, to be pinned to; None takes those of its own pool."""
    clusters: ClusterChoice = "declared"
    """Unit of resampling: declared clusters, questions of one gold document, or each question alone."""
    primary: str | None = None
    """Metric of the verdict; None takes the one recorded with the sweep. Another one makes the verdict exploratory."""
    assessment: str | None = None
    """Assessment whose judged column is the primary metric, the first one unless `primary` names it; None for none."""
    margin: float | None = Field(default=None, gt=0)
    """Smallest difference that matters; None takes the recorded one."""
    alpha: float | None = Field(default=None, gt=0, lt=0.5)
    """Error of all comparisons together; None takes the recorded one."""
    stability: TcpsWeights = PUBLISHED
    """Weights of T-CPS; others than the published ones make the verdict exploratory."""
    bands: BandSetting = "phase3"
    """Names for the size of T-CPS improvements."""
    right_from: float | None = None
    """Score in the primary metric from which an answer counts as right where repeats are compared; None takes .5."""


AS_USUAL = SweepChoices()
"""Defaults: automatic panel, system failures as the worst value, truncated answers kept, constants of the own pool."""


class SheetChoices(Frozen):
    """Settings of the analysis of imported sheets."""

    procedure: Procedure
    """Procedure of the analysis."""
    labels: dict[str, str] = Field(default_factory=dict)
    """Names for the tables by model, which then come in this order."""
    bands: BandSetting = "phase3"
    """Names for the size of improvements."""
    constants: Constants | None = None
    """Constants of an earlier analysis, to be pinned to; None takes those of its own pool."""
