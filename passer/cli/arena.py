"""arena start, add, show, list, resume: which of two answers is better; games are in arena_games, people in
arena_people."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from passer.bootstrap import services
from passer.cli.arena_games import (
    EloOrdersOption,
    FiguresSeedOption,
    InconsistentOption,
    SameAnswerOption,
    TournamentId,
    WithoutOption,
)
from passer.cli.arena_output import print_comparison, print_plan, print_rule_plan, print_standings
from passer.cli.commands import grouped
from passer.cli.files import checked
from passer.cli.judge_options import JUDGE, JudgeOptions, JudgePlanOption, judge_settings, resume_judging, run_and_show
from passer.cli.output import JsonOption, note, print_json, print_table
from passer.cli.run_options import BudgetOption
from passer.domain.defaults import ELO_ORDERS, GAMES_ADDED, LEAST_GRADE
from passer.errors import ConfigError

RunsArgument = Annotated[
    list[str],
    typer.Argument(metavar="SWEEP|RUN", help="Id of a sweep, or of two or more runs with the same questions."),
]
JudgeOption = Annotated[str | None, typer.Option("--judge", help=JUDGE)]


@dataclass(frozen=True)
class ByScoreOptions:
    """A tournament that a score decides, without a judge."""

    rule: Annotated[str | None, typer.Option(metavar="COLUMN", help="Decide by this score instead of a judge.")] = None
    epsilon: Annotated[float, typer.Option(min=0, help="With --rule: smaller differences are a tie.")] = 0
    assessment: Annotated[str | None, typer.Option(help="With --rule: assessment whose judged column it is.")] = None


@dataclass(frozen=True)
class ArenaOptions:
    """Pairs that a judge compares, and the text and instructions that it is given."""

    per_question: Annotated[
        int | None, typer.Option(min=1, help="Maximum number of games per question; default: all pairs.")
    ] = None
    documents: Annotated[
        str, typer.Option(help="What the judge reads of the passages: none, text, text+grade or grade.")
    ] = "text"
    relevance: Annotated[
        str | None, typer.Option(help="With --documents text+grade or grade: assessment that graded the passages.")
    ] = None
    qrels: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="With --documents text+grade or grade: saved relevance grades, as in `passer rankings`.",
        ),
    ] = None
    least_grade: Annotated[
        int,
        typer.Option(
            min=0, max=3, help="With --documents text+grade or grade: lowest grade of the passages that are kept."
        ),
    ] = LEAST_GRADE
    orders: Annotated[str, typer.Option(help="Ask each pair in both orders, or in one.")] = "both"
    by: Annotated[
        str,
        typer.Option(
            help="whole: compare answers as a whole; criteria: by five criteria that the judge writes for each "
            "question."
        ),
    ] = "whole"
    factors: Annotated[str | None, typer.Option(help="Criteria for the better answer, in your own words.")] = None
    expert_in: Annotated[str, typer.Option("--expert-in", help="Field in which the judge is an expert.")] = ""
    language: Annotated[
        str, typer.Option(help="Language in which the judge explains itself; default: that of the question.")
    ] = ""
    citations: Annotated[
        bool, typer.Option("--citations", help="Tell the judge that answers cite passages by number, such as [1].")
    ] = False
    draw_seed: Annotated[int, typer.Option(min=0, help="Seed of the draw of pairs and orders.")] = 1


NO_TOURNAMENTS = "There are no tournaments. Start one with `passer arena start SWEEP --judge MODEL`."


@grouped
def start(
    runs: RunsArgument,
    *,
    model: JudgeOption = None,
    by_score: ByScoreOptions,
    options: ArenaOptions,
    asked: JudgeOptions,
    plan: JudgePlanOption = False,
    as_json: JsonOption = False,
) -> None:
    """Play a tournament between runs; judgements that exist are reused."""
    from passer.services.arena.arenas import ArenaRequest
    from passer.services.work.kinds import AssessSpec

    if by_score.rule is not None and model is None:
        _start_by_score(runs, by_score, plan=plan, as_json=as_json)
        return
    if by_score.rule is not None or model is None:
        raise ConfigError("Pass either --judge MODEL or --rule COLUMN.", field="judge")
    given = {name: value for name, value in asdict(options).items() if name != "factors" or value is not None}
    given["seed"] = given.pop("draw_seed")
    request = checked(ArenaRequest, {"runs": tuple(runs), "options": given, **judge_settings(model, **asdict(asked))})
    with services() as built:
        if plan:
            print_plan(built.arena.arenas.plan(request), as_json=as_json)
            return
        made = built.arena.arenas.create(request)
        note(f"Tournament {made.id}: {len(made.spec.runs)} systems.")
        run_and_show(built, AssessSpec.of(made), lambda: print_standings(built, made.id, as_json=as_json))


def _start_by_score(runs: list[str], by_score: ByScoreOptions, *, plan: bool, as_json: bool) -> None:
    from passer.services.arena.score_rule import RuleRequest

    rule = {"column": by_score.rule, "epsilon": by_score.epsilon, "assessment": by_score.assessment}
    request = checked(RuleRequest, {"runs": tuple(runs), "rule": rule})
    with services() as built:
        if plan:
            print_rule_plan(built.arena.ruled.plan(request), as_json=as_json)
        else:
            print_standings(built, built.arena.ruled.create(request).id, as_json=as_json)


def add(
    tournament_id: TournamentId,
    run: Annotated[str, typer.Argument(metavar="RUN", help="Id of a run with the same questions, of any sweep.")],
    most: Annotated[int, typer.Option("--most", min=1, max=1000, help="Maximum number of games.")] = GAMES_ADDED,
    plan: JudgePlanOption = False,
    budget: BudgetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add a run to a finished tournament by a few games; its ratings stay as they are."""
    from passer.domain.sweeps.budget import limits_of
    from passer.services.arena.additions import AddRequest
    from passer.services.work.kinds import AssessSpec

    request = checked(AddRequest, {"run": run, "most": most, "budget": limits_of(budget or ())})
    with services() as built:
        if plan:
            print_plan(built.arena.additions.plan(tournament_id, request), as_json=as_json)
            return
        made = built.arena.additions.create(tournament_id, request)
        note(f"Addition {made.id}: at most {most} games. `passer arena resume {made.id}` continues it.")
        run_and_show(built, AssessSpec.of(made), lambda: print_standings(built, tournament_id, as_json=as_json))


def show(
    tournament_id: TournamentId,
    against: Annotated[
        str | None, typer.Option("--against", help="Compare with the same games of this tournament.")
    ] = None,
    tournaments: EloOrdersOption = ELO_ORDERS,
    seed: FiguresSeedOption = 1,
    inconsistent: InconsistentOption = "tie",
    same_answer: SameAnswerOption = "tie",
    without: WithoutOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show ratings with intervals, and how much order and length of the answers matter."""
    from passer.services.arena.standings import ComparisonQuery, StandingsQuery

    counted = {"inconsistent": inconsistent, "same_answer": same_answer, "without": tuple(without or ())}
    with services() as built:
        if against is not None:
            compared = checked(ComparisonQuery, {**counted, "other": against})
            print_comparison(built.arena.standings.comparison(tournament_id, compared), as_json=as_json)
            return
        query = checked(StandingsQuery, {**counted, "tournaments": tournaments, "seed": seed})
        print_standings(built, tournament_id, query, as_json=as_json)


def listed(
    sweep: Annotated[str | None, typer.Option("--sweep", help="Only those of this sweep.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List tournaments, newest first."""
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
    columns = ["tournament", "state", "decided by", "name", "systems", "sweep", "created (UTC)"]
    print_table(columns, rows, empty=NO_TOURNAMENTS)


def resume(
    tournament_id: TournamentId,
    budget: BudgetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Resume a paused, failed or cancelled tournament or addition; failed replies are asked for again."""
    with services() as built:
        adding = built.adapters.judgements.assessment(tournament_id).spec.adding
        shown = tournament_id if adding is None else adding.tournament
        resume_judging(
            built, tournament_id, lambda: print_standings(built, shown, as_json=as_json),
            budget=budget,
        )  # fmt: skip
