"""Studies that a judge decides, of questions with several right answers: the judge was given all of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from passer.domain.base import digest_of
from passer.domain.judging.task import FORM
from passer.domain.models.model import Model
from tests.browser_verifier import by_the_browser, needs_node
from tests.bundles import members_of
from tests.services.provenance.bundle_verifier.forging import Draft, forged
from tests.studies import (
    Json,
    PublishedSweep,
    failed_steps,
    told,
    value_of,
    verify_study,
    with_run_forged,
    with_verdict_changed,
)

JUDGE = Model(provider="openai", name="J", base_url="http://127.0.0.1:1")
OTHERS = ("clover does", "it is clover")
COLUMNS = ("Answer correctness", "Nugget all")


@pytest.fixture(scope="module", params=COLUMNS)
def several(request: pytest.FixtureRequest) -> bytes:
    return PublishedSweep(primary=request.param, judge=JUDGE, others=OTHERS).publish()


def given_of(study: bytes, task: str) -> set[str]:
    judged = value_of(members_of(study), "verdict.json")["judged"]
    return {each["given_digest"] for each in judged["judgements"] if each["task"] == task}


def records_of(study: bytes) -> list[Json]:
    run = next(content for name, content in members_of(study).items() if name.startswith("runs/"))
    return [json.loads(line) for line in members_of(run)["questions.jsonl"].splitlines()]


def in_all_records(study: bytes, change: Callable[[Json], object]) -> bytes:
    """Every record changed in every run, and all digests of the study made to fit."""

    def tamper(draft: Draft) -> None:
        for record in draft.records:
            change(record)

    for place in range(sum(name.startswith("runs/") for name in members_of(study))):
        study = with_run_forged(study, place, lambda bundle: forged(bundle, "records", tamper))
    return study


def with_a_worked_example(study: bytes) -> bytes:
    """The study by a tuned task, whose example is an answer to a question with several right answers."""

    def change(document: Json) -> None:
        task = document["judged"]["tasks"][0]
        given = {"question": "Who?", "references": ["Ann", "Anna"], "answer": "Anna"}
        task["examples"] = [{"given": given, "reply": {"a_reason": "So.", "b_grade": 10}}]
        before = task["digest"]
        parts = {"instruction": task["instruction"], "schema": task["reply_schema"], "examples": task["examples"]}
        task["digest"] = digest_of({"form": FORM, **parts})
        for each in document["judged"]["judgements"]:
            each["task_digest"] = task["digest"] if each["task_digest"] == before else each["task_digest"]

    return with_verdict_changed(study, change)


def of_several(change: Callable[[Json], object]) -> Callable[[Json], object]:
    return lambda record: change(record) if "other_references" in record else None


FORGERIES: dict[str, Callable[[Json], object]] = {
    "one more": of_several(lambda record: record["other_references"].append("beans")),
    "one less": of_several(lambda record: record["other_references"].pop()),
    "another order": of_several(lambda record: record["other_references"].reverse()),
    "none": of_several(lambda record: record.pop("other_references")),
    "the first exchanged": of_several(
        lambda record: record.update(reference=OTHERS[0], other_references=[record["reference"], OTHERS[1]])
    ),
    "some where the judge read one": lambda record: record.setdefault("other_references", list(OTHERS)),
}


def test_a_judge_is_given_all_right_answers_and_one_reference_as_before(several: bytes) -> None:
    (task, answered) = ("correctness", True) if given_of(several, "correctness") else ("nuggets", False)
    known = given_of(several, task)
    for record in records_of(several):
        others = record.get("other_references", [])
        given = ["references", [record["reference"], *others]] if others else ["reference", record["reference"]]
        answer = [["answer", record["answer"]]] if answered else []
        assert digest_of([["question", record["question"]], given, *answer]) in known
    assert {len(record.get("other_references", [])) for record in records_of(several)} == {0, 2}
    methods = members_of(several)["methods.md"].decode()
    # Each second of 24 questions.
    assert "12 questions of the dataset have several right answers: an answer is scored with each of them" in methods
    assert "The judge was given all of them in one request" in methods
    assert verify_study(several).verdict == "verified"


def test_a_tuned_task_verifies_and_a_changed_list_of_right_answers_does_not(several: bytes) -> None:
    assert failed_steps(with_a_worked_example(several)) == []
    for name, change in FORGERIES.items():
        assert failed_steps(in_all_records(several, change))[:1] == ["verdict"], name


@needs_node
def test_the_browser_says_the_same(several: bytes, tmp_path: Path) -> None:
    studies = [several, with_a_worked_example(several)]
    studies += [in_all_records(several, change) for change in FORGERIES.values()]
    for made, by_page in zip(studies, by_the_browser(studies, tmp_path), strict=True):
        assert by_page == told(verify_study(made))
