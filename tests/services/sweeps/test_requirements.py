"""What a sweep needs and an installation lacks, and what can replace it."""

from __future__ import annotations

from passer.domain.model import Model, ModelInfo
from passer.domain.run import RunConfig
from passer.domain.sweep import Axes, Sweep
from passer.errors import GeneratorUnavailable, ModelNotFoundError, PasserError
from passer.services.sweeps.requirements import Requirements
from tests.fake_store import MemoryStore
from tests.fakes import FakeClock

SMALL = Model(provider="local", name="smollm2-135m")


class Installation:
    """Answers for models; notes which were asked for."""

    def __init__(self, **problems: PasserError) -> None:
        self.problems, self.asked = problems, []

    def __call__(self, model: Model) -> ModelInfo:
        self.asked.append(model.name)
        problem = self.problems.get(model.provider)
        if problem is not None:
            raise problem
        return ModelInfo(name=model.name)

    def lacks(self, *models: Model, **axes: object):
        config = RunConfig(dataset="farm", collection="books")
        sweep = Sweep(name="S", config=config, axes=Axes(model=models, **axes))
        found = Requirements(MemoryStore(FakeClock()), self).missing(sweep, {})
        return [each for each in found if each.kind in ("model", "embedding")]


def ollama(name: str) -> Model:
    return Model(provider="ollama", name=name)


def test_a_server_that_is_away_is_asked_once_and_each_of_its_models_is_named():
    away = Installation(ollama=GeneratorUnavailable("Ollama does not accept connections."))
    found = away.lacks(ollama("a"), ollama("b"), Model())
    assert [each.name for each in found] == ["model a", "model b"]
    assert found[0].command == "passer models pull a"
    assert found[0].replacement == SMALL
    assert "Ollama does not accept connections." in found[0].line
    assert "smollm2-135m can replace it" in found[0].line
    assert away.asked.count("a") == 1
    assert "b" not in away.asked


def test_a_model_that_its_server_lacks_is_named_and_the_others_are_not():
    class One(Installation):
        def __call__(self, model: Model) -> ModelInfo:
            if model.name == "a":
                raise ModelNotFoundError("Ollama has no model a.")
            return super().__call__(model)

    assert [each.model for each in One().lacks(ollama("a"), ollama("b"))] == [ollama("a")]


def test_without_the_small_model_the_built_in_reader_can_replace_another():
    bare = Installation(ollama=ModelNotFoundError("No."), local=PasserError("The extra model is not installed."))
    [found] = bare.lacks(ollama("a"), Model())
    assert found.replacement == Model()
    [itself] = Installation(local=PasserError("The weights are not installed.")).lacks(SMALL, Model())
    assert itself.replacement == Model(), "a model does not replace itself"


def test_the_embedding_model_of_a_collection_that_does_not_exist_is_named():
    found = Installation(ollama=GeneratorUnavailable("Away.")).lacks(Model(), SMALL, embedding=("ollama/e", "embedded"))
    assert [(each.kind, each.name) for each in found] == [("embedding", "embedding model ollama/e")]
    assert "A collection that is embedded with embedded/all-MiniLM-L6-v2 can replace it" in found[0].line
    assert Installation().lacks(Model(), SMALL, embedding=("ollama/e",)) == []
