"""Passages made without validation are those that pydantic makes."""

from __future__ import annotations

import pickle

import pytest

from passer.domain.retrieval.passages import Passage, RetrievedPassage
from passer.domain.retrieval.places import retrieved

PASSAGES = [
    Passage(id=f"p{number}", document="d", number=number, text="t", start=0, end=1, page=number + 1)
    for number in range(3)
]


@pytest.mark.parametrize("scores", [None, [2.0, 1.0, 0.0]])
def test_searched_passages_are_those_that_are_validated(scores: list[float] | None) -> None:
    found = retrieved(PASSAGES, [0.5, 0.25, -1.0], scores)
    expected = tuple(
        RetrievedPassage(
            **vars(passage), rank=rank, similarity=near, **({} if scores is None else {"score": scores[rank - 1]})
        )
        for rank, (passage, near) in enumerate(zip(PASSAGES, (0.5, 0.25, -1.0), strict=True), start=1)
    )
    assert found == expected
    assert [each.model_dump_json() for each in found] == [each.model_dump_json() for each in expected]
    assert [each.model_fields_set for each in found] == [each.model_fields_set for each in expected]
    assert pickle.loads(pickle.dumps(found)) == expected
    # A copy with other values must leave the others as they are.
    assert found[0].model_copy(update={"score": 9.0}).score == 9.0
    assert found[1].model_fields_set == expected[1].model_fields_set
