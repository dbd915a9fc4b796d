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
        ({"name": "x"}, "The text must have at least 2 characters", "Текстът трябва да има поне 2 знака"),
        ({"name": "longer"}, "The text can have at most 4 characters", "Текстът трябва да има най-много 4 знака"),
        ({"count": 0}, "The value must be at least 1", "Стойността трябва да е поне 1"),
        ({"count": 9}, "The value must be less than 9", "Стойността трябва да е по-малка от 9"),
        (
            {"count": "x"},
            "The value must be a whole number",
            "Стойността трябва да е цяло число",
        ),
        ({"kind": "c"}, "The value must be a or b", "Стойността трябва да е една от: a или b"),
        (
            {"at": "noon"},
            "The value must be a date and time, such as 2026-01-31T12:00:00Z",
            "Стойността трябва да е дата и час, например 2026-01-31T12:00:00Z",
        ),
        (
            {"items": [1, 2]},
            "The list can have at most 1 item",
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
