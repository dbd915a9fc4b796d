"""Questions on their way to a ranking: searched in batches, ahead of the evaluations that need them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from passer.domain.dataset import Question
from passer.domain.retrieval.passages import Ranking
from passer.domain.retrieval.ranking_source import question_digest
from passer.domain.retrieval.retriever import RankedBy, Retriever
from passer.ports import RankingFact, SharedRanking
from passer.services.pipeline.ranker import QUESTIONS_PER_SEARCH, QuestionSearch, RetrievalKey, address
from passer.services.pipeline.retrieval_search import source_of
from passer.services.sweeps.context import SweepContext
from passer.services.sweeps.request_pool import Arrived
from passer.services.sweeps.tasks import Task

SEARCHES_AHEAD = 2
"""Searches in flight: while one's results are committed, the next one runs."""

NOTHING = Ranking(passages=())
"""The ranking of a configuration without retrieval."""

RankedTask = tuple[Task, Ranking]


class _Found(NamedTuple):
    """Results of one search."""

    rankings: list[Ranking]
    is_current: bool
    """True if the collection was still the same afterwards."""


@dataclass
class _Source:
    """One collection under one retriever, and its questions."""

    ranked_by: RankedBy
    depth: int
    search: QuestionSearch
    digest: str | None
    """Digest under which sweeps share searches; None for a timing run, which shares nothing."""
    ranked: set[str]
    """Ids of the questions whose ranking is stored, or is with the next commit."""
    previewed: Mapping[str, Ranking]
    """Rankings of a preview that retrieved exactly this, by question digest."""
    unsent: list[Question]
    waiting: dict[str, list[Task]] = field(default_factory=dict)
    """Tasks by question id."""


class RankingBatcher:
    """Ranks each question once per source, for all configurations of a sweep that cut the ranking.

    A ranking that the sweep has stored is never searched again, and one that an earlier sweep found in the same
    version of the collection is reused. `ranked` is called in the writing thread with the tasks whose ranking is known,
    `found` before it with what is to be committed.
    """

    def __init__(
        self,
        context: SweepContext,
        *,
        arrived: Arrived,
        found: Callable[[RankingFact], None],
        ranked: Callable[[Sequence[RankedTask]], None],
    ) -> None:
        self._context, self._arrived, self._found, self._ranked = context, arrived, found, ranked
        self._sources = {each.ranked_by: each for each in _sources(context)}
        self._in_flight = 0
        self._is_warm = not context.is_timed

    @property
    def is_busy(self) -> bool:
        """Return whether questions are left to search, or being searched."""
        return self._in_flight > 0 or any(source.unsent for source in self._sources.values())

    @property
    def is_in_flight(self) -> bool:
        """Return whether a search is in flight."""
        return self._in_flight > 0

    @property
    def waiting(self) -> int:
        """Return the number of tasks that wait for a ranking; may be called from any thread."""
        return sum(len(tasks) for source in self._sources.values() for tasks in list(source.waiting.values()))

    def rank(self, tasks: Sequence[Task]) -> None:
        """Pass on the tasks whose ranking is known; the others follow after the search for their question."""
        ready = []
        stored = self._stored(tasks)
        for task in tasks:
            ranked_by, question_id = task.run.config.ranked_by, task.question.id
            if not task.run.config.retrieval.depth:
                ready.append((task, NOTHING))
            elif question_id in self._sources[ranked_by].ranked:
                ready.append((task, stored[ranked_by, question_id]))
            else:
                self._sources[ranked_by].waiting.setdefault(question_id, []).append(task)
        if ready:
            self._ranked(ready)

    def _stored(self, tasks: Sequence[Task]) -> dict[tuple[RankedBy, str], Ranking]:
        """Read the stored rankings of a few tasks: those of all questions with their texts can take gigabytes."""
        wanted: dict[RankedBy, dict[str, None]] = {}
        for config, question_id in ((task.run.config, task.question.id) for task in tasks):
            if config.retrieval.depth and question_id in self._sources[config.ranked_by].ranked:
                wanted.setdefault(config.ranked_by, {})[question_id] = None
        read, sweep_id = self._context.evaluations.rankings, self._context.sweep.id
        return {
            (ranked_by, question_id): ranking
            for ranked_by, ids in wanted.items()
            for question_id, ranking in read(sweep_id, ranked_by, list(ids)).items()
        }

    def drop(self, run_id: str) -> None:
        """Remove the tasks of a stopped run; searches continue, because other runs may need them."""
        for source in self._sources.values():
            for question_id, tasks in source.waiting.items():
                source.waiting[question_id] = [task for task in tasks if task.run.id != run_id]

    def send(self) -> None:
        """Start searches; of several sources the one that is furthest behind comes first."""
        while self._in_flight < (1 if self._context.is_timed else SEARCHES_AHEAD):
            source = max(self._sources.values(), key=lambda each: len(each.unsent), default=None)
            if source is None or not source.unsent:
                return
            # In a timing run one question at a time, because its seconds must be its own (decision 001).
            count = 1 if self._context.is_timed else QUESTIONS_PER_SEARCH
            batch, source.unsent = source.unsent[:count], source.unsent[count:]
            known = self._known(source, batch)
            self._in_flight += 1
            future = self._context.engine.retrieve(partial(self._search, source, batch, known))
            future.add_done_callback(partial(self._on_done, source, batch, known))

    def _known(self, source: _Source, batch: Sequence[Question]) -> Mapping[str, SharedRanking]:
        """Return the rankings of earlier sweeps, by question digest."""
        if source.digest is None:
            return {}
        digests = [address(source.digest, question, source.depth).question for question in batch]
        return self._context.evaluations.found_rankings(source.digest, digests, depth=source.depth)

    def _search(self, source: _Source, batch: Sequence[Question], known: Mapping[str, SharedRanking]) -> _Found:
        """Runs in the engine's thread."""
        if not self._is_warm:
            source.search.warm_up(batch[0])
            self._is_warm = True
        stored = {key: each.ranking for key, each in known.items()}
        rankings = source.search.rank(batch, {**source.previewed, **stored})
        # A collection that grew meanwhile was searched as it is now: that must not be shared as what it was before.
        return _Found(rankings, source.digest is None or source.digest == _digest_now(self._context, source))

    def _on_done(
        self, source: _Source, batch: Sequence[Question], known: Mapping[str, SharedRanking], future: Future[_Found]
    ) -> None:
        self._arrived.put(lambda: self._on_rankings(source, batch, known, future.result()))

    def _on_rankings(
        self, source: _Source, batch: Sequence[Question], known: Mapping[str, SharedRanking], found: _Found
    ) -> None:
        self._in_flight -= 1
        ready: list[RankedTask] = []
        for question, ranking in zip(batch, found.rankings, strict=True):
            # Not kept in memory: the scheduler commits what was found before it begins further tasks.
            source.ranked.add(question.id)
            self._found(self._fact(source, question, ranking, known, is_current=found.is_current))
            ready += [(task, ranking) for task in source.waiting.pop(question.id, ())]
        if ready:
            self._ranked(ready)

    def _fact(
        self,
        source: _Source,
        question: Question,
        ranking: Ranking,
        known: Mapping[str, SharedRanking],
        *,
        is_current: bool,
    ) -> RankingFact:
        at = address(source.digest, question, source.depth) if source.digest else None
        sweep_id = self._context.sweep.id
        if at and at.question in known:
            return RankingFact(sweep_id, source.ranked_by, question.id, ranking, at=known[at.question].at, reused=True)
        # What a model failed to rewrite or to grade may get its reply in the next sweep.
        is_shared = is_current and ranking.is_final
        return RankingFact(sweep_id, source.ranked_by, question.id, ranking, at=at if is_shared else None)


def _sources(context: SweepContext) -> list[_Source]:
    """Return the sources of a sweep, each as deep as any of its configurations needs."""
    depths: dict[RankedBy, int] = {}
    retrievers: dict[RankedBy, Retriever] = {}
    for config in (run.config for run in context.sweep.runs):
        depths[config.ranked_by] = max(config.retrieval.depth, depths.get(config.ranked_by, 0))
        retrievers[config.ranked_by] = config.retriever
    return [_source(context, each, retrievers[each], depth) for each, depth in depths.items()]


def _source(context: SweepContext, ranked_by: RankedBy, retriever: Retriever, depth: int) -> _Source:
    ranked = context.evaluations.ranked_questions(context.sweep.id, ranked_by) if depth else set[str]()
    unsent = [question for question in context.questions if depth and question.id not in ranked]
    # Read no collection if there is nothing left to search: it may have been deleted.
    # A timing run shares no rankings: its times are measurements of this run (decision 001).
    shared = unsent and not context.is_timed
    digest = source_of(context.collections, ranked_by.collection, retriever).digest if shared else None
    return _Source(
        ranked_by=ranked_by,
        depth=depth,
        search=QuestionSearch(
            context.collections, ranked_by.collection, ranker=context.answerer.ranker, retriever=retriever, depth=depth
        ),
        digest=digest,
        ranked=ranked,
        previewed=_previewed(context, digest, depth) if digest else {},
        unsent=unsent,
    )


def _previewed(context: SweepContext, digest: str, depth: int) -> dict[str, Ranking]:
    key = RetrievalKey(digest, context.sweep.dataset_digest, context.sweep.questions, depth)
    rankings = context.previewed.get(key) or {}
    texts = {question.id: question.text for question in context.questions}
    # What a model failed to rewrite or to grade in the preview may get its reply now.
    return {question_digest(texts[each]): ranking for each, ranking in rankings.items() if ranking.is_final}


def _digest_now(context: SweepContext, source: _Source) -> str:
    return source_of(context.collections, source.ranked_by.collection, source.search.retriever).digest
