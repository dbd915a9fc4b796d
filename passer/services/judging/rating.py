"""Rating of drawn answers one by one, blind: the judge's value is returned only with a saved rating."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.judging.criteria import is_criteria, listed
from passer.domain.judging.draw import LabelDraw
from passer.domain.judging.marks import Label, scale_of
from passer.domain.score import MissingReason
from passer.domain.wording.sentence import LocalizedText, described, number_sentence, sentence
from passer.errors import InputError, NotFoundError
from passer.metrics.judged import info_of
from passer.ports import Clock, JudgementStore, LabelStore
from passer.services.judging.equal_answers import EqualAnswers
from passer.services.judging.items import ItemKey, ItemSource
from passer.services.judging.reservations import Availability, NextPlace, QueuePlace, Reservations

RATIONALE = "a_reason"
"""Member of a judge's reply that gives its reason."""


class RatingLevel(Frozen):
    """A value that a rater can choose."""

    value: float
    """Value on the scale of the column."""
    label: LocalizedText
    """Its meaning in words."""


class RatingPlace(Frozen):
    """An answer in a rater's queue."""

    item: str
    """Content address of the answer; it names neither run nor judge."""
    is_rated: bool
    """True if this rater has rated it."""
    availability: Availability = "free"
    """Availability for this rater."""


class NextRequest(Frozen):
    """A request for the next answer of a queue."""

    rater: str = Field(min_length=1, max_length=100)
    """Name of the person."""
    after: str | None = Field(default=None, max_length=64)
    """Item after which the search begins in this rater's order; None for the beginning."""


class RatingQueue(Frozen):
    """The answers of a draw in the order in which one rater sees them."""

    draw_id: str
    """Id of the draw."""
    column: str
    """Name of the metric that is rated."""
    summary: LocalizedText
    """Meaning of the metric, in one sentence, with the criteria that the judge had."""
    levels: tuple[RatingLevel, ...]
    """Values to choose from, ascending."""
    places: tuple[RatingPlace, ...]
    """Answers in the order of this rater."""


class RatingPassage(Frozen):
    """A passage that the model read."""

    document: str
    """Name of its document."""
    text: str
    """Its text."""


class JudgeOpinion(Frozen):
    """Value and reasons of the judge for an answer; shown after a person has rated it."""

    judge: str
    """Name of the judge's model."""
    value: float | None
    """Value of its first repetition; None with a reason."""
    reason: MissingReason | None
    """Reason why there is no value."""
    rationale: tuple[str, ...]
    """The reasons that the judge gave, verbatim."""


class OwnRating(Frozen):
    """The newest rating of one rater."""

    value: float
    """Value on the scale of the column."""
    note: str
    """Comment."""
    revision: int
    """1 before the judge was shown; only the first one calibrates the judge."""


class RatingItem(Frozen):
    """An answer to rate, without any sign of its configuration."""

    item: str
    """Content address of the answer."""
    question: str
    """The question."""
    reference: str
    """Right answers, one a line; empty if there is none."""
    answer: str
    """The answer to rate."""
    passages: tuple[RatingPassage, ...]
    """Passages of the prompt, in its order."""
    quotes: tuple[str, ...]
    """Gold passages of the dataset, verbatim; empty if it names none."""
    own: OwnRating | None
    """This rater's newest rating; None before the first."""
    judge: JudgeOpinion | None
    """The judge's opinion; None until this rater has rated the answer."""
    equal: OwnRating | None = None
    """This rater's first rating of an answer with the same texts that the metric reads, such as one that differs only
    in its passages; None without such a rating, and once this answer is rated."""


class RatingRequest(Frozen):
    """A rating of one answer."""

    rater: str = Field(min_length=1, max_length=100)
    """Name of the person."""
    value: float = Field(allow_inf_nan=False)
    """Value on the scale of the column."""
    note: str = Field(default="", max_length=2000)
    """Comment."""
    after_judge: bool = False
    """True if the rater decided after seeing the judge's value, to keep the rating or to change it."""


@dataclass(frozen=True)
class RatingDesk:
    """Shows drawn answers to raters one by one and saves their ratings."""

    judgements: JudgementStore
    labels: LabelStore
    items: ItemSource
    clock: Clock

    @property
    def reservations(self) -> Reservations:
        """Hands out the places of a queue."""
        return Reservations(self.labels)

    def queue(self, draw_id: str, rater: str) -> RatingQueue:
        """Return the answers of a draw in this rater's order.

        Raises NotFoundError if the draw does not exist. Half of the raters, chosen by their names, see the reverse
        order, so that tiredness and learning do not fall on the same answers for everyone.
        """
        draw = self.labels.draw(draw_id)
        # Sorted first: the order of the queue then depends on the seed alone, not on the order of the runs.
        keys = sorted(self._keys(draw))
        order = [keys[place] for place in np.random.default_rng(draw.seed).permutation(len(keys))]
        if sha256(rater.encode()).digest()[0] % 2:
            order.reverse()
        raters = self._raters(draw, keys)
        held = self.reservations.of_others(draw_id, rater)
        criteria = self.judgements.assessment(draw.assessment_id).spec.criteria if is_criteria(draw.column) else ()
        summary = described(info_of(draw.column).summary)
        return RatingQueue(
            draw_id=draw.id,
            column=draw.column,
            summary=sentence("rating.by-criteria", summary=summary, criteria=listed(criteria)) if criteria else summary,
            levels=tuple(
                RatingLevel(value=value, label=sentence(f"rating.{name}")) for value, name in scale_of(draw.column)
            ),
            places=tuple(
                RatingPlace(
                    item=key, is_rated=rater in raters[key], availability=_availability(draw, raters[key], key in held)
                )
                for key in order
            ),
        )

    def next(self, draw_id: str, request: NextRequest) -> NextPlace:
        """Reserve the next answer that this rater has to rate and nobody else has open, for 10 minutes.

        Raises NotFoundError if the draw does not exist. The rater's earlier reservation ends. Rating needs no
        reservation: a late rating is saved as well.
        """
        places = tuple(
            QueuePlace(place.item, place.item, not place.is_rated and place.availability != "complete")
            for place in self.queue(draw_id, request.rater).places
        )
        return self.reservations.next(draw_id, places, request.rater, after=request.after)

    def item(self, draw_id: str, item_key: str, rater: str) -> RatingItem:
        """Return one answer; NotFoundError for an answer outside the draw."""
        draw, keys = self._drawn(draw_id, item_key)
        place = keys[item_key].place
        found = self.items.items((place.run_id,), only=(place.question_id,))
        item = next(each.item for each in found if each.item.key == item_key)
        own = self._own(draw, item_key, rater)
        equal = None if own else EqualAnswers(self.labels, self.items).first_label(draw, item, keys, rater)
        return RatingItem(
            item=item_key,
            question=item.question,
            reference=item.right_answers,
            answer=item.answer,
            passages=tuple(RatingPassage(document=each.document, text=each.text) for each in item.passages),
            quotes=item.gold_quotes,
            own=own,
            # Only after the rating was saved: a rater who knows the judge's value would follow it.
            judge=None if own is None else self._opinion(draw, item_key),
            equal=None if equal is None else _own_rating(equal),
        )

    def rate(self, draw_id: str, item_key: str, request: RatingRequest) -> RatingItem:
        """Save a rating and return the answer with the judge's opinion; InputError for a value outside the scale.

        A first rating is made before the judge is shown. Every later one is a revision, which is kept and does not
        calibrate the judge.
        """
        draw, keys = self._drawn(draw_id, item_key)
        levels = scale_of(draw.column)
        lowest, highest = levels[0][0], levels[-1][0]
        if not lowest <= request.value <= highest:
            said = sentence("labels.wrong-value", lowest=number_sentence(lowest), highest=number_sentence(highest))
            raise InputError(said, field="value")
        inclusion = {question.number: question.inclusion for question in draw.questions}
        label = Label(
            item_key=item_key,
            column=draw.column,
            rater=request.rater,
            value=request.value,
            note=request.note,
            draw=draw.id,
            inclusion=inclusion[keys[item_key].place.number],
            at=self.clock.now(),
        )
        self.labels.add_labels([label], keep_repeated=request.after_judge)
        self.reservations.free(draw.id, item_key, request.rater)
        return self.item(draw_id, item_key, request.rater)

    def _drawn(self, draw_id: str, item_key: str) -> tuple[LabelDraw, dict[str, ItemKey]]:
        """Return a draw with the keys of its answers, this one among them."""
        draw = self.labels.draw(draw_id)
        if item_key not in (keys := self._keys(draw)):
            raise NotFoundError(sentence("rating.no-item", draw=draw_id))
        return draw, keys

    def _raters(self, draw: LabelDraw, keys: Sequence[str]) -> Mapping[str, set[str]]:
        found: dict[str, set[str]] = {key: set() for key in keys}
        for label in self.labels.labels(keys, column=draw.column):
            found[label.item_key].add(label.rater)
        return found

    def _keys(self, draw: LabelDraw) -> dict[str, ItemKey]:
        """Return where each drawn answer was given first, by its content address."""
        drawn = {question.number for question in draw.questions}
        found: dict[str, ItemKey] = {}
        for key in self.items.keys(draw.runs):
            if key.key is not None and key.place.number in drawn:
                found.setdefault(key.key, key)
        return found

    def _own(self, draw: LabelDraw, item_key: str, rater: str) -> OwnRating | None:
        mine = [label for label in self.labels.labels([item_key], column=draw.column) if label.rater == rater]
        return _own_rating(max(mine, key=lambda label: label.revision)) if mine else None

    def _opinion(self, draw: LabelDraw, item_key: str) -> JudgeOpinion | None:
        judge = self.judgements.assessment(draw.assessment_id).spec.judge.model.name
        marks = self.judgements.marks(draw.assessment_id, column=draw.column, item_key=item_key)
        # Repetitions only measure noise; the first value is the one that results are computed from.
        first = next((mark for mark in marks if mark.repeat == 1), None)
        if first is None:
            return None
        replies = self.judgements.judgements(first.judgement_keys)
        values = (replies[key].value for key in first.judgement_keys if key in replies)
        said = (value.get(RATIONALE) for value in values if isinstance(value, dict))
        return JudgeOpinion(
            judge=judge,
            value=first.value,
            reason=first.reason,
            rationale=tuple(dict.fromkeys(text for text in said if isinstance(text, str) and text)),
        )


def _own_rating(label: Label) -> OwnRating:
    return OwnRating(value=label.value, note=label.note, revision=label.revision)


def _availability(draw: LabelDraw, raters: set[str], is_reserved: bool) -> Availability:
    if draw.raters is not None and len(raters) >= draw.raters:
        return "complete"
    return "reserved" if is_reserved else "free"
