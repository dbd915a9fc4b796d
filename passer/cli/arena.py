"""arena start, show, list, resume, import, export: which of two answers is better."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from passer.cli.judging import MaxAsks, MaxCost, MaxTokens, parsed_price
from passer.cli.output import JsonOption, note, number, print_json, print_table

if TYPE_CHECKING:
    from passer.bootstrap import Services
    from passer.domain.arena.comparison import TournamentComparison
    from passer.services.arena.arenas import ArenaPlan
    from passer.services.arena.standings import Standings

arena = typer.Typer(help="Compare answers pair by pair, and rate the configurations.", no_args_is_help=True)
TournamentId = Annotated[
    str, typer.Argument(metavar="ID", help="Id of the tournament, as `passer arena list` shows it.")
]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    for command in (start, show, resume, export):
        arena.command()(command)
    arena.command("list")(listed)
    arena.command("import")(import_games)
    app.add_typer(arena, name="arena")


def start(
    runs: Annotated[
        list[str], typer.Argument(metavar="SWEEP|RUN...", help="Id of a sweep, or of two or more of its runs.")
    ],
    model: Annotated[str | None, typer.Option("--judge", help="Judge: local/NAME, ollama/NAME, openai/NAME.")] = None,
    rule: Annotated[
        str | None, typer.Option("--rule", metavar="COLUMN", help="Decide by this score instead of a judge.")
    ] = None,
    epsilon: Annotated[float, typer.Option("--epsilon", min=0, help="With --rule: smaller differences are a tie.")] = 0,
    assessment: Annotated[
        str | None, typer.Option("--assessment", help="With --rule: assessment whose judged column it is.")
    ] = None,
    per_question: Annotated[
        int | None, typer.Option("--per-question", min=1, help="Most games of a question; default: all pairs.")
    ] = None,
    documents: Annotated[str, typer.Option("--documents", help="What the judge reads: none or text.")] = "text",
    orders: Annotated[str, typer.Option("--orders", help="Ask each pair in both orders, or in one.")] = "both",
    factors: Annotated[str | None, typer.Option("--factors", help="What makes an answer better.")] = None,
    expert_in: Annotated[str, typer.Option("--expert-in", help="Field in which the judge is an expert.")] = "",
    draw_seed: Annotated[int, typer.Option("--draw-seed", min=0, help="Seed of the draw of pairs and orders.")] = 1,
    max_asks: MaxAsks = None,
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    price: Annotated[
        str | None, typer.Option("--price", metavar="IN,OUT", help="Cost of a million tokens of prompts, of replies.")
    ] = None,
    num_ctx: Annotated[int | None, typer.Option("--num-ctx", help="Window of the judge in tokens.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of the judge.")] = None,
    plan: Annotated[
        bool, typer.Option("--plan", help="Only print what would be asked, and what it would cost.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Play a tournament between the runs of a sweep; judgements that exist are reused."""
    from passer.bootstrap import services
    from passer.cli.checking import checked
    from passer.domain.model import model_of
    from passer.errors import ConfigError
    from passer.services.arena.arenas import ArenaRequest, RuleRequest
    from passer.services.work.kinds import AssessSpec

    if (model is None) == (rule is None):
        raise ConfigError("Pass either --judge MODEL or --rule COLUMN.", field="judge")
    if rule is not None:
        given = {"column": rule, "epsilon": epsilon, "assessment": assessment}
        by_rule = checked(RuleRequest, {"runs": tuple(runs), "rule": given})
        with services() as built:
            _print_standings(built, built.arena.arenas.by_rule(by_rule).id, as_json=as_json)
        return
    options = {
        "documents": documents,
        "orders": orders,
        "per_question": per_question,
        "expert_in": expert_in,
        "seed": draw_seed,
        **({} if factors is None else {"factors": factors}),
    }
    wanted: dict[str, Any] = {
        "runs": tuple(runs),
        "judge": model_of(model or ""),
        "options": options,
        "budget": {"asks": max_asks, "tokens": max_tokens, "cost": max_cost},
        "price": None if price is None else parsed_price(price),
        **({} if num_ctx is None else {"num_ctx": num_ctx}),
        **({} if seed is None else {"seed": seed}),
    }
    request = checked(ArenaRequest, wanted)
    with services() as built:
        if plan:
            _print_plan(built.arena.arenas.plan(request), as_json=as_json)
            return
        made = built.arena.arenas.create(request)
        note(f"Tournament {made.id}: {len(made.spec.runs)} systems.")
        work = AssessSpec(assessment=made.id, sweep=made.sweep_id)
        _finish(built, made.id, lambda line: built.work.queue.run_here(work, progress=line), as_json=as_json)


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
            _print_comparison(built.arena.standings.comparison(tournament_id, against), as_json=as_json)
            return
        _print_standings(built, tournament_id, query, as_json=as_json)


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
    max_asks: MaxAsks = None,
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    as_json: JsonOption = False,
) -> None:
    """Resume a paused, failed or cancelled tournament with these limits; failed replies are asked for again."""
    from passer.bootstrap import services
    from passer.domain.judging.judgement import Budget

    with services() as built:
        budget = Budget(asks=max_asks, tokens=max_tokens, cost=max_cost)
        built.judging.assessments.prepare_resume(tournament_id, budget)
        queue = built.work.queue
        queue.resume(tournament_id)
        _finish(built, tournament_id, lambda line: queue.run_queued_here(tournament_id, progress=line), as_json=as_json)


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
    from passer.errors import InputError

    try:
        content = file.read_bytes()
    except OSError as exc:
        raise InputError(f"{file} cannot be read: {exc.strerror}.") from exc
    with services() as built:
        imported = built.arena.game_import.load(content, file.name)
        tournament = built.arena.arenas.add_imported(imported, name or file.stem)
        note(f"Imported {len(imported.games)} games of {len(imported.entrants)} systems as {tournament.id}.")
        _print_standings(built, tournament.id, as_json=as_json)


def export(
    tournament_id: TournamentId,
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write: .csv, .jsonl, .xlsx or .tex.")],
    ratings: Annotated[bool, typer.Option("--ratings/--games", help="One row per system, or one per game.")] = True,
) -> None:
    """Export the ratings or the games of a tournament."""
    import shutil

    from passer.bootstrap import services
    from passer.domain.arena.tables import games_table, ratings_table

    with services() as built:
        if ratings:
            table = ratings_table(built.arena.standings.standings(tournament_id).rows)
        else:
            table = games_table(built.adapters.tournaments.games(tournament_id))
        made = built.exports.table_export.table(table, suffix=output.suffix)
        with made as content, output.open("wb") as file:
            shutil.copyfileobj(content, file)
    note(f"Wrote {output}.")


def _finish(built: Services, tournament_id: str, act: Any, *, as_json: bool) -> None:
    """Run a tournament and print its ratings, also where a limit paused it; exit status 1 then."""
    from passer.cli.output import ProgressLine
    from passer.errors import WorkPaused

    paused = None
    try:
        with ProgressLine() as line:
            act(line)
    except WorkPaused as exc:
        paused = exc.message
    _print_standings(built, tournament_id, as_json=as_json)
    if paused is not None:
        note(paused)
        raise typer.Exit(1)


def _print_plan(plan: ArenaPlan, *, as_json: bool) -> None:
    if as_json:
        print_json(plan)
        return
    print_table(
        ["", "plan"],
        [
            ("systems", str(plan.systems)),
            ("games", str(plan.games)),
            ("of these between equal answers", str(plan.same_answer)),
            ("questions without an answer", str(plan.unanswered)),
            ("requests", str(plan.asks)),
            ("of these judged before", str(plan.known)),
            ("tokens of prompts", f"{plan.input_tokens:,}"),
            ("tokens of replies, at most", f"{plan.output_tokens:,}"),
            ("cost", "unknown: give --price" if plan.cost is None else f"{plan.cost:.2f}"),
        ],
    )
    for warning in plan.warnings:
        note(warning)


def _print_standings(built: Services, tournament_id: str, query: Any = None, *, as_json: bool) -> None:
    found = built.arena.standings.standings(tournament_id, query)
    if as_json:
        print_json(found)
        return
    for warning in found.warnings:
        note(warning)
    rows = [
        (row.entrant.name, number(row.rating, 1), _span(row.low, row.high), _ranks(row.best_rank, row.worst_rank),
         number(row.elo, 1), str(row.record.wins), str(row.record.losses), str(row.record.ties),
         "-" if row.record.mean_share is None else f"{row.record.mean_share:.1%}")
        for row in found.rows
    ]  # fmt: skip
    print_table(["system", "rating", "95 % CI", "ranks", "Elo", "wins", "losses", "ties", "mean win share"], rows)
    for line in _lines(found):
        note(line)


def _lines(found: Standings) -> list[str]:
    lines = []
    if found.reason == "not_connected":
        lines.append("No ratings: no game joins these runs.")
    elif found.reason == "no_games":
        lines.append("No ratings: no game has an outcome yet.")
    games = ", ".join(f"{how.replace('_', ' ')} {count}" for how, count in found.games.items())
    lines.append(f"Games: {games or 'none'}; {found.tournament.unanswered} questions without an answer.")
    if found.nu is not None:
        prior = "; phantom ties keep ratings of unbeaten or winless systems finite" if found.has_prior else ""
        lines.append(f"Davidson, {found.questions} questions, weight of a tie {found.nu:.3f}{prior}.")
    if found.swap is not None and found.swap.interval is not None:
        swap, ci = found.swap, found.swap.interval
        lines.append(
            f"Order: {swap.consistent} of {swap.asked_twice} pairs agree in both orders; the first answer won "
            f"{swap.first} of {swap.decided} verdicts ({ci.low:.0%} to {ci.high:.0%})."
        )
    if found.length is not None and found.length.interval is not None:
        length, ci = found.length, found.length.interval
        lines.append(
            f"Length: the longer answer won {length.longer_won} of {length.decided} decided games "
            f"({ci.low:.0%} to {ci.high:.0%})."
        )
    if found.fragility is not None:
        few = found.fragility
        lines.append(f"Without {len(few.questions)} of {few.of} questions, {_name(found, few.successor)} leads.")
    return lines


def _name(found: Standings, some_id: str) -> str:
    return next((each.name for each in found.tournament.entrants if each.id == some_id), some_id)


def _print_comparison(found: TournamentComparison, *, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    tau = found.tau
    rows = [
        ("systems in both", str(found.runs)),
        ("Kendall tau-b of ratings", "-" if tau is None else f"{tau.tau:.3f}"),
        ("games decided by both", str(found.games)),
        ("same outcome", str(found.same)),
        ("kappa", number(found.kappa, 3)),
    ]
    print_table(["", "comparison"], rows)


def _span(low: float | None, high: float | None) -> str:
    return "-" if low is None or high is None else f"{low:.1f} to {high:.1f}"


def _ranks(best: int | None, worst: int | None) -> str:
    if best is None or worst is None:
        return "-"
    return str(best) if best == worst else f"{best} to {worst}"
