"""Pairs of answers that play: made of what the runs of a sweep have stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from passer.domain.arena.playing import Pairing
from passer.domain.arena.schedule import Fixture, Schedule
from passer.domain.arena.tournament import ArenaOptions, Entrant
from passer.domain.judging.item import Item
from passer.domain.run import Run
from passer.domain.wording.sentence import sentence
from passer.errors import InputError
from passer.ports import StoredSweep
from passer.services.judging.items import ItemKey, ItemSource

FEWEST_RUNS = 2


@dataclass(frozen=True)
class PairingSource:
    """Makes pairings of stored answers."""

    items: ItemSource

    def entrants(self, run_ids: Sequence[str]) -> tuple[Entrant, ...]:
        """Return runs as systems of a tournament; InputError for fewer than two runs or several sweeps.

        They are ordered by the digest of their configuration: the order in which runs were made or loaded must not
        decide who stands first.
        """
        if len(set(run_ids)) < FEWEST_RUNS:
            raise InputError(sentence("arena.two-runs"), field="runs")
        sweep = self.items.sweep_of(run_ids)
        runs = sorted(_chosen(sweep, run_ids), key=lambda run: (run.config.digest, run.id))
        return tuple(Entrant(id=run.id, name=run.name, model=run.config.model.name) for run in runs)

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

    def pairings(self, run_ids: Sequence[str], fixtures: Sequence[Fixture], options: ArenaOptions) -> Iterator[Pairing]:
        """Yield the pairings of these fixtures, question by question."""
        wanted: dict[str, list[Fixture]] = defaultdict(list)
        for fixture in fixtures:
            wanted[fixture.question_id].append(fixture)
        found = self.items.items(run_ids, only=wanted)
        for question_id, group in groupby(found, key=lambda each: each.place.question_id):
            items = {each.place.run_id: each.item for each in group}
            documents = pooled(list(items.values())) if options.documents == "text" else ()
            for fixture in wanted[question_id]:
                if fixture.a not in items or fixture.b not in items:
                    continue
                one, other = items[fixture.a], items[fixture.b]
                yield Pairing(
                    fixture=fixture,
                    question=one.question,
                    documents=documents,
                    answers=(one.answer, other.answer),
                )


def pooled(items: Sequence[Item]) -> tuple[str, ...]:
    """Return the distinct passages of all runs of a question by their best rank: no run's passages are favoured."""
    best: dict[str, tuple[int, str]] = {}
    for item in items:
        for place, passage in enumerate(item.passages, 1):
            if passage.id not in best or place < best[passage.id][0]:
                best[passage.id] = (place, passage.text)
    ordered = sorted(best.items(), key=lambda each: (each[1][0], each[0]))
    return tuple(text for _, (_, text) in ordered)


def _chosen(sweep: StoredSweep, run_ids: Sequence[str]) -> list[Run]:
    wanted = set(run_ids)
    return [run for run in sweep.runs if run.id in wanted]
