"""Windows, gold quotes, samples by model, repeated questions and the origin of a question, each by hand."""

from __future__ import annotations

import numpy as np
import pytest

from passer.adapters.splitter import RecursiveSplitter
from passer.domain.dataset import Dataset, GoldPassage, Origin, Question
from passer.domain.questions.drafting import Draft, Excerpt, Window
from passer.domain.questions.duplicates import Accepted
from passer.domain.questions.gold import gold_of
from passer.domain.questions.mixing import mixed
from passer.domain.questions.windows import excerpts_of, order_of
from passer.domain.retrieval.passages import Chunking, Document, Passage
from passer.domain.retrieval.quality import GoldIndex

TEXT = "Bees fly three kilometres. They return at dusk. Rice flowers in August. It needs warm nights and wet fields."


def cut(*spans: tuple[int, int], document: str = "a.md", pages: tuple[int, ...] = ()) -> list[Passage]:
    return [
        Passage(
            id=f"{document}-{n}", document=document, number=n, text=TEXT[start:end], start=start, end=end,
            page=pages[n] if pages else None,
        )
        for n, (start, end) in enumerate(spans)
    ]  # fmt: skip


def test_what_passages_share_is_in_a_window_once():
    (excerpt,) = excerpts_of(cut((0, 47), (27, 71)), Window(size=2))
    assert excerpt.text == TEXT[:71]


def test_a_window_never_spans_two_documents():
    passages = [*cut((0, 26), (27, 47), (48, 71)), *cut((0, 26), document="b.md")]
    found = excerpts_of(passages, Window(size=2))
    assert [excerpt.passages for excerpt in found] == [("a.md-0", "a.md-1"), ("a.md-2",), ("b.md-0",)]
    # White space between passages belongs to none of them.
    assert found[0].text == TEXT[:26] + "\n" + TEXT[27:47]


def test_a_window_of_tokens_and_pages_ends_in_time():
    passages = cut((0, 26), (27, 47), (48, 71), (72, 109))
    # 26 characters are 8 tokens at 3.5 each, and 8 for the message: two passages are 47 characters, 22 tokens.
    found = excerpts_of(passages, Window(unit="tokens", size=22))
    assert [len(excerpt.passages) for excerpt in found] == [2, 1, 1]
    spread = cut((0, 26), (27, 47), (48, 71), pages=(1, 2, 3))
    assert [len(e.passages) for e in excerpts_of(spread, Window(size=9, pages=2))] == [2, 1]


def test_the_order_is_drawn_without_replacement():
    assert sorted(order_of(500, 7)) == list(range(500))
    assert order_of(500, 7) == order_of(500, 7) != order_of(500, 8)


@pytest.mark.parametrize(
    ("text", "answer", "quote"),
    [
        (
            "玉米五月播种。水稻在八月开花，需要温暖的夜晚。",
            "是的，水稻在八月开花，需要温水。",
            "水稻在八月开花，需要温",
        ),
        ("मिट्टी जीवित है। किसान खेत में गोबर की खाद डालते हैं।", "किसान खेत में गोबर की खाद।", "किसान खेत में गोबर की खाद"),
        ("ดินดี ข้าวออกดอกในเดือนสิงหาคม", "ข้าวออกดอกในเดือนใด", "ข้าวออกดอกในเดือน"),
    ],
)
def test_gold_of_other_scripts_is_the_common_run_of_letters(text: str, answer: str, quote: str) -> None:
    (gold,) = gold_of(Excerpt(document="a.md", passages=("p",), text=text, start=0), answer)
    assert gold.quote == quote


def test_the_quote_is_the_longest_run_of_words_that_answer_and_window_share():
    excerpt = Excerpt(document="a.md", passages=("p",), text=TEXT, start=0)
    (gold,) = gold_of(excerpt, "Rice flowers in August, it needs warm nights.")
    assert gold == GoldPassage(document="a.md", quote="Rice flowers in August. It needs warm nights")
    # Four words in a row are no quote: it is the whole window, or the passage with most words of the answer.
    assert gold_of(excerpt, "Rice flowers in August")[0].quote == TEXT
    assert (
        gold_of(excerpt, "in August rice", ("Bees fly.", "Rice flowers in August."))[0].quote
        == "Rice flowers in August."
    )


def test_an_answer_of_two_places_has_two_quotes():
    excerpt = Excerpt(document="a.md", passages=("p",), text=TEXT, start=0)
    found = gold_of(excerpt, "It needs warm nights and wet fields, and bees fly three kilometres. They return.")
    assert [gold.quote for gold in found] == [
        "Bees fly three kilometres. They return", "It needs warm nights and wet fields",
    ]  # fmt: skip


@pytest.mark.parametrize(("size", "overlap"), [(800, 400), (256, 0), (60, 0)])
def test_a_quote_is_found_after_the_documents_are_cut_anew(size, overlap):
    text = f"{'Soil holds water and air. ' * 20}{TEXT} {'Compost feeds the soil. ' * 20}"
    document = Document(name="a.md", digest="0" * 64, text=text)
    excerpt = Excerpt(document="a.md", passages=("p",), text=TEXT, start=0)
    gold = gold_of(excerpt, "They return at dusk. Rice flowers in August.")
    passages = RecursiveSplitter().split(document, Chunking(chunk_size=size, chunk_overlap=overlap))
    found = GoldIndex(passages).passage_ids(gold)
    assert found
    assert all("return" in text_of(passages, each) or "Rice" in text_of(passages, each) for each in found)


def text_of(passages: list[Passage], passage_id: str) -> str:
    return next(each.text for each in passages if each.id == passage_id)


def test_a_mix_is_exact_and_a_model_with_too_few_gives_all():
    models = ["gpt-4"] * 400 + ["opus"] * 300 + ["haiku"] * 15 + ["sonnet"] * 125
    wanted = {"gpt-4": 100, "opus": 50, "haiku": 30, "sonnet": 20}
    places, given = mixed(models, wanted, seed=3)
    assert len(models) == 840
    assert given == {"gpt-4": 100, "opus": 50, "haiku": 15, "sonnet": 20}
    assert len(set(places)) == len(places) == 185
    assert places == sorted(places) == mixed(models, wanted, seed=3)[0]


def a_draft(question: str, quote: str) -> Draft:
    excerpt = Excerpt(document="a.md", passages=("p",), text=TEXT, start=0)
    gold = (GoldPassage(document="a.md", quote=quote),)
    return Draft(
        key="0", place=0, number=0, excerpt=excerpt, model="m", question=question, answer="", gold=gold, checks=()
    )


def unit(cosine: float) -> np.ndarray:
    return np.array([cosine, (1 - cosine**2) ** 0.5], dtype=np.float32)


def test_the_first_of_two_like_questions_stays():
    accepted = Accepted(0.9)
    accepted.add(a_draft("How far do bees fly?", "three kilometres"), unit(1.0))
    assert accepted.problem(a_draft("how far do BEES fly", "x"), None) == "same_text"
    assert accepted.problem(a_draft("What distance do bees fly?", "x"), unit(0.9)) == "similar"
    assert accepted.problem(a_draft("What distance do bees fly?", "three kilometres"), unit(0.8)) == "same_quote"
    assert accepted.problem(a_draft("What distance do bees fly?", "x"), unit(0.8)) is None
    assert accepted.problem(a_draft("When do bees return?", "three kilometres"), unit(0.79)) is None


def test_the_digest_of_a_dataset_without_origins_is_what_it_was():
    question = Question(id="q", text="When does rice flower?", reference="In August.")
    before = Dataset(name="farm", questions=(question,)).digest
    assert "origin" not in question.model_dump(mode="json")
    drafted = question.model_copy(update={"origin": Origin(model="m", drafting="0" * 64, way="agentic")})
    assert Dataset(name="farm", questions=(drafted,)).digest != before
