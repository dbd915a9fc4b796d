"""What methods.md of a study states about its design and numbers."""

from __future__ import annotations

from typing import Any

import pytest

from passer.domain.study.linked_values import wrong_link
from passer.domain.study.methods import _of_cell
from passer.domain.verdict.two_looks import Looks
from tests.bundles import members_of
from tests.studies import PublishedSweep, verify_study

DECLARED = {"is_declared": True, "fails": True}
"""Questions with clusters and weights."""
UNPLANNED = Looks(first=12, second=24, is_planned=False)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "studentised bootstrap of whole questions, [9999]"),
        (DECLARED, "studentised bootstrap of whole clusters of questions, 16 in all, [9999]"),
        (DECLARED, "All means use the weights of the questions."),
        (
            {"looks": Looks(first=24, second=48)},
            "first of two planned looks, at 24 of 48 questions, with a part of the alpha.",
        ),
        (
            {"looks": Looks(first=12, second=24)},
            "second of two planned looks: the intervals account for the first, at 12 questions.",
        ),
        (
            {"looks": UNPLANNED},
            "An unplanned look at 12 questions determined what to test, so only the questions after",
        ),
    ],
)
def test_methods_state_what_was_resampled_and_which_look_it_is(changes: dict[str, Any], said: str):
    whole = PublishedSweep(**changes).publish()
    methods = members_of(whole)["methods.md"].decode()
    assert said in methods
    assert methods.count(" look") == ("look" in said), "no other study names a look"
    assert verify_study(whole).verdict == "verified"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.00002, "0.00002"),
        (0.0000034, "0.000003"),
        (0.00031, "0.0003"),
        (-0.00004, "\N{MINUS SIGN}0.00004"),
        (0.0, "0.0000"),
        (0.5, "0.5000"),
    ],
)
def test_no_cell_of_the_methods_is_shown_as_zero_that_is_not(value: float, shown: str):
    text = _of_cell({"p": value}, 0, "p")
    assert text == f"[{shown}](table.csv#cell=2,1)"
    assert wrong_link(text, [["p"], [repr(value)]], {}) is None
