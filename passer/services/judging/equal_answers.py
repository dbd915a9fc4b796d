"""A rater's earlier rating of an answer that differs only in texts that the metric does not read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from passer.domain.judging.ask import Given
from passer.domain.judging.draw import LabelDraw
from passer.domain.judging.item import Item
from passer.domain.judging.marks import Label
from passer.metrics.judged import families_of
from passer.ports import LabelStore
from passer.services.judging.first_asks import wanted_asks
from passer.services.judging.items import ItemKey, ItemSource


@dataclass(frozen=True)
class EqualAnswers:
    """Finds what a rater said about an equal answer; read-only."""

    labels: LabelStore
    items: ItemSource

    def first_label(self, draw: LabelDraw, item: Item, keys: Mapping[str, ItemKey], rater: str) -> Label | None:
        """Return this rater's earliest first label of an item of the draw that gives the judge the same texts.

        `keys` are those of the draw's items. None for a metric of several steps: its later steps read other texts.
        """
        number = keys[item.key].place.number
        same_question = [key for key, each in keys.items() if each.place.number == number and key != item.key]
        labels = self.labels.labels(same_question, column=draw.column)
        mine = {each.item_key: each for each in labels if each.rater == rater and each.revision == 1}
        # Only runs with a rated answer are read, which are few or none.
        runs = sorted({keys[key].place.run_id for key in mine})
        if not runs or not (given := given_texts(draw.column, item)):
            return None
        found = (each.item for each in self.items.items(runs, only=(item.question_id,)))
        equal = (mine[each.key] for each in found if each.key in mine and given_texts(draw.column, each) == given)
        return min(equal, key=lambda label: label.at, default=None)


def given_texts(column: str, item: Item) -> tuple[Given, ...]:
    """Return the texts that a judge is given about an item; empty if it asks in several steps or asks nothing."""
    (family,) = families_of((column,))
    if len(family.tasks) > 1 or family.embeds:
        return ()
    return tuple(ask.given for ask in wanted_asks(family, item))
