"""Models on this machine: real ones run by llama.cpp, and files that are none."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Timer

import pytest

from passer.adapters.generators.local.gguf import read_weights
from passer.adapters.generators.local.models import BUILT_IN, LocalModels, built_in_weights
from passer.adapters.generators.local.process import ModelProcesses
from passer.domain.models.model import Model
from passer.errors import ConfigError, GenerationError, GeneratorUnavailable, ModelNotFoundError
from tests.local_model import MODEL, ask, with_model

real = [*with_model, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def processes() -> Iterator[ModelProcesses]:
    made = ModelProcesses(threads=2, available=lambda: None)
    yield made
    made.close()


@pytest.fixture(scope="module")
def models(processes: ModelProcesses) -> LocalModels:
    return LocalModels(processes, slots=2)


def _marked(test: Callable[..., None]) -> Callable[..., None]:
    for mark in real:
        test = mark(test)
    return test


@_marked
def test_the_description_is_what_the_authors_of_the_model_published(models: LocalModels) -> None:
    path = built_in_weights()
    assert path is not None
    info = models.describe(MODEL)
    assert info.digest == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (info.family, info.parameter_size, info.quantization) == ("llama", "135M", "Q4_1")
    assert info.context_length == 8192
    assert info.engine is not None
    assert info.engine.startswith("llama.cpp")
    assert info.for_trials


@_marked
def test_the_header_tells_the_memory_of_the_context() -> None:
    # SmolLM2-135M: 30 layers, 3 key-value heads of 64 values; keys and values of 2 bytes each.
    path = built_in_weights()
    assert path is not None
    assert read_weights(path, name="x").cache_bytes_per_token == 30 * 3 * 64 * 2 * 2


@_marked
def test_any_gguf_file_runs_by_its_name_in_the_folder_and_by_its_path(
    models: LocalModels, processes: ModelProcesses, tmp_path: Path
) -> None:
    (tmp_path / "mine.gguf").symlink_to(str(built_in_weights()))
    (tmp_path / "letter.gguf").write_text("Dear model,")
    own = LocalModels(processes, folder=tmp_path, slots=2)
    assert [info.name for info in own.models()] == ["mine", BUILT_IN], "a file that is no model is left out"
    by_name = Model(provider="local", name="mine")
    by_path = Model(provider="local", name=str(tmp_path / "mine.gguf"))
    for model in (by_name, by_path):
        info = own.describe(model)
        assert info.digest == models.describe(MODEL).digest
        assert not info.for_trials, "only the built-in model is known to be for trials"
        assert own.complete(ask("The sky is", model=model, num_predict=2)).usage.output_tokens == 2


@_marked
def test_requests_of_two_sweeps_share_one_process(models: LocalModels, processes: ModelProcesses) -> None:
    models.complete(ask("One.", num_predict=1))
    before = processes.pids()
    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(models.complete, ask(text, num_predict=4)) for text in ("Of one sweep.", "Of another.")]
        assert all(each.result().usage.output_tokens for each in asked)
    assert processes.pids() == before


@_marked
def test_a_second_request_reads_only_what_is_new(models: LocalModels) -> None:
    first = models.complete(ask("Name three crops that grow in cold regions."))
    again = models.complete(ask("Name three crops that grow in cold regions."))
    assert first.usage.prompt_tokens == again.usage.prompt_tokens
    assert again.usage.cached_tokens == (again.usage.prompt_tokens or 0) - 1
    assert first.finish_reason == "length"
    assert first.usage.output_tokens == 12


@_marked
def test_options_reach_the_sampler(models: LocalModels) -> None:
    question = "Write a word."
    greedy = models.complete(ask(question)).text
    hot = {"temperature": 2.0, "top_p": 1.0, "top_k": 100_000}
    assert models.complete(ask(question, **{**hot, "top_k": 1}, seed=5)).text == greedy
    assert models.complete(ask(question, **hot, seed=5)).text != models.complete(ask(question, **hot, seed=6)).text


@_marked
def test_a_reply_that_must_not_share_is_the_same_each_time(models: LocalModels) -> None:
    request = ask("Name a fruit.").model_copy(update={"shares": False})
    first, again = models.complete(request), models.complete(request)
    assert first.text == again.text
    assert (first.usage.cached_tokens, again.usage.cached_tokens) == (0, 0)


@_marked
def test_a_schema_is_enforced(models: LocalModels) -> None:
    schema = {"type": "object", "properties": {"verdict": {"enum": ["yes", "no"]}}, "required": ["verdict"]}
    request = ask("Is water wet?", num_predict=40).model_copy(update={"reply_schema": schema})
    assert json.loads(models.complete(request).text)["verdict"] in ("yes", "no")


@_marked
def test_a_prompt_beyond_the_window_is_refused_and_not_cut(models: LocalModels) -> None:
    with pytest.raises(GenerationError) as refused:
        models.complete(ask("crop " * 600))
    assert refused.value.reason == "context_exceeded"


@_marked
def test_a_window_longer_than_trained_is_the_trained_one(models: LocalModels) -> None:
    try:
        assert models.complete(ask("Hello.", num_ctx=100_000, num_predict=1)).window == 8192
    finally:
        models.close()  # frees the memory of that window


@_marked
def test_a_model_that_dies_in_the_middle_is_unavailable_and_is_started_again() -> None:
    processes = ModelProcesses(threads=2, available=lambda: None)
    models = LocalModels(processes, slots=1)
    try:
        models.complete(ask("Hello.", num_predict=1))
        [pid] = processes.pids()
        Timer(0.3, os.kill, (pid, signal.SIGKILL)).start()
        with pytest.raises(GeneratorUnavailable, match="ended unexpectedly"):
            models.complete(ask("Write a story.", temperature=1.5, num_predict=450))
        assert models.complete(ask("Hello.", num_predict=1)).usage.output_tokens == 1
        assert processes.pids() != [pid]
    finally:
        processes.close()


@_marked
def test_an_idle_model_is_ended_and_one_in_use_is_not() -> None:
    processes = ModelProcesses(threads=2, available=lambda: None, idle_s=0.2)
    models = LocalModels(processes, slots=1)
    models.complete(ask("Hello.", num_predict=40))
    deadline = time.monotonic() + 20
    while processes.pids() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert processes.pids() == []


@_marked
def test_a_killed_parent_leaves_no_model_behind(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from tests.local_model import ask\n"
        "from passer.adapters.generators.local.models import LocalModels\n"
        "from passer.adapters.generators.local.process import ModelProcesses\n"
        "processes = ModelProcesses(threads=1, available=lambda: None)\n"
        "LocalModels(processes, slots=1).complete(ask('Hello.', num_predict=1))\n"
        "print(processes.pids()[0], flush=True)\n"
        "sys.stdin.read()\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    assert parent.stdin is not None
    pid = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdin.close()
    parent.stdout.close()
    deadline = time.monotonic() + 20
    while _runs(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _runs(pid)


@_marked
def test_a_model_larger_than_memory_is_refused_before_loading_with_the_sizes() -> None:
    processes = ModelProcesses(threads=2, available=lambda: 200_000_000)
    with pytest.raises(ConfigError) as refused:
        LocalModels(processes, slots=2).complete(ask("Hello."))
    # 98 MB of weights; 2 x 512 tokens of 23,040 bytes = 24 MB; 268 MB to compute.
    for size in ("390 MB", "98 MB", "24 MB", "200 MB"):
        assert size in refused.value.message
    assert processes.pids() == []


@_marked
def test_a_model_larger_than_the_machine_is_refused_unread_when_it_is_chosen(tmp_path: Path) -> None:
    path = built_in_weights()
    assert path is not None
    with path.open("rb") as file, (tmp_path / "huge.gguf").open("wb") as huge:
        # The header is whole; the weights are a hole of 40 GB, which takes no room and minutes to read.
        huge.write(file.read(8_000_000))
        huge.truncate(40_000_000_000)
    processes = ModelProcesses(threads=2, available=lambda: None, total=lambda: 16_000_000_000)
    models, chosen = LocalModels(processes, folder=tmp_path), Model(provider="local", name="huge")
    for act in (lambda: models.describe(chosen), lambda: models.complete(ask("Hello.", model=chosen))):
        with pytest.raises(ConfigError, match=r"huge has 40.000 MB of weights, more than the 16.000 MB"):
            act()
    assert [info.name for info in models.models()] == [BUILT_IN]
    (said,) = models.left_out()
    assert "Choose a smaller model." in said
    assert processes.pids() == []


def test_a_file_that_is_no_gguf_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.gguf").write_text("Dear model,")
    models = LocalModels(ModelProcesses(threads=1, available=lambda: None), folder=tmp_path)
    with pytest.raises(ConfigError, match=r"letter\.gguf is not a GGUF model file"):
        models.describe(Model(provider="local", name="letter"))


@_marked
@pytest.mark.parametrize("length", [10, 100, 5_000])
def test_a_file_that_ends_in_its_header_is_refused(tmp_path: Path, length: int) -> None:
    path = built_in_weights()
    assert path is not None
    with path.open("rb") as file:
        (tmp_path / "cut.gguf").write_bytes(file.read(length))
    with pytest.raises(ConfigError, match="damaged"):
        read_weights(tmp_path / "cut.gguf", name="cut")


@_marked
def test_a_file_whose_weights_are_missing_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    path = built_in_weights()
    assert path is not None
    with path.open("rb") as file:
        (tmp_path / "half.gguf").write_bytes(file.read(40_000_000))
    models = LocalModels(ModelProcesses(threads=1, available=lambda: None), folder=tmp_path)
    assert [info.name for info in models.models()] == ["half", BUILT_IN]
    with pytest.raises(ConfigError, match=r"half\.gguf could not be loaded"):
        models.complete(ask("Hello.", model=Model(provider="local", name="half")))


def test_an_unknown_model_names_those_there_are(tmp_path: Path) -> None:
    models = LocalModels(ModelProcesses(threads=1, available=lambda: None), folder=tmp_path)
    with pytest.raises(ModelNotFoundError, match="no local model other"):
        models.describe(Model(provider="local", name="other"))


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False
