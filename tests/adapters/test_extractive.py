"""The extractive reader, on vectors small enough to see through."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from passer.adapters.generators.extractive import ExtractiveReader
from passer.domain.models.abstention import ABSTENTION
from passer.domain.models.chat import ChatRequest, Message, PromptSource
from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.model import Model
from passer.domain.retrieval.passages import Collection, EmbeddingModel, Passage
from passer.domain.texts.search_words import TEXT_RULES
from passer.errors import CollectionMismatchError, ModelNotFoundError
from passer.ports import Vectors
from tests.chat import answered


def unit(degrees: float) -> list[float]:
    return [float(np.cos(np.radians(degrees))), float(np.sin(np.radians(degrees)))]


class Compass:
    """Every question points to 0 degrees."""

    def __init__(self, digest: str = "a" * 64) -> None:
        self.model = EmbeddingModel(name="compass", digest=digest, dimension=2)
        self.asked = 0

    def sentence_vectors(self, texts: Sequence[str]) -> Vectors:
        self.asked += len(texts)
        return np.array([unit(0)] * len(texts), dtype=np.float32)


SENTENCES = {
    "p1": [
        ("Far away from the question.", 80),
        ("Second nearest of them all.", -20),
        ("Third nearest of them all.", 45),
    ],
    "p2": [("Nearest of them all here.", 10), ("Nearest of them all  here.", -10), ("Short one.", 0)],
    "zh": [("土壤", 0), ("土壤有机质很重要。", 40), ("See a b c.", 80)],
    "p3": [("Almost the same as nearest.", 11), ("Fourth nearest of them all.", -50)],
}


COMPASS = EmbeddingModel(name="compass", digest="a" * 64, dimension=2)
NEW = Collection(name="corpus", embedding=COMPASS, text_rules=TEXT_RULES)


def source(collection: str, passages: Sequence[Passage]) -> tuple[Collection, list[tuple[list[str], Vectors]]]:
    assert collection == "c"
    rows = [SENTENCES.get(passage.id, []) for passage in passages]
    return NEW, [
        ([t for t, _ in row], np.array([unit(d) for _, d in row], dtype=np.float32).reshape(-1, 2)) for row in rows
    ]


def a_request(*ids: str, question: str = "Where?", **options: int) -> ChatRequest:
    passages = tuple(Passage(id=i, document="d", number=0, text=i, start=0, end=1) for i in ids)
    return ChatRequest(
        key="k",
        messages=(Message(role="user", content=question),),
        source=PromptSource(question=question, passages=passages, collection="c"),
        model=Model(),
        options=GenerationOptions(**options),
    )


def test_the_three_nearest_in_reading_order_without_repetition_and_headings() -> None:
    reader = ExtractiveReader(sentence_source=source, embedder=Compass())
    answer = answered(reader, a_request("p1", "p2", "p3"))
    assert answer.text == "Second nearest of them all. Third nearest of them all. Nearest of them all here."
    assert (answer.done_reason, answer.truncated, answer.reason, answer.abstained) == ("stop", None, None, False)


def test_reading_order_is_that_of_the_prompt() -> None:
    reader = ExtractiveReader(sentence_source=source, embedder=Compass())
    answer = answered(reader, a_request("p2", "p1"))
    assert answer.text == "Nearest of them all here. Second nearest of them all. Third nearest of them all."


def test_a_sentence_without_blanks_is_long_enough_and_a_heading_is_not() -> None:
    reader = ExtractiveReader(sentence_source=source, embedder=Compass())
    assert answered(reader, a_request("zh")).text == "土壤有机质很重要。 See a b c."


def test_a_collection_of_the_first_rules_has_the_answers_that_it_had() -> None:
    def older(_: str, passages: Sequence[Passage]) -> tuple[Collection, list[tuple[list[str], Vectors]]]:
        return Collection(name="corpus", embedding=COMPASS), source("c", passages)[1]

    # Without blanks a sentence is one word there: only the English one has four.
    reader = ExtractiveReader(sentence_source=older, embedder=Compass())
    assert answered(reader, a_request("zh")).text == "See a b c."


def test_num_predict_limits_the_words() -> None:
    reader = ExtractiveReader(sentence_source=source, embedder=Compass())
    answer = answered(reader, a_request("p1", num_predict=7))
    assert answer.text == "Far away from the question. Second nearest"
    assert (answer.done_reason, answer.truncated) == ("length", "answer")


def test_nothing_to_copy_is_an_abstention() -> None:
    reader = ExtractiveReader(sentence_source=source, embedder=Compass())
    for request in (a_request(), a_request("unknown passage without sentences")):
        answer = answered(reader, request)
        assert (answer.text, answer.abstained) == (ABSTENTION, True)


def test_a_question_is_embedded_once() -> None:
    compass = Compass()
    reader = ExtractiveReader(sentence_source=source, embedder=compass)
    answers = {answered(reader, a_request("p1", "p2")).text for _ in range(3)}
    assert len(answers) == 1
    assert compass.asked == 1


def test_its_digest_follows_the_encoder() -> None:
    one, same, other = (
        ExtractiveReader(sentence_source=source, embedder=Compass(digest * 64)).describe(Model()).digest
        for digest in ("a", "a", "b")
    )
    assert one == same != other
    assert len(one) == 64


def test_another_model_name_and_another_vector_space_are_refused() -> None:
    reader = ExtractiveReader(sentence_source=source, embedder=Compass())
    with pytest.raises(ModelNotFoundError, match="extractive"):
        reader.describe(Model(name="bigger"))

    # As long as those of the reader's own model: only the digest tells that they are of another.
    def other(_: str, passages: Sequence[Passage]) -> tuple[Collection, list[tuple[list[str], Vectors]]]:
        model = COMPASS.model_copy(update={"digest": "b" * 64})
        return NEW.model_copy(update={"embedding": model}), source("c", passages)[1]

    with pytest.raises(CollectionMismatchError, match="add the documents to a new collection with compass"):
        ExtractiveReader(sentence_source=other, embedder=Compass()).complete(a_request("p1"))
