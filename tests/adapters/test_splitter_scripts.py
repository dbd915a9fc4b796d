"""Passages of texts in other scripts: they end with a sentence, or at least with what a reader sees as one letter."""

from __future__ import annotations

from itertools import pairwise

import pytest
from uniseg.graphemecluster import grapheme_clusters

from passer.adapters.splitter import RecursiveSplitter
from passer.domain.retrieval.passages import Chunking, Document, Passage, passage_id

SENTENCES = {
    "Chinese": (
        "土壤有机质对农业非常重要。",
        "它能改善土壤的结构！",
        "价格为３．１４元吗？",
        "“是的。”",
        "他说（真的。）。",
    ),
    "Japanese": ("有機農業は環境に優しい。", "「化学肥料を使わない。」と農家は言う。", "土の健康を守る｡"),
    "Hindi": ("जैविक खेती लाभदायक है।", "किसान गोबर की खाद डालते हैं॥", "क्या यह सही है?", "हाँ!"),
    "Arabic": ("هل تحمي الزراعة العضوية التربة؟", "نعم."),
    "Urdu": ("نامیاتی کاشتکاری مفید ہے۔", "کیا یہ درست ہے؟"),
    "Amharic": ("ግብርና ጠቃሚ ነው።", "አፈር ሕይወት ነው፧"),
    "Khmer": ("កសិករប្រើជីកំប៉ុស។", "ទឹកសំខាន់៕"),
    "Burmese": ("စိုက်ပျိုးရေးသည်အရေးကြီးသည်။",),
    "Armenian": ("Հողը կյանք է։",),
}


def split(text: str, *, size: int, overlap: int = 0) -> list[Passage]:
    document = Document(name="d", digest="f" * 64, text=text)
    return RecursiveSplitter().split(document, Chunking(chunk_size=size, chunk_overlap=overlap))


@pytest.mark.parametrize(
    ("language", "between"),
    [(each, " ") for each in SENTENCES]
    + [(each, "\n") for each in SENTENCES]
    + [(each, "") for each in ("Chinese", "Japanese", "Khmer", "Burmese")],
)
def test_passages_are_whole_sentences(language: str, between: str) -> None:
    sentences = SENTENCES[language] * 4
    passages = split(between.join(sentences), size=40)
    assert len(passages) > 1
    places = iter(sentences)
    for passage in passages:
        left = passage.text
        while left:
            sentence = next(places)
            assert left.startswith(sentence)
            left = left.removeprefix(sentence).lstrip()


def test_a_line_of_a_page_may_end_within_a_sentence() -> None:
    assert [each.text for each in split("土壤有机质对农业非\n常重要。它能改善土壤\n的结构。", size=16)] == [
        "土壤有机质对农业非\n常重要。",
        "它能改善土壤\n的结构。",
    ]


def test_a_long_sentence_is_split_at_its_commas() -> None:
    text = "土壤有机质对农业非常重要，它能提高土壤的肥力，改善土壤结构。"
    assert [each.text for each in split(text, size=16)] == [
        "土壤有机质对农业非常重要，",
        "它能提高土壤的肥力，",
        "改善土壤结构。",
    ]


@pytest.mark.parametrize("overlap", [0, 5, 15])
@pytest.mark.parametrize(
    "text", ["น้ำท่วมในฤดูฝนทำให้ข้าวเสียหาย" * 3, "កសិកម្មសរីរាង្គមិនប្រើសារធាតុគីមី" * 3, "คำ" + "ก" + "\u0e48" * 40]
)
def test_no_passage_begins_or_ends_within_a_letter(text: str, overlap: int) -> None:
    passages = split(text, size=16, overlap=overlap)
    starts, place = [], 0
    for cluster in grapheme_clusters(text):
        starts.append(place)
        place += len(cluster)
    # A letter with more marks than a passage has characters is split all the same.
    inside = {each for each in range(len(text)) if each not in starts and len(text) - max(starts) < 16}
    assert not inside & ({each.start for each in passages} | {each.end for each in passages})
    assert passages[0].start == 0
    assert passages[-1].end == len(text)
    assert all(before.end >= after.start for before, after in pairwise(passages))


def test_clusters_are_kept_where_tokens_are_counted() -> None:
    text = "น้ำท่วมในฤดูฝนทำให้ข้าวเสียหาย" * 3
    document = Document(name="d", digest="f" * 64, text=text)
    passages = RecursiveSplitter(token_count=len).split(
        document, Chunking(chunk_size=16, chunk_overlap=0, unit="tokens")
    )
    assert "".join(each.text for each in passages) == text
    clusters = list(grapheme_clusters(text))
    assert all(next(iter(grapheme_clusters(each.text))) in clusters for each in passages)
    assert max(len(each.text) for each in passages) <= 16


def test_only_such_documents_have_another_splitter_and_other_ids() -> None:
    chunking = Chunking(chunk_size=16, chunk_overlap=0)
    for text in ("One. Two? Drei! Четири.", "Ελλάδα; Ναι.", "שלום. מה?", "서울은 수도이다.", "مرحبا. نعم.", "İncir."):
        assert Document(name="d", digest="f" * 64, text=text).splitter is None
    assert split("one", size=16)[0].id == passage_id(document_digest="f" * 64, chunking=chunking, number=0)
    assert split("水。", size=16)[0].id == passage_id(
        document_digest="f" * 64, chunking=chunking, number=0, splitter="scripts-1"
    )
    assert split("水。", size=16)[0].id != split("one", size=16)[0].id
