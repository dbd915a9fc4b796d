"""Options of commands that analyse: `analyse`, `export` and those that compare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from passer.cli.commands import sheet_option, sweep_option
from passer.domain.defaults import RIGHT_FROM, TCPS_ALPHA, TCPS_BETA

ConstantsOption = Annotated[
    str | None,
    typer.Option(
        "--constants",
        metavar="ID|FILE",
        help="Use the constants of another analysis for CPS: its id, or a file with the output of `passer "
        "analyse ID --json`.",
    ),
]
PANEL_NAMES = "text-1, phase3 or phase2 (the first two also with -no-meteor)"
AssessmentOption = Annotated[
    str | None,
    sweep_option(
        "--assessment", help="Judge by a column of this assessment: the first one, unless --primary names another."
    ),
]
TcpsAlphaOption = Annotated[
    float, sweep_option("--tcps-alpha", help=f"Weight of 1 - CV in T-CPS (exploratory unless {TCPS_ALPHA:g}).")
]
TcpsBetaOption = Annotated[
    float, sweep_option("--tcps-beta", help=f"Weight of CV² in T-CPS (exploratory unless {TCPS_BETA:g}).")
]
TestsOption = Annotated[bool, sweep_option("--tests", help="Print every test of every threshold.")]
ProcedureOption = Annotated[
    str | None,
    sheet_option("--procedure", help="How figures are computed (required): corrected, published or published-phase2."),
]
LabelsOption = Annotated[
    list[str] | None,
    sheet_option("--label", help='Name of a model in tables, such as mistral="Mistral 7B". Repeatable.'),
]


@dataclass(frozen=True)
class CompositeOptions:
    """Panel, weights and scope of CPS; None keeps what the sweep recorded."""

    panel: Annotated[str | None, sweep_option(help=f"Another panel (exploratory): {PANEL_NAMES}.")] = None
    normalisation: Annotated[
        str | None, sweep_option(help="Another scaling of metrics (exploratory): winsorised or min-max.")
    ] = None
    missing: Annotated[
        str, sweep_option(help="worst counts questions without a score as the worst value, drop excludes them.")
    ] = "worst"
    truncated: Annotated[
        str, sweep_option(help="keep or exclude questions whose prompt or answer was truncated in any configuration.")
    ] = "keep"
    scope: Annotated[
        str,
        sweep_option(
            help="Runs that determine the minimum and maximum of each metric: all, model (runs of the same "
            "model) or run (each its own). With model and run, configurations of different pools cannot be compared, "
            "and --tests and --constants are refused."
        ),
    ] = "all"


@dataclass(frozen=True)
class ExploredOptions:
    """Other decisions than the recorded ones; each makes an analysis exploratory."""

    clusters: Annotated[
        str,
        sweep_option(
            help="Questions that are resampled together: declared (column `cluster`), documents (of one "
            "gold document) or none."
        ),
    ] = "declared"
    primary: Annotated[
        str | None, sweep_option(help="Another primary metric (exploratory); with --assessment a judged column.")
    ] = None
    assessment: AssessmentOption = None
    margin: Annotated[float | None, sweep_option(help="Another margin (exploratory).")] = None
    alpha: Annotated[float | None, sweep_option(help="Another alpha (exploratory).")] = None
    right_from: Annotated[
        float | None,
        sweep_option(
            help="Lowest score in the primary metric that counts as correct when repetitions "
            f"are compared; {RIGHT_FROM:g} by default."
        ),
    ] = None
