"""A timing run through the settings alone: one question at a time, asked anew, reported, compared, exported."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

import pytest
from fastapi.testclient import TestClient

from passer.api.app import create_app
from passer.bootstrap import Services, build_services
from passer.cli import main
from passer.domain.dataset import Dataset, Question
from passer.domain.models.model import Model
from passer.domain.retrieval.cuts import NoRetrievalPolicy
from passer.domain.score import VECTOR_ORDER
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import RunConfig, RunState
from passer.domain.sweeps.sweep import Sweep
from passer.domain.timing.comparison import compare_timings
from passer.domain.timing.times import TimingPlan
from passer.ports import StoredSweep
from passer.settings import Settings
from tests.e2e.test_several_servers import _NoCollections
from tests.ollama_server import OllamaServer, Step
from tests.waiting import wait_until

QUESTIONS = 8


@pytest.fixture
def model() -> Iterator[OllamaServer]:
    with OllamaServer(models=["mistral:latest"]) as server:
        yield server


@pytest.fixture
def machine(tmp_path: Path, model: OllamaServer) -> Iterator[Callable[[str], Services]]:
    """Homes of their own, as two machines have them."""
    made: list[Services] = []

    def machine(name: str) -> Services:
        home = tmp_path / name
        home.mkdir()
        services = build_services(Settings(home=home, encoder="none", PASSER_OLLAMA_URL=model.url))
        services.adapters.__dict__["collections"] = _NoCollections()
        questions = [Question(id=f"q{n}", text=f"What is rule {n}?", reference=f"Rule {n}.") for n in range(QUESTIONS)]
        services.adapters.datasets.save_dataset(Dataset(name="rules", questions=tuple(questions)))
        made.append(services)
        return services

    yield machine
    for services in made:
        services.close()


def wanted(timing: TimingPlan | None, *, repeat: int) -> Sweep:
    model = Model(provider="ollama", name="mistral")
    config = RunConfig(dataset="rules", collection="none", model=model, retrieval=NoRetrievalPolicy())
    return Sweep(name="Rules", config=config, axes=Axes(repeat=repeat), timing=timing)


def start(services: Services, *, timing: TimingPlan | None, repeat: int = 2) -> StoredSweep:
    done = services.sweeps.runner.run(services.sweeps.planner.create(wanted(timing, repeat=repeat)).id)
    assert {run.state for run in done.runs} == {RunState.FINISHED}
    return done


def test_one_after_the_other_all_questions_and_then_again(machine, model: OllamaServer):
    services = machine("here")
    start(services, timing=TimingPlan())
    order = [seen.body["messages"][-1]["content"][-8:] for seen in model.generations]
    assert order == [f" rule {n}?" for n in range(QUESTIONS)] * 2


def test_it_asks_anew_what_earlier_runs_have_answered(machine, model: OllamaServer):
    services = machine("here")
    start(services, timing=None)
    asked = len(model.generations)
    start(services, timing=TimingPlan())
    assert len(model.generations) == 2 * asked == 4 * QUESTIONS
    again = start(services, timing=TimingPlan())
    assert len(model.generations) == 3 * asked
    assert [run.counts.reused for run in again.runs] == [0, 0]


def test_it_scores_anew_what_earlier_runs_have_scored(machine):
    services = machine("here")
    start(services, timing=None)
    reports = [services.analysis.timing_results.report(start(services, timing=TimingPlan()).id) for _ in range(2)]
    first, second = ([question.scoring_s for question in report.questions] for report in reports)
    assert all(seconds is not None and seconds > 0 for seconds in first + second)
    assert not set(first) & set(second), "two measurements are never the same to the last digit"


def test_stopped_and_resumed_it_asks_nothing_twice(machine, model: OllamaServer):
    services = machine("here")
    model.when("rule 5?", Step(latency_s=30.0))
    stop = Event()
    sweep = services.sweeps.planner.create(wanted(TimingPlan(), repeat=1))
    thread = Thread(target=services.sweeps.runner.run, args=(sweep.id,), kwargs={"stop": stop})
    thread.start()
    wait_until(lambda: len(model.generations) >= 6)
    stop.set()
    thread.join(30)
    services.sweeps.runner.run(sweep.id)
    order = [seen.body["messages"][-1]["content"][-8:] for seen in model.generations]
    assert order == [f" rule {n}?" for n in (0, 1, 2, 3, 4, 5, 5, 6, 7)]


def test_medians_without_the_warm_up_and_the_machine_beside_them(machine):
    services = machine("here")
    sweep = start(services, timing=TimingPlan(warm_up=3))
    report = services.analysis.timing_results.report(sweep.id)
    assert [q.is_warm_up for q in report.questions] == [True] * 3 + [False] * (2 * QUESTIONS - 3)
    [configuration] = report.configurations
    assert (configuration.measured, configuration.warm_up, configuration.reused, configuration.failed) == (13, 3, 0, 0)
    assert configuration.run_ids == tuple(run.id for run in sweep.runs)
    # The scripted server takes 10 ms for a token of its answer, and all its answers have as many.
    assert configuration.figures["tokens_per_s"].median == 100.0
    assert configuration.figures["tokens_per_s"].mad == 0.0
    assert configuration.figures["generation_s"].n == 13
    assert report.machine.cpu_count
    assert report.machine.memory_bytes
    assert report.software["python"]
    assert report.parts["database"] == "sqlite"
    assert services.analysis.timing_results.report(sweep.id, warm_up=0).configurations[0].measured == 16
    # The sweep is finished, so that its questions are read once.
    again = services.analysis.timing_results.report(sweep.id).questions
    assert [id(question) for question in again] == [id(question) for question in report.questions]


def test_of_an_ordinary_sweep_what_was_reused_is_left_out_and_the_load_is_said(machine):
    services = machine("here")
    start(services, timing=None, repeat=1)
    report = services.analysis.timing_results.report(start(services, timing=None, repeat=1).id, warm_up=1)
    assert not report.is_timing_run
    assert (report.configurations[0].reused, report.configurations[0].measured) == (QUESTIONS - 1, 0)


def test_two_machines_side_by_side_over_http(machine):
    here, there = machine("here"), machine("there")
    ours, theirs = start(here, timing=TimingPlan()), start(there, timing=TimingPlan())
    elsewhere = json.loads(there.analysis.timing_results.report(theirs.id).model_dump_json())
    with TestClient(create_app(here), base_url="http://127.0.0.1:8000") as api:
        shown = api.get(f"/api/v1/sweeps/{ours.id}/timings").json()
        assert shown["configurations"][0]["measured"] == 13
        url = f"/api/v1/sweeps/{ours.id}/timings/comparisons"
        compared = api.post(url, json={"report": elsewhere, "time_margin": 0.2}).json()
        [configuration] = compared["configurations"]
        assert (configuration["identical"], configuration["answers"]) == (16, 16)
        speed = next(each for each in configuration["figures"] if each["figure"] == "tokens_per_s")
        assert speed["ratio"] == pytest.approx(1.0)
        assert speed["equivalence"] == {"n_pairs": QUESTIONS, "margin": 0.2, "p": 0.0, "equivalent": True}
        assert api.post(url, json={}).status_code == 422
        saved = api.post(f"{url}/export", json={"report": elsewhere, "time_margin": 0.2})
        table = list(csv.DictReader(io.StringIO(saved.content.decode("utf-8-sig"))))
        assert [(row["figure"], float(row["margin"])) for row in table] == [
            (each["figure"], 0.2) for each in configuration["figures"]
        ]
        assert next(row["equivalent"] for row in table if row["figure"] == "tokens_per_s") == "yes"
        exported = api.get(f"/api/v1/sweeps/{ours.id}/timings/export", params={"format": "csv"})
        rows = list(csv.DictReader(io.StringIO(exported.content.decode("utf-8-sig"))))
        assert len(rows) == 2 * QUESTIONS
        assert [row["is_warm_up"] for row in rows[:4]] == ["1", "1", "1", "0"]
        assert {float(row["tokens_per_s"]) for row in rows} == {100.0}


def test_the_command_line_writes_what_another_machine_compares_with(
    machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    here, there = machine("here"), machine("there")
    ours, theirs = start(here, timing=TimingPlan()), start(there, timing=TimingPlan())

    def passer(home: str, *arguments: str) -> str:
        monkeypatch.setenv("PASSER_HOME", str(tmp_path / home))
        monkeypatch.setattr("sys.argv", ["passer", *arguments])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        assert not ended.value.code
        return capsys.readouterr().out

    file, table = tmp_path / "there.json", tmp_path / "times.jsonl"
    file.write_text(passer("there", "timings", theirs.id, "--json"))
    compared = json.loads(passer("here", "timings", ours.id, "--against", str(file), "--json"))
    assert (compared["here"], compared["there"]) == (ours.id, theirs.id)
    assert compared["configurations"][0]["identical_share"] == 1.0
    shown = passer("here", "timings", ours.id, "--output", str(table))
    assert "tokens/s" in shown
    assert len(table.read_text().splitlines()) == 2 * QUESTIONS
    assert "p (TOST)" in passer("here", "timings", ours.id, "--against", str(file))


def test_runs_that_another_machine_finished_are_a_report_of_their_own(machine):
    services = machine("here")
    sweep = start(services, timing=TimingPlan(warm_up=1))
    [whole] = services.analysis.timing_results.by_machine(sweep)
    report = services.analysis.timing_results.report(sweep.id)
    assert whole == report.model_copy(update={"questions": ()}), "of one machine no question is compared"
    assert [len(question.scores) for question in report.questions] == [len(VECTOR_ORDER)] * 2 * QUESTIONS
    second = sweep.runs[1].id

    class Elsewhere:
        def manifest(self, run_id: str) -> str | None:
            kept = services.adapters.outbox.manifest(run_id)
            if kept is None or run_id != second:
                return kept
            described = json.loads(kept)
            return json.dumps(described | {"machine": described["machine"] | {"processor": "Another"}})

    here, there = replace(services.analysis.timing_results, outbox=Elsewhere()).by_machine(sweep)
    assert there.machine == here.machine.model_copy(update={"processor": "Another"})
    assert [each.run_ids for report in (here, there) for each in report.configurations] == [
        (sweep.runs[0].id,),
        (second,),
    ]
    assert {question.run_id for question in there.questions} == {second}
    # The first question of the model was the warm-up, on the machine that asked it.
    assert [sum(question.is_warm_up for question in report.questions) for report in (here, there)] == [1, 0]
    assert len(compare_timings(here, there).configurations) == 1
