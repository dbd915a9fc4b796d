"""Sentences by hand."""

from __future__ import annotations

import pytest

from passer.adapters.chroma.sentences import split_sentences


def test_sentences_end_at_stops_and_paragraphs_and_lose_line_breaks() -> None:
    text = "# Soil\n\nLegumes fix\nnitrogen. They need rhizobia!\n  \nDo they? Yes.  "
    assert split_sentences(text) == [
        "# Soil",
        "Legumes fix nitrogen.",
        "They need rhizobia!",
        "Do they?",
        "Yes.",
    ]


def test_a_number_does_not_end_a_sentence() -> None:
    assert split_sentences("It takes 2.5 years. Then it ends.") == ["It takes 2.5 years.", "Then it ends."]


def test_no_text_has_no_sentences() -> None:
    assert split_sentences(" \n\n ") == []


@pytest.mark.parametrize(
    "sentences",
    [
        ("土壤有机质很重要。", "它能提高肥力！", "“是吗？”", "他说３．１４元。"),
        ("有機農業は環境に優しい。", "「本当？」", "「使わない。」と言う。", "土を守る｡"),
        ("जैविक खेती लाभदायक है।", "क्या यह सही है?", "हाँ॥"),
        ("هل تحمي التربة؟", "نعم.", "شكرا!"),
        ("یہ مفید ہے۔", "کیا یہ درست ہے؟"),
        ("ግብርና ጠቃሚ ነው።", "ውሃ ነው፧"),
        ("កសិករប្រើជីកំប៉ុស។", "ទឹកសំខាន់៕"),
        ("Հողը կյանք է։", "Ջուրը կարեւոր է։"),
        ("Το έδαφος ζει.", "Ναι!"),
        ("האדמה חיה.", "נכון?"),
    ],
)
def test_sentences_end_at_the_stops_of_any_script(sentences: tuple[str, ...]) -> None:
    assert split_sentences(" ".join(sentences)) == list(sentences)


def test_a_line_break_between_ideographs_is_no_blank() -> None:
    text = "土壤有机质对农业非\n常重要。See\nhere 水\n稻。"
    assert split_sentences(text) == ["土壤有机质对农业非常重要。", "See here 水稻。"]


def test_a_collection_made_before_keeps_its_sentences() -> None:
    assert split_sentences("土壤。它！ Soil. 水。", rules=1) == ["土壤。它！ Soil.", "水。"]
