"""Other scripts than Latin: a named Unicode tokenizer where the English ones would see nothing."""

from __future__ import annotations

import pytest

from passer.metrics import DEFINITIONS
from passer.metrics.tokens import mostly_latin
from tests.metrics.test_text_metrics import value

BULGARIAN = "Биологичното земеделие опазва почвата и водата."


@pytest.mark.parametrize("text", [BULGARIAN, "水は青い。", "Το έδαφος είναι υγιές.", "שלום עולם", "हिन्दी भाषा"])
def test_identical_texts_score_one(text: str) -> None:
    assert not mostly_latin(text)
    for column in ("Rouge-1.f", "Rouge-l.f", "F1 Score"):
        assert value(column, reference=text, answer=text) == pytest.approx(1)


def test_half_of_the_words_in_common() -> None:
    answer = "Биологичното земеделие замърсява реката"
    # Two of the four words of the answer are among the six of the reference.
    assert value("Rouge-1.p", reference=BULGARIAN, answer=answer) == pytest.approx(2 / 4)
    assert value("Rouge-1.r", reference=BULGARIAN, answer=answer) == pytest.approx(2 / 6)
    assert value("F1 Score", reference=BULGARIAN, answer=answer) == pytest.approx(2 * 2 / 10)


def test_a_few_foreign_letters_do_not_change_the_tokenizer() -> None:
    reference = "The β-carotene of the plant"
    # rouge-score drops the Greek letter: the, carotene, of, the, plant.
    assert value("Rouge-1.r", reference=reference, answer="carotene") == pytest.approx(1 / 5)


def test_the_tokenizer_is_named() -> None:
    assert "unicode-words" in DEFINITIONS["rouge_tokenizer"]
