"""The commands `resume`, `runs`, `show`, `annotate`, `cancel`, `pause`, `register` and `retry`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import services
from passer.cli.output import EngineOption, JsonOption, SweepId, note, print_json, print_table
from passer.cli.planning import savings_line
from passer.cli.run_options import BudgetOption, ModelPriceOption
from passer.cli.run_output import print_outcome
from passer.cli.runs import run_or_follow
from passer.domain.wording.counted import counted

if TYPE_CHECKING:
    from passer.ports import StoredSweep


NO_SWEEPS = "There are no sweeps. Start one with `passer sweep` or `passer demo`."


def resume(
    sweep_id: SweepId,
    budget: BudgetOption = None,
    price: ModelPriceOption = None,
    engine: EngineOption = None,
    as_json: JsonOption = False,
) -> None:
    """Resume a sweep, reusing stored answers. --budget replaces its limits."""
    from passer.domain.sweeps.budget import budget_of

    wanted = None if budget is None else budget_of(budget, price)
    with services(engine=engine) as built:
        for line in built.sweeps.planner.changed_models(built.sweeps.control.resume(sweep_id, budget=wanted)):
            note(line)
        stored = run_or_follow(built, sweep_id)
        print_json(stored) if as_json else print_outcome(built, stored.id)


def runs(
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number of sweeps.")] = 20,
    tag: Annotated[str | None, typer.Option("--tag", help="Only sweeps with this tag.")] = None,
    archived: Annotated[bool, typer.Option("--archived", help="Archived sweeps instead of the others.")] = False,
    as_json: JsonOption = False,
) -> None:
    """List sweeps, newest first; with --archived the archived ones."""
    with services() as built:
        found = built.adapters.runs.list_sweeps(limit=limit, tag=tag, archived=archived)
    if as_json:
        print_json({"sweeps": found})
        return
    empty = "No sweep matches." if tag is not None or archived else NO_SWEEPS
    print_table(["sweep", "state", "name", "runs", "done", "created (UTC)", "tags"], map(_row, found), empty=empty)


def _row(stored: StoredSweep) -> tuple[str, ...]:
    done = sum(run.counts.scored + run.counts.failed for run in stored.runs)
    progress = f"{done}/{stored.questions * len(stored.runs)}"
    tags = ", ".join(stored.annotation.tags)
    started = f"{stored.created_at:%Y-%m-%d %H:%M}"
    return (stored.id, stored.state.value, stored.name, str(len(stored.runs)), progress, started, tags)


def show(sweep_id: SweepId, as_json: JsonOption = False) -> None:
    """Show a sweep and its runs."""
    from passer.domain.reports.runs import memory_of

    with services() as built:
        stored = built.adapters.runs.load_sweep(sweep_id)
        savings = built.sweeps.planner.savings(stored)
        used = stored.budget.used(stored.spent, built.judging.recorded_judge.spent(stored))
        scoring = [(run.name, built.runs.run_summaries.scoring(run.id)) for run in stored.runs if run.counts.scored]
    if as_json:
        print_json({**stored.model_dump(mode="json"), "savings": savings})
        return
    note(
        f"{stored.name}: {stored.state.value}, "
        f"{counted(stored.questions, 'question')} of dataset {stored.sweep.config.dataset}"
    )
    for text in (*_written(stored), *([used] if used else [])):
        note(text)
    rows = [
        (run.id, run.state.value, run.name, str(run.counts.answered), str(run.counts.scored), str(run.counts.failed),
         str(run.counts.reused), str(run.counts.truncated), run.reason or "")
        for run in stored.runs
    ]  # fmt: skip
    print_table(["run", "state", "name", "answered", "scored", "failed", "reused", "truncated", "reason"], rows)
    note(savings_line(savings))
    for text in memory_of(stored.runs):
        note(text)
    for line in dict.fromkeys(f"{name}: {text}" for name, said in scoring for text in said):
        note(line)


def _written(stored: StoredSweep) -> list[str]:
    """Return what people wrote about a sweep, as lines."""
    written = stored.annotation
    found = [f"Created as {stored.sweep.name}."] if written.name else []
    found += [f"Tags: {', '.join(written.tags)}."] if written.tags else []
    found += [f"Note: {written.note}"] if written.note else []
    return found + (["Archived."] if written.archived else [])


def annotate(
    sweep_id: SweepId,
    name: Annotated[str | None, typer.Option("--name", help="New name; empty restores the original name.")] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", help="Add this tag. Repeatable.")] = None,
    untag: Annotated[list[str] | None, typer.Option("--untag", help="Remove this tag. Repeatable.")] = None,
    text: Annotated[str | None, typer.Option("--note", help="Replace the note; empty removes it.")] = None,
    archived: Annotated[
        bool | None, typer.Option("--archive/--restore", help="Leave the sweep out of lists, or show it again.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Rename, tag, annotate or archive a sweep; no result depends on it."""
    with services() as built:
        known = built.adapters.runs.load_sweep(sweep_id, counted=False).annotation
        kept = tuple(each for each in (*known.tags, *(tag or ())) if each not in (untag or ()))
        given: dict[str, object] = {"note": text, "archived": archived, "tags": kept}
        changes = {key: value for key, value in given.items() if value is not None}
        if name is not None:
            changes["name"] = name.strip() or None
        stored = built.sweeps.control.annotate(sweep_id, changes)
    if as_json:
        print_json(stored.annotation)
        return
    for line in (f"{stored.name} ({stored.id})", *_written(stored)):
        print(line)


def cancel(sweep_id: SweepId) -> None:
    """Cancel a sweep; results so far are kept, and `passer resume` continues it."""
    with services() as built:
        note(f"Sweep {sweep_id} is {built.sweeps.control.cancel(sweep_id).state.value}.")


def register(sweep_id: SweepId) -> None:
    """Enter the plan of a sweep in the ledger before its first question, so that its verdict is confirmatory.

    With --hypothesis a sweep is registered when it is created. A sweep that has an answer cannot be registered.
    """
    with services() as built:
        stored = built.provenance.waiting_sweeps.register(sweep_id)
    if stored.registered is not None:
        note(f"Registered in the ledger at {stored.registered.recorded_at:%Y-%m-%d %H:%M} UTC: "
             f"{stored.registered.digest}.")  # fmt: skip


def pause(sweep_id: SweepId) -> None:
    """Pause a sweep until it is resumed."""
    with services() as built:
        note(f"Sweep {sweep_id} is {built.sweeps.control.pause(sweep_id).state.value}.")


def retry(sweep_id: SweepId, engine: EngineOption = None, as_json: JsonOption = False) -> None:
    """Retry the failed questions of a sweep."""
    with services(engine=engine) as built:
        built.sweeps.control.retry(sweep_id)
        stored = run_or_follow(built, sweep_id)
    failed = sum(run.counts.failed for run in stored.runs)
    print_json(stored) if as_json else note(f"Sweep {sweep_id} is {stored.state.value}; failed questions: {failed}.")
    if failed:
        raise typer.Exit(1)
