"""Pairs of answers that play, from the stored answers of the runs of a sweep."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from passer.domain.arena.game_recipe import Pairing
from passer.domain.arena.schedule import Fixture, Schedule
from passer.domain.arena.tournament import ArenaOptions, Entrant
from passer.domain.judging.item import Item
from passer.domain.retrieval.inputs import StoredQrels
from passer.domain.sweeps.run_names import name_among_sweeps
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, InputError, NotFoundError
from passer.metrics.judged.relevance import HIGHEST
from passer.ports import RetrievalInputStore
from passer.services.judging.items import ItemKey, ItemSource
from passer.services.judging.relevance import Grades, RelevanceReader

FEWEST_RUNS = 2


@dataclass(frozen=True)
class PairingSource:
    """Makes pairings of stored answers."""

    items: ItemSource
    relevance: RelevanceReader
    inputs: RetrievalInputStore

    def entrants(self, run_ids: Sequence[str]) -> tuple[Entrant, ...]:
        """Return runs as systems of a tournament; InputError for fewer than two runs, or for different questions.

        They are ordered by the digest of their configuration: the order in which runs were made or loaded must not
        decide which answer is shown first.
        """
        if len(set(run_ids)) < FEWEST_RUNS:
            raise InputError(sentence("arena.two-runs"), field="runs")
        sweeps = self.items.sweeps_of(run_ids)
        wanted = set(run_ids)
        chosen = [(sweep, run) for sweep in sweeps for run in sweep.runs if run.id in wanted]
        chosen.sort(key=lambda each: (each[1].config.digest, each[1].id))
        # Runs of two sweeps may have the same name.
        return tuple(
            Entrant(
                id=run.id,
                name=run.name if len(sweeps) == 1 else name_among_sweeps(sweep.name, run.name),
                model=run.config.model.name,
            )
            for sweep, run in chosen
        )

    def run_ids(self, given: Sequence[str]) -> tuple[str, ...]:
        """Return the runs that are named, those of a named sweep among them; NotFoundError for an unknown id."""
        found: list[str] = []
        for some_id in given:
            try:
                found += [run.id for run in self.items.runs.load_sweep(some_id, counted=False).runs]
            except NotFoundError:
                self.items.sweep_of((some_id,))
                found.append(some_id)
        return tuple(dict.fromkeys(found))

    def sweep_name(self, run_ids: Sequence[str]) -> str:
        """Return the names of the sweeps of some runs."""
        return ", ".join(sweep.name for sweep in self.items.sweeps_of(run_ids))

    def keys(self, run_ids: Sequence[str]) -> list[ItemKey]:
        """Return each question of each run; the key is None where there is no answer."""
        return self.items.keys(run_ids)

    def fixtures(self, run_ids: Sequence[str], options: ArenaOptions, keys: Sequence[ItemKey]) -> list[Fixture]:
        """Return the games of an arena, question by question."""
        answered: dict[str, list[str]] = defaultdict(list)
        for found in sorted(keys, key=lambda each: each.place.number):
            if found.key is not None:
                answered[found.place.question_id].append(found.place.run_id)
        schedule = Schedule(runs=tuple(run_ids), per_question=options.per_question, seed=options.seed)
        return schedule.fixtures(answered)

    def pairings(
        self, entrants: Sequence[Entrant], fixtures: Sequence[Fixture], options: ArenaOptions
    ) -> Iterator[Pairing]:
        """Yield the pairings of these fixtures, question by question.

        Documents are those of the systems that played from the beginning: one that joins later does not change them.
        """
        wanted: dict[str, list[Fixture]] = defaultdict(list)
        for fixture in fixtures:
            wanted[fixture.question_id].append(fixture)
        first = {each.id for each in entrants if each.added_by is None}
        found = self.items.items([each.id for each in entrants], only=wanted)
        shown = self._shown(options, wanted)
        for question_id, group in groupby(found, key=lambda each: each.place.question_id):
            items = {each.place.run_id: each.item for each in group}
            documents = shown(question_id, [item for run_id, item in items.items() if run_id in first])
            keys = {run_id: item.key for run_id, item in items.items()}
            for fixture in wanted[question_id]:
                if fixture.a not in items or fixture.b not in items:
                    continue
                one, other = items[fixture.a], items[fixture.b]
                yield Pairing(
                    fixture=fixture,
                    question=one.question,
                    documents=documents,
                    answers=(one.answer, other.answer),
                    truncated=(one.truncated, other.truncated),
                    items=(keys[fixture.a], keys[fixture.b]),
                )

    def ungraded(self, run_ids: Sequence[str], options: ArenaOptions) -> int:
        """Count the passages that are left out because nobody graded them; 0 where grades are not read."""
        if not options.shows_grades:
            return 0
        grades, _ = self.grades(options)
        found = groupby(self.items.items(run_ids), key=lambda each: each.place.question_id)
        return sum(
            passage_id not in grades.get(question_id, {})
            for question_id, group in found
            for passage_id in pooled([each.item for each in group])
        )

    def grades(self, options: ArenaOptions, *, only: Collection[str] | None = None) -> tuple[Grades, int]:
        """Return the grades of passages by question id, and the highest grade there is.

        NotFoundError without them, InputError for an assessment of something else, ConflictError for saved grades
        that were replaced since the tournament was created.
        """
        if options.qrels is None:
            assessment = options.relevance or ""
            column = self.relevance.column(assessment)
            return self.relevance.grades(assessment, column, only=only), HIGHEST[column]
        stored = self.inputs.find(StoredQrels, options.qrels)
        if options.qrels_digest not in (None, stored.summary.digest):
            raise ConflictError(sentence("arena.grades-replaced", name=options.qrels))
        return stored.content, max(max(own.values(), default=0) for own in stored.content.values())

    def _shown(self, options: ArenaOptions, questions: Collection[str]) -> Callable[[str, list[Item]], tuple[str, ...]]:
        """Return what a judge reads of the passages of a question."""
        if options.documents == "none":
            return lambda *_: ()
        if not options.shows_grades:
            return lambda _, items: tuple(pooled(items).values())
        grades, highest = self.grades(options, only=questions)

        def graded(question_id: str, items: list[Item]) -> tuple[str, ...]:
            known = grades.get(question_id, {})
            return tuple(
                f"(relevance {known[passage_id]} of {highest}){f' {text}' if options.shows_texts else ''}"
                for passage_id, text in pooled(items).items()
                if known.get(passage_id, -1) >= options.least_grade
            )

        return graded


def pooled(items: Sequence[Item]) -> dict[str, str]:
    """Return the texts of the distinct passages of all runs of a question, by id, the best ranked first.

    No run's passages are favoured.
    """
    best: dict[str, tuple[int, str]] = {}
    for item in items:
        for place, passage in enumerate(item.passages, 1):
            if passage.id not in best or place < best[passage.id][0]:
                best[passage.id] = (place, passage.text)
    ordered = sorted(best.items(), key=lambda each: (each[1][0], each[0]))
    return {passage_id: text for passage_id, (_, text) in ordered}
