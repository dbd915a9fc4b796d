"""Hyphens at the ends of a PDF's lines: those of a word that has one elsewhere in the document belong to it."""

from __future__ import annotations

import pytest

from passer.adapters.documents.pdf import PdfReader
from passer.adapters.documents.pdf_hyphens import joined
from tests.adapters.drawn_pdf import drawn


def test_a_hyphen_that_the_word_has_elsewhere_belongs_to_it() -> None:
    lines = ["The rules on in-conversion products and non-", "compliance apply to in-", "conversion plants. The ferti-"]
    lines += ["lisers are listed."]
    pages = [
        [(70.0, 740 - 14.0 * row, 10.0, text) for row, text in enumerate(lines)],
        [(70.0, 740.0, 10.0, "Non-compliance is reported.")],
    ]
    text = " ".join(PdfReader().read(drawn(*pages), "a.pdf").text.split())
    assert text == (
        "The rules on in-conversion products and non-compliance apply to in-conversion plants. The fertilisers are "
        "listed. Non-compliance is reported."
    )


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("nitro\x02gen", "nitrogen"),
        ("COVID\x0219", "COVID-19"),
        ("EU\x02UK, INTRO\x02DUCTION", "EU-UK, INTRODUCTION"),
        ("state\x02of\x02the art", "stateofthe art"),
        ("\x02a b\x02 c\x02", "a b- c-"),
        ("съчетава най\x02добрите практики", "съчетава най-добрите практики"),
    ],
)
def test_hyphens_without_another_use_of_the_word(text: str, read: str) -> None:
    assert joined(text, frozenset()) == read
