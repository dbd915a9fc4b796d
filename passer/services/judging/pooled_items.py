"""Items of pools: each passage that one of the retrievers found for a question, by itself."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from passer.domain.dataset import Dataset
from passer.domain.judging.item import Item, passage_item, passage_key
from passer.domain.judging.pool import Pool
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError
from passer.ports import Collections


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
