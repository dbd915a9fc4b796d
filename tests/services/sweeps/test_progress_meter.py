"""The estimated remaining time of a sweep, compared with the time that it then took by the same clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from threading import Event

import pytest

from passer.domain.dataset import Dataset, Question
from passer.domain.models.chat import ChatRequest
from passer.domain.models.model import Model
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import Evaluation, RunConfig, RunState
from passer.domain.sweeps.sweep import Sweep
from passer.errors import GenerationError
from passer.ports import StoredSweep, SweepProgress
from passer.services.sweeps.progress_meter import ProgressMeter
from tests.fake_models import FakeChatModel
from tests.fakes import FakeClock
from tests.services.steady import EventClock, SteadyEngine
from tests.services.study import TEXTS, Study

NEAR = Model(provider="ollama", name="mistral", base_url="http://near:1")
FAR = Model(provider="ollama", name="llama", base_url="http://far:1")

Latency = Callable[[ChatRequest], float]


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
        self._renew = self.study.store.work.renew
        self.study.store.work.renew = self._noted
        engine = SteadyEngine(self.clock, **speed)
        self.running = replace(self.study.running, engine=lambda: engine, clock=self.clock, group_for_s=0.001)

    def create(self, *models: Model, thresholds: tuple[float, ...] = ()) -> StoredSweep:
        axes = Axes(model=models, min_similarity=thresholds)
        config = RunConfig(dataset="farm", collection="books")
        return self.study.planner.create(Sweep(name="Long", config=config, axes=axes, baseline=NormalPolicy(k=2)))

    def _noted(self, work_id: str, owner: str, *, ttl_s: float, progress: SweepProgress | None = None) -> bool:
        if progress is not None:
            self.reports.append((self.clock.time, progress))
        return self._renew(work_id, owner, ttl_s=ttl_s, progress=progress)

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
            watched.study.control.cancel(sweep.id, run_ids=[runs[1].id])

    watched.study.store.record = cancels_soon
    done = watched.running.run(sweep.id)
    assert [run.state for run in done.runs] == [RunState.FINISHED, RunState.CANCELLED]
    end = watched.clock.time
    late = [(at, p) for at, p in watched.reports if p.stage == "answering" and 30 <= p.done <= 100]
    assert late
    assert [p for at, p in late if abs((p.eta_s or 0) - (end - at)) > 0.2 * (end - at)] == []


def test_the_last_failures_are_told_with_their_reasons_and_go_when_they_are_asked_again():
    broken = [True]

    def script(source):
        if "number 1" in source.question and broken[0]:
            raise GenerationError(f"The reply to {source.question!r} was cut: try again.", reason="connection_lost")
        return source.passages[0].text

    study = Study(chat_model=FakeChatModel(script))
    asked = tuple(Question(id=f"q{n}", text=f"{TEXTS[0]} number {n}", reference=TEXTS[0]) for n in range(18))
    study.store.save_dataset(Dataset(name="farm", questions=asked))
    sweep = study.running.run(study.create(0.1).id)
    assert [run.counts.failed for run in sweep.runs] == [9, 9], "number 1, and 10 to 17"
    told = sweep.progress.failures
    assert len(told) == 5
    for failure in told:
        kept = study.store.evaluations(failure.run_id)[failure.number]
        assert (kept.state, kept.question_id, kept.reason) == ("failed", failure.question_id, failure.reason)
    assert [each.at for each in told] == sorted((each.at for each in told), reverse=True)

    broken[0] = False
    study.control.retry(sweep.id, run_ids=[sweep.runs[1].id])
    sweep = study.running.run(sweep.id)
    assert [run.counts.failed for run in sweep.runs] == [9, 0]
    assert {each.run_id for each in sweep.progress.failures} <= {sweep.runs[0].id}
    assert len(sweep.progress.failures) == sum(each.run_id == sweep.runs[0].id for each in told)


class StillClock(FakeClock):
    """Time that advances only when a test advances it."""

    def __init__(self) -> None:
        super().__init__()
        self.time = 0.0

    def monotonic(self) -> float:
        return self.time


def test_evaluations_that_ask_nothing_are_not_counted_as_speed():
    """A threshold that keeps nothing abstains at once: its share of what is left takes no time either."""
    study, clock = Study(), StillClock()
    stored = study.create(0.1, 0.99)
    asking, abstaining = (run.id for run in stored.runs[-2:])
    reports: list[SweepProgress] = []
    total = 1_000
    large = stored.model_copy(update={"questions": total})
    meter = ProgressMeter(reports.append, large, clock, lane_of=lambda run: "server")
    meter.drop(stored.runs[0].id)
    # Abstentions are made ahead of the answers: half of one run's at once, then one answer a second.
    for number in range(500):
        meter.advance(Evaluation(run_id=abstaining, number=number, question_id="q"))
    for number in range(100):
        clock.time += 1.0
        meter.advance(Evaluation(run_id=asking, number=number, question_id="q", prompt_digest="p"))
    meter.tick("answering")
    assert reports[-1].eta_s == pytest.approx(900.0, rel=0.02), "900 answers are left, and 500 abstentions"


def test_stored_answers_say_nothing_about_those_that_are_left():
    study, clock = Study(), StillClock()
    large = study.create(0.1).model_copy(update={"questions": 1_000})
    reports: list[SweepProgress] = []
    meter = ProgressMeter(reports.append, large, clock, lane_of=lambda run: "server")
    run = large.runs[-1].id
    meter.drop(large.runs[0].id)
    for number in range(400):
        if number < 300:
            meter.stored(run, number)
        else:
            clock.time += 2.0
        meter.advance(Evaluation(run_id=run, number=number, question_id="q", prompt_digest="p", reused=number < 300))
    meter.tick("answering")
    assert reports[-1].eta_s == pytest.approx(1200.0, rel=0.02), "600 answers at two seconds each"


def test_the_mean_of_the_last_twenty_answers_is_reported_and_none_before_the_first():
    study, clock = Study(), StillClock()
    reports: list[SweepProgress] = []
    meter = ProgressMeter(reports.append, study.create(0.1), clock, lane_of=lambda run: "server")
    meter.tick("answering")
    assert reports[-1].answer_s is None
    for seconds in (600.0, *[50.0] * 20):
        meter.replied(seconds)
    clock.time += 1.0
    meter.tick("answering")
    assert reports[-1].answer_s == 50.0
