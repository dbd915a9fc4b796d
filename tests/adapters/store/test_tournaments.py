"""Places of raters, given to several at the same moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from passer.adapters.store.arena import DatabaseTournaments
from passer.domain.arena.people import RatingLink
from passer.domain.arena.tournament import Entrant, Tournament
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
