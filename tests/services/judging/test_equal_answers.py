"""Equal answers of a draw: what a rater said of one is proposed for the other, where the metric reads no difference."""

from __future__ import annotations

import pytest

from passer.services.judging.labelling import LabelDrawRequest
from passer.services.judging.rating import RatingRequest
from tests.services.judging.made import QUESTIONS, Judged


def drawn(judged: Judged, column: str) -> tuple[str, dict[str, list[str]]]:
    """Draw the answers of both runs; return the draw and the items of each question."""
    found = judged.labelling.draw(LabelDrawRequest(assessment=judged.create(column), column=column))
    items: dict[str, list[str]] = {}
    for place in judged.rating_desk.queue(found.id, "ana").places:
        items.setdefault(judged.rating_desk.item(found.id, place.item, "ana").question, []).append(place.item)
    return found.id, items


def test_the_first_rating_of_an_equal_answer_is_proposed_to_its_rater(judged: Judged) -> None:
    draw, items = drawn(judged, "Answer correctness")
    desk = judged.rating_desk
    # Both runs gave the same answer from one and from two passages, which are no part of this task.
    first, second = items[QUESTIONS[0]]
    assert desk.item(draw, second, "ana").equal is None
    desk.rate(draw, first, RatingRequest(rater="ana", value=0.3, note="thin"))
    desk.rate(draw, first, RatingRequest(rater="ana", value=1, after_judge=True))
    found = desk.item(draw, second, "ana")
    # The first rating, not the one that was changed with the judge's value in view; nothing is rated by it.
    assert found.equal is not None
    assert (found.equal.value, found.equal.note, found.own, found.judge) == (0.3, "thin", None, None)
    assert desk.item(draw, second, "ben").equal is None
    # The two answers to the other question differ.
    desk.rate(draw, items[QUESTIONS[1]][0], RatingRequest(rater="ana", value=0.5))
    assert desk.item(draw, items[QUESTIONS[1]][1], "ana").equal is None
    assert desk.rate(draw, second, RatingRequest(rater="ana", value=0.3)).equal is None


@pytest.mark.parametrize("column", ["Relevance", "Faithfulness"])
def test_a_metric_that_reads_the_passages_proposes_nothing(judged: Judged, column: str) -> None:
    draw, items = drawn(judged, column)
    first, second = items[QUESTIONS[0]]
    judged.rating_desk.rate(draw, first, RatingRequest(rater="ana", value=0.5))
    assert judged.rating_desk.item(draw, second, "ana").equal is None
