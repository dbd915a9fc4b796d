"""The command `timings`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import Services, services
from passer.cli.files import checked, write_file
from passer.cli.output import JsonOption, SweepId, note, number, p_value, print_json, print_table, span
from passer.domain.defaults import SCORE_MARGIN, TIME_MARGIN
from passer.errors import ConfigError

if TYPE_CHECKING:
    from passer.domain.statistics import Interval
    from passer.domain.timing.comparison import TimingComparison
    from passer.domain.timing.times import TimingReport


def timings(
    sweep_id: SweepId,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            help="Sweep to compare with: its id, or the output of `passer timings ID --json` on another machine.",
        ),
    ] = None,
    warm_up: Annotated[
        int | None,
        typer.Option(
            "--warm-up", help="Number of questions of each model to exclude as warm-up; default: that of the sweep."
        ),
    ] = None,
    margin: Annotated[
        float,
        typer.Option(
            help="Times count as equivalent if tests show a ratio between 1 / (1 + margin) and 1 + margin.", min=0.001
        ),
    ] = TIME_MARGIN,
    score_margin: Annotated[
        float,
        typer.Option(help="Scores count as equivalent if tests show a difference within this margin.", min=0.0001),
    ] = SCORE_MARGIN,
    output: Annotated[
        Path | None, typer.Option("--output", help="Also write the times of all questions: .csv, .jsonl or .xlsx.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Print median times and their spread by configuration, or compare them with another sweep."""
    from passer.domain.timing.comparison import compare_timings

    with services() as built:
        report = built.analysis.timing_results.report(sweep_id, warm_up=warm_up)
        if output is not None:
            made = built.analysis.timing_results.export(sweep_id, suffix=output.suffix, warm_up=warm_up)
            with made as content:
                write_file(output, content)
        if against is None:
            print_json(report) if as_json else _print_report(report)
            return
        other = _other(built, against, warm_up=warm_up)
    compared = compare_timings(report, other, time_margin=margin, score_margin=score_margin)
    print_json(compared) if as_json else _print_comparison(compared)


def _other(built: Services, given: str, *, warm_up: int | None) -> TimingReport:
    """Return the timing report in a file of that name, else that of a sweep; ConfigError for another file."""
    from passer.domain.timing.times import TimingReport

    file = Path(given)
    if not file.is_file():
        return built.analysis.timing_results.report(given, warm_up=warm_up)
    try:
        return checked(TimingReport, json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError) as exc:
        raise ConfigError(f"{given} is not a timing report. Write one with `passer timings ID --json > FILE`.") from exc


def _print_report(report: TimingReport) -> None:
    from passer.domain.texts.cell_text import heading
    from passer.domain.timing.tables import machine_name

    rows = [
        (each.model, each.name, heading(name), str(figure.n), number(figure.median), number(figure.mad),
         number(figure.q1), number(figure.q3))
        for each in report.configurations
        for name, figure in each.figures.items()
    ]  # fmt: skip
    print_table(["model", "configuration", "figure", "n", "median", "MAD", "q1", "q3"], rows)
    note(f"  on {machine_name(report.machine)}")
    for each in report.configurations:
        left_out = f"{each.warm_up} warm-up, {each.reused} reused, {each.failed} without an answer"
        note(f"  {each.model}, {each.name}: excluded {left_out}")
    if not report.is_timing_run:
        note("  Several questions ran at the same time, so these are times under load.")
        note("  `passer sweep --timing` runs one at a time.")


def _print_comparison(compared: TimingComparison) -> None:
    from passer.domain.texts.cell_text import heading

    rows = [
        (each.model, each.name, heading(figure.figure), str(figure.n_pairs), number(figure.here),
         number(figure.there), number(figure.ratio, 3), _interval(figure.ci), p_value(figure.equivalence.p),
         _verdict(figure.equivalence.equivalent))
        for each in compared.configurations
        for figure in each.figures
    ]  # fmt: skip
    print_table(["model", "configuration", "figure", "n", "this", "other", "ratio", "95 %", "p (TOST)", "equal"], rows)
    for each in compared.configurations:
        same = [score for score in each.scores if score.equivalence.equivalent]
        note(f"  {each.model}, {each.name}: identical answers: {each.identical} of {each.answers}; "
f"scores equal within {compared.score_margin:g}: {len(same)} of {len(each.scores)}")  # fmt: skip
    for name in (*compared.only_here, *compared.only_there):
        note(f"  {name} was run in one of the two sweeps only.")


def _interval(ci: Interval | None) -> str:
    return span(None, None) if ci is None else span(ci.low, ci.high)


def _verdict(equivalent: bool | None) -> str:
    return "-" if equivalent is None else "yes" if equivalent else "not shown"
