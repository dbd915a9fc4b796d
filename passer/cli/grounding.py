"""The command `grounding`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import services
from passer.cli.failures import RunOrSweepId
from passer.cli.files import checked
from passer.cli.imports import sweep_or
from passer.cli.output import JsonOption, note, number, print_json, print_table
from passer.errors import NotFoundError

if TYPE_CHECKING:
    from passer.domain.statistics import Interval
    from passer.metrics.grounded.checks import GroundingLimits
    from passer.services.analysis.grounding_report import GroundedColumn, GroundingReport


def grounding(
    some_id: RunOrSweepId,
    by: Annotated[str, typer.Option(help="Unit that citation numbers refer to: passage or document.")] = "passage",
    per: Annotated[
        str, typer.Option(help="Text around a citation that is compared: paragraph or sentence.")
    ] = "paragraph",
    limit_citation: Annotated[
        float, typer.Option("--limit-citation", help="Lowest share of keywords of a verified citation, 0 to 1.")
    ] = 0.15,
    limit_grounding: Annotated[
        float, typer.Option("--limit-grounding", help="Lowest share of keywords of a grounded sentence, 0 to 1.")
    ] = 0.30,
    published: Annotated[
        bool, typer.Option("--published", help="Split passages on white space, as LitPath's program does.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Print citations and grounding by shared keywords, with the values expected by chance. No model is called."""
    from passer.metrics.grounded.checks import GroundingLimits

    given = {"citation": limit_citation, "grounding": limit_grounding, "by": by, "per": per, "published": published}
    limits = checked(GroundingLimits, given)
    with services() as built:
        reader = built.analysis.grounding_reader
        try:
            report = reader.of_run(some_id, limits)
        except NotFoundError:
            with sweep_or("run", some_id):
                report = reader.of_sweep(some_id, limits)
    print_json(report) if as_json else _print(report)


def _print(report: GroundingReport) -> None:
    print_table(
        ["configuration", "column", "mean", "95 %", "micro", "by chance", "tau (judged)", "n", "without value"],
        [
            [
                run.name,
                column.name,
                number(column.mean, 3),
                _range(column.interval),
                number(column.micro, 3),
                number(column.chance, 3),
                _judged(column),
                str(column.n),
                _reasons(column),
            ]
            for run in report.runs
            for column in run.columns
        ],
    )
    from passer.metrics.grounded.checks import GroundingLimits

    if report.limits != GroundingLimits():
        note(_limits(report.limits))
    for run in report.runs:
        for warning in run.warnings:
            note(f"{run.name}: {warning}")
    note("Shared keywords are no proof of support: a sentence and its negation have nearly the same keywords.")


def _limits(limits: GroundingLimits) -> str:
    """Return the limits in words: figures by other limits than the usual ones are not those of the page."""
    split = ", passages split on white space" if limits.published else ""
    return (
        f"Limits: a citation is verified from {number(limits.citation, 2)} of the keywords of its {limits.per} on, "
        f"counted by {limits.by}; a sentence is grounded from {number(limits.grounding, 2)} on{split}."
    )


def _judged(column: GroundedColumn) -> str:
    from passer.domain.judging.judgement import NamedJudge

    found = column.judged
    if found is None:
        return "-"
    return f"{number(found.tau, 2)} ({found.column}, {NamedJudge(found.judge, found.rated).label}, n = {found.n})"


def _range(interval: Interval | None) -> str:
    return "-" if interval is None else f"{number(interval.low, 3)} to {number(interval.high, 3)}"


def _reasons(column: GroundedColumn) -> str:
    from passer.domain.wording.sentence import sentence

    return ", ".join(f"{n}: {sentence(f'reason.{reason}')}" for reason, n in column.missing.items()) or "-"
