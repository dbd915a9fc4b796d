"""Printing the plan, the means and the judgements of assessments, and two judges side by side."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from passer.cli.judge_options import note_spent, print_requests
from passer.cli.output import note, number, percent, print_json, print_table, span
from passer.domain.texts.visible import visible

if TYPE_CHECKING:
    from passer.bootstrap import Services
    from passer.domain.judging.agreement import Categories, Ceiling
    from passer.domain.judging.assessment import Assessment
    from passer.domain.statistics import Interval
    from passer.services.judging.answers import JudgedRun
    from passer.services.judging.assessments import AssessmentPlan
    from passer.services.judging.column_pairs import ColumnPair
    from passer.services.judging.comparison import ComparedColumn, JudgeComparison
    from passer.services.judging.results import AssessmentTable, JudgedColumn, ReadJudgement


NO_INTERVAL = "no interval can be estimated"
_RATERS = {"crowd": "an untrained rater", "skilled": "a trained rater", "experts": "an expert"}


def print_plan(plan: AssessmentPlan, *, as_json: bool) -> None:
    """Print what an assessment would ask and cost."""
    if as_json:
        print_json(plan)
        return
    more = "" if plan.is_complete else " at least; later steps depend on the replies"
    print_requests(plan, [("answers or questions", str(plan.items)), ("columns", ", ".join(plan.columns))], more=more)


def print_means(table: AssessmentTable, names: Mapping[str, str], *, as_json: bool) -> None:
    """Print means with intervals, missing values, calibration and the judge's noise; `names` are those of the runs."""
    if as_json:
        print_json(table)
        return
    columns = {each.column: each for each in table.columns}
    rows = [
        (named(cell.run_id, names), cell.column, number(cell.mean), span(cell.low, cell.high),
         f"{cell.judged}/{cell.questions}",
         ", ".join(f"{reason} {count}" for reason, count in cell.reasons.items()),
         _calibration(columns[cell.column]))
        for cell in table.cells
    ]  # fmt: skip
    row = "dataset" if table.assessment.spec.datasets else "run"
    print_table([row, "column", "mean", "95 % CI", "judged", "without a value", "calibration"], rows)
    for column in table.columns:
        if column.changed is not None:
            note(
                f"{column.column}: {percent(column.changed, 1)} of the answers change between repeats, "
                f"standard deviation within an answer {number(column.spread)}."
            )
    note_spent(table.assessment.spent)
    for warning in table.warnings:
        note(warning)
    _print_rating_hint(table)


def run_names(built: Services, assessment: Assessment) -> dict[str, str]:
    """Return the names of the runs of an assessment's sweep, by id; empty if it judges no runs."""
    if assessment.sweep_id is None:
        return {}
    sweep = built.adapters.runs.load_sweep(assessment.sweep_id, counted=False)
    return {run.id: run.name for run in sweep.runs}


def named(row: str, names: Mapping[str, str]) -> str:
    """Return the id of a run with its name, or the name of a dataset."""
    return f"{row}  {names[row]}" if row in names else row


def _print_rating_hint(table: AssessmentTable) -> None:
    """Print how people rate a sample of the judged answers, as long as none of a column is rated."""
    from passer.metrics.judged import info_of

    unrated = [each.column for each in table.columns if not each.labels and info_of(each.column).maximum is not None]
    if table.assessment.spec.runs and unrated:
        draw = f'passer label draw {table.assessment.id} --column "{unrated[0]}" --out rate.csv'
        note(f"Next: have people rate a sample, {draw}")


def _calibration(column: JudgedColumn) -> str:
    if not column.labels:
        return "uncalibrated"
    ratings = f"{column.labels} rating{'' if column.labels == 1 else 's'}"
    return ratings if column.rho is None else f"{ratings}, rho {number(column.rho)}"


def print_questions(runs: Sequence[JudgedRun], *, as_json: bool) -> None:
    """Print the judged values question by question."""
    if as_json:
        print_json({"runs": runs})
        return
    from passer.domain.judging.judgement import calibration

    rows = [
        (run.run_id, str(each.number + 1), each.question_id, column, number(score.value), score.reason or "",
         calibration(run.rated.get(column, 0)))
        for run in runs
        for each in run.questions
        for column, score in each.scores.items()
    ]  # fmt: skip
    print_table(["run or dataset", "number", "question", "column", "value", "reason", "calibration"], rows)


def print_judgement(read: ReadJudgement, *, is_verbatim: bool) -> None:
    """Print a judgement; `is_verbatim` adds its prompt and the replies."""
    judgement = read.judgement
    parsed = json.dumps(judgement.value, ensure_ascii=False) if judgement.reason is None else judgement.reason
    print(f"\n{judgement.task}: {visible(parsed)}")
    if is_verbatim:
        for message in () if read.prompt is None else read.prompt.messages:
            print(f"[{message.role}]\n{visible(message.content)}")
        for reply in read.replies:
            print(f"[reply]\n{visible(reply.raw)}")


def ceiling_rows(found: Ceiling) -> list[tuple[str, str]]:
    """Return the rows of a table that compare a judge with the agreement of people among themselves."""
    tested = found.alternative
    return [
        ("kappa of judge with each rater", ", ".join(number(each) for each in found.judge)),
        ("kappa of raters with each other", ", ".join(number(each) for each in found.people)),
        ("judge beside raters, z", number(found.z)),
        ("Krippendorff's alpha, with the judge", f"{number(found.alpha)}, {number(found.alpha_with_judge)}"),
        *(
            [
                ("as near to the other raters as a rater", f"{percent(tested.advantage)} of the answers"),
                ("raters compared", f"{tested.raters}{'' if tested.raters > 2 else ', each with the other one alone'}"),
            ]
            if tested
            else []
        ),
        *(
            (f"may replace {_RATERS[each.raters]} (epsilon {each.allowance:g})",
             f"{'yes' if each.passes else 'no'}, {percent(each.winning)} of the raters")
            for each in (tested.verdicts if tested else ())
        ),
    ]  # fmt: skip


def category_rows(found: Categories | None, *, same: str = "same value") -> list[tuple[str, str]]:
    """Return the rows of a table that say how often two agree on a scale of few levels; none on a continuous scale."""
    if found is None:
        return []
    rows = [
        (same, f"{found.same:.3f}, {between(found.same_interval)}"),
        ("kappa, 95 % CI; AC", f"{with_interval(found.kappa, found.kappa_interval)}; {number(found.ac)}"),
    ]
    if found.specificity is not None or found.sensitivity is not None:
        rows += [
            ("precision, 95 % CI", f"{number(found.precision)}, {between(found.precision_interval)}"),
            ("recall, 95 % CI", f"{number(found.sensitivity)}, {between(found.sensitivity_interval)}"),
            ("specificity, 95 % CI", f"{number(found.specificity)}, {between(found.specificity_interval)}"),
        ]
    return rows


def with_interval(value: float | None, interval: Interval | None) -> str:
    """Return a rho or kappa with its interval as a cell of a table."""
    return "-" if value is None else f"{number(value)}, {between(interval, none=NO_INTERVAL)}"


def between(interval: Interval | None, *, none: str = "-") -> str:
    """Return an interval as a cell of a table, or `none` without one."""
    return none if interval is None else span(interval.low, interval.high)


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
        ("Spearman rho, 95 % CI", with_interval(found.rho, found.rho_interval)),
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
        ("Spearman rho, 95 % CI", with_interval(column.rho, column.rho_interval)),
        ("Kendall tau-b", "-" if tau is None else f"{number(tau.tau)}, p {number(tau.p)}"),
        *category_rows(categories),
    ]
    if people is None:
        rows.append(("rated by people", "0 answers, uncalibrated"))
    else:
        rows += [
            ("rated by people", str(people.n)),
            ("mean absolute error", f"{number(people.first_error)}, {number(people.second_error)}"),
            ("95 % CI of second - first", between(people.difference, none=NO_INTERVAL)),
        ]
    return rows
