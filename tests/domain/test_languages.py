"""A language whose catalogue lacks messages."""

from __future__ import annotations

import pytest

from passer.domain.wording import sentence as wording
from passer.domain.wording.catalogue import catalogue
from passer.domain.wording.sentence import sentence, text_of
from passer.domain.wording.verifications import translated


def test_what_a_language_lacks_is_said_in_english(monkeypatch: pytest.MonkeyPatch):
    english, texts = catalogue("en"), {"de": {"retriever.dense": "Dicht"}}
    monkeypatch.setattr(wording, "catalogue", lambda language: texts.get(language, english))
    fused = sentence("retriever.fused", of=(sentence("retriever.dense"), "BM25"))
    assert fused.message is not None
    assert text_of(fused.message, "de") == "RRF (Dicht, BM25)"
    assert text_of(sentence("retriever.variations", n=2).message, "de") == "RAG-Fusion x2"
    assert translated("3 files.", "de") == "3 files."
