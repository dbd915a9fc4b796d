"""Places of raters, given to several at the same moment."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Barrier

import pytest

from passer.adapters.store.arena import DatabaseTournaments
from passer.adapters.store.judging import DatabaseLabels
from passer.domain.arena.people import RatingLink
from passer.domain.arena.tournament import Entrant, Tournament
from passer.domain.sweeps.run_names import name_among_sweeps
from passer.domain.wording.sentence import reading
from tests.adapters.store.made import sweep
from tests.adapters.store.recorded import Stores

NOW = datetime(2026, 1, 1, tzinfo=UTC)
RATERS = 8


@pytest.mark.parametrize("stores", ["sqlite", "postgresql"], indirect=True)
def test_raters_added_at_the_same_moment_have_places_of_their_own(stores: Stores) -> None:
    assert stores.database is not None
    tournaments = DatabaseTournaments(stores.database)
    entrants = (Entrant(id="a", name="a"), Entrant(id="b", name="b"))
    tournaments.add_tournament(Tournament(id="t", name="t", source="import", entrants=entrants, created_at=NOW))

    def add(number: int) -> None:
        # All believe that place 0 is free.
        digest = f"{number:064x}"
        tournaments.put_link(RatingLink(tournament_id="t", rater=f"r{number}", place=0, digest=digest, expires_at=NOW))

    with ThreadPoolExecutor(RATERS) as pool:
        list(pool.map(add, range(RATERS)))
    assert [each.place for each in tournaments.links("t")] == list(range(RATERS))


@pytest.mark.parametrize("stores", ["sqlite", "postgresql"], indirect=True)
def test_of_many_raters_who_ask_at_the_same_moment_each_gets_a_place_of_the_queue(stores: Stores) -> None:
    assert stores.database is not None
    labels = DatabaseLabels(stores.database)
    places = [f"place {n}" for n in range(RATERS)]
    with ThreadPoolExecutor(RATERS) as pool:
        got = list(pool.map(lambda n: labels.reserve("q", places, f"rater {n}", ttl_s=60), range(RATERS + 1)))
    assert sorted(place for place in got if place) == places
    assert got.count(None) == 1
    assert labels.reserved("q") == {place: f"rater {n}" for n, place in enumerate(got) if place}
    assert labels.reserve("other", places, "rater 0", ttl_s=60) == places[0], "queues do not share places"


@pytest.mark.parametrize("stores", ["sqlite", "postgresql"], indirect=True)
def test_raters_who_go_in_opposite_directions_do_not_wait_for_each_other(stores: Stores) -> None:
    """Each gives up the place that the other one asks for first."""
    assert stores.database is not None
    labels = DatabaseLabels(stores.database)
    orders = {"ana": ("a", "b"), "ben": ("b", "a")}
    both = Barrier(len(orders))

    def go(rater: str) -> list[str | None]:
        got = []
        for step in range(50):
            both.wait(60)
            got.append(labels.reserve("q", orders[rater][:: -1 if step % 2 else 1], rater, ttl_s=60))
        return got

    with ThreadPoolExecutor(len(orders)) as pool:
        ana, ben = pool.map(go, orders)
    # Who asks first may give up a place and get it again: the other one still has its own.
    assert {frozenset(pair) for pair in zip(ana[1:], ben[1:], strict=True)} <= {frozenset("ab")}


@pytest.mark.parametrize("stores", ["sqlite", "postgresql"], indirect=True)
def test_a_place_ends_with_its_time_and_only_its_rater_frees_it(stores: Stores) -> None:
    assert stores.database is not None
    labels = DatabaseLabels(stores.database)
    assert labels.reserve("q", ["a"], "ana", ttl_s=-1) == "a"
    assert labels.reserved("q") == {}
    assert labels.reserve("q", ["a"], "ben", ttl_s=60) == "a"
    labels.free("q", "a", "ana")
    assert labels.reserve("q", ["a"], "ana", ttl_s=60) is None
    labels.free("q", "a", "ben")
    assert labels.reserve("q", ["a"], "ana", ttl_s=60) == "a"


@pytest.mark.parametrize("stores", ["sqlite", "postgresql"], indirect=True)
def test_systems_have_the_names_of_their_runs_in_the_readers_language_and_are_stored_in_english(stores: Stores) -> None:
    assert stores.database is not None
    made = sweep("named", runs=3)
    name = made.sweep.config.retrieval.label
    stores.runs.create_sweep(
        made.model_copy(update={"runs": tuple(run.model_copy(update={"name": name}) for run in made.runs)})
    )
    entrants = (
        Entrant(id="named-000", name=name),
        Entrant(id="named-001", name=name_among_sweeps("A: sweep", name)),
        # Neither has the name of its run: one was given another, the other is not of a run.
        Entrant(id="named-002", name="No retrieval"),
        Entrant(id="Similarity ≥ 0.50", name="Similarity ≥ 0.50"),
    )
    tournaments = DatabaseTournaments(stores.database)
    with reading("bg"):
        tournaments.add_tournament(Tournament(id="t", name="t", source="judge", entrants=entrants[:3], created_at=NOW))
        tournaments.add_entrant("t", entrants[3])
    found = tournaments.tournament("t").entrants
    assert [each.name for each in found] == [each.name for each in entrants]
    with reading("bg"):
        said = [json.loads(each.model_dump_json())["name"] for each in found]
    assert said == ["Сходство ≥ 0,50", "A: sweep: Сходство ≥ 0,50", "No retrieval", "Similarity ≥ 0.50"]
