"""Items without a run: questions with their gold passages and reference as the answer, and pooled passages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from passer.domain.base import digest_of
from passer.domain.dataset import Dataset, GoldPassage, Question
from passer.domain.judging.item import Item, passage_item, passage_key
from passer.domain.judging.pool import Pool
from passer.domain.retrieval.passages import Passage
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, InputError
from passer.ports import Collections

COLUMNS = (
    "Answerability",
    "Stand-alone question",
    "Faithfulness",
    "Not contradicted",
    "Faithfulness (triplets)",
    "Fact similarity",
    "Answer relevancy",
    "Response relevancy (context)",
    "Passage relevance",
    "Passage relevance (UMBRELA)",
    "Passage relevance (RDNAM)",
    "Passage relevance (RDNAM, five raters)",
    "Passage relevance (expert)",
    "Relevance",
    "Accuracy",
    "Completeness",
    "Precision",
    "Nugget vital share",
)
"""Judged metrics of a dataset: its reference is the judged answer, so nothing can be compared with a reference."""


def check_dataset_columns(columns: Sequence[str]) -> None:
    """Raise InputError for a column that compares answers with references: a dataset has the references only."""
    for column in columns:
        if column not in COLUMNS:
            said = sentence("judging.not-of-datasets", column=column, columns=", ".join(COLUMNS))
            raise InputError(said, field="columns")


def dataset_item(question: Question, language: str) -> Item:
    """Return the item of a question; its reference is left empty, because it is the answer that is judged."""
    passages = tuple(_passage(number, gold) for number, gold in enumerate(question.gold_passages))
    return Item(
        question_id=question.id,
        question=question.text,
        answer=question.reference,
        passages=passages,
        gold=tuple(range(len(passages))),
        language=language,
        group=question.group,
    )


def dataset_items(dataset: Dataset) -> list[Item]:
    """Return the items of a dataset in its order."""
    return [dataset_item(question, dataset.language) for question in dataset.questions]


def _passage(number: int, gold: GoldPassage) -> Passage:
    key = digest_of({"document": gold.document, "quote": gold.quote})
    return Passage(
        id=f"gold-{key}", document=gold.document, number=number, text=gold.quote, start=0, end=len(gold.quote)
    )


class PooledKey(NamedTuple):
    """One passage for one question."""

    number: int
    """Place of the question in the dataset, counted from 0."""
    question_id: str
    passage_id: str
    key: str
    """Content address of the two."""


def pooled_keys(dataset: Dataset, pool: Pool) -> Iterator[PooledKey]:
    """Yield the passages of a pool in the order of the dataset; no text of a passage is read."""
    for number, question in enumerate(dataset.questions):
        for passage in pool.passages.get(question.id, ()):
            yield PooledKey(number, question.id, passage, passage_key(question.text, passage, dataset.language))


def pooled_items(dataset: Dataset, pool: Pool, collections: Collections | None) -> Iterator[tuple[int, Item]]:
    """Yield place of the question and item of each passage; ConflictError where the collection lost passages."""
    wanted = set(chain.from_iterable(pool.passages.values()))
    index = None if collections is None else collections.open(pool.collection)
    texts = {each.id: each for each in index.passages() if each.id in wanted} if index else {}
    if lost := len(wanted) - len(texts):
        raise ConflictError(sentence("pool.passages-gone", n=lost, collection=pool.collection))
    for number, question in enumerate(dataset.questions):
        for passage in pool.passages.get(question.id, ()):
            yield number, passage_item(question.id, question.text, texts[passage], dataset.language)
