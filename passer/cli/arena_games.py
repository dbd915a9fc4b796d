"""arena game, import, export, delete: the table of games itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from passer.bootstrap import services
from passer.cli.arena_output import print_game, print_games, print_standings
from passer.cli.files import checked, read_file, write_file
from passer.cli.output import JsonOption, note
from passer.domain.defaults import ELO_ORDERS
from passer.errors import ConfigError, ConflictError

TournamentId = Annotated[
    str, typer.Argument(metavar="ID", help="Id of the tournament, as `passer arena list` shows it.")
]
InconsistentOption = Annotated[str, typer.Option("--inconsistent", help="Games whose orders disagree: tie or drop.")]
SameAnswerOption = Annotated[str, typer.Option("--same-answer", help="Games of equal answers: tie or drop.")]
WithoutOption = Annotated[
    list[str] | None, typer.Option("--without", help="Leave out the games of this run. Repeatable.")
]
EloOrdersOption = Annotated[
    int,
    typer.Option("--tournaments", min=2, max=2000, help="Number of random orders of games over which Elo is averaged."),
]
FiguresSeedOption = Annotated[int, typer.Option("--seed", min=0, help="Seed of the orders and of the bootstrap.")]


def game(
    tournament_id: TournamentId,
    question: Annotated[str | None, typer.Argument(help="Id of a question; default: list all games.")] = None,
    a: Annotated[str | None, typer.Argument(help="Id of a system; default: list the games of the question.")] = None,
    b: Annotated[str | None, typer.Argument(help="Id of its opponent.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List games, or show one with question, answers, documents and the judge's replies."""
    from passer.domain.arena.schedule import Fixture

    if (a is None) != (b is None):
        raise ConfigError("Name both systems of the game, or neither.", field="b")
    with services() as built:
        found = [each for each in built.arena.table.games(tournament_id) if question in (None, each.question_id)]
        if a is None or b is None:
            print_games(found, as_json=as_json)
            return
        # Accept both orders: the user cannot know which of the two systems comes first in the tournament.
        order = (b, a) if any((each.a, each.b) == (b, a) for each in found) else (a, b)
        print_game(built.arena.games.read(tournament_id, Fixture(question or "", *order)), as_json=as_json)


def delete(tournament_id: TournamentId) -> None:
    """Delete a tournament with its games; judgements and ratings are kept."""
    from passer.domain.wording.sentence import sentence

    with services() as built:
        tournament = built.adapters.tournaments.tournament(tournament_id)
        for work in (tournament_id, *(each.added_by or "" for each in tournament.added)):
            if built.judging.results.state(work) in ("queued", "running"):
                raise ConflictError(sentence("arena.running", tournament=tournament_id))
        built.adapters.tournaments.delete_tournament(tournament_id)
        note(f"Deleted tournament {tournament_id}. Judgements and ratings are kept.")


def import_games(
    file: Annotated[
        Path,
        typer.Argument(help="Table with the columns qid, a, b, winner (A, B or C), or RAGElo's file of answers."),
    ],
    name: Annotated[
        str | None, typer.Option("--name", help="Name of the tournament; default: name of the file.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Import a table of games."""
    with services() as built:
        imported = built.arena.game_import.load(read_file(file), file.name)
        tournament = built.arena.arenas.add_imported(imported, name or file.stem)
        note(f"Imported {len(imported.games)} games of {len(imported.entrants)} systems as {tournament.id}.")
        print_standings(built, tournament.id, as_json=as_json)


def export(
    tournament_id: TournamentId,
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write: .csv, .jsonl, .xlsx or .tex.")],
    ratings: Annotated[bool, typer.Option("--ratings/--games", help="One row per system, or one per game.")] = True,
    tournaments: EloOrdersOption = ELO_ORDERS,
    seed: FiguresSeedOption = 1,
    inconsistent: InconsistentOption = "tie",
    same_answer: SameAnswerOption = "tie",
    without: WithoutOption = None,
) -> None:
    """Export the ratings of the games that count, or all games of a tournament."""
    from passer.domain.arena.tables import games_table, ratings_table
    from passer.services.arena.standings import StandingsQuery

    given = {
        "inconsistent": inconsistent, "same_answer": same_answer, "without": tuple(without or ()),
        "tournaments": tournaments, "seed": seed,
    }  # fmt: skip
    query = checked(StandingsQuery, given)
    with services() as built:
        if ratings:
            standings = built.arena.standings.standings(tournament_id, query)
            table = ratings_table(standings.rows, standings.rated)
        else:
            table = games_table(built.arena.table.games(tournament_id))
        with built.exports.table_export.table(table, suffix=output.suffix) as content:
            write_file(output, content)
