"""One model on two servers, through the settings alone: the sweep is the one that a single server gives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from passer.bootstrap import Services, build_services
from passer.domain.dataset import Dataset, Question
from passer.domain.models.answer import Answer
from passer.domain.models.model import Model
from passer.domain.retrieval.cuts import NoRetrievalPolicy
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.errors import ConflictError
from passer.ports import StoredSweep
from passer.settings import Settings
from tests.ollama_server import OllamaServer, ScriptedModel

QUESTIONS = 24


def built(home: Path, url: str) -> Services:
    home.mkdir(exist_ok=True)
    return build_services(Settings(home=home, encoder="none", PASSER_OLLAMA_URL=url))


def study(services: Services) -> StoredSweep:
    """A closed-book run, so that nothing but the model is needed."""
    questions = [Question(id=f"q{n}", text=f"What is rule {n}?", reference=f"Rule {n}.") for n in range(QUESTIONS)]
    services.adapters.datasets.save_dataset(Dataset(name="rules", questions=tuple(questions)))
    model = Model(provider="ollama", name="mistral")
    config = RunConfig(dataset="rules", collection="none", model=model, retrieval=NoRetrievalPolicy())
    planner = replace(services.sweeps.planner, collections=_NoCollections())
    return planner.create(Sweep(name="Rules", config=config))


class _NoCollections:
    """The closed book needs none, and Chroma need not be started for it."""

    def open(self, name: str):  # type: ignore[no-untyped-def]
        from tests.fakes import FakeIndex

        return FakeIndex(name, [])

    def list(self) -> list:
        return []


def answers(services: Services, sweep: StoredSweep) -> dict[str, Answer]:
    found = services.adapters.evaluations.evaluations(sweep.runs[0].id)
    assert {e.state for e in found} == {"scored"}
    return services.adapters.evaluations.answers([e.answer_key or "" for e in found])


def test_two_servers_give_the_answers_of_one(tmp_path: Path):
    with OllamaServer(models=["mistral:latest"]) as one, OllamaServer(models=["mistral:latest"]) as two:
        single, both = built(tmp_path / "single", one.url), built(tmp_path / "both", f"{one.url}, {two.url}")
        alone = study(single)
        single.sweeps.runner.run(alone.id)
        expected = answers(single, alone)
        asked = len(one.generations)
        shared = study(both)
        # Long enough that the work of a busy machine between two answers is short beside it.
        one.latency_s = 1.0
        both.sweeps.runner.run(shared.id)
        found = answers(both, shared)
        assert shared.id == alone.id
        assert {key: a.text for key, a in found.items()} == {key: a.text for key, a in expected.items()}
        assert len(found) == QUESTIONS
        assert len(one.generations) - asked + len(two.generations) == QUESTIONS
        assert len(two.generations) > len(one.generations) - asked > 0, "the quicker one does more"
        shown = [part.detail for part in both.diagnostics.parts() if part.name == "ollama"]
        assert [server.url in text for server, text in zip((one, two), shown, strict=True)] == [True, True]
        single.close()
        both.close()


def test_servers_with_different_models_are_refused_before_anything_is_asked(tmp_path: Path):
    other = ScriptedModel("mistral:latest", digest="b" * 64)
    with OllamaServer(models=["mistral:latest"]) as one, OllamaServer(models=[other]) as two:
        services = built(tmp_path, f"{one.url},{two.url}")
        with pytest.raises(ConflictError, match="whose answers must not be mixed"):
            study(services)
        assert services.adapters.runs.list_sweeps(limit=10) == []
        services.close()
