"""judge tune, tuning, tunings: a better instruction and worked examples for a judge, chosen by people's ratings."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import Services, services
from passer.cli.files import check_output, checked, read_text, write_file
from passer.cli.judge_options import note_spent, run_and_show
from passer.cli.output import JsonOption, beginning, note, number, print_json, print_table
from passer.cli.run_options import BudgetOption
from passer.errors import InputError

if TYPE_CHECKING:
    from passer.domain.judging.tuned_task import TunedTask
    from passer.services.judging.tuning import TuningReport
    from passer.services.judging.tuning_trial import TuningPlan


def tune(
    assessment_id: Annotated[
        str, typer.Argument(metavar="ID", help="Assessment whose answers people rated (`passer label`).")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", help="Task file to write, for `passer judge run --tuned`.")
    ] = None,
    column: Annotated[
        str | None,
        typer.Option(
            "--column",
            help="Judged metric that is a grade of a reply, such as Accuracy; default: the first of the assessment.",
        ),
    ] = None,
    train: Annotated[
        float | None,
        typer.Option(
            "--train",
            help="Share of the rated questions for the selection; the others are the test. 0.2 to 0.8; default: 0.5.",
        ),
    ] = None,
    few_shots: Annotated[int | None, typer.Option("--few-shots", help="Worked examples, 0 to 16; default: 8.")] = None,
    instructions: Annotated[
        int | None,
        typer.Option("--instructions", help="Instructions that the judge is asked to write, 0 to 30; default: 10."),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of split and examples; default: 1.")] = None,
    budget: BudgetOption = None,
    plan: Annotated[bool, typer.Option("--plan", help="Only print what would be asked.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Tune a judge: choose its instruction and examples on one part of the rated questions, test them on the others."""
    from passer.domain.sweeps.budget import limits_of
    from passer.services.judging.tuning import TuningRequest
    from passer.services.work.kinds import TuneSpec

    given = {
        "column": column, "train": train, "few_shots": few_shots, "instructions": instructions, "seed": seed,
    }  # fmt: skip
    known = {name: value for name, value in given.items() if value is not None}
    request = checked(TuningRequest, {**known, "budget": limits_of(budget or ())})
    with services() as built:
        if plan:
            _print_plan(built.judging.tuner.plan(assessment_id, request), as_json=as_json)
            return
        if out is not None:
            check_output(out)
        made = built.judging.tuner.create(assessment_id, request)
        note(f"Tuning {made.id}. After a limit or an interruption, `passer judge resume {made.id}` continues it.")
        run_and_show(built, TuneSpec.of(made), lambda: show_tuning(built, made.id, out, as_json=as_json))


def tuning(
    tuning_id: Annotated[str, typer.Argument(metavar="ID", help="Tuning, as `passer judge tunings` lists it.")],
    out: Annotated[
        Path | None, typer.Option("--out", help="Task file to write, for `passer judge run --tuned`.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show the candidates of a tuning and the test of the chosen one; with --out, write its task file."""
    with services() as built:
        show_tuning(built, tuning_id, out, as_json=as_json)


def tunings(
    assessment_id: Annotated[str, typer.Argument(metavar="ID", help="Assessment whose answers people rated.")],
    as_json: JsonOption = False,
) -> None:
    """List the tunings by the ratings of an assessment, newest first."""
    with services() as built:
        built.adapters.judgements.assessment(assessment_id)
        found = built.adapters.judgements.tunings(assessment_id)
        states = {each.id: built.judging.results.state(each.id) for each in found}
    if as_json:
        print_json({"tunings": [{**each.model_dump(mode="json"), "state": states[each.id]} for each in found]})
        return
    rows = [
        (
            each.id,
            states[each.id] or "-",
            ", ".join(each.spec.columns),
            str(each.spent.asks),
            f"{each.created_at:%Y-%m-%d %H:%M}",
        )
        for each in found
    ]
    print_table(["tuning", "state", "metric", "requests", "created"], rows)


def show_tuning(built: Services, tuning_id: str, out: Path | None, *, as_json: bool) -> None:
    """Print the result of a tuning, if it has one, and write its task file."""
    report = built.judging.tuner.report(tuning_id)
    if report is None:
        note(f"Tuning {tuning_id} is not finished.")
        return
    _print_report(report, as_json=as_json)
    if report.tuned is not None and out is not None:
        write_task(out, report.tuned)


def tuned_task(path: Path | None) -> TunedTask | None:
    """Return the task of a file that `judge tune` wrote; ConfigError or InputError for another file."""
    import json

    from passer.domain.judging.tuned_task import TunedTask
    from passer.domain.wording.sentence import sentence

    if path is None:
        return None
    try:
        given = json.loads(read_text(path))
    except ValueError:
        given = None
    if not isinstance(given, dict):
        raise InputError(sentence("tuning.no-file"), field="tuned")
    return checked(TunedTask, given)


def write_task(out: Path, tuned: TunedTask) -> None:
    """Write a task file."""
    write_file(out, io.BytesIO(tuned.model_dump_json(indent=2).encode()))


def _print_plan(plan: TuningPlan, *, as_json: bool) -> None:
    if as_json:
        print_json(plan)
        return
    print_table(
        ["", "plan"],
        [
            ("metric", ", ".join(plan.columns)),
            ("rated answers as examples", str(plan.shots)),
            ("rated answers that choose", str(plan.selection)),
            ("rated answers that test", str(plan.test)),
            ("requests, at most", str(plan.asks)),
        ],
    )
    for each in plan.notes:
        note(each)


def _print_report(report: TuningReport, *, as_json: bool) -> None:
    if as_json:
        print_json(report)
        return
    print_table(
        ["", "examples", "judged", "Spearman rho", "mean error", "instruction"],
        [
            ("chosen" if place == report.chosen else "", str(each.shots), f"{each.judged}/{report.plan.selection}",
             number(each.rho), number(each.error), beginning(each.instruction, 60))
            for place, each in enumerate(report.candidates)
        ],
    )  # fmt: skip
    note_spent(report.spent)
    if report.tuned is None:
        note("No candidate agrees better with people than the unchanged task, so no task file was written.")
        return
    found = report.tuned.evidence
    change = found.error_change
    interval = "cannot be estimated" if change is None else f"{change.low:+.3f} to {change.high:+.3f}"
    note(
        f"On {found.test} answers to other questions: rho {number(found.rho_before)} before, {number(found.rho_after)} "
        f"after; mean error {number(found.error_before)} before, {number(found.error_after)} after "
        f"(95 % CI of the change {interval})."
    )
    if found.columns:
        print_table(
            ["metric", "rated", "rho before", "rho after", "error before", "error after"],
            [
                (each.column, str(each.test), number(each.rho_before), number(each.rho_after),
                 number(each.error_before), number(each.error_after))
                for each in found.columns
            ],
        )  # fmt: skip
