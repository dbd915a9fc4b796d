"""Memory of runs: the largest of this process while a run is processed, and that of its model at its end."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import count

from passer.domain.models.model import Model, ModelMemory
from passer.domain.reports.runs import memory_of
from passer.domain.sweeps.run import Run, RunConfig, RunMemory
from passer.services.sweeps.context import MemoryMeter
from tests.fake_models import FakeChatModel, FakeLoadedModel
from tests.services.study import Study

GB = 10**9
MODEL = Model(provider="ollama", name="mistral:7b")


def run_of(run_id: str, memory: RunMemory | None = None) -> Run:
    config = RunConfig(dataset="farm", collection="books", model=MODEL)
    at = datetime(2026, 11, 24, tzinfo=UTC)
    return Run(id=run_id, sweep_id="s", position=0, name=run_id, config=config, created_at=at, memory=memory)


def test_each_run_has_the_largest_of_what_was_read_while_it_was_processed() -> None:
    sizes = iter([3 * GB, 5 * GB, 4 * GB, 2 * GB, 1 * GB])
    meter = MemoryMeter(
        lambda: next(sizes), lambda _: FakeLoadedModel(ModelMemory(total_bytes=6 * GB, gpu_bytes=4 * GB))
    )
    meter.read(["a"])
    meter.read(["a", "b"])
    meter.read(["b"])
    a = meter.of(run_of("a"))
    assert a == RunMemory(passer_bytes=5 * GB, model=ModelMemory(total_bytes=6 * GB, gpu_bytes=4 * GB))
    assert meter.of(run_of("c")).passer_bytes == 1 * GB


def test_what_is_not_told_is_absent_and_a_server_that_is_gone_is_no_error() -> None:
    assert MemoryMeter(lambda: None, lambda _: FakeLoadedModel(None)).of(run_of("a")) == RunMemory()
    assert MemoryMeter(lambda: 7, lambda _: FakeChatModel()).of(run_of("a")) == RunMemory(passer_bytes=7)


def test_a_finished_run_keeps_its_memory() -> None:
    study, sizes = Study(), count(1)
    created = study.create(0.5)
    done = replace(study.running, resident=lambda: next(sizes)).run(created.id)
    assert all(run.memory and run.memory.passer_bytes for run in done.runs)
    assert {run.memory for run in created.runs} == {None}


def test_the_report_says_the_largest_of_a_model_and_of_the_process() -> None:
    part, whole = ModelMemory(total_bytes=4 * GB), ModelMemory(total_bytes=6 * GB, gpu_bytes=5 * GB)
    runs = [
        run_of("a", RunMemory(passer_bytes=2 * GB, model=part)),
        run_of("b", RunMemory(passer_bytes=1 * GB, model=whole)),
        run_of("c"),
    ]
    plain = [str(said).replace("\u202f", " ").replace("\xa0", " ") for said in memory_of(runs)]
    assert plain == [
        "Memory of mistral:7b in its server: 6 000 MB, of which 5 000 MB on graphics processors.",
        "Memory of the PaSSER process: at most 2 000 MB.",
    ]
    assert list(memory_of([run_of("c")])) == []
