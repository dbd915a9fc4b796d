"""Items of datasets: questions with their gold passages as the passages and the reference as the answer."""

from __future__ import annotations

from collections.abc import Sequence

from passer.domain.base import digest_of
from passer.domain.dataset import Dataset, GoldPassage, Question
from passer.domain.judging.item import Item
from passer.domain.retrieval.passages import Passage
from passer.domain.wording.sentence import sentence
from passer.errors import InputError

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
