"""Items and the results of recipes."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from passer.domain.judging.ask import Ask
from passer.domain.judging.item import Item
from passer.domain.judging.recipe import Finding, Findings, Recipe, missing
from passer.domain.retrieval.passages import Passage
from tests.fake_judged import result_without_asking

ITEM = Item(
    question_id="q1",
    question="When does rice flower?",
    reference="In August.",
    answer="In August.",
    passages=(Passage(id="a-00001", document="rice.txt", number=1, text="Rice flowers in August.", start=0, end=23),),
)


@pytest.mark.parametrize(
    "changed",
    [
        {"question": "When does maize flower?"},
        {"reference": "In July."},
        {"answer": "In July."},
        {"passages": ()},
        {"language": "bg"},
    ],
)
def test_the_key_changes_with_all_that_is_judged(changed: dict[str, Any]) -> None:
    assert ITEM.model_copy(update=changed).key != ITEM.key


def test_the_key_does_not_change_with_the_dataset_or_run() -> None:
    same = Item(**{**dict(ITEM), "question_id": "other", "gold": (0,), "group": "rice", "cites": True})
    assert same.key == ITEM.key


def test_a_finding_is_a_number_or_a_reason() -> None:
    assert missing("no_facts", columns=2) == (Finding(value=None, reason="no_facts"),) * 2
    for wrong in ({"value": None}, {"value": 1.0, "reason": "no_facts"}, {"value": float("nan")}):
        with pytest.raises(ValidationError):
            Finding.model_validate(wrong)


def test_a_recipe_may_ask_nothing() -> None:
    def words(item: Item) -> Recipe[Findings]:
        return (Finding(value=float(len(item.answer.split()))),)
        yield

    def asks(item: Item) -> Recipe[Findings]:
        judged = yield Ask(task="correctness", given={"answer": item.answer})
        return (Finding(value=judged),)

    assert result_without_asking(words(ITEM)) == (Finding(value=2.0),)
    with pytest.raises(ValueError, match="needs a judge"):
        result_without_asking(asks(ITEM))
