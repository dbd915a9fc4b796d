"""The one ROUGE number of the audit is the family's own."""

from __future__ import annotations

import pytest

from passer.metrics.engine import score_pairs
from passer.metrics.reference_share import COLUMN, reference_share
from tests.phase3_sheets import read_sheets

PAIRS = [
    ("clover fixes nitrogen", "nitrogen is fixed by clover"),
    ("Clover. Clover fixes. Nitrogen", "Clover fixes the air."),
    ("a b c d", "a b c d"),
    ("a b", "c d"),
    ("one . . two", "two . "),
    ("...", "one"),
    ("one", ". ."),
    (" ", "one"),
    ("one", "\n"),
]


def of_family(pairs):
    return [
        scores[COLUMN]
        for scores in score_pairs(pairs, profile="published", encoder=None, wordnet=None, columns=(COLUMN,))
    ]


@pytest.mark.parametrize("pair", PAIRS)
def test_the_share_is_the_familys_value_or_reason(pair):
    [wanted] = of_family([pair])
    assert reference_share(reference=pair[0], answer=pair[1]) == wanted


def test_a_share_by_hand():
    # Of clover, fixes, nitrogen the answer has the first and the last.
    assert reference_share(reference="clover fixes nitrogen", answer="nitrogen of clover").value == 2 / 3


def test_real_answers(test_data):
    _, rows = read_sheets(test_data)["Mistral 7B v0.3", 0.9]
    answers = [str(row["Description"]).partition("answer:")[2] for row in rows[:40]]
    pairs = list(zip(answers[1:], answers[:-1], strict=True))
    assert [reference_share(reference=one, answer=other) for one, other in pairs] == of_family(pairs)
