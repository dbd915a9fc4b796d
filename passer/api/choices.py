"""Query parameters that several routes share, as dependencies: how to analyse, and the budget of a sweep."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query

from passer.api.deps import ServicesDep
from passer.domain.analysis.analysis import TruncatedPolicy
from passer.domain.analysis.choices import ClusterChoice, OwnScope, SheetChoices, SweepChoices
from passer.domain.analysis.constants import MOST_CHARACTERS, Constants, read_constants
from passer.domain.analysis.study_tables import BandSetting
from passer.domain.composite import LARGEST_WEIGHT, MissingPolicy, Normalisation, TcpsWeights
from passer.domain.defaults import RIGHT_FROM, TCPS_ALPHA, TCPS_BETA
from passer.domain.sheets.procedures import Procedure, parsed_labels
from passer.domain.sweeps.budget import SweepBudget, budget_of

GivenConstants = Annotated[
    str | None,
    Query(
        min_length=1,
        max_length=MOST_CHARACTERS,
        description="Uses the constants of another analysis for CPS: its id, or the `constants` of its JSON. "
        "Default: constants of the analysis's own pool.",
    ),
]
Truncated = Annotated[
    TruncatedPolicy,
    Query(
        description="Whether questions with a truncated prompt or answer are kept, or excluded from every "
        "configuration."
    ),
]
OfPools = Annotated[
    OwnScope,
    Query(
        description="Pool for the minimum and maximum of each metric: all runs, each model, or each run. CPS can "
        "be compared only within a pool: with model and run, /evidence is refused, tables and "
        "reports omit tests, and constants are not accepted."
    ),
]
Labels = Annotated[list[str] | None, Query(description="MODEL=Label. Repeatable.")]


def _sweep_choices(
    services: ServicesDep,
    panel: Annotated[str | None, Query(description="text-1, phase3, phase2; the recorded one by default.")] = None,
    normalisation: Annotated[Normalisation | None, Query(description="Bounds of the pools.")] = None,
    missing: MissingPolicy = "worst",
    truncated: Truncated = "keep",
    scope: OfPools = "all",
    constants: GivenConstants = None,
    clusters: Annotated[
        ClusterChoice,
        Query(description="Questions resampled together: declared clusters, one gold document, or none (each alone)."),
    ] = "declared",
    primary: Annotated[
        str | None,
        Query(
            max_length=100,
            description="Metric of the verdict: CPS, one of the 24 columns, or with `assessment` one of its columns; "
            "the recorded one by default.",
        ),
    ] = None,
    assessment: Annotated[
        str | None,
        Query(
            max_length=48,
            description="Assessment whose judged column is the primary metric, by default its first one. Without "
            "ratings by people the verdict is marked as unchecked; ratings of a random draw correct the gains.",
        ),
    ] = None,
    margin: Annotated[
        float | None, Query(gt=0, allow_inf_nan=False, description="Smallest difference that matters.")
    ] = None,
    alpha: Annotated[
        float | None,
        Query(gt=0, lt=0.5, allow_inf_nan=False, description="Probability of any false finding among all comparisons."),
    ] = None,
    tcps_alpha: Annotated[
        float, Query(ge=0, le=LARGEST_WEIGHT, allow_inf_nan=False, description="Weight of 1 - CV in T-CPS.")
    ] = TCPS_ALPHA,
    tcps_beta: Annotated[
        float, Query(ge=0, le=LARGEST_WEIGHT, allow_inf_nan=False, description="Weight of CV² in T-CPS.")
    ] = TCPS_BETA,
    bands: Annotated[
        BandSetting, Query(description="Words for the size of T-CPS gains, as in the published study. Labels only.")
    ] = "phase3",
    right_from: Annotated[
        float | None,
        Query(
            allow_inf_nan=False,
            description="Score in the primary metric from which an answer is correct where repeats are compared; "
            f"{RIGHT_FROM:g} by default.",
        ),
    ] = None,
) -> SweepChoices:
    choices = SweepChoices(
        panel=panel, normalisation=normalisation, missing=missing, truncated=truncated, scope=scope,
        clusters=clusters, primary=primary, assessment=assessment, margin=margin, alpha=alpha, right_from=right_from,
        bands=bands, stability=TcpsWeights(alpha=tcps_alpha, beta=tcps_beta),
    )  # fmt: skip
    return services.analysis.fixed_constants.sweep(choices, _given(constants))


def _sheet_choices(
    services: ServicesDep,
    procedure: Procedure = "corrected",
    label: Labels = None,
    bands: BandSetting = "phase3",
    constants: GivenConstants = None,
) -> SheetChoices:
    labels = parsed_labels(label or ())
    return services.analysis.fixed_constants.sheets(
        SheetChoices(procedure=procedure, labels=labels, bands=bands), _given(constants)
    )


def _given(text: str | None) -> Constants | str | None:
    """Constants from their JSON; an id stays as it is."""
    return read_constants(text) if text is not None and text.lstrip().startswith("{") else text


def _budget(
    budget: Annotated[
        list[str] | None,
        Query(
            max_length=100,
            description="Limits at which the sweep pauses with its results: 500-asks, 200k-tokens, 90min, 2h, 5EUR. "
            "Repeatable, or separated by commas.",
        ),
    ] = None,
    price: Annotated[
        str | None,
        Query(
            max_length=60,
            description="Cost of a million tokens of prompts and of replies, such as 0.15,0.60; required for a limit "
            "of money.",
        ),
    ] = None,
    judge_price: Annotated[
        str | None,
        Query(max_length=60, description="Price of the judge that the sweep records; default: `price`."),
    ] = None,
) -> SweepBudget | None:
    return budget_of(budget or (), price, judge_price) if budget or price or judge_price else None


BudgetDep = Annotated[SweepBudget | None, Depends(_budget)]
SweepChoicesDep = Annotated[SweepChoices, Depends(_sweep_choices)]
SheetChoicesDep = Annotated[SheetChoices, Depends(_sheet_choices)]
