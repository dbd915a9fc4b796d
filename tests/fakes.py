"""Fakes of the ports, for the tests of services; adapters and end-to-end tests use the real thing."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from functools import lru_cache

import numpy as np

from passer.adapters.lexical import LexicalIndex
from passer.domain.bundle.members import Transaction
from passer.domain.bundle.verification import CHAIN_STEPS, ChainStep, Finding
from passer.domain.models.chat import ChatRequest, Completion, Message
from passer.domain.retrieval.passages import (
    Chunking,
    Collection,
    Document,
    EmbeddingModel,
    Passage,
    Ranking,
    passage_id,
)
from passer.domain.retrieval.places import Places
from passer.domain.retrieval.retriever import Dense, Lexical
from passer.domain.score import VECTOR_ORDER, Score, Scores, VectorProfile
from passer.domain.texts.search_words import TEXT_RULES
from passer.errors import NotFoundError
from passer.ports import DocumentSummary, PlacedEntry, PromptTemplate, TokenStates, Vectors
from passer.ports.draft import Draft
from tests.fake_models import FakeChatModel


@lru_cache(maxsize=10_000)
def _drawn(word: str, dimension: int) -> np.ndarray:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big")
    return np.random.default_rng(seed).standard_normal(dimension)


class FakeEncoder:
    """Bag-of-words vectors: texts that share words are near each other; exact and instant."""

    model = EmbeddingModel(name="fake/bag-of-words", digest="0" * 64, dimension=64)
    max_tokens = 512
    layer = 1

    def _word(self, word: str) -> np.ndarray:
        return _drawn(word, self.model.dimension)

    def sentence_vectors(self, texts: Sequence[str]) -> Vectors:
        rows = []
        for text in texts:
            total = sum((self._word(w) for w in text.lower().split()), np.zeros(self.model.dimension))
            rows.append(total / (np.linalg.norm(total) or 1.0))
        return np.array(rows, dtype=np.float32).reshape(len(texts), self.model.dimension)

    def token_states(self, texts: Iterable[str], *, first_only: bool = False) -> Iterator[TokenStates]:
        for text in texts:
            words = ["[CLS]", *text.lower().split()[: self.max_tokens - 2], "[SEP]"]
            states = np.array([self._word(word) for word in words[: 1 if first_only else None]], dtype=np.float32)
            yield TokenStates(states=states, truncated=len(text.split()) > self.max_tokens - 2)


class FakeClock:
    """Time that passes only when it is asked for: a tick each time."""

    def __init__(self, tick_s: float = 0.001) -> None:
        self._tick_s = tick_s
        self._ticks = itertools.count()

    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(milliseconds=next(self._ticks))

    def monotonic(self) -> float:
        return next(self._ticks) * self._tick_s


def passages_of(*texts: str, document: str = "book.txt") -> list[Passage]:
    """Passages of one document, one text each."""
    found, start = [], 0
    for number, text in enumerate(texts):
        key = passage_id(document_digest=document, chunking=Chunking(), number=number)
        found.append(Passage(id=key, document=document, number=number, text=text, start=start, end=start + len(text)))
        start += len(text) + 1
    return found


class FakeIndex:
    """Exact search over a few passages with the fake encoder; counts how often it is asked."""

    def __init__(self, name: str, passages: Sequence[Passage]) -> None:
        self.collection = Collection(name=name, embedding=FakeEncoder.model)
        self._passages = list(passages)
        self._encoder = FakeEncoder()
        self.searched: list[tuple[list[str], int]] = []

    def search(self, questions: Sequence[str], top_k: int) -> list[Ranking]:
        return [each.ranking() for each in self.places(questions, top_k, Dense())]

    def places(self, questions: Sequence[str], top_k: int, retriever: Dense | Lexical) -> list[Places]:
        self.searched.append((list(questions), top_k))
        texts = [passage.text for passage in self._passages]
        if isinstance(retriever, Lexical):
            terms = LexicalIndex(texts, retriever, TEXT_RULES)
            return [self._places(terms.scores(text).astype(float), top_k, is_score=True) for text in questions]
        vectors = self._encoder.sentence_vectors(texts).astype(np.float64)
        return [self._places(vectors @ question, top_k) for question in self._encoder.sentence_vectors(questions)]

    def similarities(self, questions: Sequence[str], ids: Sequence[Sequence[str]]) -> list[list[float]]:
        texts = {passage.id: passage.text for passage in self._passages}
        rows = self._encoder.sentence_vectors(questions)
        return [
            [float(near) for near in self._encoder.sentence_vectors([texts[key] for key in listed]) @ row]
            for row, listed in zip(rows, ids, strict=True)
        ]

    def passages(self) -> Iterator[Passage]:
        return iter(self._passages)

    def sentences(self, passages: Sequence[Passage]) -> list[tuple[list[str], Vectors]]:
        split = [[part.strip() for part in passage.text.split(".") if part.strip()] for passage in passages]
        return [(sentences, self._encoder.sentence_vectors(sentences)) for sentences in split]

    def _places(self, ordered_by: np.ndarray, top_k: int, *, is_score: bool = False) -> Places:
        corpus = sorted(enumerate(self._passages), key=lambda numbered: numbered[1].id)
        values = [float(ordered_by[place]) for place, _ in corpus]
        order = sorted(range(len(corpus)), key=lambda row: -values[row])[:top_k]
        return Places(
            corpus=[passage for _, passage in corpus],
            rows=np.array(order, dtype=np.intp),
            similarities=np.array([np.clip(values[row], -1, 1) for row in order]),
            scores=[values[row] for row in order] if is_score else None,
        )


class FakeCollections:
    """The vector store in memory."""

    def __init__(self, *indexes: FakeIndex) -> None:
        self._indexes = {index.collection.name: index for index in indexes}
        self._documents: dict[str, dict[str, DocumentSummary]] = {}

    def open(self, name: str) -> FakeIndex:
        if name not in self._indexes:
            raise NotFoundError(f"There is no collection {name!r}.")
        return self._indexes[name]

    def add(self, collection: Collection, document: Document, passages: Sequence[Passage], vectors: Vectors) -> int:
        documents = self._documents.setdefault(collection.name, {})
        if document.digest in documents:
            return 0
        index = self._indexes.setdefault(collection.name, FakeIndex(collection.name, []))
        index.collection = collection
        index._passages.extend(passages)
        documents[document.digest] = DocumentSummary.of(document, len(passages))
        return len(passages)

    def note(self, name: str, document: DocumentSummary) -> None:
        self._documents[name][document.digest] = document

    def list(self) -> list[tuple[Collection, list[DocumentSummary]]]:
        return [
            (index.collection, [*self._documents.get(name, {}).values()])
            for name, index in sorted(self._indexes.items())
        ]

    def reindex(
        self,
        collection: Collection,
        vectors_of: Callable[[Sequence[str]], Vectors],
        progress: Callable[[int, int], None],
    ) -> None:
        index = self.open(collection.name)
        vectors_of([passage.text for passage in index.passages()])
        index.collection = collection

    def delete(self, name: str) -> None:
        self.open(name)
        del self._indexes[name]
        self._documents.pop(name, None)


class FakeTemplate:
    """A prompt that can be read at a glance."""

    def __init__(self, name: str = "default", text: str | None = None) -> None:
        self.name = name
        self.text = name if text is None else text
        self.digest = hashlib.sha256(self.text.encode()).hexdigest()

    def render(
        self, *, question: str, passages: Sequence[Passage], metadata: Mapping[str, str] | None = None
    ) -> tuple[Message, ...]:
        given = "\n".join(passage.text for passage in passages)
        return (Message(role="user", content=f"{self.text}\n{given}\n{question}"),)


class FakeTemplates:
    """One template, called default, and one called brief; `edit` changes what one says."""

    def __init__(self) -> None:
        self._texts = {"brief": "brief", "default": "default"}

    def edit(self, name: str, text: str) -> None:
        self._texts[name] = text

    def load(self, name: str) -> PromptTemplate:
        if name not in self.list():
            raise NotFoundError(f"There is no prompt template {name!r}.")
        return FakeTemplate(name, self._texts[name])

    def of_text(self, *, name: str, text: str) -> PromptTemplate:
        return FakeTemplate(name, text)

    def cites(self, name: str) -> bool:
        return name == "cited"

    def list(self) -> list[str]:
        return sorted(self._texts)


class FakeScorer:
    """Every column is the share of the reference's words that the answer has; counts what it scored."""

    def __init__(self, identity: Mapping[str, str] | None = None) -> None:
        self.identity = dict(identity or {"encoder": "fake"})
        self.scored: list[tuple[str, str]] = []

    def score(self, pairs: Sequence[tuple[str, str]], *, profile: VectorProfile, language: str = "en") -> list[Scores]:
        self.scored.extend(pairs)
        return [self._scores(reference, answer) for reference, answer in pairs]

    def _scores(self, reference: str, answer: str) -> Scores:
        wanted, said = set(reference.lower().split()), set(answer.lower().split())
        if not said:
            return {column: Score(value=None, reason="empty_answer") for column in VECTOR_ORDER}
        share = len(wanted & said) / len(wanted) if wanted else 0.0
        return {column: Score(value=share + place / 1000) for place, column in enumerate(VECTOR_ORDER)}


class FakeEngine:
    """Does everything at once, in the caller's thread."""

    streams = True

    def __init__(self, chat_model: FakeChatModel, scorer: FakeScorer) -> None:
        self._chat_model, self._scorer = chat_model, scorer
        self.closed = False

    def complete(self, request: ChatRequest, *, draft: Draft | None = None) -> Future[Completion]:
        with (draft or Draft()).watching():
            return _settled(lambda: self._chat_model.complete(request))

    def retrieve(self, search: Callable[[], object]) -> Future:
        return _settled(search)

    def score(
        self, pairs: Sequence[tuple[str, str]], *, profile: VectorProfile, language: str = "en"
    ) -> Future[list[Scores]]:
        return _settled(lambda: self._scorer.score(pairs, profile=profile, language=language))

    def close(self) -> None:
        self.closed = True


def _settled(act: Callable[[], object]) -> Future:
    future: Future = Future()
    try:
        future.set_result(act())
    except Exception as exc:
        future.set_exception(exc)
    return future


class FakeWitness:
    """A chain that confirms everything, and remembers what it was asked."""

    def __init__(self, name: str = "http://127.0.0.1:8888") -> None:
        self.name = name
        self.asked: list[tuple[Transaction, list[PlacedEntry]]] = []

    def examine(self, transaction: Transaction, entries: Sequence[PlacedEntry]) -> Mapping[ChainStep, Finding]:
        self.asked.append((transaction, list(entries)))
        return dict.fromkeys(CHAIN_STEPS, Finding(outcome="pass", detail="The chain confirms it."))
