"""judge run, list, show, facts, answer, resume, cancel: answers, or questions of datasets, judged by a model."""

from __future__ import annotations

import io
from dataclasses import asdict
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Annotated, Any

import typer

from passer.bootstrap import Services, services
from passer.cli.commands import grouped
from passer.cli.files import checked, read_file, write_file
from passer.cli.judge_options import (
    JUDGE,
    AssessmentOptions,
    JudgeOptions,
    JudgePlanOption,
    judge_settings,
    named_columns,
    resume_judging,
    run_and_show,
)
from passer.cli.judge_tuning import show_tuning, tuned_task
from passer.cli.judging_output import (
    print_columns,
    print_comparison,
    print_judgement,
    print_means,
    print_plan,
    print_questions,
    run_names,
)
from passer.cli.output import JsonOption, note, number, print_json, print_table
from passer.cli.run_options import BudgetOption
from passer.domain.wording.counted import counted

if TYPE_CHECKING:
    from passer.services.judging.assessments import AssessmentRequest


OF_ANSWERS = ("Answer correctness", "Faithfulness")
OF_DATASETS = ("Answerability", "Faithfulness", "Answer relevancy")
AssessmentId = Annotated[
    str, typer.Argument(metavar="ID", help="Id of the assessment, as `passer judge list` shows it.")
]


NO_ASSESSMENTS = "There are no assessments. Start one with `passer judge run SWEEP --judge MODEL`."


@grouped
def run(
    model: Annotated[str, typer.Option("--judge", help=JUDGE)],
    target: Annotated[
        str | None, typer.Argument(metavar="SWEEP|RUN", help="Id of a sweep, or of one of its runs.")
    ] = None,
    *,
    assessed: AssessmentOptions,
    asked: JudgeOptions,
    plan: JudgePlanOption = False,
    as_json: JsonOption = False,
) -> None:
    """Judge the answers of a sweep or run, or the questions of datasets; judgements that exist are reused."""
    from passer.services.judging.assessments import AssessmentRequest
    from passer.services.work.kinds import AssessSpec

    given: dict[str, Any] = {
        "target": target,
        "datasets": tuple(assessed.datasets or ()),
        "columns": _columns(assessed),
        "criteria": tuple(assessed.criterion or ()),
        "tuned": tuned_task(assessed.tuned),
        "repeats": assessed.repeats,
        **judge_settings(model, **asdict(asked)),
    }
    with services() as built:
        if (facts := assessed.facts) is not None:
            given["key_facts"] = built.judging.key_facts.read(read_file(facts), facts.name)
        request = checked(AssessmentRequest, given)
        if plan:
            print_plan(built.judging.assessments.plan(request), as_json=as_json)
            return
        assessment = _created(built, request)
        run_and_show(built, AssessSpec.of(assessment), partial(_show_means, built, assessment.id, as_json=as_json))


def _show_means(built: Services, assessment_id: str, *, as_json: bool) -> None:
    table = built.judging.results.table(assessment_id)
    print_means(table, run_names(built, table.assessment), as_json=as_json)


def _columns(assessed: AssessmentOptions) -> tuple[str, ...]:
    """Return the named columns, or the usual ones of answers, datasets or criteria."""
    from passer.domain.judging.criteria import CRITERIA

    criteria = (CRITERIA,) if assessed.criterion else ()
    usual = criteria or (OF_DATASETS if assessed.datasets else OF_ANSWERS)
    return named_columns((*(assessed.columns or usual), *criteria))


def listed(
    sweep: Annotated[str | None, typer.Option("--sweep", help="Only those of this sweep.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List assessments, newest first."""
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
    columns = ["assessment", "state", "sweep or datasets", "judge", "columns", "requests", "created (UTC)"]
    print_table(columns, rows, empty=NO_ASSESSMENTS)


def show(
    assessment_id: AssessmentId,
    is_by_question: Annotated[
        bool, typer.Option("--by-question", help="Show the value of each question instead of the means.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show means, missing values and the judge's noise of an assessment."""
    with services() as built:
        if not is_by_question:
            _show_means(built, assessment_id, as_json=as_json)
            return
        rows = built.adapters.judgements.assessment(assessment_id).spec.rows
        print_questions([built.judging.answers.of_run(assessment_id, row) for row in rows], as_json=as_json)


def answer(
    run_id: Annotated[str, typer.Argument(metavar="RUN", help="Id of the run.")],
    question: Annotated[int, typer.Argument(metavar="NUMBER", min=1, help="Number of the question, from 1.")],
    is_verbatim: Annotated[
        bool, typer.Option("--verbatim", help="Also print the judge's prompts and replies as they were sent.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show the values of one answer in all assessments, and the judge's replies."""
    from passer.domain.judging.judgement import calibration

    with services() as built:
        found = built.judging.answers.of_answer(run_id, question - 1)
        keys = dict.fromkeys(key for each in found for mark in each.marks for key in mark.judgement_keys)
        read = [built.judging.results.judgement(key) for key in keys]
    if as_json:
        print_json({"answers": found, "judgements": read})
        return
    rows = [
        (each.judge, mark.column, str(mark.repeat), number(mark.value), mark.reason or "",
         calibration(each.rated.get(mark.column, 0)), mark.note)
        for each in found
        for mark in each.marks
    ]  # fmt: skip
    print_table(["judge", "column", "repeat", "value", "reason", "calibration", "note"], rows)
    for each in read:
        print_judgement(each, is_verbatim=is_verbatim)


def compare(
    first: AssessmentId,
    second: Annotated[str, typer.Argument(metavar="OTHER", help="Assessment of the same sweep by another judge.")],
    as_json: JsonOption = False,
) -> None:
    """Show two judges side by side: agreement, bias in each run, and which one is closer to people."""
    with services() as built:
        found = built.judging.comparer.of(first, second)
    print_json(found) if as_json else print_comparison(found)


def columns(
    assessment_id: AssessmentId,
    first: Annotated[str, typer.Argument(metavar="COLUMN", help="Judged metric of the assessment.")],
    second: Annotated[
        str, typer.Argument(metavar="OTHER", help="Another metric of the assessment, or one of the 24 of its runs.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Compare two columns on the same answers, such as a judged metric and token F1."""
    with services() as built:
        found = built.judging.column_pairs.of(assessment_id, first, second)
    print_json(found) if as_json else print_columns(found)


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
    from passer.services.judging.relevance import QrelsRequest

    request = checked(QrelsRequest, {"name": name, "column": column, "by": by})
    with services() as built:
        if out is None:
            saved = built.judging.relevance_grades.save(assessment_id, request)
            note(f"Saved grades of {counted(saved.entries, 'question')} as “{saved.name}”.")
            return
        grades = built.judging.relevance_grades.of(assessment_id, request.column, request.by)
    write_file(out, io.BytesIO("".join(qrel_lines(grades)).encode()))
    note(f"Wrote {sum(map(len, grades.values()))} grades of {len(grades)} questions to {out}.")


def resume(
    assessment_id: AssessmentId,
    budget: BudgetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Resume a paused, failed or cancelled assessment or tuning; failed replies are asked for again."""
    with services() as built:
        if built.adapters.judgements.assessment(assessment_id).spec.tuning is not None:
            show = partial(show_tuning, built, assessment_id, None, as_json=as_json)
        else:
            # Arenas have the same kind of id. Reading the table of marks refuses them before anything is resumed.
            built.judging.results.table(assessment_id)
            show = partial(_show_means, built, assessment_id, as_json=as_json)
        resume_judging(built, assessment_id, show, budget=budget)


def cancel(assessment_id: AssessmentId) -> None:
    """Cancel an assessment; values so far are kept."""
    with services() as built:
        built.adapters.judgements.assessment(assessment_id)
        note(f"Assessment {assessment_id} is {built.work.queue.cancel(assessment_id).state.value}.")


def _created(built: Services, request: AssessmentRequest) -> Any:
    from passer.domain.judging.assessment import Assessment

    assessment: Assessment = built.judging.assessments.create(request)
    what = "datasets" if assessment.spec.datasets else "runs"
    note(f"Assessment {assessment.id}: {len(assessment.spec.rows)} {what}, {', '.join(assessment.spec.columns)}.")
    return assessment


def facts_of(
    assessment_id: Annotated[
        str, typer.Argument(metavar="ID", help="Assessment with a nugget metric, such as Nugget vital share.")
    ],
    out: Annotated[Path | None, typer.Option("--out", help=".csv, .jsonl or .xlsx; default: print them.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show the key facts of an assessment with nuggets, or write them to a file to edit and judge by (--facts)."""
    with services() as built, TemporaryFile() as content:
        if out is None:
            found = built.judging.key_facts.of(assessment_id)
        else:
            found = built.judging.key_facts.write(assessment_id, content, out.suffix.lower())
            content.seek(0)
            write_file(out, content)
    if as_json:
        print_json(found)
    elif out is None:
        rows = [(each.question, fact.importance, fact.text) for each in found.questions for fact in each.facts]
        print_table(["question", "importance", "fact"], rows)
    if found.unlisted:
        note(f"{counted(found.unlisted, 'question')} without key facts.")
