"""Places of a queue are handed out one at a time, so that two raters do not rate the same one at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from passer.domain.base import Frozen
from passer.ports import LabelStore

RESERVED_S = 600.0
"""Seconds for which a place is kept for the rater who has it open."""

Availability = Literal["free", "reserved", "complete"]
"""State of a place for a rater; `reserved`: another rater has it open, `complete`: enough raters have rated it."""


@dataclass(frozen=True)
class QueuePlace:
    """A place in a rater's order, as it is handed out."""

    id: str
    """Id on the page of this rater."""
    key: str
    """Id that all raters share."""
    is_wanted: bool
    """True if this rater still has to rate it."""


class NextPlace(Frozen):
    """The place that a rater gets next."""

    place: str | None
    """Item of an answer or id of a pair; None if no wanted place is free."""
    reserved: int
    """Wanted places that other raters have open."""


@dataclass(frozen=True)
class Reservations:
    """Hands out places; the store decides between raters who ask at the same moment."""

    labels: LabelStore

    def next(self, queue: str, places: Sequence[QueuePlace], rater: str, *, after: str | None) -> NextPlace:
        """Reserve the first wanted place after the place `after` (None: of all) and free the rater's earlier one."""
        position = next((n for n, place in enumerate(places, start=1) if place.id == after), 0)
        # A pair that comes back has the same key twice; its first showing is the next one.
        wanted = {place.key: place.id for place in reversed(places[position:]) if place.is_wanted}
        keys = dict.fromkeys(place.key for place in places[position:] if place.is_wanted)
        got = self.labels.reserve(queue, tuple(keys), rater, ttl_s=RESERVED_S)
        everywhere = {place.key for place in places if place.is_wanted}
        left = self.of_others(queue, rater) & everywhere
        return NextPlace(place=None if got is None else wanted[got], reserved=len(left))

    def of_others(self, queue: str, rater: str) -> set[str]:
        """Return the places that other raters have open."""
        return {place for place, holder in self.labels.reserved(queue).items() if holder != rater}

    def free(self, queue: str, key: str, rater: str) -> None:
        """End the reservation of a place that the rater has rated."""
        self.labels.free(queue, key, rater)
