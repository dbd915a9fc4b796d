"""External systems: over HTTP, as functions, and as files of answers."""

from __future__ import annotations

import json
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import passer
from passer.adapters.generators.outside import OutsideSystem
from passer.bootstrap.home import Home
from passer.bootstrap.verification import bundle_verifier
from passer.domain.models.chat import ChatRequest, PromptSource
from passer.domain.models.connection import NewConnection
from passer.domain.models.decoding import GenerationOptions
from passer.domain.models.model import Model
from passer.errors import ConfigError, DatasetError, GenerationError, GeneratorUnavailable, InputError
from passer.metrics.grounded.checks import GroundingLimits
from tests.browser_verifier import by_the_browser
from tests.outside_server import QUESTIONS, RIGHT, System


@pytest.fixture
def system() -> Iterator[System]:
    server = System()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    folder = tmp_path_factory.mktemp("outside")
    (folder / "facts.txt").write_text("\n\n".join(RIGHT.values()))
    (folder / "facts.json").write_text(json.dumps(QUESTIONS))
    with passer.open(folder / "home") as opened:
        opened.import_dataset(folder / "facts.json")
        opened.ingest("facts", folder / "facts.txt")
        yield opened


def request(question: str = "What is fact 0?") -> ChatRequest:
    model = Model(provider="outside", name="lab")
    source = PromptSource(question=question)
    return ChatRequest(key="k", messages=(), model=model, options=GenerationOptions(), source=source)


def test_a_connected_system_is_a_configuration_beside_ours(home: Home, system: System, tmp_path: Path) -> None:
    home.services.library.model_servers.connect(NewConnection(name="lab", kind="outside", url=system.url))
    wanted = {"name": "both", "dataset": "facts", "collection": "facts", "model": "extractive", "system": "lab",
              "baseline": {"mode": "normal", "k": 1}, "retrieval": {"mode": "normal", "k": [2]}}  # fmt: skip
    sweep = home.sweep(wanted)
    assert sorted(each["question"] for each in system.asked) == sorted(RIGHT)
    assert {each["path"] for each in system.asked} == {"/ask"}
    assert set(system.asked[0]) == {"path", "question", "id", "options"}
    names = [(each.name, each.is_baseline) for each in home.analyse(sweep).configurations]
    assert names == [("extractive, Top-k 1", True), ("extractive, Top-k 2", False), ("lab", False)]
    ours = {row["run"]: row for row in home.rows(sweep) if row["question_id"] == "q0"}["lab"]
    assert (ours["Rouge-l.f"], ours["answer"]) == (1, RIGHT["What is fact 0?"])
    # A second sweep asks nothing again: answers of a system are kept like those of a model.
    home.sweep(wanted)
    assert len(system.asked) == len(QUESTIONS)

    comparison = home.analyse(sweep).configurations[2].comparison
    assert comparison is not None
    assert comparison.judged.pairs == len(QUESTIONS)
    assert "No retrieval" not in home.analyse(sweep).model_dump_json()
    detail = home.services.runs.run_browser.detail(f"{sweep}-002", 0)
    assert detail.answer
    assert [each.text for each in detail.answer.passages] == ["On What is fact 0?"]
    assert detail.evaluation.kept == (0, 1)
    item = next(iter(home.services.judging.items.items([f"{sweep}-002"]))).item
    assert [each.text for each in item.passages] == ["On What is fact 0?"]
    grounded = home.services.analysis.grounding_reader.of_run(f"{sweep}-002", GroundingLimits())
    assert grounded.runs[0].n == len(QUESTIONS)


@pytest.mark.parametrize(
    ("status", "reply", "reason", "said"),
    [
        (200, {"text": 1}, "malformed_reply", "no member answer"),
        (200, b"<html>", "malformed_reply", "cannot be read"),
        (200, b"[" * 100_000, "malformed_reply", "cannot be read"),
        (302, b"", "rejected", "redirects"),
        (401, {"error": "no"}, "rejected", "API key"),
        (429, {"error": "slow down"}, "overloaded", "overloaded"),
        (500, {"error": "it broke"}, "server_error", "it broke"),
        (200, b'"' + b"x" * 33_000_000 + b'"', "malformed_reply", "longer than the size limit"),
    ],
)
def test_a_reply_that_is_none_fails_its_question(
    system: System, status: int, reply: Any, reason: str, said: str
) -> None:
    system.says = (status, reply)
    client = OutsideSystem(system.url, api_key="secret-key")
    with pytest.raises(GenerationError) as caught:
        client.complete(request())
    assert (caught.value.reason, said in caught.value.message) == (reason, True), caught.value.message
    assert system.keys == ["Bearer secret-key"]
    assert "secret-key" not in caught.value.message
    client.close()


OTHER_NAMES = {"data": {"said": "Yes."}, "hits": [{"doc": {"body": "Page 1.", "file": "a.pdf"}, "rank/score": 0.7}]}
PLACES = {
    "question": "/input/query", "answer": "/data/said", "passages": "/hits", "text": "/doc/body",
    "document": "/doc/file", "score": "/rank~1score",
}  # fmt: skip


def test_a_system_with_other_names_is_asked_and_read_at_their_places(home: Home, system: System) -> None:
    servers = home.services.library.model_servers
    system.says = (200, OTHER_NAMES)
    servers.connect(
        NewConnection.model_validate({"name": "other", "kind": "outside", "url": system.url, "places": PLACES})
    )
    model = Model(provider="outside", name="other", connection="other")
    client = home.services.adapters.models.chat_model(model)
    done = client.complete(request())
    assert system.asked[0]["input"] == {"query": "What is fact 0?"}
    assert "question" not in system.asked[0]
    assert done.text == "Yes."
    assert [(each.text, each.document, each.score) for each in done.passages] == [("Page 1.", "a.pdf", 0.7)]


def test_a_reply_that_drips_is_given_up(system: System) -> None:
    times = iter([0.0, 700.0])
    client = OutsideSystem(system.url, monotonic=lambda: next(times, 700.0), answer_timeout_s=600)
    with pytest.raises(GenerationError, match="600"):
        client.complete(request())
    client.close()


def test_a_system_that_repeats_its_key_does_not_leak_it(system: System) -> None:
    system.says = (200, {"answer": "secret-key is the key"})
    client = OutsideSystem(system.url, api_key="secret-key")
    assert client.complete(request()).text == "*** is the key"
    client.close()


def test_a_system_that_is_away_is_told_before_the_sweep(home: Home) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/ask"
    servers = home.services.library.model_servers
    given = NewConnection(name="away", kind="outside", url=url)
    assert "does not accept connections" in str(servers.test(given).problem)
    servers.connect(given)
    with pytest.raises(GeneratorUnavailable):
        home.sweep({"name": "n", "dataset": "facts", "system": "away"})
    with pytest.raises(ConfigError, match="may not connect to the host"):
        servers.connect(NewConnection(name="cloud", kind="outside", url="http://169.254.169.254/latest"))
    with pytest.raises(ConfigError, match="retrieval has no effect on a system"):
        home.sweep({"name": "n", "dataset": "facts", "system": "away", "retrieval": {"mode": "normal", "k": 1}})


def test_functions_are_evaluated_and_compared(home: Home, tmp_path: Path) -> None:
    chain = SimpleNamespace(invoke=lambda question: {"answer": RIGHT[question], "context": ["Its page."]})
    sweep = home.evaluate({"first": lambda question: "Nothing.", "chain": chain}, "facts")
    found = home.analyse(sweep)
    assert [(each.name, each.is_baseline, each.n) for each in found.configurations] == [
        ("first", True, 6),
        ("chain", False, 6),
    ]
    comparison = found.configurations[1].comparison
    assert comparison is not None
    assert (comparison.judged.gain or 0) > 0
    # Study, bundle and manifest of a configuration without collection, template or prompt of ours.
    with home.services.provenance.bundle_writer.bundle(f"{sweep}-001") as bundle:
        content = bundle.read()
    with home.services.provenance.study_publisher.study(
        home.services.provenance.study_composer.compose(sweep)
    ) as study:
        published = study.read()
    with bundle_verifier() as verifier:
        assert [verifier.verify(each).failed for each in (content, published)] == [(), ()]
    if shutil.which("node"):
        for verified in by_the_browser([content, published], tmp_path):
            assert verified is not None
            assert verified["verdict"] == "verified", verified
    record = next(iter(home.services.provenance.manifest_builder.records(f"{sweep}-001")))
    assert [each.text for each in record.contexts] == ["Its page."]
    assert record.passages == ()


def test_a_function_that_raises_fails_its_question_only(home: Home) -> None:
    def fragile(question: str) -> str:
        if question.endswith("3?"):
            raise KeyError("no such fact")
        return RIGHT[question]

    sweep = home.evaluate(fragile, "facts", name="fragile")
    [run] = home.services.adapters.runs.load_sweep(sweep).runs
    assert (run.counts.scored, run.counts.failed) == (5, 1)
    [failed] = home.services.adapters.evaluations.evaluations(run.id, failed_only=True)
    assert "fragile raised KeyError: 'no such fact'" in str(failed.reason)
    with pytest.raises(GenerationError, match="only the program that started the sweep has"):
        home.services.adapters.models.chat_model(Model(provider="outside", name="fragile"))
    with pytest.raises(InputError, match="method invoke"):
        home.evaluate(7, "facts")  # type: ignore[arg-type]


def test_passer_evaluate_takes_a_question_file(tmp_path: Path) -> None:
    (tmp_path / "facts.json").write_text(json.dumps(QUESTIONS[:2]))
    found = passer.evaluate(RIGHT.__getitem__, tmp_path / "facts.json", home=tmp_path / "home")
    assert [each.n for each in found.configurations] == [2]


def test_files_of_answers_are_configurations(home: Home, tmp_path: Path) -> None:
    ragas = [
        {"user_input": each["question"], "response": each["reference"], "retrieved_contexts": ["a"]}
        for each in reversed(QUESTIONS)
    ]
    (tmp_path / "ragas.jsonl").write_text("\n".join(map(json.dumps, ragas)))
    rows = [f'{each["id"]},No idea.,"[""one"", ""two""]"' for each in QUESTIONS]
    (tmp_path / "plain.csv").write_text("\n".join(["id,answer,contexts", *rows]))
    sweep = home.import_answers({"plain": tmp_path / "plain.csv", "ragas": tmp_path / "ragas.jsonl"}, "facts")
    found = home.analyse(sweep)
    assert [(each.name, each.n, each.is_baseline) for each in found.configurations] == [
        ("plain", 6, True),
        ("ragas", 6, False),
    ]
    assert [each.latency.median_s for each in found.configurations] == [None, None], "reading a file is no answering"
    assert [each.policy for each in found.configurations] == ["Own retrieval"] * 2, "it is not known, and was not none"
    unknown = ("policy", "retriever", "prompt", "temperature", "seed")
    assert {row[name] for row in home.rows(sweep) for name in unknown} == {None}
    detail = home.services.runs.run_browser.detail(f"{sweep}-000", 0)
    assert detail.answer
    assert [each.text for each in detail.answer.passages] == ["one", "two"]


def test_a_file_that_is_wrong_is_refused_whole(home: Home, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"id": each["id"], "answer": each["reference"]} for each in QUESTIONS]
    rows[0]["id"] = "unknown"
    rows[2] = rows[1]
    rows[3]["answer"] = True
    rows[4]["contexts"] = [{"score": 1}]
    (tmp_path / "bad.json").write_text(json.dumps(rows))
    before = len(home.services.adapters.runs.list_sweeps(limit=100))
    with pytest.raises(DatasetError, match=r"bad\.json was not imported: 6 problems") as caught:
        home.import_answers({"bad": tmp_path / "bad.json"}, "facts")
    assert [(each.row, each.field) for each in caught.value.problems] == [
        (1, "id"),
        (3, "id"),
        (4, "answer"),
        (5, "contexts.0"),
        (None, None),
        (None, None),
    ]
    assert len(home.services.adapters.runs.list_sweeps(limit=100)) == before
