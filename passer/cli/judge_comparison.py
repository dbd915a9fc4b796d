"""Prints two judges side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passer.cli.judging_output import between, category_rows
from passer.cli.output import number, print_table

if TYPE_CHECKING:
    from passer.services.judging.column_pairs import ColumnPair
    from passer.services.judging.comparison import ComparedColumn, JudgeComparison


def print_comparison(found: JudgeComparison) -> None:
    """Print a table for each column that both judges assessed, and one of their differences by run."""
    for column in found.columns:
        print_table([column.column, f"{found.first.judge} and {found.second.judge}"], _figures(column))
        rows = [
            (each.run_id, str(each.difference.n_pairs), number(each.difference.mean_difference, sign=True),
             between(each.difference.ci))
            for each in column.runs
        ]  # fmt: skip
        print_table(["run", "answers", f"{found.second.judge} minus {found.first.judge}", "95 % CI"], rows)


def print_columns(found: ColumnPair) -> None:
    """Print two columns of the same answers against each other."""
    high, low = found.high, found.low
    rows = [
        (each.column, f"mean {number(each.mean)}, sd {number(each.sd)}{', uncalibrated' if each.rated == 0 else ''}")
        for each in (found.first, found.second)
        if each is not None
    ]
    rows += [
        ("Spearman rho, 95 % CI", f"{number(found.rho)}, {between(found.rho_interval)}"),
        ("p", number(found.p)),
        ("second where the first is above .6", f"{number(high.mean)} ({high.n})"),
        ("second where the first is below .4", f"{number(low.mean)} ({low.n})"),
    ]
    print_table([f"{found.n} answers", ""], rows)


def _figures(column: ComparedColumn) -> list[tuple[str, str]]:
    limits, tau, categories, people = column.limits, column.tau, column.categories, column.people
    rows = [
        ("judged by both, only by one", f"{column.n}, {column.only_first} and {column.only_second}"),
        ("means", f"{number(column.first_mean)}, {number(column.second_mean)}"),
        ("bias (second - first)", "-" if limits is None else number(limits.bias, sign=True)),
        ("limits of agreement", "-" if limits is None else f"{number(limits.low)} to {number(limits.high)}"),
        ("Spearman rho, 95 % CI", f"{number(column.rho)}, {between(column.rho_interval)}"),
        ("Kendall tau-b", "-" if tau is None else f"{number(tau.tau)}, p {number(tau.p)}"),
        *category_rows(categories),
    ]
    if people is None:
        rows.append(("rated by people", "0 answers, uncalibrated"))
    else:
        rows += [
            ("rated by people", str(people.n)),
            ("mean absolute error", f"{number(people.first_error)}, {number(people.second_error)}"),
            ("95 % CI of second - first", between(people.difference)),
        ]
    return rows
