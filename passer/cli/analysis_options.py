"""Options of commands that analyse: `analyse`, `export` and those that compare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from passer.cli.help import OF_SHEETS, OF_SWEEPS
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
    typer.Option(
        "--assessment",
        help="Judge the sweep by a column of this assessment, the first one unless --primary names it.",
        rich_help_panel=OF_SWEEPS,
    ),
]
TcpsAlphaOption = Annotated[
    float,
    typer.Option(
        "--tcps-alpha",
        help=f"Weight of 1 - CV in T-CPS (exploratory unless {TCPS_ALPHA:g}).",
        rich_help_panel=OF_SWEEPS,
    ),
]
TcpsBetaOption = Annotated[
    float,
    typer.Option(
        "--tcps-beta", help=f"Weight of CV² in T-CPS (exploratory unless {TCPS_BETA:g}).", rich_help_panel=OF_SWEEPS
    ),
]
TestsOption = Annotated[
    bool, typer.Option("--tests", help="Print every test of every threshold.", rich_help_panel=OF_SWEEPS)
]
ProcedureOption = Annotated[
    str | None,
    typer.Option("--procedure", help="published, corrected or published-phase2.", rich_help_panel=OF_SHEETS),
]
LabelsOption = Annotated[
    list[str] | None, typer.Option("--label", help='MODEL="Label". Repeatable.', rich_help_panel=OF_SHEETS)
]


@dataclass(frozen=True)
class CompositeOptions:
    """Panel, weights and scope of CPS; None keeps what the sweep recorded."""

    panel: Annotated[
        str | None, typer.Option(help=f"Another panel (exploratory): {PANEL_NAMES}.", rich_help_panel=OF_SWEEPS)
    ] = None
    normalisation: Annotated[
        str | None,
        typer.Option(
            help="Another scaling of metrics (exploratory): winsorised or min-max.", rich_help_panel=OF_SWEEPS
        ),
    ] = None
    missing: Annotated[
        str,
        typer.Option(
            help="worst counts questions without a score as the worst value, drop excludes them.",
            rich_help_panel=OF_SWEEPS,
        ),
    ] = "worst"
    truncated: Annotated[
        str,
        typer.Option(
            help="keep or exclude questions whose prompt or answer was truncated in any configuration.",
            rich_help_panel=OF_SWEEPS,
        ),
    ] = "keep"
    scope: Annotated[
        str,
        typer.Option(
            help="Runs that determine the minimum and maximum of each metric: all, model (runs of the same "
            "model) or run (each its own). With model and run, configurations of different pools cannot be compared, "
            "and --tests and --constants are refused.",
            rich_help_panel=OF_SWEEPS,
        ),
    ] = "all"


@dataclass(frozen=True)
class ExploredOptions:
    """Other decisions than the recorded ones; each makes an analysis exploratory."""

    clusters: Annotated[
        str,
        typer.Option(
            help="Questions that are resampled together: declared (column `cluster`), documents (of one "
            "gold document) or none.",
            rich_help_panel=OF_SWEEPS,
        ),
    ] = "declared"
    primary: Annotated[
        str | None,
        typer.Option(
            help="Another primary metric (exploratory); with --assessment a judged column.", rich_help_panel=OF_SWEEPS
        ),
    ] = None
    assessment: AssessmentOption = None
    margin: Annotated[float | None, typer.Option(help="Another margin (exploratory).", rich_help_panel=OF_SWEEPS)] = (
        None
    )
    alpha: Annotated[float | None, typer.Option(help="Another alpha (exploratory).", rich_help_panel=OF_SWEEPS)] = None
    right_from: Annotated[
        float | None,
        typer.Option(
            help="Score in the primary metric from which an answer counts as correct where repeats are "
            f"compared; {RIGHT_FROM:g} by default.",
            rich_help_panel=OF_SWEEPS,
        ),
    ] = None
