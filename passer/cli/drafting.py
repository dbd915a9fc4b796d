"""draft start, list, show, review, resume, finish, cancel: questions drafted from documents."""

from __future__ import annotations

import io
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from passer.bootstrap import Services, services
from passer.cli.commands import check_option, drafted_option, grouped, model_option
from passer.cli.drafting_output import print_draft, print_plan, print_table
from passer.cli.files import checked, write_file
from passer.cli.judge_options import AskingOptions, JudgePlanOption, judge_settings, resume_judging, run_and_show
from passer.cli.output import JsonOption, note, print_json
from passer.cli.output import print_table as print_rows
from passer.cli.run_options import BudgetOption
from passer.domain.wording.counted import counted
from passer.errors import ConfigError

if TYPE_CHECKING:
    from passer.domain.sweeps.budget import Budget
    from passer.services.drafting.review import ShownDraft


WritersOption = Annotated[list[str], model_option("--model", help="Model that writes questions. Repeatable.")]
CheckerOption = Annotated[
    str | None, model_option("--judge", help="Model that checks drafts; default: the first model.")
]
AnswersOption = Annotated[bool, drafted_option("--answers", help="Also answer the questions, with --way inpars.")]


@dataclass(frozen=True)
class DraftOptions:
    """Method, extent, checks and review of a draft."""

    way: Annotated[str, drafted_option(help="Method: agentic, inpars or paragraph.")] = "agentic"
    target: Annotated[int, drafted_option(min=1, help="Stop when this many questions are accepted.")] = 100
    patience: Annotated[int, drafted_option(min=1, help="Stop after this many texts without an accepted question.")] = (
        40
    )
    seed: Annotated[int, drafted_option(min=0, help="Seed of the order of the passages.")] = 1
    language: Annotated[str | None, drafted_option(help="Language of the documents, such as en.")] = None
    window: Annotated[
        str | None,
        drafted_option(
            help="Text of a request: '2 passages' or '2000 tokens'; default: 1 passage, with --way inpars 2000 tokens."
        ),
    ] = None
    limits: Annotated[
        list[str] | None,
        check_option(
            "--limit", metavar="CHECK=VALUE", help="Limit of a check, or `off`; such as faithfulness=0.8. Repeatable."
        ),
    ] = None
    examples: Annotated[
        str | None, drafted_option(help="Dataset with questions of real users, shown to the models.")
    ] = None
    instruction: Annotated[str, drafted_option(help="Instruction for writing questions, in place of PaSSER's.")] = ""
    review: Annotated[str, check_option(help="Drafts that a person must review: none, all, or sample:0.2.")] = "none"
    answers: AnswersOption = False


DraftId = Annotated[str, typer.Argument(metavar="ID", help="Id of the drafting job, as `passer draft list` shows it.")]
NewTarget = Annotated[
    int | None, typer.Option("--target", min=1, help="Another number of questions; default: as before.")
]
NO_LIMIT = "off"


NO_DRAFTINGS = "There are no drafting jobs. Start one with `passer draft start COLLECTION --model MODEL`."


@grouped
def start(
    collection: Annotated[str, typer.Argument(help="Name of a collection.")],
    models: WritersOption,
    judge: CheckerOption = None,
    *,
    drafted: DraftOptions,
    asked: AskingOptions,
    plan: JudgePlanOption = False,
    as_json: JsonOption = False,
) -> None:
    """Draft questions from the documents of a collection until enough are accepted."""
    from passer.domain.models.model import model_of
    from passer.services.drafting.drafts import DraftRequest
    from passer.services.work.kinds import DraftSpec

    given: dict[str, Any] = {
        **judge_settings(judge or models[0], **asdict(asked)),
        **asdict(drafted),
        "collection": collection,
        "models": tuple(model_of(each) for each in models),
        "window": _window(drafted.window),
        "limits": _limits(drafted.limits or []),
        "review": _share(drafted.review),
    }
    request = checked(DraftRequest, given)
    with services() as built:
        if plan:
            print_plan(built.drafting.drafts.plan(request), as_json=as_json)
            return
        made = built.drafting.drafts.create(request)
        note(f"Drafting job {made.id}: {drafted.target} questions from {collection}.")
        work = DraftSpec(assessment=made.id, collection=collection)
        run_and_show(built, work, lambda: print_table(built.drafting.review.table(made.id), as_json=as_json))


def listed(as_json: JsonOption = False) -> None:
    """List drafting jobs, newest first."""
    with services() as built:
        found = [built.drafting.review.table(each.id) for each in built.adapters.drafts.draftings()]
    if as_json:
        print_json({"draftings": found})
        return
    rows = [
        (table.assessment.id, drafting.collection, drafting.way,
         ", ".join(each.judge.model.name for each in drafting.writers),
         f"{sum(table.by_model.values())}/{drafting.target}")
        for table in found
        if (drafting := table.assessment.spec.drafting) is not None
    ]  # fmt: skip
    print_rows(["drafting job", "collection", "way", "models", "questions"], rows, empty=NO_DRAFTINGS)


def show(drafting_id: DraftId, as_json: JsonOption = False) -> None:
    """Show the progress of a drafting job, and the checks that refused drafts."""
    with services() as built:
        print_table(built.drafting.review.table(drafting_id), as_json=as_json)


def review(
    drafting_id: DraftId,
    state: Annotated[
        str | None, typer.Option("--state", help="accepted, edited, waiting or refused; default: those to review.")
    ] = None,
    accept: Annotated[list[str] | None, typer.Option("--accept", metavar="DRAFT", help="Accept this draft.")] = None,
    refuse: Annotated[list[str] | None, typer.Option("--refuse", metavar="DRAFT", help="Refuse this draft.")] = None,
    reason: Annotated[
        str, typer.Option("--reason", help="wrong, unclear, trivial, not-alone, not-answered or other.")
    ] = "other",
    edit: Annotated[str | None, typer.Option("--edit", metavar="DRAFT", help="Accept this draft with changes.")] = None,
    question: Annotated[str | None, typer.Option("--question", help="The edited question.")] = None,
    answer: Annotated[str | None, typer.Option("--answer", help="The edited answer.")] = None,
    undo: Annotated[
        list[str] | None, typer.Option("--undo", metavar="DRAFT", help="Withdraw the decision about this draft.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Accept, edit or refuse drafts; without an option, list the drafts to review."""
    with services() as built:
        wanted: list[tuple[str, dict[str, Any]]] = [
            *((key, {"kind": "accept"}) for key in accept or []),
            *((key, {"kind": "refuse", "reason": reason}) for key in refuse or []),
            *((key, {"kind": "undo"}) for key in undo or []),
            *([(edit, {"kind": "edit", "question": question, "answer": answer})] if edit else []),
        ]
        if wanted:
            for key, given in wanted:
                note(f"{key} is {_decide(built, drafting_id, key, given).state}.")
            return
        found = built.drafting.review.shown(drafting_id)
    chosen = [each for each in found if (each.state == state if state else _is_open(each))]
    if as_json:
        print_json({"drafts": chosen})
        return
    for each in chosen:
        print_draft(each)
    note(f"{counted(len(chosen), 'draft')}.")
    if chosen:
        note("Decide with --accept DRAFT, --refuse DRAFT, or --edit DRAFT and --question or --answer.")
    elif not state:
        note("No draft is waiting for your review. See the others with --state accepted or --state refused.")


def resume(
    drafting_id: DraftId,
    target: NewTarget = None,
    patience: Annotated[
        int | None, typer.Option("--patience", min=1, help="Texts without an accepted question; default: as before.")
    ] = None,
    answers: AnswersOption = False,
    budget: BudgetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Resume a drafting job with these limits, also a finished one for more questions; nothing is asked twice."""
    with services() as built:

        def prepare(some_id: str, budget: Budget) -> None:
            built.drafting.drafts.prepare_resume(
                some_id, budget=budget, target=target, patience=patience, answers=answers or None
            )

        resume_judging(
            built, drafting_id, lambda: print_table(built.drafting.review.table(drafting_id), as_json=as_json),
            prepare=prepare, budget=budget,
        )  # fmt: skip


def finish(
    drafting_id: DraftId,
    name: Annotated[str, typer.Option("--as", help="Name of the dataset; an existing one gets a new version.")],
    mix: Annotated[
        list[str] | None,
        typer.Option("--mix", metavar="MODEL=COUNT", help="Draw this many questions of a model. Repeatable."),
    ] = None,
    readme: Annotated[
        Path | None, typer.Option("--readme", help="Also write the README of the dataset to this file.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Create a dataset of the accepted questions."""
    from passer.services.drafting.finishing import FinishRequest

    given = {model: count for model, _, count in (each.rpartition("=") for each in mix or [])}
    with services() as built:
        found = built.drafting.finisher.finish(drafting_id, checked(FinishRequest, {"name": name, "mix": given}))
    if readme is not None:
        write_file(readme, io.BytesIO(found.readme.encode()))
    if as_json:
        print_json(found)
        return
    for each in found.notes:
        note(each)
    note(f"Dataset {found.name}: {found.questions} questions, digest {found.digest[:12]}.")
    note(f"Next: passer sweep --dataset {found.name} --collection {found.collection}")


def cancel(drafting_id: DraftId) -> None:
    """Cancel a drafting job; drafts so far are kept."""
    with services() as built:
        note(f"Drafting job {drafting_id} is {built.work.queue.cancel(drafting_id).state.value}.")


def _decide(built: Services, drafting_id: str, key: str, given: dict[str, Any]) -> ShownDraft:
    from passer.services.drafting.review import DecisionRequest

    review = built.drafting.review
    request = checked(DecisionRequest, {**given, "version": review.one(drafting_id, key).version})
    return review.decide(drafting_id, key, request)


def _is_open(shown: ShownDraft) -> bool:
    return not shown.is_decided and (shown.state == "waiting" or shown.is_drawn)


def _window(text: str | None) -> dict[str, Any] | None:
    if text is None:
        return None
    size, _, unit = text.partition(" ")
    if not size.isdigit() or unit.rstrip("s") not in ("passage", "token"):
        raise ConfigError('--window must be a number and a unit, such as "2 passages".', field="window")
    return {"size": int(size), "unit": "tokens" if unit.startswith("token") else "passage"}


def _limits(given: list[str]) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for each in given:
        name, _, value = each.partition("=")
        try:
            found[name.replace("-", "_")] = None if value == NO_LIMIT else float(value)
        except ValueError as exc:
            raise ConfigError("--limit must be CHECK=VALUE, such as faithfulness=0.8.", field="limits") from exc
    return found


def _share(text: str) -> float:
    kind, _, value = text.partition(":")
    try:
        return {"none": 0.0, "all": 1.0}[kind] if kind != "sample" else float(value)
    except (KeyError, ValueError) as exc:
        raise ConfigError("--review must be none, all, or a share such as sample:0.2.", field="review") from exc
