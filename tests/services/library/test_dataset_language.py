"""Languages of question files stated as names or codes, as other programs write them."""

from __future__ import annotations

import pytest

from tests.services.library.question_files import load, refusal


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
