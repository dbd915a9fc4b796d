"""The extractive reader: answers with sentences of the passages, without a language model.

It copies the sentences of the passages that are nearest to the question, and never abstains as long as there is a
sentence to copy. It makes it possible to try a study without a model server, and is a control: the contribution of a
generator is its score above this one.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from threading import Lock

import numpy as np
from cachetools import LRUCache

from passer.domain.base import digest_of
from passer.domain.models.abstention import ABSTENTION
from passer.domain.models.chat import ChatRequest, Completion, CompletionTimings, PromptSource
from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.passages import Collection, Passage
from passer.domain.texts.search_words import TextRules
from passer.domain.texts.words import word_count
from passer.domain.wording.sentence import sentence
from passer.errors import CollectionMismatchError, ConfigError, ModelNotFoundError
from passer.ports import Embedder, Vectors

SentenceSource = Callable[[str, Sequence[Passage]], tuple[Collection, list[tuple[list[str], Vectors]]]]
"""(name, passages) -> the collection, and for each passage its sentences and their vectors."""

NAME = "extractive"
VERSION = 1
"""Part of the digest: another algorithm is another model. What the rules of a collection change (its sentences, and how
long a sentence is in a script without blanks) is in the address of the answer, and only where they change it."""
SENTENCES = 3
"""Most sentences copied."""
REDUNDANT = 0.95
"""Cosine from which a sentence counts as a repetition of one already chosen."""
SHORTEST = 4
"""Words of the shortest sentence copied, where there are longer ones: headings are near every question."""
_CACHED = 4096
"""Question vectors cached for the next configuration."""
_DECIMALS = 5


class ExtractiveReader:
    """Copies the sentences nearest to the question; the same request always gives the same answer."""

    def __init__(self, *, sentence_source: SentenceSource, embedder: Embedder) -> None:
        self._sentences = sentence_source
        self._embedder = embedder
        self._questions: LRUCache[str, Vectors] = LRUCache(_CACHED)
        self._lock = Lock()
        self._info: ModelInfo | None = None

    def complete(self, request: ChatRequest) -> Completion:
        """Return up to three sentences in reading order, num_predict words at most; ConfigError without passages."""
        began = time.monotonic()
        if request.source is None:
            raise ConfigError(sentence("vectors.reader-only-answers"), field="model")
        info = self.describe(request.model)
        chosen = self._chosen(request.source)
        words = " ".join(chosen).split()
        limit = request.options.num_predict
        return Completion(
            text=" ".join(words[:limit]) if chosen else ABSTENTION,
            finish_reason="length" if len(words) > limit else "stop",
            timings=CompletionTimings(elapsed_s=time.monotonic() - began),
            model_digest=info.digest,
        )

    def describe(self, model: Model) -> ModelInfo:
        """Return the reader's description; its digest covers the algorithm and the encoder."""
        if model.name != NAME:
            raise ModelNotFoundError(sentence("vectors.reader-no-model", model=model.name, name=NAME))
        if self._info is None:
            settings = {"sentences": SENTENCES, "redundant": REDUNDANT, "shortest": SHORTEST}
            encoder = self._embedder.model.digest
            digest = digest_of({"reader": NAME, "version": VERSION, "encoder": encoder, **settings})
            self._info = ModelInfo(name=NAME, digest=digest, family="sentence selection")
        return self._info

    def models(self) -> list[ModelInfo]:
        return [self.describe(Model())]

    def _chosen(self, source: PromptSource) -> list[str]:
        if not source.passages:
            return []
        collection, per_passage = self._sentences(source.collection, source.passages)
        # By digest: vectors of another model may be as long, and would then be compared with the question's in silence.
        if collection.embedding.digest != self._embedder.model.digest:
            raise CollectionMismatchError(
                sentence("vectors.reader-other-vectors", collection=source.collection, model=self._embedder.model.name)
            )
        texts = [text for sentences, _ in per_passage for text in sentences]
        if not texts:
            return []
        vectors = np.concatenate([rows for sentences, rows in per_passage if sentences])
        question = self._question(source.question)
        return [texts[place] for place in _nearest(texts, vectors, question, collection.text_rules)]

    def _question(self, text: str) -> Vectors:
        """Return the question's vector, shape (dimension,), and keep it for the next call."""
        with self._lock:
            if text not in self._questions:
                self._questions[text] = self._embedder.sentence_vectors([text])[0]
            return self._questions[text]


def _nearest(texts: Sequence[str], vectors: Vectors, question: Vectors, rules: TextRules) -> list[int]:
    """Return the places of the sentences to copy, in reading order.

    By descending similarity, rounded so that the last bits of a product never decide, then by place; a sentence that
    repeats a chosen one is passed over. `vectors`: shape (n, dimension); `question`: shape (dimension,); normalised.
    """
    similarities = np.round(vectors @ question, _DECIMALS)
    order = np.argsort(-similarities, kind="stable")
    # By the first rules only blanks end words, so that answers over older collections stay what they were.
    long_enough = [int(i) for i in order if (len(texts[i].split()) if rules == 1 else word_count(texts[i])) >= SHORTEST]
    chosen: list[int] = []
    for place in long_enough or [int(i) for i in order]:
        if not any(_repeats(texts, vectors, place, earlier) for earlier in chosen):
            chosen.append(place)
        if len(chosen) == SENTENCES:
            break
    return sorted(chosen)


def _repeats(texts: Sequence[str], vectors: Vectors, one: int, other: int) -> bool:
    """Return whether two sentences repeat each other: nearly equal vectors, or one contains the other."""
    first, second = (re.sub(r"\s+", " ", texts[place]).strip() for place in (one, other))
    return first in second or second in first or float(vectors[one] @ vectors[other]) >= REDUNDANT
