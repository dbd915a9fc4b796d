"""A question answered on the spot, whole or sent while the model writes."""

from __future__ import annotations

import asyncio
import time
from threading import Event, Thread
from typing import Any

import pytest

from passer.api.streaming import _Asking, _Counting, _events
from passer.domain.retrieval.retriever import Dense
from passer.domain.wording.sentence import reading
from passer.ports.draft import CURRENT_ABORT
from tests.ollama_server import Step

BODY = {
    "question": "How far do bees fly?",
    "reference": "Three kilometres.",
    "collection": "farm",
    "model": {"provider": "ollama", "name": "mistral"},
    "retrieval": {"mode": "normal", "k": 2},
}
MEASURED = {"embedding_s", "retrieval_s"}


@pytest.fixture(autouse=True)
def no_steps_are_left(ollama):
    ollama.forget()


def test_a_question_is_answered_on_the_spot_and_scored_where_a_reference_is_given(loaded):
    body = {
        "question": "What fixes nitrogen?",
        "reference": "Clover fixes nitrogen from the air.",
        "collection": "farm",
        "retrieval": {"mode": "score", "min_similarity": 0.3, "max_k": 4},
    }
    before = loaded.client.get("/api/v1/runs").json()["items"]
    found = loaded.client.post("/api/v1/answers", json=body).json()
    assert "Clover" in found["answer"]["text"]
    assert 0 < found["kept"][1] <= len(found["passages"]) <= 4
    assert all(passage["similarity"] >= 0.3 for passage in found["passages"][: found["kept"][1]])
    assert found["scores"]["F1 Score"]["value"] > 0.5
    bare = loaded.client.post("/api/v1/answers", json={**body, "reference": ""}).json()
    assert bare["scores"] is None
    assert loaded.client.get("/api/v1/runs").json()["items"] == before, "nothing is kept"


def test_a_question_that_keeps_no_passage_gets_the_fixed_answer(loaded):
    body = {"question": "Who?", "collection": "farm", "retrieval": {"mode": "score", "min_similarity": 1}}
    found = loaded.client.post("/api/v1/answers", json=body).json()
    assert (found["kept"], found["prompt"], found["answer"]["abstained"]) == ([0, 0], None, True)


def test_a_question_to_a_model_that_is_not_there_says_how_to_add_it(loaded):
    body = {"question": "Who?", "collection": "farm", "model": {"provider": "ollama", "name": "absent"}}
    refused = loaded.client.post("/api/v1/answers", json=body)
    assert refused.status_code >= 400
    assert "ollama pull absent" in refused.json()["detail"]


def test_a_question_to_no_collection_is_not_found(loaded):
    refused = loaded.client.post("/api/v1/answers", json={"question": "Who?", "collection": "nowhere"})
    assert refused.status_code == 404


def streamed(api, **changes: Any) -> list[tuple[str, Any]]:
    return api.streamed("/api/v1/answers", {**BODY, **changes})


def test_an_answer_comes_in_pieces_after_its_passages_and_is_the_one_that_is_not_streamed(loaded, ollama):
    middle = Event()
    ollama.script(Step(reply="Bees fly three kilometres.", pause=middle), Step(reply="Bees fly three kilometres."))
    asked = len(ollama.generations)
    Thread(target=release, args=(ollama, asked, middle)).start()
    events = streamed(loaded)
    stages = [data for name, data in events if name == "stage"]
    assert stages[0] == "retrieving"
    assert "writing" in stages
    names = [name for name, _ in events]
    assert names.index("passages") < names.index("text") < names.index("answer") == len(names) - 1
    pieces = [data["text"] for name, data in events if name == "text"]
    assert pieces[0] == "Bees fly thre"
    assert "Bees fly three kilometres.".startswith("".join(pieces))
    whole = loaded.client.post("/api/v1/answers", json=BODY).json()
    answered = events[-1][1]
    retrieved = next(data for name, data in events if name == "passages")
    assert {**retrieved, **{name: answered[name] for name in ("answer", "scores", "is_stored", "key")}} == answered
    for found in (answered, whole):
        del found["answer"]["generation_s"], found["embedding_s"], found["retrieval_s"]
    assert answered == whole


def release(ollama, asked: int, middle: Event) -> None:
    """Let a reply go on two seconds after its request has come, so that its first half is sent."""
    until = time.monotonic() + 120
    while len(ollama.generations) == asked and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(2)
    middle.set()


@pytest.mark.parametrize("fault", ["error_in_stream", "ends_early", "reset"])
def test_a_reply_that_breaks_off_ends_in_a_sentence(loaded, ollama, fault):
    ollama.script(Step(fault=fault, reply="Bees fly three kilometres."))
    name, problem = streamed(loaded)[-1]
    assert (name, problem["status"]) == ("problem", 502)
    assert problem["detail"].endswith(".")


def test_what_is_wrong_before_the_model_is_asked_is_said_in_the_stream(loaded):
    assert streamed(loaded, collection="nowhere")[-1][1]["status"] == 404


def test_a_question_that_keeps_no_passage_is_answered_without_the_model(loaded):
    events = streamed(loaded, retrieval={"mode": "score", "min_similarity": 1})
    assert events[-1][1]["answer"]["abstained"]
    assert not [data for name, data in events if name == "text"]


def test_who_goes_away_ends_the_request_to_the_model():
    began, ended = Event(), Event()

    def ask(_: object) -> Any:
        abort = CURRENT_ABORT.get()
        assert abort is not None
        abort.ends_by(ended.set)
        began.set()
        ended.wait(60)

    async def go_away() -> None:
        events = _events(_Asking(ask), Event())
        assert await anext(events) == 'event: stage\ndata: "retrieving"\n\n'
        while not began.is_set():
            await asyncio.sleep(0.01)
        await events.aclose()

    asyncio.run(go_away())
    assert ended.wait(60)


def test_work_is_counted_while_it_goes_on_in_the_readers_language():
    counted = Event()

    def work(progress: Any) -> Dense:
        progress(Dense().label, 2, 5)
        assert counted.wait(60)
        return Dense()

    async def followed() -> list[str]:
        seen = []
        async for each in _events(_Counting(work), Event()):
            seen.append(each)
            counted.set()
        return seen

    with reading("bg"):
        seen = asyncio.run(followed())
    step = '{"message":"Векторно","done":2,"total":5}'
    assert seen == [f"event: progress\ndata: {step}\n\n", 'event: answer\ndata: {"form":"dense"}\n\n']


def test_a_question_of_a_run_is_asked_again_with_another_cut_and_nothing_of_the_run_changes(loaded, ollama):
    config = {key: BODY[key] for key in ("collection", "model")} | {"dataset": "farm"}
    body = {"name": "Recorded", "config": config, "axes": {"k": [1, 2]}, "baseline": {"mode": "normal", "k": 3}}
    sweep = loaded.finished(loaded.client.post("/api/v1/sweeps", json=body).json()["id"])
    one, two = (run["id"] for run in sweep["runs"][1:])
    path = f"/api/v1/runs/{one}/evaluations/1"
    before = loaded.client.get(path).json()
    asked = len(ollama.generations)
    found = loaded.client.post(f"{path}/answers", json={"retrieval": {"mode": "normal", "k": 2}}).json()
    recorded = loaded.client.get(f"/api/v1/runs/{two}/evaluations/1").json()
    assert (found["is_stored"], found["kept"]) == (True, [0, 2])
    assert found["answer"] == recorded["answer"], "the other configuration has asked this already"
    assert {name: found["scores"][name]["value"] for name in ("F1 Score", "METEOR")} == {
        name: recorded["evaluation"]["scores"][name]["value"] for name in ("F1 Score", "METEOR")
    }
    assert len(ollama.generations) == asked
    none = loaded.client.post(f"{path}/answers", json={"retrieval": {"mode": "none"}}).json()
    assert (none["is_stored"], none["kept"]) == (False, [0, 0])
    assert len(ollama.generations) == asked + 1
    assert loaded.client.get(path).json() == before
    assert loaded.client.post(f"/api/v1/runs/{one}/evaluations/99/answers", json={"retrieval": {}}).status_code in (
        404,
        422,
    )
