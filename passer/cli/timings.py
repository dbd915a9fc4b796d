"""timings: what a timing run measured, alone or beside another machine's."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.cli.output import JsonOption, SweepId, note, number, p_value, print_json, print_table

if TYPE_CHECKING:
    from passer.bootstrap import Services
    from passer.domain.timing.comparison import TimingComparison
    from passer.domain.timing.times import TimingReport


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command()(timings)


def timings(
    sweep_id: SweepId,
    against: Annotated[
        str | None,
        typer.Option(
            "--against", help="Another sweep's id, or a file that `passer timings ID --json` wrote elsewhere."
        ),
    ] = None,
    warm_up: Annotated[
        int | None, typer.Option("--warm-up", help="Questions of each model to leave out; the sweep's own by default.")
    ] = None,
    margin: Annotated[float, typer.Option(help="Ratios up to 1 + margin count as the same.", min=0.001)] = 0.10,
    score_margin: Annotated[float, typer.Option(help="Differences of scores that count as none.", min=0.0001)] = 0.01,
    output: Annotated[
        Path | None, typer.Option("--output", help="Also write every question's times: .csv, .jsonl or .xlsx.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Median times and their spread by configuration; beside another run, ratios with intervals."""
    from passer.bootstrap import services
    from passer.domain.timing.comparison import compare_timings

    with services() as built:
        report = built.timing.report(sweep_id, warm_up=warm_up)
        if output is not None:
            made = built.timing.export(sweep_id, suffix=output.suffix, warm_up=warm_up)
            with made as content, output.open("wb") as file:
                shutil.copyfileobj(content, file)
            note(f"Written: {output}")
        if against is None:
            print_json(report) if as_json else _print_report(report)
            return
        other = _other(built, against, warm_up=warm_up)
    compared = compare_timings(report, other, time_margin=margin, score_margin=score_margin)
    print_json(compared) if as_json else _print_comparison(compared)


def _other(built: Services, given: str, *, warm_up: int | None) -> TimingReport:
    """From a file where there is one of that name, else of a sweep that is here."""
    from passer.cli.checking import checked
    from passer.domain.timing.times import TimingReport
    from passer.errors import ConfigError

    file = Path(given)
    if not file.is_file():
        return built.timing.report(given, warm_up=warm_up)
    try:
        return checked(TimingReport, json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError) as exc:
        raise ConfigError(f"{given} is no report: write one with `passer timings ID --json > FILE`.") from exc


def _print_report(report: TimingReport) -> None:
    rows = []
    for each in report.configurations:
        for name, figure in each.figures.items():
            rows.append(
                (each.model, each.name, name, str(figure.n), number(figure.median), number(figure.mad),
                 number(figure.q1), number(figure.q3))
            )  # fmt: skip
    print_table(["model", "configuration", "figure", "n", "median", "MAD", "q1", "q3"], rows)
    machine = report.machine
    memory = "" if machine.memory_bytes is None else f", {machine.memory_bytes / 2**30:.0f} GiB"
    note(f"  on {machine.system}, {machine.processor or machine.architecture}, {machine.cpu_count} processors{memory}")
    for each in report.configurations:
        left_out = f"{each.warm_up} warm-up, {each.reused} reused, {each.failed} without an answer"
        note(f"  {each.model}, {each.name}: left out {left_out}")
    if not report.is_timing_run:
        note(
            "  Questions were asked side by side: these are times under load. `passer sweep --timing` asks one by one."
        )


def _print_comparison(compared: TimingComparison) -> None:
    rows = []
    for each in compared.configurations:
        for figure in each.figures:
            ci = figure.ci
            rows.append(
                (each.model, each.name, figure.figure, str(figure.n_pairs), number(figure.here), number(figure.there),
                 number(figure.ratio, 3), f"{ci.low:.3f} to {ci.high:.3f}" if ci else "-",
                 p_value(figure.equivalence.p), _verdict(figure.equivalence.equivalent))
            )  # fmt: skip
    print_table(
        ["model", "configuration", "figure", "n", "here", "there", "ratio", "95 %", "p (TOST)", "the same"], rows
    )
    for each in compared.configurations:
        same = [score for score in each.scores if score.equivalence.equivalent]
        note(f"  {each.model}, {each.name}: {each.identical} of {each.answers} answers are identical; "
             f"{len(same)} of {len(each.scores)} scores are the same within {compared.score_margin:g}")  # fmt: skip
    for name in (*compared.only_here, *compared.only_there):
        note(f"  {name} was run on one side alone.")


def _verdict(equivalent: bool | None) -> str:
    return "-" if equivalent is None else "yes" if equivalent else "not shown"
