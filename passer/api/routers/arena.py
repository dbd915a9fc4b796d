"""Tournaments: answers compared pair by pair."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, File, Form, Query, UploadFile
from fastapi.responses import StreamingResponse

from passer.api.deps import Page, ServicesDep
from passer.api.files import TABLE_FILES, file_response, on_disk
from passer.api.routers.jobs import Job, SubmitDep, job_of
from passer.domain.arena.comparison import TournamentComparison
from passer.domain.arena.game import Game, How, Outcome
from passer.domain.arena.schedule import Fixture
from passer.domain.arena.tables import games_table, ratings_table
from passer.domain.arena.tournament import Tournament
from passer.domain.base import Frozen
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError
from passer.ports.tables import SUFFIXES, ExportFormat
from passer.services.arena.additions import AddRequest
from passer.services.arena.arenas import ArenaPlan, ArenaRequest
from passer.services.arena.game_table import ReadGame
from passer.services.arena.score_rule import RulePlan, RuleRequest
from passer.services.arena.standings import ComparisonQuery, Standings, StandingsQuery
from passer.services.work.kinds import AssessSpec

router = APIRouter(prefix="/api/v1/tournaments", tags=["tournaments"])

Choices = Annotated[StandingsQuery, Query()]
GameId = Annotated[str, Query(min_length=1, max_length=200)]


class ExportQuery(StandingsQuery):
    """Table of a tournament to export, and its format."""

    format: ExportFormat = "csv"
    """Format of the file."""
    table: Literal["games", "ratings"] = "ratings"
    """games or ratings."""


class ListedTournament(Frozen):
    """A tournament and how far it is."""

    tournament: Tournament
    """Entrants of the tournament, and how its games are decided."""
    job: Job | None
    """State and progress of its judging; None for rules and imports, which are complete at once."""
    added: tuple[Job, ...] = ()
    """State and progress of runs that were added later, in the order of its systems."""


@router.get("", operation_id="list_tournaments")
def list_tournaments(
    services: ServicesDep, sweep: Annotated[str | None, Query(description="Only those of this sweep.")] = None
) -> Page[ListedTournament]:
    """List tournaments, the newest first."""
    found = services.adapters.tournaments.tournaments(sweep)
    return Page(items=tuple(_with_jobs(services, each) for each in found))


@router.post("/plan", operation_id="plan_tournament")
def plan_tournament(body: ArenaRequest, services: ServicesDep) -> ArenaPlan:
    """Count the games and requests of a tournament; the model server is only asked to describe the judge."""
    services.library.model_servers.check_named([body.judge])
    return services.arena.arenas.plan(body)


@router.post("", operation_id="create_tournament", status_code=202)
def create_tournament(body: ArenaRequest, services: ServicesDep, submit: SubmitDep) -> ListedTournament:
    """Have a judge compare the answers of runs pair by pair; judgements that exist are reused.

    It is an assessment with the same id, which can be resumed and cancelled there.
    """
    services.library.model_servers.check_named([body.judge])
    assessment = services.arena.arenas.create(body)
    submit(AssessSpec.of(assessment), ())
    return _listed(services, assessment.id)


@router.post("/{tournament_id}/systems", operation_id="add_to_tournament", status_code=202)
def add_to_tournament(
    tournament_id: str, body: AddRequest, services: ServicesDep, submit: SubmitDep
) -> ListedTournament:
    """Add a run with few games: against the nearest opponents, on the questions that split most.

    It stays out of the ratings, because its games depend on earlier outcomes. The judge and its options are those of
    the tournament. It is an assessment of its own (`added_by`), which can be resumed and cancelled there.
    """
    assessment = services.arena.additions.create(tournament_id, body)
    submit(AssessSpec.of(assessment), ())
    return _listed(services, tournament_id)


@router.post("/{tournament_id}/systems/plan", operation_id="plan_addition")
def plan_addition(tournament_id: str, body: AddRequest, services: ServicesDep) -> ArenaPlan:
    """Count the most games and requests of a run that would be added; it stops earlier where its share is clear."""
    return services.arena.additions.plan(tournament_id, body)


@router.post("/by-rule", operation_id="create_tournament_by_rule", status_code=201)
def create_by_rule(body: RuleRequest, services: ServicesDep) -> ListedTournament:
    """Decide the games of runs by a stored score."""
    return _listed(services, services.arena.ruled.create(body).id)


@router.post("/by-rule/plan", operation_id="plan_tournament_by_rule")
def plan_by_rule(body: RuleRequest, services: ServicesDep) -> RulePlan:
    """Count the games that a stored score would decide; nothing is saved."""
    return services.arena.ruled.plan(body)


@router.post("/import", operation_id="import_tournament", status_code=201)
def import_tournament(
    services: ServicesDep,
    file: Annotated[UploadFile, File()],
    name: Annotated[str | None, Form(min_length=1, max_length=200)] = None,
) -> ListedTournament:
    """Import a table of games (qid, a, b, winner as A, B or C), or RAGElo's file of pairwise answers."""
    filename = file.filename or "games.csv"
    with on_disk(file) as path:
        imported = services.arena.game_import.load(path, filename)
    tournament = services.arena.arenas.add_imported(imported, name or filename.rpartition(".")[0])
    return _listed(services, tournament.id)


@router.get("/{tournament_id}", operation_id="show_tournament")
def show_tournament(tournament_id: str, services: ServicesDep) -> ListedTournament:
    """Return a tournament with its state."""
    return _listed(services, tournament_id)


@router.delete("/{tournament_id}", operation_id="delete_tournament", status_code=204)
def delete_tournament(tournament_id: str, services: ServicesDep) -> None:
    """Delete a tournament with its games. Judgements stay; one whose judge is at work must be cancelled first."""
    listed = _listed(services, tournament_id)
    if any(job is not None and job.state.value in ("queued", "running") for job in (listed.job, *listed.added)):
        raise ConflictError(sentence("arena.running", tournament=tournament_id))
    services.adapters.tournaments.delete_tournament(tournament_id)


@router.get("/{tournament_id}/ratings", operation_id="rate_tournament")
def rate_tournament(tournament_id: str, services: ServicesDep, query: Choices) -> Standings:
    """Return ratings with intervals, the win matrix, and how much order and length of the answers matter."""
    return services.arena.standings.standings(tournament_id, query)


@router.get("/{tournament_id}/comparison", operation_id="compare_tournaments")
def compare_tournaments(
    tournament_id: str, services: ServicesDep, query: Annotated[ComparisonQuery, Query()]
) -> TournamentComparison:
    """Compare two tournaments by ratings and by the outcomes of the games that count in both."""
    return services.arena.standings.comparison(tournament_id, query)


@router.get("/{tournament_id}/games", operation_id="list_games")
def list_games(
    tournament_id: str,
    services: ServicesDep,
    system: Annotated[str | None, Query(description="Only games of this system.")] = None,
    opponent: Annotated[str | None, Query(description="Only games against this one.")] = None,
    outcome: Annotated[Outcome | None, Query(description="Only games with this outcome.")] = None,
    how: Annotated[How | None, Query(description="Only games decided in this way.")] = None,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 1000,
) -> Page[Game]:
    """List games by question and systems."""
    services.adapters.tournaments.tournament(tournament_id)
    found = [
        game
        for game in services.arena.table.games(tournament_id)
        if {system, opponent} - {None} <= {game.a, game.b}
        and outcome in (None, game.outcome)
        and how in (None, game.how)
    ]
    return Page(items=tuple(found[:limit]))


@router.get("/{tournament_id}/game", operation_id="show_game")
def show_game(tournament_id: str, question: GameId, a: GameId, b: GameId, services: ServicesDep) -> ReadGame:
    """Return one game: question, answers, documents, and the judge's replies as they came."""
    return services.arena.games.read(tournament_id, Fixture(question, a, b))


@router.get(
    "/{tournament_id}/export", operation_id="export_tournament", response_class=StreamingResponse, responses=TABLE_FILES
)
def export_tournament(
    tournament_id: str,
    services: ServicesDep,
    query: Annotated[ExportQuery, Query()],
) -> StreamingResponse:
    """Export the ratings of the games that count, or all games, as a file."""
    if query.table == "games":
        made = games_table(services.arena.table.games(tournament_id))
    else:
        standings = services.arena.standings.standings(tournament_id, query)
        made = ratings_table(standings.rows, standings.rated)
    suffix = SUFFIXES[query.format]
    content = services.exports.table_export.table(made, suffix=suffix)
    return file_response(content, name=f"{tournament_id}-{query.table}{suffix}")


def _listed(services: ServicesDep, tournament_id: str) -> ListedTournament:
    return _with_jobs(services, services.adapters.tournaments.tournament(tournament_id))


def _with_jobs(services: ServicesDep, tournament: Tournament) -> ListedTournament:
    jobs = (job_of(services, each.added_by or "") for each in tournament.added)
    return ListedTournament(
        tournament=tournament, job=job_of(services, tournament.id), added=tuple(job for job in jobs if job is not None)
    )
