"""Sentences of answers: those that were labelled by hand, and what a wrong end does to a share."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from passer.domain.texts.citations import with_marks_inside
from passer.metrics.grounded.answer_sentences import answer_sentences
from passer.metrics.grounded.checks import GroundingLimits
from tests.metrics.grounded.labelled_sentences import LABELLED, LATER, MISSED, sentences_of, text_of
from tests.metrics.grounded.test_grounded import check

ALL = [(language, each) for answers in (LABELLED, LATER) for language in answers for each in answers[language]]


def bare(sentences: list[str]) -> list[str]:
    """Return the letters and digits of each sentence."""
    return [regex.sub(r"[^\p{L}\p{N}]", "", each) for each in sentences]


def found_and_marked(language: str, labelled: str) -> tuple[list[str], list[str]]:
    """Return the sentences by the rules and by hand, marks of citations within them."""
    found = answer_sentences(with_marks_inside(text_of(labelled)), language)
    return bare(found), bare([with_marks_inside(each) for each in sentences_of(labelled)])


@pytest.mark.parametrize(("language", "labelled"), [each for each in ALL if each[1] not in MISSED])
def test_the_sentences_are_those_that_a_person_marked(language: str, labelled: str) -> None:
    found, marked = found_and_marked(language, labelled)
    assert found == marked


def test_nearly_all_ends_of_sentences_are_right() -> None:
    """Punkt by lines has a precision of .54 on these answers, at a recall of .98."""
    true = found = marked = 0
    for language, labelled in ALL:
        ends = [_ends(each) for each in found_and_marked(language, labelled)]
        true += len(ends[0] & ends[1])
        found += len(ends[0])
        marked += len(ends[1])
    precision, recall = true / found, true / marked
    assert precision > 0.98
    assert recall > 0.98


def _ends(sentences: list[str]) -> set[int]:
    return {len("".join(sentences[:count])) for count in range(1, len(sentences))}


@pytest.mark.parametrize(
    ("language", "answer", "passage"),
    [
        (
            "en",
            "1. **Sow** the wheat in October\n2. Water it every week",
            "Sow the wheat in October. Water it every week.",
        ),
        ("en", "See Fig. 2. Prof. Smith found 3.5 t.", "Prof. Smith found 3.5 t, see fig. 2."),
        (
            "bg",
            "Съгласно чл. 5, ал. 2 субсидията е 200 лв. за декар.",
            "съгласно чл. 5, ал. 2 субсидията е 200 лв. за декар",
        ),
        ("de", "Am 3. Mai wurde gesät.", "Gesät wurde am 3. Mai."),
        ("en", "```python\nyield_of(wheat)\n```", "call yield_of(wheat)"),
    ],
)
def test_verbatim_answers_are_grounded_sentence_by_sentence(language: str, answer: str, passage: str) -> None:
    found = check(answer, passage, language=language)
    assert found.sentences
    assert [each.share for each in found.sentences] == [1.0] * len(found.sentences)


def test_headings_rules_and_marks_of_lists_are_no_sentences_without_a_citation() -> None:
    found = check("## 1. Sowing\n\n---\n1. Sow wheat [1].\n2. Water it [1].\n\n| a | b |\n|---|---|", "sow wheat")
    assert [(each.text, each.cites) for each in found.sentences] == [
        ("Sow wheat .", (1,)),
        ("Water it .", (1,)),
        ("| a | b |", ()),
    ]


@pytest.mark.parametrize(
    ("answer", "sentences"),
    [
        # CommonMark 0.31, 4.5: the mark at the end is of the same sign and as long, and no line of code has more of it.
        ("Do:\r\n```\r\nsow()\r\n```\r\nSow. Water.", ["Do:", "sow()", "Sow.", "Water."]),
        ("```sow()``` sows. It waters.\nIt reaps.", ["```sow()``` sows.", "It waters.", "It reaps."]),
        ("````md\na\n```\nb\n````\nSow. Water.", ["a\n```\nb", "Sow.", "Water."]),
        ("~~~\na\n```\nb\n~~~~\nSow. Water.", ["a\n```\nb", "Sow.", "Water."]),
        ("Sow.\n```\na\nb", ["Sow.", "a\nb"]),
    ],
)
def test_only_what_is_between_marks_of_code_is_code(answer: str, sentences: list[str]) -> None:
    assert [each.strip() for each in answer_sentences(answer, "en")] == sentences


def test_the_published_procedure_keeps_its_sentences() -> None:
    found = check("1. Sow wheat.\n2. Water it.", "sow wheat", published=True)
    assert [each.text for each in found.sentences] == ["1.", "Sow wheat.", "2.", "Water it."]
    assert not GroundingLimits().published


@given(st.text(), st.sampled_from(["en", "de", "bg", "zh", "x"]))
def test_no_letter_of_a_text_gets_lost_or_changes_its_place(text: str, language: str) -> None:
    # Letters of marks of lists, such as `a)`, and languages of code are left out.
    kept = [sign for sign in text if sign.isascii() and sign not in "`~#"]
    plain = "x" + "".join(kept).replace("\n", " ").replace("\r", " ")
    joined = "".join(answer_sentences(plain, language))
    assert regex.sub(r"[^\p{L}\p{N}]", "", joined) == regex.sub(r"[^\p{L}\p{N}]", "", plain)


@pytest.mark.timeout(60)
def test_a_stop_that_a_model_repeats_is_read_once() -> None:
    text = "Clover fixes nitrogen" + "." * 300_000
    assert with_marks_inside(text) == text
    assert with_marks_inside(f"{text}[1]") == f"Clover fixes nitrogen [1]{'.' * 300_000}"
