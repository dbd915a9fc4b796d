"""Passages against the library's own, and the exactness of their spans where text repeats."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_text_splitters import RecursiveCharacterTextSplitter

from passer.adapters.splitter import RecursiveSplitter
from passer.domain.retrieval.passages import Chunking, Document, Passage, passage_id
from passer.errors import ConfigError


def split(text: str, *, size: int = 1024, overlap: int = 50) -> list[Passage]:
    document = Document(name="d", digest="0" * 64, text=text)
    return RecursiveSplitter().split(document, Chunking(chunk_size=size, chunk_overlap=overlap))


TEXT = st.text(alphabet=st.sampled_from("ab \n."), max_size=400) | st.text(max_size=300)
OTHER = st.text(alphabet=st.sampled_from("水土。！」 \n，aท่ำक्ष।"), max_size=200)


@given(text=TEXT | OTHER, overlap=st.integers(0, 15))
def test_passages_are_the_librarys_with_exact_places_and_nothing_lost(text: str, overlap: int) -> None:
    passages = split(text, size=16, overlap=overlap)
    library = RecursiveCharacterTextSplitter(chunk_size=16, chunk_overlap=overlap, strip_whitespace=True)
    if Document(name="d", digest="0" * 64, text=text).splitter is None:
        assert [p.text for p in passages] == library.split_text(text)
    covered = np.zeros(len(text), dtype=bool)
    for passage in passages:
        assert text[passage.start : passage.end] == passage.text
        assert len(passage.text) <= 16
        covered[passage.start : passage.end] = True
    assert not "".join(text[i] for i in np.flatnonzero(~covered)).strip()
    starts = [passage.start for passage in passages]
    assert starts == sorted(starts)


def test_repeated_text_keeps_its_place() -> None:
    """All pieces are equal: only their order shows the position of each."""
    passages = split("a" * 250, size=100, overlap=10)
    assert [(p.start, p.end) for p in passages] == [(0, 100), (90, 190), (180, 250)]


def test_numbers_ids_and_pages() -> None:
    document = Document(name="d", digest="f" * 64, text="one " * 10 + "two " * 10, page_starts=(0, 40))
    chunking = Chunking(chunk_size=20, chunk_overlap=0)
    passages = RecursiveSplitter().split(document, chunking)
    assert [p.number for p in passages] == [0, 1, 2, 3]
    assert [p.page for p in passages] == [1, 1, 2, 2]
    assert [p.id for p in passages] == [
        passage_id(document_digest="f" * 64, chunking=chunking, number=number) for number in range(4)
    ]
    assert passages == RecursiveSplitter().split(document, chunking)


def test_tokens_are_counted_by_the_given_tokenizer() -> None:
    document = Document(name="d", digest="0" * 64, text=" ".join(f"word{i}" for i in range(100)))
    chunking = Chunking(chunk_size=16, chunk_overlap=4, unit="tokens")
    passages = RecursiveSplitter(token_count=lambda text: len(text.split())).split(document, chunking)
    counts = [len(p.text.split()) for p in passages]
    # 16 words, then steps of 12 new ones: 16, 28, ... 100.
    assert counts == [16] * 8
    assert passages[1].text.split()[:4] == passages[0].text.split()[-4:]
    assert all(document.text[p.start : p.end] == p.text for p in passages)


def test_tokens_without_a_tokenizer_are_refused() -> None:
    document = Document(name="d", digest="0" * 64, text="some words")
    with pytest.raises(ConfigError, match="Set unit to characters"):
        RecursiveSplitter().split(document, Chunking(unit="tokens"))
