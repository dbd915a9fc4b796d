"""A recorded judge within the budget of its sweep: what it used is shown, it pauses, and a larger budget resumes it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from passer.api.app import create_app
from passer.bootstrap import Services, build_services
from passer.cli import main
from passer.domain.base import canonical_json
from passer.domain.dataset import Dataset, Question
from passer.domain.models.model import Model
from passer.domain.sweeps.budget import Price, SweepBudget
from passer.domain.sweeps.run import RunState
from passer.settings import Settings
from tests.judged_home import CASES, fill
from tests.ollama_server import OllamaServer

COLUMN, CASE = "Answer correctness", CASES[7]
PRICES = {"price": Price(input=1, output=1), "judge_price": Price(input=1000, output=2000)}


@pytest.fixture
def judge() -> Iterator[OllamaServer]:
    with OllamaServer(reply=lambda _: "Because.") as server:
        yield server


@pytest.fixture
def services(tmp_path: Path, judge: OllamaServer) -> Iterator[Services]:
    built = build_services(Settings(home=tmp_path, encoder="none", ollama_url=judge.url))
    questions = tuple(Question(id=f"q{n}", text=f"What is fact {n}?", reference=f"Fact {n}.") for n in range(12))
    dataset = Dataset(name="facts", language="en", questions=questions)
    built.adapters.datasets.save_dataset(dataset)
    fill(built, dataset, CASE, column=COLUMN, judge=Model(provider="ollama", name="mistral:latest"))
    built.adapters.runs.set_budget(CASE.id, SweepBudget(asks=5, cost=10, **PRICES))
    yield built
    built.close()


def judged(client: TestClient, state: str) -> dict[str, Any]:
    """Return the assessment of the sweep once it is in this state."""
    for _ in range(600):
        found = client.get("/api/v1/assessments", params={"sweep": CASE.id}).json()["items"]
        if found and found[0]["job"] and found[0]["job"]["state"] == state:
            assessment: dict[str, Any] = found[0]["assessment"]
            return assessment
        time.sleep(0.05)
    raise AssertionError(f"the judge is not {state}: {found}")


def test_the_command_line_resumes_it_too(
    services: Services,
    judge: OllamaServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def passer(*arguments: str) -> str:
        monkeypatch.setattr("sys.argv", ["passer", *arguments])
        with suppress(SystemExit):
            main()
        said = capsys.readouterr()
        return said.out + said.err

    monkeypatch.setenv("PASSER_HOME", str(tmp_path))
    monkeypatch.setenv("PASSER_ENCODER", "none")
    monkeypatch.setenv("PASSER_OLLAMA_URL", str(services.settings.ollama_url))
    assert "The budget is used up after 5 requests" in passer("resume", CASE.id)
    [paused] = services.adapters.judgements.assessments(CASE.id)
    passer("resume", CASE.id, "--budget", "1000-asks")
    done = services.adapters.judgements.assessment(paused.id)
    distinct = {key.key for key in services.judging.items.keys(done.spec.runs)}
    assert paused.spent.asks == 5 < done.spent.asks <= len(distinct)
    assert services.adapters.work.find(done.id).state is RunState.FINISHED
    asked = [canonical_json(each.body) for each in judge.generations]
    assert len(asked) == len(set(asked)) == done.spent.asks, "nothing is asked twice"


def test_it_pauses_at_the_limit_of_its_sweep_and_a_larger_budget_resumes_it(services: Services) -> None:
    with TestClient(create_app(services), base_url="http://127.0.0.1:8000") as client:
        assessment = judged(client, "paused")
        spent = assessment["spent"]
        assert spent["asks"] == assessment["budget"]["asks"] == 5
        # Equal to the sum by hand: 1,000 and 2,000 per million tokens, of 10.
        cost = (1000 * spent["input_tokens"] + 2000 * spent["output_tokens"]) / 1e6
        shown = client.get(f"/api/v1/sweeps/{CASE.id}").json()
        assert shown["state"] == "finished"
        assert "100\u202f% of 5 requests" in shown["budget_used"]
        assert f"{round(100 * cost / 10)}\u202f% of 10" in shown["budget_used"]
        assert cost > 0.1
        waits = client.get(f"/api/v1/sweeps/{CASE.id}/analysis").json()["verdict"]["conclusions"][0]["verdict"]
        assert (waits["kind"], waits["missing"]) == ("no_verdict", ["judge_waits"])
        # The same limits again: it stays where it is.
        asked_again = client.post(f"/api/v1/sweeps/{CASE.id}/resume")
        assert asked_again.status_code == 200, asked_again.text
        assert judged(client, "paused")["spent"]["asks"] == 5
        raised = client.post(f"/api/v1/sweeps/{CASE.id}/resume", params={"budget": "1000-asks"})
        assert raised.status_code == 200, raised.text
        done = judged(client, "finished")
        distinct = {key.key for key in services.judging.items.keys(done["spec"]["runs"])}
        assert 5 < done["spent"]["asks"] <= len(distinct)
        shown = client.get(f"/api/v1/sweeps/{CASE.id}").json()
        assert f"{round(done['spent']['asks'] / 10)}\u202f% of 1\u202f000 requests" in shown["budget_used"]
        decided = client.get(f"/api/v1/sweeps/{CASE.id}/analysis").json()["verdict"]["conclusions"][0]["verdict"]
        assert "judge_waits" not in decided["missing"]
