"""The verdict by a judged column: unchecked without labels, none with a biased judge, corrected with labels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from passer.api.app import create_app
from passer.bootstrap import Services, build_services
from passer.domain.dataset import Dataset, Question
from passer.domain.judging.marks import Label, Mark
from passer.domain.models.model import Model
from passer.domain.sweeps.budget import Budget, Price, budget_of
from passer.metrics.registry import infos
from passer.ports import MarkFact, WorkQuery
from passer.services.judging.labelling import LabelDrawRequest
from passer.settings import Settings
from tests.judged_home import CASES, COLUMN, NOW, add_assessment, fill, runs_of

ASSESSMENT, SWEEP = "judged-1", "better"
KINDNESS = (0.0, 0.0, 0.2, 0.0)
"""What the judge adds to each configuration; people find all of them equal."""


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    home: Path = tmp_path_factory.mktemp("judged")
    built = build_services(Settings(home=home, encoder="none"))
    questions = [Question(id=f"q{n}", text=f"What is fact {n}?", reference=f"Fact {n}.") for n in range(60)]
    dataset = Dataset(name="facts", language="en", questions=tuple(questions))
    built.adapters.datasets.save_dataset(dataset)
    fill(built, dataset, CASES[0])
    fill(built, dataset, CASES[3], column=COLUMN, judge=Model(provider="openai", name="J"))
    add_assessment(built, ASSESSMENT, SWEEP)
    mark(built, ASSESSMENT, SWEEP)
    yield built
    built.close()


def mark(built: Services, assessment_id: str, sweep: str, *, first: int = 0) -> None:
    """Store the judge's values, of the answers from a place on."""
    built.adapters.evaluations.record(
        [
            MarkFact(Mark(assessment_id=assessment_id, item_key=key, column=COLUMN, value=judged))
            for key, (_, judged) in list(values(built, sweep).items())[first:]
        ]
    )


@pytest.fixture(scope="module")
def client(services: Services) -> Iterator[TestClient]:
    with TestClient(create_app(services), base_url="http://127.0.0.1:8000") as opened:
        yield opened


def values(built: Services, sweep: str = SWEEP) -> dict[str, tuple[float, float]]:
    """People's and the judge's value of each answer, by its key."""
    rng = np.random.default_rng(7)
    found = {}
    for key in built.judging.items.keys(runs_of(sweep)):
        place = int(key.place.run_id[-3:])
        person = float(np.clip(0.4 + rng.normal(0, 0.05), 0, 1))
        found[key.key or ""] = person, float(np.clip(person + KINDNESS[place] + rng.normal(0, 0.02), 0, 1))
    return found


def rate(built: Services, questions: int, seed: int) -> None:
    """Draw questions and label all answers to them as people find them."""
    wanted = LabelDrawRequest(assessment=ASSESSMENT, column=COLUMN, questions=questions, seed=seed)
    draw = built.judging.labelling.draw(wanted)
    people = values(built)
    built.adapters.labels.add_labels(
        [
            Label(item_key=place.item, column=COLUMN, rater="ana", value=people[place.item][0], draw=draw.id, at=NOW)
            for place in built.judging.rating_desk.queue(draw.id, "ana").places
        ]
    )


def test_beside_one_question_stands_the_judge_s_mean_of_the_sweep(client: TestClient, services: Services) -> None:
    means = client.get(f"/api/v1/sweeps/{SWEEP}/questions/3").json()["means"]
    judged = [value for _, value in values(services).values()]
    assert means["judged"] == [
        {"column": COLUMN, "judge": "J", "rated": 0, "value": pytest.approx(np.mean(judged)), "reason": None}
    ]
    assert means["kept"] is not None


def conclusion_of(client: TestClient) -> dict[str, Any]:
    answered = client.get(f"/api/v1/sweeps/{SWEEP}/analysis", params={"assessment": ASSESSMENT})
    assert answered.status_code == 200, answered.text
    found: dict[str, Any] = answered.json()["verdict"]
    assert found["exploratory"] == ["primary"]
    return found["conclusions"][0]


def test_a_recorded_judge_decides_once_it_has_judged_every_answer(client: TestClient, services: Services) -> None:
    sweep = CASES[3].id

    def verdict(**choices: str) -> dict[str, Any]:
        answered = client.get(f"/api/v1/sweeps/{sweep}/analysis", params=choices)
        assert answered.status_code == 200, answered.text
        found: dict[str, Any] = answered.json()["verdict"]
        return found

    def waits() -> str:
        found = verdict()
        (conclusion,) = found["conclusions"]
        assert found["exploratory"] == []
        assert (conclusion["verdict"]["kind"], conclusion["verdict"]["missing"]) == ("no_verdict", ["judge_waits"])
        assert conclusion["reason"] == "J has not judged all answers yet."
        return str(conclusion["judge"]["assessment"])

    assert waits() == ""
    add_assessment(services, "other-seed", sweep, seed=43)
    mark(services, "other-seed", sweep)
    assert waits() == "", "another seed would be a second draw"
    add_assessment(services, "recorded", sweep)
    mark(services, "recorded", sweep, first=1)
    assert waits() == "recorded", "one answer is not judged"
    assert client.get(f"/api/v1/sweeps/{sweep}/questions/0").json()["metric"] == "CPS"
    # As after kill -9 between the assessment and its place in the queue.
    for _ in range(2):
        services.work.judge_finished_sweeps()
        queued = services.adapters.work.list_work(WorkQuery(kinds=("assess",)))
        assert [(work.id, work.subject) for work in queued] == [("recorded", sweep)]
    assert verdict(assessment="other-seed")["exploratory"] == ["primary"]
    (first, (_, value)) = next(iter(values(services, sweep).items()))
    services.adapters.evaluations.record(
        [MarkFact(Mark(assessment_id="recorded", item_key=first, column=COLUMN, value=value))]
    )
    decided = verdict()
    assert decided["exploratory"] == []
    assert decided["conclusions"][0]["judge"]["heading"] == "Better, says judge J (unchecked)"
    assert verdict(assessment="recorded") == decided
    (listed,) = client.get(f"/api/v1/sweeps/{sweep}/summary").json()["models"]
    assert (listed["judge"], listed["metric"]) == ("Better, says judge J (unchecked)", COLUMN)
    # The question's page and the matrix show the judge's values.
    judged = {key.place.run_id: key.key or "" for key in services.judging.items.keys(runs_of(sweep), number=0)}
    expected = {run_id: values(services, sweep)[key][1] for run_id, key in judged.items()}
    across = client.get(f"/api/v1/sweeps/{sweep}/questions/0").json()
    assert across["metric"] == COLUMN
    assert {item["column"]["run_id"]: item["cell"]["score"] for item in across["items"]} == expected
    assert [(each["judge"], each["column"]) for each in across["items"][0]["judged"]] == [("J", COLUMN)]
    matrix = client.get(f"/api/v1/sweeps/{sweep}/questions", params={"metric": COLUMN, "order": "number"}).json()
    assert [cell["score"] for cell in matrix["items"][0]["cells"]] == [
        item["cell"]["score"] for item in across["items"]
    ]
    by_cps = verdict(primary="CPS")
    assert (by_cps["exploratory"], by_cps["conclusions"][0]["verdict"]["kind"]) == (["primary"], "keep_baseline")
    add_assessment(services, "later", sweep)
    assert verdict() == decided, "the first assessment decides"


def test_a_judge_alone_then_a_biased_one_then_one_that_labels_correct(client: TestClient, services: Services) -> None:
    alone = conclusion_of(client)
    assert (alone["verdict"]["kind"], alone["name"]) == ("better", "Similarity ≥ 0.50")
    assert alone["judge"]["heading"] == "Better, says judge J (unchecked)"
    assert alone["gain"]["gain"] == pytest.approx(0.2, abs=0.02)
    report = client.get(f"/api/v1/sweeps/{SWEEP}/report", params={"assessment": ASSESSMENT}).text
    assert "Better, says judge J (unchecked). Similarity ≥ 0.50 is better than Top-k 10: Answer correctness" in report
    tables = client.get(f"/api/v1/sweeps/{SWEEP}/tables", params={"assessment": ASSESSMENT}).json()["items"]
    (verdict,) = (each["table"]["rows"] for each in tables if each["name"] == "verdict")
    (means,) = (each["table"] for each in tables if each["name"] == "judged")
    assert len(means["rows"]) == 4
    assert dict(zip(means["columns"], means["rows"][0], strict=True)) | {"mean": 0, "ci_low": 0, "ci_high": 0} == {
        "judge": "J", "name": "Top-k 10", "metric": COLUMN, "mean": 0, "ci_low": 0, "ci_high": 0, "judged": 60,
        "answers": 60, "rated": 0, "rho": None, "calibration": "uncalibrated",
    }  # fmt: skip
    assert "Judged columns" in report
    answers = client.get(f"/api/v1/sweeps/{SWEEP}/export", params={"table": "judged_answers"}).text.splitlines()
    assert len(answers) == 1 + 4 * 60
    assert answers[1].split(",")[:8][6] == COLUMN
    assert answers[1].endswith("uncalibrated")
    assert verdict[0][2].startswith("Better, says judge J (unchecked). ")

    rate(services, 10, seed=1)
    biased = conclusion_of(client)
    assert (biased["verdict"]["kind"], biased["verdict"]["missing"]) == ("no_verdict", ["judge_bias"])
    assert biased["judge"]["heading"] == "No verdict by judge J"
    assert "The bias of judge J differs between configurations" in biased["reason"]
    (column,) = client.get(f"/api/v1/assessments/{ASSESSMENT}/agreement").json()["columns"]
    names = {run.id: run.name for run in services.adapters.runs.load_sweep(SWEEP).runs}
    biases = {names[run["run_id"]]: run["bias"]["mean_difference"] for run in column["runs"]}
    kindest = max(biases, key=lambda name: biases[name])
    assert biases[kindest] - biases["Top-k 10"] == pytest.approx(max(KINDNESS), abs=0.03)
    said = f"judge minus people is {biases[kindest]:.4f} for {kindest} and {biases['Top-k 10']:.4f} for Top-k 10"
    assert said in " ".join(column["warnings"]).replace("\u2212", "-")

    rate(services, 30, seed=2)
    corrected = conclusion_of(client)
    assert corrected["judge"]["status"] == "corrected"
    assert corrected["verdict"]["better"] == []
    assert "corrected by people’s ratings of" in corrected["judge"]["heading"]
    calibrated = services.judging.calibrator.of(ASSESSMENT).columns[0]
    of_run = {run.run_id: run for run in calibrated.runs}
    analysis = services.analysis.sweep_results.analyse
    from passer.domain.analysis.choices import SweepChoices

    found = analysis(SWEEP, SweepChoices(assessment=ASSESSMENT)).configurations
    for configuration in found:
        if configuration.comparison is not None:
            gain = of_run[configuration.run_ids[0]].gain
            assert gain is not None
            # The page of the calibration and the verdict state the same gain.
            assert configuration.comparison.judged.gain == pytest.approx(gain.value, abs=1e-12)
            assert abs(gain.value) < 0.05


def test_a_person_is_compared_with_cps_over_http(client: TestClient) -> None:
    pairs = client.get(f"/api/v1/sweeps/{SWEEP}/answer-pairs").json()["pairs"]
    assert len(pairs) == 20
    choices = [{"number": pair["number"], "preferred": "first"} for pair in pairs]
    found = client.post(f"/api/v1/sweeps/{SWEEP}/answer-pairs/choices", json={"choices": choices}).json()
    assert found["decided"] == 20
    assert found["agreed"] + len(found["disagreements"]) == 20
    assert client.post(f"/api/v1/sweeps/{SWEEP}/answer-pairs/choices", json={"choices": []}).status_code == 422


def test_what_cannot_be_a_primary_metric_is_refused(client: TestClient) -> None:
    def refused(**params: str) -> tuple[int, str]:
        answered = client.get(f"/api/v1/sweeps/{SWEEP}/analysis", params=params)
        return answered.status_code, answered.json()["detail"]

    assert refused(primary="Answer correctness")[0] == 422
    assert "name the assessment whose judged column it is" in refused(primary="Answer correctness")[1]
    assert "no column Faithfulness" in refused(assessment=ASSESSMENT, primary="Faithfulness")[1]
    assert refused(assessment="none")[0] == 404


def test_answers_are_compared_by_who_wrote_the_questions(client: TestClient) -> None:
    def origins(metric: str, *runs: str) -> Any:
        return client.get("/api/v1/comparisons/origins", params={"run": runs, "metric": metric})

    judged = origins(COLUMN, f"{SWEEP}-000", f"{SWEEP}-001")
    assert judged.status_code == 200, judged.text
    (cell,) = judged.json()["cells"]
    assert (cell["origin"], cell["n"], judged.json()["judge"], judged.json()["effects"]) == ("people", 60, "J", [])
    assert origins("METEOR", f"{SWEEP}-000").json()["cells"][0]["mean"] == pytest.approx(0.5, abs=0.05)
    assert origins("Kindness", f"{SWEEP}-000").status_code == 422
    assert origins("METEOR", "nowhere-000").status_code == 404


def test_a_recorded_judge_gets_what_its_sweep_left_of_the_budget(services: Services) -> None:
    sweep = CASES[3].id
    limits = budget_of(["400-asks", "5EUR"], "0,0", "0.15,0.60")
    services.adapters.runs.set_budget(sweep, limits)
    stored = services.adapters.runs.load_sweep(sweep)
    assert stored.budget == limits
    request = services.judging.recorded_judge.request_of(stored)
    assert request.budget == Budget(asks=400 - stored.spent.asks, cost=5)
    assert request.price == Price(input=0.15, output=0.6)


def test_only_columns_that_can_decide_are_offered_and_are_the_default(client: TestClient, services: Services) -> None:
    asked = client.get("/api/v1/metrics", params={"profile": "judged", "deciding": True}).json()["items"]
    names = {each["name"] for each in asked}
    assert {"Answer correctness", "Faithfulness"} <= names
    assert not names & {"Hallucination", "Noise sensitivity (relevant)"}
    every = {each["name"] for each in client.get("/api/v1/metrics", params={"profile": "judged"}).json()["items"]}
    # Those that explain, criteria, which are written after the sweep, and attempts, of which none may be right.
    explaining = {each.name for each in infos("judged") if not each.higher_is_better}
    explaining |= {"Answer attempted", "Criteria", "Nugget vital share"}
    assert every - names == explaining > {"Criteria", "Hallucination"}
    assessment = services.adapters.judgements.assessment(ASSESSMENT)
    columns = ("Hallucination", COLUMN)
    spec = assessment.spec.model_copy(update={"columns": columns})
    services.adapters.judgements.add_assessment(assessment.model_copy(update={"id": "explains", "spec": spec}))
    mark(services, "explains", SWEEP)
    assert services.judging.judged_columns.of(SWEEP, "explains", None).column == COLUMN


@pytest.mark.parametrize("language", ["en", "bg"])
def test_each_number_of_the_verdict_names_its_table_in_the_readers_language(client: TestClient, language: str) -> None:
    found = client.get(f"/api/v1/sweeps/{SWEEP}/analysis", headers={"Accept-Language": language}).json()
    (conclusion,) = found["verdict"]["conclusions"]
    assert "".join(part["text"] for part in conclusion["parts"]) == conclusion["reason"]
    tables = [part["table"] for part in conclusion["parts"] if part["table"]]
    assert tables == ["configurations"] * 4 + ["choice_shares"]
    assert {table["name"] for table in client.get(f"/api/v1/sweeps/{SWEEP}/tables").json()["items"]} >= set(tables)
    cost = conclusion["cost"]["line"]
    assert [part["text"] for part in cost["parts"] if part["table"]] == {
        "en": ["4.0", "10.0"],
        "bg": ["4,0", "10,0"],
    }[language]
