"""What pydantic refuses, in both languages."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import pytest
from pydantic import AfterValidator, BaseModel, Field, ValidationError

from passer.domain.wording.sentence import reading, sentence, shown
from passer.domain.wording.validation_message import validation_message


def _refused(value: str) -> str:
    raise ValueError(sentence("rule.no-price"))


class _Form(BaseModel):
    name: str = Field(default="", min_length=2, max_length=4)
    count: int = Field(default=1, ge=1, lt=9)
    kind: Literal["a", "b"] = "a"
    items: list[int] = Field(default=[], max_length=1)
    at: datetime | None = None
    own: Annotated[str, AfterValidator(_refused)] = ""


@pytest.mark.parametrize(
    ("given", "english", "bulgarian"),
    [
        ({"name": "x"}, "String should have at least 2 characters", "Трябва да има поне 2 знака"),
        ({"name": "longer"}, "String should have at most 4 characters", "Трябва да има най-много 4 знака"),
        ({"count": 0}, "Input should be greater than or equal to 1", "Трябва да е поне 1"),
        ({"count": 9}, "Input should be less than 9", "Трябва да е по-малко от 9"),
        (
            {"count": "x"},
            "Input should be a valid integer, unable to parse string as an integer",
            "Трябва да е цяло число; текстът не е число",
        ),
        ({"kind": "c"}, "Input should be 'a' or 'b'", "Трябва да е едно от: 'a' или 'b'"),
        (
            {"at": "noon"},
            "Input should be a valid datetime or date, such as 2026-01-31T12:00:00Z",
            "Трябва да е дата и час, например 2026-01-31T12:00:00Z",
        ),
        (
            {"items": [1, 2]},
            "The list should have at most 1 item",
            "Списъкът трябва да има най-много 1 елемент",
        ),
    ],
)
def test_a_refused_value_is_explained_in_the_readers_language(given: dict[str, object], english: str, bulgarian: str):
    with pytest.raises(ValidationError) as refused:
        _Form.model_validate(given)
    said = validation_message(refused.value.errors()[0])
    assert said == english
    with reading("bg"):
        assert shown(said) == bulgarian


def test_a_sentence_of_a_validator_keeps_its_language():
    with pytest.raises(ValidationError) as refused:
        _Form.model_validate({"own": "x"})
    said = validation_message(refused.value.errors()[0])
    assert said == sentence("rule.no-price")
    with reading("bg"):
        assert shown(said) != said
