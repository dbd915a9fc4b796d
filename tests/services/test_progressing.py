"""How long a sweep will still take: what is said on the way, against what it then took by the same clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from threading import Event

import pytest

from passer.domain.answer import GenerationRequest
from passer.domain.dataset import Dataset, Question
from passer.domain.retrieval import NormalPolicy
from passer.domain.run import Model, RunConfig, RunState
from passer.domain.sweep import Axes, Sweep
from passer.ports import StoredSweep, SweepProgress
from tests.services.steady import EventClock, SteadyEngine
from tests.services.study import TEXTS, Study

NEAR = Model(provider="ollama", name="mistral", base_url="http://near:1")
FAR = Model(provider="ollama", name="llama", base_url="http://far:1")

Latency = Callable[[GenerationRequest], float]


class Watched:
    """A study of many questions on an engine of constant speed; keeps what was reported, and when."""

    def __init__(self, questions: int, **speed: object) -> None:
        self.study, self.clock = Study(), EventClock()
        many = [
            Question(id=f"q{n}", text=f"{TEXTS[n % 4]} in the case {n}", reference=TEXTS[n % 4])
            for n in range(questions)
        ]
        self.study.store.save_dataset(Dataset(name="farm", questions=tuple(many)))
        self.reports: list[tuple[float, SweepProgress]] = []
        self._report = self.study.store.report
        self.study.store.report = self._noted
        engine = SteadyEngine(self.clock, **speed)
        self.running = replace(self.study.running, engine=lambda: engine, clock=self.clock, group_for_s=0.001)

    def create(self, *models: Model, thresholds: tuple[float, ...] = ()) -> StoredSweep:
        axes = Axes(model=models, min_similarity=thresholds)
        config = RunConfig(dataset="farm", collection="books")
        return self.study.sweeping.create(Sweep(name="Long", config=config, axes=axes, baseline=NormalPolicy(k=2)))

    def _noted(self, sweep_id: str, progress: SweepProgress) -> None:
        self.reports.append((self.clock.time, progress))
        self._report(sweep_id, progress)

    def misjudged(self, *, after: float = 0.1) -> list[tuple[float, float, float]]:
        """(share done, seconds said, seconds taken) of the reports between then and nine tenths that are off."""
        end = self.clock.time
        told = [(at, p) for at, p in self.reports if p.stage == "answering" and after <= p.done / p.total <= 0.9]
        assert len(told) > 10, "it was told often enough to judge"
        judged = [(p.done / p.total, p.eta_s, end - at) for at, p in told]
        return [each for each in judged if each[1] is None or abs(each[1] - each[2]) > 0.2 * each[2]]


@pytest.mark.parametrize(
    ("questions", "speed"),
    [
        (150, {"slots": 4, "latency_s": lambda r: 1.0}),
        (150, {"slots": 4, "latency_s": lambda r: 1.0, "jitter": 0.0}),
        (150, {"slots": 1, "latency_s": lambda r: 40.0}),
        (600, {"slots": 16, "latency_s": lambda r: 0.2}),
        (600, {"slots": 16, "latency_s": lambda r: 0.2, "scoring_s": 0.05}),
    ],
    ids=["four slots", "in step", "slow", "sixteen slots", "scoring is the bottleneck"],
)
def test_after_a_tenth_the_time_to_go_is_told_within_a_fifth(questions, speed):
    watched = Watched(questions, **speed)
    done = watched.running.run(watched.create(thresholds=(0.1, 0.3)).id)
    assert [run.state for run in done.runs] == [RunState.FINISHED] * 3
    assert watched.misjudged() == []


def test_of_two_servers_side_by_side_the_slower_one_counts():
    watched = Watched(150, slots=4, latency_s=lambda r: 3.0 if r.model == FAR else 1.0)
    sweep = watched.running.run(watched.create(NEAR, FAR).id)
    assert watched.misjudged(after=0.3) == [], "by then each of them has done a tenth of its own"
    ended = {run.config.model: run.state for run in sweep.runs}
    assert ended == {NEAR: RunState.FINISHED, FAR: RunState.FINISHED}
    # 150 answers, 4 at a time, 3 s each: the faster server adds nothing.
    assert watched.clock.time == pytest.approx(150 * 3.0 / 4, rel=0.1)


def test_what_was_done_before_a_restart_is_no_speed():
    watched = Watched(150, slots=4)
    sweep, stop = watched.create(thresholds=(0.1,)), Event()
    record = watched.study.store.record

    def stops_in_the_middle(facts):
        record(facts)
        if watched.study.store.load_sweep(sweep.id).runs[0].counts.scored > 50:
            stop.set()

    watched.study.store.record = stops_in_the_middle
    watched.running.run(sweep.id, stop=stop)
    watched.study.store.record = record
    watched.reports.clear()
    done = watched.running.run(sweep.id)
    assert [run.counts.scored for run in done.runs] == [150, 150]
    begun = min(p.done / p.total for _, p in watched.reports)
    assert 0.2 < begun < 0.5
    assert watched.misjudged(after=begun + 0.1 * (1 - begun)) == []


def test_what_a_person_stopped_is_not_waited_for():
    watched = Watched(100, slots=4)
    sweep = watched.create(NEAR, FAR)
    record = watched.study.store.record

    def cancels_soon(facts):
        record(facts)
        runs = watched.study.store.load_sweep(sweep.id).runs
        if runs[1].counts.scored > 5 and not runs[1].state.is_final:
            watched.study.steering.cancel(sweep.id, run_ids=[runs[1].id])

    watched.study.store.record = cancels_soon
    done = watched.running.run(sweep.id)
    assert [run.state for run in done.runs] == [RunState.FINISHED, RunState.CANCELLED]
    end = watched.clock.time
    late = [(at, p) for at, p in watched.reports if p.stage == "answering" and 30 <= p.done <= 100]
    assert late
    assert [p for at, p in late if abs((p.eta_s or 0) - (end - at)) > 0.2 * (end - at)] == []
