"""Thumbs up or down: quick feedback of readers on answers, counted and never mixed with labels."""

from __future__ import annotations

from dataclasses import dataclass

from passer.domain.base import Count, Frozen
from passer.domain.judging.marks import Label
from passer.domain.wording.sentence import sentence
from passer.errors import NotFoundError
from passer.ports import Clock, LabelStore
from passer.services.judging.items import ItemSource

COLUMN = "thumb"
"""The column of these labels; no metric has it, so no calibration reads them."""
RATER = "anonymous"
"""The rater of all of them: who gave a thumb is not stored."""


class Thumbs(Frozen):
    """Thumbs that an answer got; equal answers to a question from the same passages share them."""

    up: Count
    """Number of thumbs up."""
    down: Count
    """Number of thumbs down."""


class NewThumb(Frozen):
    """A thumb for an answer."""

    is_up: bool
    """Up for a good answer, down for a bad one."""


@dataclass(frozen=True)
class ThumbCounter:
    """Counts thumbs on answers: those of runs by their place, and any by its content."""

    items: ItemSource
    labels: LabelStore
    clock: Clock

    def of_answer(self, run_id: str, number: int) -> Thumbs:
        """Return the thumbs of the answer to a question (from 0) of a run.

        Raises NotFoundError if there is no such run, question or answer.
        """
        return self.of_key(self._key(run_id, number))

    def add(self, run_id: str, number: int, *, is_up: bool) -> Thumbs:
        """Add a thumb and return all. Raises NotFoundError if there is no such run, question or answer."""
        return self.add_to_key(self._key(run_id, number), is_up=is_up)

    def of_key(self, key: str) -> Thumbs:
        """Return the thumbs of an answer by its content address, whether it is stored or not."""
        values = [each.value for each in self.labels.labels([key], column=COLUMN)]
        return Thumbs(up=values.count(1.0), down=values.count(0.0))

    def add_to_key(self, key: str, *, is_up: bool) -> Thumbs:
        """Add a thumb to an answer by its content address and return all."""
        label = Label(item_key=key, column=COLUMN, rater=RATER, value=float(is_up), at=self.clock.now())
        # Each thumb counts: two readers who agree are not one who repeats himself.
        self.labels.add_labels([label], keep_repeated=True)
        return self.of_key(key)

    def _key(self, run_id: str, number: int) -> str:
        [found] = self.items.keys([run_id], number=number)
        if found.key is None:
            raise NotFoundError(sentence("thumb.no-answer"))
        return found.key
