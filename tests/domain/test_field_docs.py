"""Fields are described by the strings below them, in every schema that is made of them."""

from __future__ import annotations

from typing import Generic, TypeVar

from pydantic import Field

from passer.domain.base import Frozen

T = TypeVar("T")


class Base(Frozen):
    """A base."""

    first: int
    """Of the base."""
    second: int = Field(default=1, alias="other")
    """Of the base, too.

    With a second paragraph."""


class Derived(Base):
    """A class with a field of its own."""

    first: int
    """Of the class."""
    bare: int = 0
    third: str = Field(default="", description="Given explicitly.")
    """Not used."""

    class Inner(Frozen):
        """A class inside."""

        deep: int
        """Of the inner class."""


class Held(Frozen, Generic[T]):
    """A generic class."""

    item: T
    """What it holds."""


def descriptions(model: type[Frozen]) -> dict[str, str | None]:
    return {name: each.get("description") for name, each in model.model_json_schema()["properties"].items()}


def test_each_field_has_the_string_below_it_and_the_nearest_class_decides():
    assert descriptions(Derived) == {
        "first": "Of the class.",
        "other": "Of the base, too.\n\nWith a second paragraph.",
        "bare": None,
        "third": "Given explicitly.",
    }
    assert descriptions(Base)["first"] == "Of the base."
    assert descriptions(Derived.Inner) == {"deep": "Of the inner class."}


def test_classes_made_of_a_generic_one_are_described_as_it_is():
    assert descriptions(Held[int]) == {"item": "What it holds."}
    assert descriptions(Held[Derived])["item"] == "What it holds."
