"""Replies in another script than the question are counted in the note; verdicts and quotes are not counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from passer.domain.judging.item import Item
from passer.domain.judging.other_script import is_noted, watched
from passer.domain.texts.words import main_script
from passer.metrics.judged import families_of
from tests.metrics.judged.driven import ITEM, judgement

BULGARIAN = Item(question_id="q", question="Кога цъфти оризът?", reference="През август.", answer="През август.")


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Кога цъфти оризът?", "Cyrillic"),
        ("Кой метрик е BLEU?", "Cyrillic"),
        ("Σύμφωνα με το κείμενο", "Greek"),
        ("お米はいつ咲きますか。水稲", "Han"),
        ("42 %?", None),
        ("", None),
        ("ᚠᚢᚦ", "other"),
    ],
)
def test_the_script_of_most_letters(text: str, script: str | None) -> None:
    assert main_script(text) == script


def notes(column: str, item: Item, *replies: Any) -> list[str]:
    (family,) = families_of((column,))
    recipe = watched(family.make(item), item.question, family.tasks)
    given, reply = iter(replies), None
    while True:
        try:
            wanted = recipe.send(reply)
        except StopIteration as stopped:
            return [finding.note for finding in stopped.value]
        single = not isinstance(wanted, Sequence)
        said = [judgement(next(given)) for _ in ([wanted] if single else wanted)]
        reply = said[0] if single else tuple(said)


def test_a_reason_in_english_about_a_bulgarian_question_is_noted() -> None:
    english = {"a_reason": "The answer names the month.", "b_grade": 10}
    [note] = notes("Answer correctness", BULGARIAN, english)
    assert note == "1 reply in another script than the question"
    assert is_noted(note)
    bulgarian = {"a_reason": "Отговорът назовава месеца (BLEU).", "b_grade": 10}
    [note] = notes("Answer correctness", BULGARIAN, bulgarian)
    assert note == ""
    assert not is_noted(note)
    # Without a word of its own there is nothing to compare.
    assert notes("Answer correctness", BULGARIAN, {"a_reason": "100 %", "b_grade": 10}) == [""]


def test_both_replies_of_two_steps_are_counted_and_verdicts_are_no_text() -> None:
    item = ITEM.model_copy(update={"question": BULGARIAN.question, "answer": "През август."})
    statements = {"a_statements": ["Rice flowers in late summer."]}
    support = {"a_reason": "The passage says August.", "b_verdicts": ["yes"]}
    assert notes("Faithfulness", item, statements, support)[0] == "2 replies in another script than the question"
    own = {"a_statements": ["Оризът цъфти през август."]}
    verdicts = {"a_reason": "Да.", "b_verdicts": ["contradicted"]}
    assert notes("Faithfulness", item, own, verdicts) == ["", ""]
    # A copy of a text that the judge read is a quote, in whatever script.
    quoting = item.model_copy(update={"answer": "Rice flowers in August. Rice needs salt."})
    quote = {"a_statements": ["rice flowers in  August."]}
    assert notes("Faithfulness", quoting, quote, verdicts) == ["", ""]
