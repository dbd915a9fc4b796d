"""The language of a question file: chosen, stated by its rows, or recognised from its texts."""

from __future__ import annotations

import pytest

from tests.services.library.question_files import load, preview


@pytest.mark.parametrize(
    ("given", "column", "taken"),
    [(None, ("", ""), "en"), (None, ("bg", ""), "bg"), ("de", ("", ""), "de"), ("de", ("bg", "bg"), "de")],
)
def test_language(given: str | None, column: tuple[str, str], taken: str) -> None:
    content = f"question,reference,language\nA?,x,{column[0]}\nB?,y,{column[1]}\n"
    shown = preview(content, language=given)
    assert shown.language == taken
    contradicts = given is not None and "bg" in column
    assert any("as chosen" in note for note in shown.mapping.notes) is contradicts
    assert load(content, language=given).language == taken


def test_a_language_that_nobody_states_is_recognised_from_the_texts() -> None:
    content = "question,reference\nКолко време расте лукът?,Пет месеца.\nКога се сее ръжта?,През есента.\n"
    assert load(content).language == "bg"
    said = "The language is bg: the file does not state one, and its texts are in this language."
    assert any(note.startswith(said) for note in preview(content).mapping.notes)
    assert load(content, language="mk").language == "mk"
    assert load("question,reference,language\nWhy does rye grow in autumn?,So.,bg\n").language == "bg"


def test_texts_that_do_not_show_their_language_are_taken_for_english() -> None:
    content = "question,reference\nA?,x\nB?,y\n"
    assert load(content).language == "en"
    assert any("its texts do not show it" in note for note in preview(content).mapping.notes)
