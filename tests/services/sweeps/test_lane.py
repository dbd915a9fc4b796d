"""Which sweeps run side by side: as many as there are slots, but not those that would disturb each other."""

from __future__ import annotations

from threading import Event

import pytest

from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.model import Model
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.domain.timing.times import TimingPlan
from passer.ports import Work
from passer.services.sweeps.lane import PATIENCE_S, SweepLane, SweepRoom
from passer.services.work.worker import Worker
from tests.services.study import Study
from tests.waiting import wait_until

NEAR, FAR = "http://near:1", "http://far:1"
MISTRAL = Model(provider="ollama", name="mistral", base_url=NEAR)
LLAMA = Model(provider="ollama", name="llama", base_url=NEAR)
ELSEWHERE = Model(provider="ollama", name="llama", base_url=FAR)


class Queue:
    """Sweeps that wait, and a lane that notes what it would run."""

    def __init__(self, slots: int) -> None:
        self.study = Study()
        self.ran: list[tuple[str, float | None]] = []
        room = SweepRoom(self, self.study.store, self.study.answerer.located)
        self.lane = SweepLane(lambda _: room, slots=slots)

    def run(self, sweep_id: str, *, stop: Event, patience_s: float | None) -> None:
        self.ran.append((sweep_id, patience_s))

    def add(self, *models: Model, timing: bool = False, name: str = "Study", **options: int) -> Work:
        plan = TimingPlan() if timing else None
        config = RunConfig(dataset="farm", collection="books", model=models[0], options=GenerationOptions(**options))
        sweep = Sweep(name=name, config=config, axes=Axes(model=models), baseline=NormalPolicy(k=2), timing=plan)
        return self.study.store.work.find(self.study.planner.create(sweep).id)

    def begun(self, waiting: list[Work], running: list[Work] | None = None) -> list[Work]:
        """What is begun, one after the other, until no more is."""
        taken, left = list(running or []), list(waiting)
        while (chosen := self.lane.choose(left, taken)) is not None:
            left.remove(chosen)
            taken.append(chosen)
        return taken[len(running or []) :]


@pytest.mark.parametrize("slots", [0, 1, 2, 3])
def test_as_many_sweeps_run_as_there_are_slots_the_oldest_first(slots: int):
    queue = Queue(slots)
    waiting = [queue.add(MISTRAL, name=str(number)) for number in range(4)]
    assert queue.begun(waiting) == waiting[:slots]
    assert queue.begun(waiting[1:], waiting[:1]) == waiting[1:slots]


def test_a_timing_run_is_alone():
    queue = Queue(3)
    before, timed, after = queue.add(MISTRAL), queue.add(ELSEWHERE, timing=True), queue.add(MISTRAL, name="after")
    assert queue.begun([before, timed, after]) == [before], "nothing overtakes it either"
    assert queue.begun([timed, after]) == [timed]
    assert queue.begun([after], [timed]) == []


def test_two_models_of_one_server_are_not_asked_side_by_side_but_two_servers_are():
    queue = Queue(3)
    first, other_model, elsewhere, same_model = (
        queue.add(MISTRAL), queue.add(LLAMA), queue.add(ELSEWHERE), queue.add(MISTRAL, name="again"),
    )  # fmt: skip
    assert queue.begun([first, other_model, elsewhere, same_model]) == [first, elsewhere]
    assert queue.begun([first, elsewhere, same_model]) == [first, elsewhere, same_model]
    assert queue.begun([same_model, other_model], [elsewhere]) == [same_model]


@pytest.mark.parametrize("other", [{"num_ctx": 8192}, {"num_batch": 512}])
def test_one_model_with_two_windows_or_batches_is_not_asked_side_by_side(other: dict[str, int]):
    """The server would load it again at every turn (server/sched.go, needsReload)."""
    queue = Queue(2)
    first, second = queue.add(MISTRAL), queue.add(MISTRAL, name="wide", **other)
    assert queue.begun([first, second]) == [first]
    third = queue.add(MISTRAL, name="hot", temperature=1)
    assert queue.begun([first, third]) == [first, third]


def test_of_several_addresses_one_that_is_shared_counts():
    queue = Queue(2)
    both = Model(provider="ollama", name="mistral", base_url=f"{NEAR},{FAR}")
    assert len(queue.begun([queue.add(both), queue.add(ELSEWHERE)])) == 1


def test_a_sweep_whose_server_is_gone_keeps_its_slot_only_while_nobody_wants_it():
    queue = Queue(1)
    alone = queue.add(MISTRAL)
    queue.lane.run(queue.begun([alone])[0], Event())
    first, _ = waiting = [alone, queue.add(MISTRAL, name="second")]
    queue.lane.run(queue.begun(waiting)[0], Event())
    assert queue.ran == [(alone.id, None), (first.id, PATIENCE_S)]


def test_the_built_in_reader_needs_no_server_for_itself():
    queue = Queue(2)
    waiting = [queue.add(Model()), queue.add(Model(), name="again")]
    assert queue.begun(waiting) == waiting


def test_a_sweep_that_cannot_be_loaded_blocks_no_other():
    queue = Queue(1)
    unknown = Work(id="unknown", kind="sweep", created_at=queue.study.clock.now())
    fine = queue.add(MISTRAL)
    assert queue.begun([unknown, fine]) == [unknown], "its own turn says what is wrong"
    assert queue.begun([fine, unknown]) == [fine]


def leased(work: Work) -> Work:
    return work.model_copy(update={"owner": "host:1:x"})


def test_a_waiting_sweep_knows_its_place_and_what_it_waits_for():
    queue = Queue(1)
    running, second, third = (queue.add(MISTRAL, name=str(number)) for number in range(3))
    works = [leased(running), second, third]
    assert queue.lane.place_of(running.id, works) is None, "it does not wait"
    places = [queue.lane.place_of(work.id, works) for work in (second, third)]
    assert [(each.place, each.reason, each.ahead) for each in places if each] == [
        (1, "slots", running.id), (2, "slots", running.id),
    ]  # fmt: skip


def test_a_server_that_runs_no_sweep_does_not_say_that_its_places_are_taken():
    queue = Queue(0)
    running, waiting = (queue.add(MISTRAL, name=str(number)) for number in range(2))
    place = queue.lane.place_of(waiting.id, [leased(running), waiting])
    assert place is not None
    assert (place.place, place.reason, place.ahead) == (1, "next", None)


@pytest.mark.parametrize(
    ("model", "is_timed", "reason"),
    [(LLAMA, False, "same_server"), (ELSEWHERE, True, "timing"), (MISTRAL, False, None)],
)
def test_what_would_disturb_a_running_sweep_says_so(model: Model, is_timed: bool, reason: str | None):
    queue = Queue(3)
    running, waiting = queue.add(MISTRAL), queue.add(model, timing=is_timed, name="waiting")
    place = queue.lane.place_of(waiting.id, [leased(running), waiting])
    assert place is not None
    assert (place.reason, place.ahead) == (reason or "next", running.id if reason else None)


@pytest.mark.parametrize("theirs", [MISTRAL, LLAMA, ELSEWHERE], ids=["same model", "other model", "other server"])
def test_a_project_with_many_sweeps_lets_another_one_go_every_other_time(theirs: Model):
    queue = Queue(1)
    works = [
        queue.add(model, name=f"{project}{number}").model_copy(update={"project": project})
        for project, model, count in (("many", MISTRAL, 4), ("few", theirs, 2))
        for number in range(count)
    ]
    project_of = {work.id: work.project for work in works}

    class Table:
        """What waits is what was not run yet."""

        def waiting(self) -> list[Work]:
            ran = {sweep_id for sweep_id, _ in queue.ran}
            return [work for work in works if work.id not in ran]

    worker = Worker(Table(), [queue.lane])
    worker.start()
    wait_until(lambda: len(queue.ran) == len(works))
    worker.stop()
    assert [project_of[sweep_id] for sweep_id, _ in queue.ran] == ["many", "few", "many", "few", "many", "many"]
