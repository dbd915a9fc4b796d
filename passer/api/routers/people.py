"""Games that people decide: draws, links of raters, and the blind sheet that a link opens."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header

from passer.api.access import OF_RATERS
from passer.api.deps import Page, ServicesDep
from passer.domain.arena.tournament import Tournament
from passer.services.arena.people import LinkRequest, NewLink, NewPeople, PeopleOfRunsRequest, PeopleRequest
from passer.services.arena.people_reader import ReadPeople
from passer.services.arena.rating_sheet import ChoiceRequest, NextPairRequest, RatingSheet, ShownPair
from passer.services.judging.reservations import NextPlace

router = APIRouter(tags=["tournaments"])
PEOPLE = "/api/v1/tournaments/{tournament_id}/people"
SecretHeader = Annotated[
    str, Header(alias="X-Rating-Link", min_length=1, max_length=100, description="Secret of the rater's link.")
]


@router.post(PEOPLE, operation_id="start_people", status_code=201)
def start_people(tournament_id: str, body: PeopleRequest, services: ServicesDep) -> NewPeople:
    """Draw games of a tournament for people to decide, and return a link for each rater; links are shown once."""
    return services.arena.people.start(tournament_id, body)


@router.post("/api/v1/tournaments/people", operation_id="start_people_of_runs", status_code=201)
def start_people_of_runs(body: PeopleOfRunsRequest, services: ServicesDep) -> NewPeople:
    """Draw games of runs for people to decide, without a judge's tournament, and return a link for each rater."""
    return services.arena.people.start_of_runs(body)


@router.get(PEOPLE, operation_id="list_people")
def list_people(tournament_id: str, services: ServicesDep) -> Page[Tournament]:
    """List the tournaments of people whose games were drawn from this one."""
    store = services.adapters.tournaments
    store.tournament(tournament_id)
    return Page(items=tuple(store.tournament(each) for each in store.draws_of(tournament_id)))


@router.get("/api/v1/tournaments/{tournament_id}/raters", operation_id="show_people")
def show_people(tournament_id: str, services: ServicesDep) -> ReadPeople:
    """Return raters, their agreement, that of the judge with them, and both ratings of a tournament of people."""
    return services.arena.people_reader.read(tournament_id)


@router.post("/api/v1/tournaments/{tournament_id}/raters", operation_id="add_rating_link", status_code=201)
def add_rating_link(tournament_id: str, body: LinkRequest, services: ServicesDep) -> NewLink:
    """Make a link for a new rater, or a new one for a known rater, whose earlier link then opens nothing."""
    return services.arena.people.add_link(tournament_id, body)


@router.delete("/api/v1/tournaments/{tournament_id}/raters/{rater}", operation_id="revoke_rating_link", status_code=204)
def revoke_rating_link(tournament_id: str, rater: str, services: ServicesDep) -> None:
    """Make the link of a rater open nothing; what was rated stays."""
    services.arena.people.revoke(tournament_id, rater)


@router.get(OF_RATERS, operation_id="show_rating_sheet")
def show_rating_sheet(secret: SecretHeader, services: ServicesDep) -> RatingSheet:
    """Return the pairs of a rater in order, without any sign of systems, models or other raters."""
    return services.arena.sheets.sheet(secret)


@router.post(OF_RATERS + "/next", operation_id="reserve_pair")
def reserve_pair(body: NextPairRequest, secret: SecretHeader, services: ServicesDep) -> NextPlace:
    """Reserve the next pair without a choice for 10 minutes: one that no other rater has open."""
    return services.arena.sheets.next(secret, body)


@router.get(OF_RATERS + "/pairs/{pair_id}", operation_id="show_rating_pair")
def show_rating_pair(pair_id: str, secret: SecretHeader, services: ServicesDep) -> ShownPair:
    """Return two answers to one question, without any sign of their configurations."""
    return services.arena.sheets.pair(secret, pair_id)


@router.post(OF_RATERS + "/pairs/{pair_id}", operation_id="rate_pair")
def rate_pair(pair_id: str, body: ChoiceRequest, secret: SecretHeader, services: ServicesDep) -> ShownPair:
    """Save a rater's choice with the grades of both answers, or a correction of them."""
    return services.arena.sheets.choose(secret, pair_id, body.choice, body.grades)
