"""judge run, list, show, answer, resume, cancel: answers, or questions of datasets, judged by a model."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from passer.cli.judge_options import (
    JUDGE,
    JudgePlanOption,
    JudgeSeedOption,
    WindowOption,
    finish,
    judge_settings,
    named_columns,
    print_requests,
    resume_judging,
)
from passer.cli.output import JsonOption, note, number, print_json, print_table
from passer.cli.run_options import BudgetOption, ModelPriceOption
from passer.domain.visible import visible
from passer.domain.wording.counted import counted

if TYPE_CHECKING:
    from passer.bootstrap import Services
    from passer.services.judging.answers import JudgedRun
    from passer.services.judging.assessments import AssessmentPlan, AssessmentRequest
    from passer.services.judging.results import AssessmentTable, ReadJudgement

OF_ANSWERS = ("Answer correctness", "Faithfulness")
OF_DATASETS = ("Answerability", "Faithfulness", "Answer relevancy")
judge = typer.Typer(
    help="Have a model judge the answers of a sweep or run, or the questions of datasets.", no_args_is_help=True
)
AssessmentId = Annotated[
    str, typer.Argument(metavar="ID", help="Id of the assessment, as `passer judge list` shows it.")
]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    for command in (run, show, answer, compare, qrels, resume, cancel):
        judge.command()(command)
    judge.command("list")(listed)
    app.add_typer(judge, name="judge")


def run(
    model: Annotated[str, typer.Option("--judge", help=JUDGE)],
    target: Annotated[
        str | None, typer.Argument(metavar="[SWEEP|RUN]", help="Id of a sweep, or of one of its runs.")
    ] = None,
    datasets: Annotated[
        list[str] | None,
        typer.Option("--dataset", help="Dataset whose questions are judged instead, by its gold passages. Repeatable."),
    ] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--columns",
            "--metric",
            help="Judged metrics, separated by commas; `passer metrics --profile judged`. Default: Answer correctness "
            "and Faithfulness; of datasets Answerability, Faithfulness and Answer relevancy. Repeatable.",
        ),
    ] = None,
    criterion: Annotated[
        list[str] | None,
        typer.Option(
            "--criterion",
            help="Statement that a good answer meets, such as 'Names the article', or '2: Names the article' with the "
            "weight 2; judged as the metric Criteria. Repeatable, up to 8.",
        ),
    ] = None,
    repeats: Annotated[int, typer.Option("--repeats", min=1, help="Judge each answer so often, to see the noise.")] = 1,
    budget: BudgetOption = None,
    price: ModelPriceOption = None,
    num_ctx: WindowOption = None,
    seed: JudgeSeedOption = None,
    plan: JudgePlanOption = False,
    as_json: JsonOption = False,
) -> None:
    """Judge the answers of a sweep or run, or the questions of datasets; judgements that exist are reused."""
    from passer.bootstrap import services
    from passer.cli.checking import checked
    from passer.domain.judging.criteria import CRITERIA
    from passer.services.judging.assessments import AssessmentRequest
    from passer.services.work.kinds import AssessSpec

    usual = (CRITERIA,) if criterion else OF_DATASETS if datasets else OF_ANSWERS
    wanted = named_columns((*(columns or usual), *((CRITERIA,) if criterion else ())))
    given: dict[str, Any] = {
        "target": target,
        "datasets": tuple(datasets or ()),
        "columns": wanted,
        "criteria": tuple(criterion or ()),
        "repeats": repeats,
        **judge_settings(model, budget=budget, price=price, num_ctx=num_ctx, seed=seed),
    }
    request = checked(AssessmentRequest, given)
    with services() as built:
        if plan:
            _print_plan(built.judging.assessments.plan(request), as_json=as_json)
            return
        assessment = _created(built, request)
        work = AssessSpec.of(assessment)
        finish(
            lambda line: built.work.queue.run_here(work, progress=line),
            lambda: _print_table(built.judging.results.table(assessment.id), as_json=as_json),
        )


def listed(
    sweep: Annotated[str | None, typer.Option("--sweep", help="Only those of this sweep.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List assessments, newest first."""
    from passer.bootstrap import services

    with services() as built:
        found = built.adapters.judgements.assessments(sweep)
        states = {each.id: built.judging.results.state(each.id) for each in found}
    if as_json:
        print_json({"assessments": [{**each.model_dump(mode="json"), "state": states[each.id]} for each in found]})
        return
    rows = [
        (each.id, states[each.id] or "-", each.sweep_id or ", ".join(each.spec.rows), each.spec.judge.model.name,
         str(len(each.spec.columns)), str(each.spent.asks), f"{each.created_at:%Y-%m-%d %H:%M}")
        for each in found
    ]  # fmt: skip
    print_table(["assessment", "state", "sweep or datasets", "judge", "columns", "requests", "created"], rows)


def show(
    assessment_id: AssessmentId,
    is_by_question: Annotated[
        bool, typer.Option("--by-question", help="Show the value of each question instead of the means.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show means, missing values and the judge's noise of an assessment."""
    from passer.bootstrap import services

    with services() as built:
        if not is_by_question:
            _print_table(built.judging.results.table(assessment_id), as_json=as_json)
            return
        rows = built.adapters.judgements.assessment(assessment_id).spec.rows
        _print_questions([built.judging.answers.of_run(assessment_id, row) for row in rows], as_json=as_json)


def answer(
    run_id: Annotated[str, typer.Argument(metavar="RUN", help="Id of the run.")],
    question: Annotated[int, typer.Argument(metavar="NUMBER", min=1, help="Number of the question, from 1.")],
    is_verbatim: Annotated[
        bool, typer.Option("--verbatim", help="Also print the judge's prompts and replies as they were sent.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show what each assessment says of one answer, and the judge's replies."""
    from passer.bootstrap import services

    with services() as built:
        found = built.judging.answers.of_answer(run_id, question - 1)
        keys = dict.fromkeys(key for each in found for mark in each.marks for key in mark.judgement_keys)
        read = [built.judging.results.judgement(key) for key in keys]
    if as_json:
        print_json({"answers": found, "judgements": read})
        return
    rows = [
        (each.judge, mark.column, str(mark.repeat), number(mark.value), mark.reason or "", mark.note)
        for each in found
        for mark in each.marks
    ]
    print_table(["judge", "column", "repeat", "value", "reason", "note"], rows)
    for each in read:
        _print_judgement(each, is_verbatim=is_verbatim)


def compare(
    first: AssessmentId,
    second: Annotated[str, typer.Argument(metavar="OTHER", help="Assessment of the same sweep by another judge.")],
    as_json: JsonOption = False,
) -> None:
    """Show two judges side by side: agreement, bias in each run, and which one is nearer to people."""
    from passer.bootstrap import services
    from passer.cli.judge_comparison import print_comparison

    with services() as built:
        found = built.judging.comparer.of(first, second)
    if as_json:
        print_json(found)
        return
    print_comparison(found)


def qrels(
    assessment_id: AssessmentId,
    out: Annotated[
        Path | None, typer.Option("--out", help="TREC qrels file to write, for `passer retrieve --qrels`.")
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="Name of the saved grades; default: column and judge.")
    ] = None,
    column: Annotated[
        str | None, typer.Option("--column", help="Column of passage relevance; default: the first of the assessment.")
    ] = None,
    by: Annotated[str, typer.Option("--by", help="Who graded: judge, or people (`passer label`).")] = "judge",
) -> None:
    """Save the grades of passages as relevance grades, for `passer retrieve --qrels NAME`, or write them to a file."""
    from passer.adapters.trec import qrel_lines
    from passer.bootstrap import services
    from passer.cli.checking import checked
    from passer.cli.files import write_file
    from passer.services.judging.relevance import QrelsRequest

    request = checked(QrelsRequest, {"name": name, "column": column, "by": by})
    with services() as built:
        if out is None:
            saved = built.judging.relevance_grades.save(assessment_id, request)
            note(f"Saved grades of {counted(saved.entries, 'question')} as {saved.name!r}.")
            return
        grades = built.judging.relevance_grades.of(assessment_id, request.column, request.by)
    write_file(out, io.BytesIO("".join(qrel_lines(grades)).encode()))
    note(f"Wrote {sum(map(len, grades.values()))} grades of {len(grades)} questions to {out}.")


def resume(
    assessment_id: AssessmentId,
    budget: BudgetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Resume a paused, failed or cancelled assessment with these limits; failed replies are asked for again."""
    from passer.bootstrap import services

    with services() as built:
        # The table of marks refuses an arena, before it is resumed here.
        built.judging.results.table(assessment_id)
        resume_judging(
            built, assessment_id, lambda: _print_table(built.judging.results.table(assessment_id), as_json=as_json),
            budget=budget,
        )  # fmt: skip


def cancel(assessment_id: AssessmentId) -> None:
    """Cancel an assessment; marks so far are kept."""
    from passer.bootstrap import services

    with services() as built:
        built.adapters.judgements.assessment(assessment_id)
        note(f"Assessment {assessment_id} is {built.work.queue.cancel(assessment_id).state.value}.")


def _created(built: Services, request: AssessmentRequest) -> Any:
    from passer.domain.judging.assessment import Assessment

    assessment: Assessment = built.judging.assessments.create(request)
    what = "datasets" if assessment.spec.datasets else "runs"
    note(f"Assessment {assessment.id}: {len(assessment.spec.rows)} {what}, {', '.join(assessment.spec.columns)}.")
    return assessment


def _print_plan(plan: AssessmentPlan, *, as_json: bool) -> None:
    if as_json:
        print_json(plan)
        return
    more = "" if plan.is_complete else " at least; later steps depend on the replies"
    print_requests(plan, [("answers or questions", str(plan.items)), ("columns", ", ".join(plan.columns))], more=more)


def _print_table(table: AssessmentTable, *, as_json: bool) -> None:
    if as_json:
        print_json(table)
        return
    columns = {each.column: each for each in table.columns}
    rows = [
        (cell.run_id, cell.column, number(cell.mean), _interval(cell.low, cell.high), f"{cell.judged}/{cell.questions}",
         ", ".join(f"{reason} {count}" for reason, count in cell.reasons.items()),
         "uncalibrated" if not columns[cell.column].labels else f"{columns[cell.column].labels} labels")
        for cell in table.cells
    ]  # fmt: skip
    row = "dataset" if table.assessment.spec.datasets else "run"
    print_table([row, "column", "mean", "95 % CI", "judged", "without a value", "calibration"], rows)
    for column in table.columns:
        if column.changed is not None:
            note(
                f"{column.column}: {column.changed:.1%} of the answers change between repeats, "
                f"standard deviation within an answer {number(column.spread)}."
            )
    spent = table.assessment.spent
    note(f"{spent.asks} requests, {spent.input_tokens:,} tokens of prompts, {spent.output_tokens:,} of replies.")
    for warning in table.warnings:
        note(warning)


def _print_questions(runs: Sequence[JudgedRun], *, as_json: bool) -> None:
    if as_json:
        print_json({"runs": runs})
        return
    rows = [
        (run.run_id, str(each.number + 1), each.question_id, column, number(score.value), score.reason or "")
        for run in runs
        for each in run.questions
        for column, score in each.scores.items()
    ]
    print_table(["run or dataset", "number", "question", "column", "value", "reason"], rows)


def _print_judgement(read: ReadJudgement, *, is_verbatim: bool) -> None:
    judgement = read.judgement
    parsed = json.dumps(judgement.value, ensure_ascii=False) if judgement.reason is None else judgement.reason
    print(f"\n{judgement.task}: {visible(parsed)}")
    if is_verbatim:
        for message in () if read.prompt is None else read.prompt.messages:
            print(f"[{message.role}]\n{visible(message.content)}")
        for reply in read.replies:
            print(f"[reply]\n{visible(reply.raw)}")


def _interval(low: float | None, high: float | None) -> str:
    return "-" if low is None or high is None else f"{low:.3f} to {high:.3f}"
