"""The command `check`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import services
from passer.cli.output import JsonOption, SweepId, difference, note, p_value, print_json, print_table, unit_of
from passer.errors import InputError

if TYPE_CHECKING:
    from passer.services.analysis.regression_check import CheckedConfiguration, CheckResult


def check(
    sweep_id: SweepId,
    against: Annotated[
        str | None,
        typer.Option(
            help="Baseline: a configuration of the sweep by name, or the id of a run, also of an earlier sweep of the "
            "same dataset. Default: each model's own baseline."
        ),
    ] = None,
    margin: Annotated[
        float | None, typer.Option(help="Smallest difference that matters; default: the one recorded with the sweep.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Also fail where a configuration is not shown to be as good.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Check that no configuration of a sweep is worse than a baseline, by the rule of the verdict.

    Exit status: 0 none is worse; 1 one is worse, or lower by the same amount in nearly all questions; 2 wrong usage, or
    no verdict: too few questions, or too many that failed.
    """
    if margin is not None and not 0 < margin <= 1_000_000:
        raise InputError("--margin must be greater than 0.", field="margin")
    with services() as built:
        found = built.analysis.regression_check.check(sweep_id, against=against, margin=margin)
    print_json(found) if as_json else _show(found)
    failing = found.not_as_good if strict else found.worse
    if failing:
        note(f"{'Not shown to be as good' if strict else 'Worse'}: {', '.join(failing)}.")
    if found.lower:
        note(f"Lower by the same amount in nearly all questions, which gives no interval: {', '.join(found.lower)}.")
    if failing or found.lower:
        raise typer.Exit(1)
    for reason in found.lacking:
        note(reason)
    if found.lacking:
        raise typer.Exit(2)


def _show(found: CheckResult) -> None:
    from passer.domain.verdict.amounts import amount

    unit = unit_of(found.primary)
    columns = ("configuration", "model", f"difference{unit}", "low", "high", "p", "questions", "outcome")
    margin = amount(found.primary, found.margin, "size")
    title = f"{found.primary} against {found.baseline or 'the baseline of each model'}, margin {margin}"
    print_table(columns, [_row(found.primary, each) for each in found.configurations], title=title)


def _row(primary: str, checked: CheckedConfiguration) -> tuple[str, ...]:
    gain = checked.gain
    amounts = (difference(primary, value) for value in (gain.gain, gain.low, gain.high))
    outcome = gain.outcome.replace("_", " ")
    return (checked.name, checked.model, *amounts, p_value(gain.p), str(gain.pairs), outcome)
