"""Replies that are read while a model writes them: Ollama, OpenAI's API, and a model on this machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Event

import pytest

from passer.adapters.generators.local.models import LocalModels
from passer.adapters.generators.local.process import ModelProcesses
from passer.adapters.generators.ollama import OllamaChatModel
from passer.adapters.generators.openai import OpenAIChatModel
from passer.domain.models.chat import ChatRequest, Completion
from passer.errors import GenerationError
from passer.ports import ChatModel
from passer.ports.draft import Draft
from tests.chat import a_request
from tests.local_model import ask, with_model
from tests.ollama_server import OllamaServer, Step
from tests.waiting import wait_until

KEY = "sk-test-0123456789abcdef"
WITHIN_S = 60.0


@pytest.fixture(params=["ollama", "openai"])
def server(request: pytest.FixtureRequest) -> Iterator[OllamaServer]:
    kind = "ollama" if request.param == "ollama" else "vllm"
    with OllamaServer(models=["mistral"], kind=kind, api_key=None if kind == "ollama" else KEY) as server:
        yield server


@pytest.fixture
def model(server: OllamaServer) -> Iterator[ChatModel]:
    make = OllamaChatModel if server.kind == "ollama" else OpenAIChatModel
    with closing(make(server.url, api_key=KEY)) as model:
        yield model


def _marked(test: Callable[..., None]) -> Callable[..., None]:
    for mark in (*with_model, pytest.mark.timeout(300)):
        test = mark(test)
    return test


def written(model: ChatModel, request: ChatRequest, draft: Draft) -> Completion:
    with draft.watching():
        return model.complete(request)


def halfway(server: OllamaServer, model: ChatModel, step: dict[str, str]) -> tuple[str, Completion]:
    """What is readable in the middle of a reply, and the reply."""
    middle, draft = Event(), Draft()
    server.script(Step(pause=middle, **step))
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(written, model, a_request(), draft)
        wait_until(lambda: bool(draft.text) or asked.done())
        seen = draft.text
        middle.set()
        completion = asked.result(WITHIN_S)
    assert not draft.is_sent, "nothing is read of a reply that has ended"
    return seen, completion


def test_the_first_half_is_readable_before_the_second_is_written(server: OllamaServer, model: ChatModel) -> None:
    seen, completion = halfway(server, model, {"reply": "Rice is sown in April."})
    assert seen == "Rice is sow"
    server.script(Step(reply="Rice is sown in April."))
    unwatched = model.complete(a_request())
    measured = {"timings", "expected_prompt_tokens"}
    assert completion.model_dump(exclude=measured) == unwatched.model_dump(exclude=measured)


def test_thoughts_are_open_until_the_answer_begins(server: OllamaServer, model: ChatModel) -> None:
    seen, completion = halfway(server, model, {"reply": "Rice", "thinking": "hm"})
    assert completion.text == "<think>hm</think>Rice"
    assert seen in ("<think>hm", "<think>hm</think>Ri")


def test_a_key_is_not_readable_either_not_even_its_beginning(server: OllamaServer, model: ChatModel) -> None:
    seen, completion = halfway(server, model, {"reply": f"You said {KEY} yes."})
    assert (seen, completion.text) == ("You said ", "You said *** yes.")


@pytest.mark.parametrize("fault", ["reset", "ends_early", "error_in_stream"])
def test_what_a_broken_attempt_wrote_is_void(server: OllamaServer, model: ChatModel, fault: str) -> None:
    draft = Draft()
    server.script(Step(fault=fault, reply="Rice is sown in April."), Step(reply="Maize."))
    with pytest.raises(GenerationError):
        written(model, a_request(), draft)
    assert (draft.is_sent, draft.text) == (False, "")
    assert written(model, a_request(), draft).text == "Maize."


@_marked
def test_a_real_model_is_read_word_by_word_and_says_the_same_unwatched() -> None:
    request = ask("List ten fruits.", num_predict=60).model_copy(update={"shares": False})
    with closing(ModelProcesses(threads=2, available=lambda: None)) as processes, ThreadPoolExecutor(1) as pool:
        models, draft, seen = LocalModels(processes, slots=1), Draft(), []
        asked = pool.submit(written, models, request, draft)
        while not asked.done():
            seen.append(draft.text)
            time.sleep(0.01)
        text = asked.result().text
        assert text == models.complete(request).text
    assert all(text.startswith(each) for each in seen)
    assert len({each for each in seen if each}) > 1, "several states of it were seen"
