"""The language of a question file: chosen, stated by its rows as tag or name, or recognised from its texts."""

from __future__ import annotations

import pytest

from tests.services.library.question_files import load, preview, refusal


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


def test_rows_of_another_language_than_the_recognised_one_are_counted() -> None:
    english = "How much nitrogen does clover fix in a year?,About a hundred kilograms per hectare.\n"
    german = "Wie viel Stickstoff bindet der Klee in einem Jahr?,Etwa hundert Kilogramm pro Hektar.\n"

    def said(*lines: str, columns: str = "question,reference\n") -> list[str]:
        text = columns + "".join(f"In {number}: {line}" for number, line in enumerate(lines))
        return [note.partition(".")[0] for note in preview(text).mapping.notes if "another language" in note]

    assert said(*[english] * 4, *[german] * 3) == [
        "3 of 7 rows that were checked seem to be in another language than en (de)"
    ]
    assert said(*[german] * 4, *[english] * 2) == [
        "2 of 6 rows that were checked seem to be in another language than de (en)"
    ]
    assert said(*[english] * 6, german) == []
    stated = [line.replace("\n", ",en\n") for line in (english, english, german, german)]
    assert said(*stated, columns="question,reference,language\n") == []


def test_texts_that_do_not_show_their_language_are_taken_for_english() -> None:
    content = "question,reference\nA?,x\nB?,y\n"
    assert load(content).language == "en"
    assert any("its texts do not show it" in note for note in preview(content).mapping.notes)


@pytest.mark.parametrize(
    ("stated", "tag"),
    [
        ("English", "en"),
        ("german", "de"),
        ("Deutsch", "de"),
        ("български", "bg"),
        ("Chinese", "zh"),
        ("eng", "en"),
        ("bul", "bg"),
        ("deu", "de"),
        ("eng-US", "en-US"),
        ("en_GB", "en-GB"),
        ("tl", "tl"),
        ("fil", "fil"),
    ],
)
def test_a_language_is_stated_by_its_name_or_code(stated: str, tag: str) -> None:
    content = f"question,reference,language\nWhy?,So.,{stated}\n"
    assert load(content).language == tag
    assert load("question,reference\nWhy?,So.\n", language=stated.replace("_", "-")).language == tag


def test_a_name_and_a_code_of_one_language_are_one() -> None:
    assert load("question,reference,language\nWhy?,So.,German\nWho?,She.,de\n").language == "de"
    assert "several languages: de, en" in refusal("question,reference,language\nA?,x,German\nB?,y,eng\n").message


def test_a_word_that_is_no_language_is_refused_unless_it_could_be_a_tag() -> None:
    assert "is not a language tag" in refusal("question,reference,language\nA?,x,no language\n").message
