"""The command `failures`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import services
from passer.cli.imports import sweep_or
from passer.cli.judge_options import JUDGE
from passer.cli.output import JsonOption, note, number, print_json, print_table
from passer.cli.run_options import BudgetOption, ModelPriceOption
from passer.cli.why_low import explain, show
from passer.domain.failures.judged_labels import HIGHEST
from passer.errors import NotFoundError

if TYPE_CHECKING:
    from passer.domain.failures.report import FailureReport, RunFailures, Share

RunOrSweepId = Annotated[str, typer.Argument(metavar="RUN|SWEEP", help="Id of a run or of a sweep.")]


def failures(
    some_id: RunOrSweepId,
    column: Annotated[
        str | None,
        typer.Option(
            help="Column that decides which scores are low; higher values must be better. Default: Answer correctness "
            "where a judge has judged every answer, else F1 Score."
        ),
    ] = None,
    below: Annotated[
        float | None,
        typer.Option(
            help="Scores below this value are low; default: the first quartile of all scores of the sweep, 0.5 for a "
            "judged column, 1 with --judge."
        ),
    ] = None,
    best: Annotated[
        bool,
        typer.Option(
            "--any", help="If a question has several gold passages, let the best one decide instead of the worst."
        ),
    ] = False,
    judge: Annotated[
        str | None,
        typer.Option("--judge", help=f"Ask a judge for the reasons of a low Answer correctness. {JUDGE}"),
    ] = None,
    foreign: Annotated[
        bool,
        typer.Option(
            "--foreign",
            help="With --judge: the questions were not made from the collection, so also look for missing content and "
            "incomplete answers.",
        ),
    ] = False,
    assessment: Annotated[
        str | None, typer.Option("--assessment", help="Show the result of an earlier --judge; no model is asked.")
    ] = None,
    budget: BudgetOption = None,
    price: ModelPriceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print where the questions of a run, or of each run of a sweep, failed. Only --judge asks a model."""
    from passer.services.analysis.failure_locator import FailureChoices

    choices = FailureChoices(column=column, below=below, best=best)
    with services() as built:
        if judge is not None:
            explain(built, some_id, judge, is_foreign=foreign, below=below, budget=budget, price=price, as_json=as_json)
            return
        if assessment is not None:
            show(built, assessment, below=HIGHEST if below is None else below, as_json=as_json)
            return
        locator = built.analysis.failure_locator
        try:
            report = locator.of_run(some_id, choices)
        except NotFoundError:
            with sweep_or("run", some_id):
                report = locator.of_sweep(some_id, choices)
    print_json(report) if as_json else _print(report)


def _print(report: FailureReport) -> None:
    from passer.domain.failures.locator import LABELS
    from passer.domain.wording.sentence import sentence

    if report.low is not None:
        note(report.low.line)
    used = [label for label in LABELS if any(label in run.counts for run in report.runs)]
    print_table(
        ["where it failed", *(run.name for run in report.runs)],
        [
            *([sentence(f"located.{label}"), *(_cell(run, label) for run in report.runs)] for label in used),
            [sentence("located.all"), *(str(run.n) for run in report.runs)],
        ],
    )
    for run in report.runs:
        if run.needed is not None:
            note(f"{run.name}: {run.needed.line}")
    decided = [run for run in report.runs if run.decisions]
    if decided:
        print_table(
            ["configuration", *(sentence(f"decision.{name}") for name in _decisions(decided[0]))],
            [[run.name, *(_share(share) for share in _decisions(run).values())] for run in decided],
            title="Answer or abstention; 95 % Wilson intervals",
        )
        for line in report.deciders:
            note(line)


def _cell(run: RunFailures, label: str) -> str:
    count = next((count for name, count in run.counts.items() if name == label), 0)
    return f"{count} ({number(100 * count / run.n, 0)} %)" if run.n else "0"


def _decisions(run: RunFailures) -> dict[str, Share]:
    return {} if run.decisions is None else dict(run.decisions)


def _share(share: Share) -> str:
    if share.interval is None:
        return "-"
    return f"{share.n}/{share.of} ({number(share.interval.low, 2)} to {number(share.interval.high, 2)})"
