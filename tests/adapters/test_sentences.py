"""Sentences by hand."""

from __future__ import annotations

from passer.adapters.chroma_sentences import split_sentences


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
