"""label draw, list, import, export and calibrate: people rate answers, and a judge is compared with them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import services
from passer.cli.commands import user
from passer.cli.files import read_file, write_file
from passer.cli.judging_output import between, category_rows, ceiling_rows, named, run_names, with_interval
from passer.cli.output import JsonOption, note, number, print_json, print_table
from passer.domain.wording.counted import counted

if TYPE_CHECKING:
    from passer.services.judging.calibration import ColumnCalibration
    from passer.services.judging.carried_labels import CarriedLabels

AssessmentId = Annotated[
    str, typer.Argument(metavar="ASSESSMENT", help="Id of the assessment, as `passer judge list` shows it.")
]
DrawId = Annotated[str, typer.Argument(metavar="DRAW", help="Id of the draw, as `passer label list` shows it.")]


def draw(
    assessment: AssessmentId,
    column: Annotated[str, typer.Option("--column", help="Judged metric to rate.")],
    out: Annotated[Path, typer.Option("--out", help="File for the raters: .csv, .jsonl or .xlsx.")],
    questions: Annotated[int, typer.Option("--questions", min=1, help="Number of questions to draw.")] = 40,
    per_group: Annotated[
        int | None,
        typer.Option("--per-group", min=1, help="Draw this many questions of each group of the dataset instead."),
    ] = None,
    runs: Annotated[
        str, typer.Option("--runs", help="Runs to rate, separated by commas; default: all of the assessment.")
    ] = "",
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the draw.")] = 1,
    raters: Annotated[
        int | None,
        typer.Option(
            "--raters", min=1, max=20, help="Number of people who rate each answer on the page; default: all raters."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Draw questions at random and write their answers to a file for people to rate."""
    from passer.services.judging.labelling import LabelDrawRequest

    chosen = tuple(name.strip() for name in runs.split(",") if name.strip())
    request = LabelDrawRequest(
        assessment=assessment,
        column=column,
        questions=questions,
        per_group=per_group,
        runs=chosen,
        seed=seed,
        raters=raters,
    )
    with services() as built, TemporaryFile() as content:
        drawn = built.judging.labelling.draw(request)
        built.judging.labelling.write_sheet(drawn.id, content, out.suffix.lower())
        content.seek(0)
        write_file(out, content)
    if as_json:
        print_json(drawn)
        return
    note(f"Draw {drawn.id}: {counted(len(drawn.questions), 'question')}, {counted(len(drawn.runs), 'run')}.")
    note(f"Next: fill in the column `value` of {out}, then run passer label import {drawn.id} {out} --rater NAME")


def listed(assessment: AssessmentId, as_json: JsonOption = False) -> None:
    """List the draws of an assessment with the progress of their raters."""
    with services() as built:
        found = built.judging.labelling.draws(assessment)
    if as_json:
        print_json({"draws": found})
        return
    rows = [
        (each.draw.id, each.draw.column, str(len(each.draw.questions)), str(each.items),
         ", ".join(f"{rater} {count}" for rater, count in each.rated.items()))
        for each in found
    ]  # fmt: skip
    print_table(["draw", "column", "questions", "answers", "rated"], rows)


def import_file(
    draw_id: DrawId,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The rated file.", exists=True, dir_okay=False)],
    rater: Annotated[str, typer.Option("--rater", help="Name of the person who rated it.")],
    as_json: JsonOption = False,
) -> None:
    """Import a rated file; a file with a wrong row is refused. Each rating records that you imported it."""
    with services() as built:
        labelling = built.judging.labelling
        found = labelling.import_labels(draw_id, read_file(file), file.name, rater=rater, importer=user())
        assessment = built.adapters.labels.draw(draw_id).assessment_id
    if as_json:
        print_json(found)
        return
    note(
        f"Imported {counted(found.labels, 'rating')}; {found.unchanged} were known, "
        f"{counted(found.unrated, 'row')} without a value."
    )
    note(f"Next: passer calibrate {assessment}")


def export(draw_id: DrawId, out: Annotated[Path, typer.Option("--out", help=".csv, .jsonl or .xlsx.")]) -> None:
    """Write all ratings of a draw to a file."""
    with services() as built, TemporaryFile() as content:
        built.judging.labelling.write_labels(draw_id, content, out.suffix.lower())
        content.seek(0)
        write_file(out, content)


def calibrate(assessment: AssessmentId, as_json: JsonOption = False) -> None:
    """Compare a judge with people: agreement, bias by configuration, corrected means."""
    with services() as built:
        found = built.judging.calibrator.of(assessment)
        names = run_names(built, built.adapters.judgements.assessment(assessment))
    if as_json:
        print_json(found)
        return
    for column in found.columns:
        _print_column(column, names)


def _print_column(column: ColumnCalibration, names: Mapping[str, str]) -> None:
    found = column.agreement
    if found is not None:
        limits, tau = found.limits, found.tau
        print_table(
            [column.column, "value"],
            [
                ("labelled, judged", f"{found.labelled}, {found.n}"),
                ("mean of people, of the judge", f"{number(found.human_mean)}, {number(found.judge_mean)}"),
                ("bias (judge - people)", number(limits.bias, sign=True)),
                ("limits of agreement", f"{number(limits.low)} to {number(limits.high)}"),
                ("mean absolute error", number(found.error)),
                ("Spearman rho, 95 % CI", with_interval(found.rho, found.rho_interval)),
                ("the same by Bonett and Wright", between(found.rho_by_formula)),
                ("Kendall tau-b", "-" if tau is None else f"{number(tau.tau)}, p {number(tau.p)}"),
                *category_rows(found.categories),
                *(() if column.ceiling is None else ceiling_rows(column.ceiling)),
            ],
        )
        rows = [
            (named(run.run_id, names), str(run.n), number(run.bias.mean_difference, sign=True), between(run.bias.ci),
             number(run.judge_mean), "-" if run.corrected is None else number(run.corrected.value),
             between(run.corrected.interval if run.corrected else None),
             "-" if run.gain is None else f"{run.gain.value:+.3f} ({between(run.gain.interval)})")
            for run in column.runs
        ]  # fmt: skip
        if rows:
            print_table(["run", "labels", "bias", "95 % CI", "judge", "corrected", "95 % CI", "corrected gain"], rows)
    if column.elsewhere is not None:
        _print_elsewhere(column.column, column.elsewhere, names)
    if column.length is not None:
        note(
            f"{column.column}: {column.length.slope:+.3f} per doubling of length ({between(column.length.interval)}), "
            f"{column.length.answers} answers, at equal token F1 with the reference."
        )
    for warning in column.warnings:
        note(f"{column.column}: {warning}")


def _print_elsewhere(column: str, found: CarriedLabels, names: Mapping[str, str]) -> None:
    """Print shares that labels of another sweep correct."""
    rows = [
        (named(run.run_id, names), str(run.n), number(run.judge_mean),
         "-" if run.corrected is None else number(run.corrected.value),
         "-" if run.corrected is None else f"{run.corrected.interval.low:.3f} to {run.corrected.interval.high:.3f}")
        for run in found.runs
    ]  # fmt: skip
    print_table(["run", "answers", "judge", f"corrected by labels of {found.source}", "95 % CI"], rows)
    for said, of in (("yes", found.errors.yes), ("no", found.errors.no)):
        note(
            f"{column}: the judge confirms {of.right} of {of.n} labels {said}; weighted by the draw {number(of.share)}."
        )
    for warning in found.warnings:
        note(f"{column}: {warning}")
