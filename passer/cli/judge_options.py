"""Common parts of commands that ask a judge: options, the plan of requests, and running to the end or a limit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from passer.bootstrap import Services
from passer.cli.output import ProgressLine, note, print_table
from passer.cli.run_options import BudgetOption, ModelPriceOption
from passer.domain.wording.counted import counted, grouped
from passer.errors import WorkPaused

if TYPE_CHECKING:
    from passer.domain.sweeps.budget import Budget, Spent
    from passer.services.arena.arenas import ArenaPlan
    from passer.services.drafting.drafts import DraftPlan
    from passer.services.judging.assessments import AssessmentPlan
    from passer.services.work.kinds import WorkSpec

JUDGE = "Judge: local/NAME, ollama/NAME, openai/NAME."
JudgePlanOption = Annotated[
    bool, typer.Option("--plan", help="Only print what would be asked, and what it would cost.")
]


@dataclass(frozen=True)
class AskingOptions:
    """Limits of what a judge is asked."""

    budget: BudgetOption = None
    price: ModelPriceOption = None
    num_ctx: Annotated[int | None, typer.Option(help="Context window of the judge in tokens; default: 8192.")] = None


@dataclass(frozen=True)
class JudgeOptions(AskingOptions):
    """Limits of what a judge is asked, and its seed."""

    seed: Annotated[int | None, typer.Option(help="Seed of the judge; default: 42.")] = None


@dataclass(frozen=True)
class AssessmentOptions:
    """Answers and columns of an assessment."""

    datasets: Annotated[
        list[str] | None,
        typer.Option("--dataset", help="Dataset whose questions are judged instead, by its gold passages. Repeatable."),
    ] = None
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--columns",
            "--metric",
            help="Judged metrics, separated by commas; `passer metrics --profile judged`. Default: Answer correctness "
            "and Faithfulness; of datasets Answerability, Faithfulness and Answer relevancy. Repeatable.",
        ),
    ] = None
    criterion: Annotated[
        list[str] | None,
        typer.Option(
            "--criterion",
            help="Statement that a good answer meets, such as 'Names the article', or '2: Names the article' with the "
            "weight 2; judged as the metric Criteria. Repeatable, up to 8.",
        ),
    ] = None
    tuned: Annotated[
        Path | None, typer.Option("--tuned", help="Task file of `passer judge tune`, in place of PaSSER's task.")
    ] = None
    facts: Annotated[
        Path | None,
        typer.Option("--facts", help="Key facts for columns of nuggets: the file of `passer judge facts`, edited."),
    ] = None
    repeats: Annotated[
        int,
        typer.Option(
            "--repeats", min=1, help="Number of times that each answer is judged, to measure the judge's noise."
        ),
    ] = 1


def judge_settings(
    model: str,
    *,
    budget: Sequence[str] | None = None,
    price: str | None = None,
    num_ctx: int | None = None,
    seed: int | None = None,
) -> dict[str, Any]:
    """Return the members of a request that concern its judge; those that are None keep the request's defaults."""
    from passer.domain.models.model import model_of
    from passer.domain.sweeps.budget import limits_of, price_of

    numbers = {name: value for name, value in (("num_ctx", num_ctx), ("seed", seed)) if value is not None}
    cost = None if price is None else price_of(price)
    return {"judge": model_of(model), "budget": limits_of(budget or ()), "price": cost, **numbers}


def _finish(act: Callable[[ProgressLine], object], show: Callable[[], None]) -> None:
    """Run the work and show its results, also where a limit paused it; exit status 1 then."""
    paused = None
    try:
        with ProgressLine() as line:
            act(line)
    except WorkPaused as exc:
        paused = exc.message
    show()
    if paused is not None:
        note(paused)
        raise typer.Exit(1)


def run_and_show(built: Services, work: WorkSpec[Any], show: Callable[[], None]) -> None:
    """Do work of a judge in this process to its end or its limits, and show its results."""
    _finish(lambda line: built.work.queue.run_here(work, progress=line), show)


def resume_judging(
    built: Services,
    some_id: str,
    show: Callable[[], None],
    *,
    budget: Sequence[str] | None,
    prepare: Callable[[str, Budget], object] | None = None,
) -> None:
    """Queue paused, failed or cancelled judging again with these limits, run it, and show its results.

    `prepare` sets the limits; by default those of an assessment.
    """
    from passer.domain.sweeps.budget import limits_of

    prepare = prepare or built.judging.assessments.prepare_resume
    prepare(some_id, limits_of(budget or ()))
    built.work.queue.resume(some_id)
    _finish(lambda line: built.work.queue.run_queued_here(some_id, progress=line), show)


def print_requests(
    plan: ArenaPlan | AssessmentPlan | DraftPlan, rows: Sequence[tuple[str, str]], *, more: str = ""
) -> None:
    """Print a plan: the rows that say what is judged, then its requests, tokens, cost and warnings."""
    print_table(
        ["", "plan"],
        [
            *rows,
            ("requests", f"{plan.asks}{more}"),
            ("of these known already", str(plan.known)),
            ("tokens of prompts", grouped(plan.input_tokens)),
            ("tokens of replies, at most", grouped(plan.output_tokens)),
            ("cost", "unknown: give --price" if plan.cost is None else f"{plan.cost:.2f}"),
        ],
    )
    for warning in plan.warnings:
        note(warning)


def named_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """Return the names of columns as they are registered; case is ignored, and unknown names are kept."""
    from passer.metrics.judged import FAMILIES
    from passer.metrics.registry import infos

    assert FAMILIES, "importing them registers their columns"
    known = {info.name.casefold(): info.name for info in infos("judged")}
    given = (name.strip() for several in columns for name in several.split(","))
    return tuple(dict.fromkeys(known.get(name.casefold(), name) for name in given if name))


def note_spent(spent: Spent) -> None:
    """Print the requests and tokens of a judge or writer."""
    note(
        f"{counted(spent.asks, 'request')}, {counted(spent.input_tokens, 'token')} of prompts, "
        f"{grouped(spent.output_tokens)} of replies."
    )
