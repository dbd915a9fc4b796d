"""judge pool and label passage: a judge, or a person, grades passages that retrievers found."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from passer.bootstrap import services
from passer.cli.commands import grouped
from passer.cli.files import checked
from passer.cli.judge_options import JUDGE, JudgeOptions, JudgePlanOption, judge_settings, run_and_show
from passer.cli.judging_output import print_means, print_plan
from passer.cli.option_models import retriever_named
from passer.cli.output import JsonOption, note, print_json
from passer.domain.wording.counted import counted

RetrieversOption = Annotated[
    list[str] | None,
    typer.Option("--retriever", help="Retriever whose first passages are graded; as in `passer retrieve`. Repeatable."),
]
RunsOption = Annotated[
    list[str] | None,
    typer.Option("--run", metavar="NAME", help="Imported ranking whose first passages are graded too. Repeatable."),
]


@grouped
def pool(
    collection: Annotated[str, typer.Argument(help="Name of the collection.")],
    dataset: Annotated[str, typer.Option("--dataset", help="Name of the dataset.")],
    model: Annotated[str, typer.Option("--judge", help=JUDGE)],
    *,
    retriever: RetrieversOption = None,
    run: RunsOption = None,
    k: Annotated[int, typer.Option("--k", min=1, max=1000, help="Number of first passages of each ranking.")] = 10,
    questions: Annotated[int | None, typer.Option("--questions", help="Only the first N questions.", min=1)] = None,
    column: Annotated[
        str,
        typer.Option(
            "--column",
            help="Passage relevance, or the same name with (UMBRELA), which grades 0 to 3, (RDNAM), "
            "(RDNAM, five raters) or (expert); the others grade 0 to 2.",
        ),
    ] = "Passage relevance",
    name: Annotated[
        str | None, typer.Option("--name", help="Name of the saved grades; default: dataset and judge.")
    ] = None,
    asked: JudgeOptions,
    plan: JudgePlanOption = False,
    as_json: JsonOption = False,
) -> None:
    """Grade the first passages of all retrievers together, each once, and save the grades for `passer retrieve`."""
    from passer.services.judging.assessments import AssessmentRequest
    from passer.services.judging.relevance import QrelsRequest
    from passer.services.work.kinds import AssessSpec

    wanted = checked(QrelsRequest, {"name": name, "column": column})
    pooled = {
        "collection": collection, "dataset": dataset, "ks": [k], "questions": questions, "runs": run or (),
        "retrievers": [retriever_named(each) for each in retriever or ["dense", "bm25", "hybrid"]],
    }  # fmt: skip
    settings = judge_settings(model, **asdict(asked))
    request = checked(AssessmentRequest, {"pool": pooled, "columns": (column,), **settings})
    with services() as built:
        if plan:
            print_plan(built.judging.assessments.plan(request), as_json=as_json)
            return
        made = built.judging.assessments.create(request)
        count = sum(map(len, made.spec.pool.passages.values())) if made.spec.pool else 0
        note(f"Assessment {made.id}: {counted(count, 'passage')}, {column}.")

        def show() -> None:
            print_means(built.judging.results.table(made.id), {}, as_json=as_json)

        run_and_show(built, AssessSpec.of(made), show)
        saved = built.judging.relevance_grades.save(made.id, wanted)
        note(f"Saved grades of {counted(saved.entries, 'question')} as “{saved.name}”.")


def passage(
    collection: Annotated[str, typer.Argument(help="Name of the collection.")],
    dataset: Annotated[str, typer.Option("--dataset", help="Name of the dataset.")],
    question: Annotated[str, typer.Option("--question", help="Id of the question.")],
    passage_id: Annotated[
        str, typer.Option("--passage", help="Id of the passage, as `passer retrieve --question --json` shows it.")
    ],
    grade: Annotated[
        int,
        typer.Option("--grade", min=0, max=3, help="0 unrelated, 1 related, 2 part of the answer, 3 the whole answer."),
    ],
    rater: Annotated[str, typer.Option("--rater", help="Name of the person who rated it.")],
    as_json: JsonOption = False,
) -> None:
    """Rate how relevant a passage is for a question; the grades of people measure retrievers."""
    from passer.services.judging.passage_ratings import PassageRating

    given = {
        "dataset": dataset, "question_id": question, "collection": collection, "passage_id": passage_id,
        "grade": grade, "rater": rater,
    }  # fmt: skip
    with services() as built:
        saved = built.judging.passage_ratings.rate(checked(PassageRating, given))
    print_json(saved) if as_json else note(f"Saved. “{saved.name}” has grades of {counted(saved.entries, 'question')}.")
