"""arena start, show, list, resume, import, export: which of two answers is better; people are in arena_people."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from passer.cli import arena_people
from passer.cli.arena_output import print_comparison, print_plan, print_standings
from passer.cli.files import read_file, write_file
from passer.cli.judge_options import (
    JUDGE,
    JudgePlanOption,
    JudgeSeedOption,
    WindowOption,
    finish,
    judge_settings,
    resume_judging,
)
from passer.cli.output import JsonOption, note, print_json, print_table
from passer.cli.run_options import BudgetOption, ModelPriceOption

arena = typer.Typer(help="Compare answers pair by pair, and rate the configurations.", no_args_is_help=True)
TournamentId = Annotated[
    str, typer.Argument(metavar="ID", help="Id of the tournament, as `passer arena list` shows it.")
]

RunsArgument = Annotated[
    list[str], typer.Argument(metavar="SWEEP|RUN...", help="Id of a sweep, or of two or more of its runs.")
]
JudgeOption = Annotated[str | None, typer.Option("--judge", help=JUDGE)]
RuleOption = Annotated[
    str | None, typer.Option("--rule", metavar="COLUMN", help="Decide by this score instead of a judge.")
]
EpsilonOption = Annotated[float, typer.Option("--epsilon", min=0, help="With --rule: smaller differences are a tie.")]
AssessmentOption = Annotated[
    str | None, typer.Option("--assessment", help="With --rule: assessment whose judged column it is.")
]
PerQuestionOption = Annotated[
    int | None, typer.Option("--per-question", min=1, help="Most games of a question; default: all pairs.")
]
DocumentsOption = Annotated[
    str, typer.Option("--documents", help="What the judge reads of the passages: none, text, text+grade or grade.")
]
RelevanceOption = Annotated[
    str | None, typer.Option("--relevance", help="With grades: assessment that graded the passages.")
]
LeastGradeOption = Annotated[
    int, typer.Option("--least-grade", min=0, max=3, help="With grades: leave out passages below this grade.")
]
OrdersOption = Annotated[str, typer.Option("--orders", help="Ask each pair in both orders, or in one.")]
ByOption = Annotated[
    str, typer.Option("--by", help="whole: compare answers as a whole; criteria: by five, written for each question.")
]
FactorsOption = Annotated[str | None, typer.Option("--factors", help="What makes an answer better.")]
ExpertOption = Annotated[str, typer.Option("--expert-in", help="Field in which the judge is an expert.")]
DrawSeedOption = Annotated[int, typer.Option("--draw-seed", min=0, help="Seed of the draw of pairs and orders.")]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    for command in (start, show, resume, export):
        arena.command()(command)
    arena.command("list")(listed)
    arena.command("import")(import_games)
    arena_people.register(arena)
    app.add_typer(arena, name="arena")


def start(
    runs: RunsArgument,
    model: JudgeOption = None,
    rule: RuleOption = None,
    epsilon: EpsilonOption = 0,
    assessment: AssessmentOption = None,
    per_question: PerQuestionOption = None,
    documents: DocumentsOption = "text",
    relevance: RelevanceOption = None,
    least_grade: LeastGradeOption = 2,
    orders: OrdersOption = "both",
    by: ByOption = "whole",
    factors: FactorsOption = None,
    expert_in: ExpertOption = "",
    draw_seed: DrawSeedOption = 1,
    budget: BudgetOption = None,
    price: ModelPriceOption = None,
    num_ctx: WindowOption = None,
    seed: JudgeSeedOption = None,
    plan: JudgePlanOption = False,
    as_json: JsonOption = False,
) -> None:
    """Play a tournament between the runs of a sweep; judgements that exist are reused."""
    from passer.bootstrap import services
    from passer.cli.checking import checked
    from passer.errors import ConfigError
    from passer.services.arena.arenas import ArenaRequest, RuleRequest
    from passer.services.work.kinds import AssessSpec

    if (model is None) == (rule is None):
        raise ConfigError("Pass either --judge MODEL or --rule COLUMN.", field="judge")
    if rule is not None:
        if plan:
            # The tournament would be decided and saved at once.
            raise ConfigError("A score decides games without a request. Leave out --plan.", field="plan")
        given = {"column": rule, "epsilon": epsilon, "assessment": assessment}
        by_rule = checked(RuleRequest, {"runs": tuple(runs), "rule": given})
        with services() as built:
            print_standings(built, built.arena.arenas.by_rule(by_rule).id, as_json=as_json)
        return
    options = {
        "documents": documents, "orders": orders, "per_question": per_question, "expert_in": expert_in,
        "by": by, "seed": draw_seed, "relevance": relevance, "least_grade": least_grade,
        **({} if factors is None else {"factors": factors}),
    }  # fmt: skip
    asked = judge_settings(
        model or "", budget=budget, price=price, num_ctx=num_ctx,
        seed=seed,
    )  # fmt: skip
    request = checked(ArenaRequest, {"runs": tuple(runs), "options": options, **asked})
    with services() as built:
        if plan:
            print_plan(built.arena.arenas.plan(request), as_json=as_json)
            return
        made = built.arena.arenas.create(request)
        note(f"Tournament {made.id}: {len(made.spec.runs)} systems.")
        work = AssessSpec(assessment=made.id, sweep=made.sweep_id)
        finish(
            lambda line: built.work.queue.run_here(work, progress=line),
            lambda: print_standings(built, made.id, as_json=as_json),
        )


def show(
    tournament_id: TournamentId,
    against: Annotated[str | None, typer.Option("--against", help="Compare it with this tournament.")] = None,
    tournaments: Annotated[
        int, typer.Option("--tournaments", min=2, max=2000, help="Orders of games that Elo averages.")
    ] = 500,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the orders and of the bootstrap.")] = 1,
    inconsistent: Annotated[
        str, typer.Option("--inconsistent", help="Games whose orders disagree: tie or drop.")
    ] = "tie",
    same_answer: Annotated[str, typer.Option("--same-answer", help="Games of equal answers: tie or drop.")] = "tie",
    without: Annotated[str | None, typer.Option("--without", help="Leave out the games of this run.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show ratings with intervals, and how far order and length decide."""
    from passer.bootstrap import services
    from passer.cli.checking import checked
    from passer.services.arena.standings import StandingsQuery

    given = {
        "tournaments": tournaments,
        "seed": seed,
        "inconsistent": inconsistent,
        "same_answer": same_answer,
        "without": without,
    }
    query = checked(StandingsQuery, given)
    with services() as built:
        if against is not None:
            print_comparison(built.arena.standings.comparison(tournament_id, against), as_json=as_json)
            return
        print_standings(built, tournament_id, query, as_json=as_json)


def listed(
    sweep: Annotated[str | None, typer.Option("--sweep", help="Only those of this sweep.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List tournaments, newest first."""
    from passer.bootstrap import services

    with services() as built:
        found = built.adapters.tournaments.tournaments(sweep)
        states = {each.id: built.judging.results.state(each.id) or "finished" for each in found}
    if as_json:
        print_json({"tournaments": [{**each.model_dump(mode="json"), "state": states[each.id]} for each in found]})
        return
    rows = [
        (each.id, states[each.id], each.source, each.name, str(len(each.entrants)), each.sweep_id or "-",
         f"{each.created_at:%Y-%m-%d %H:%M}")
        for each in found
    ]  # fmt: skip
    print_table(["tournament", "state", "decided by", "name", "systems", "sweep", "created"], rows)


def resume(
    tournament_id: TournamentId,
    budget: BudgetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Resume a paused, failed or cancelled tournament with these limits; failed replies are asked for again."""
    from passer.bootstrap import services

    with services() as built:
        resume_judging(
            built, tournament_id, lambda: print_standings(built, tournament_id, as_json=as_json),
            budget=budget,
        )  # fmt: skip


def import_games(
    file: Annotated[
        Path,
        typer.Argument(help="Table with the columns qid, a, b, winner (A, B or C), or RAGElo's file of answers."),
    ],
    name: Annotated[str | None, typer.Option("--name", help="Name of the tournament; default: the file's.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Import a table of games."""
    from passer.bootstrap import services

    with services() as built:
        imported = built.arena.game_import.load(read_file(file), file.name)
        tournament = built.arena.arenas.add_imported(imported, name or file.stem)
        note(f"Imported {len(imported.games)} games of {len(imported.entrants)} systems as {tournament.id}.")
        print_standings(built, tournament.id, as_json=as_json)


def export(
    tournament_id: TournamentId,
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write: .csv, .jsonl, .xlsx or .tex.")],
    ratings: Annotated[bool, typer.Option("--ratings/--games", help="One row per system, or one per game.")] = True,
) -> None:
    """Export the ratings or the games of a tournament."""
    from passer.bootstrap import services
    from passer.domain.arena.tables import games_table, ratings_table

    with services() as built:
        if ratings:
            table = ratings_table(built.arena.standings.standings(tournament_id).rows)
        else:
            table = games_table(built.arena.table.games(tournament_id))
        with built.exports.table_export.table(table, suffix=output.suffix) as content:
            write_file(output, content)
