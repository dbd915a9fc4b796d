"""What a sweep needs and an installation lacks, and what can replace it."""

from __future__ import annotations

from passer.domain.models.model import Model, ModelInfo
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import Run, RunConfig, RunState
from passer.domain.sweeps.sweep import Sweep
from passer.errors import GeneratorUnavailable, ModelNotFoundError, PasserError
from passer.ports import StoredSweep
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


def resumed(now: ModelInfo | PasserError, before: ModelInfo, state: RunState = RunState.PAUSED) -> list[str]:
    """What is said before a sweep goes on whose model was another when it was created."""
    run = Run(
        id="s-000", sweep_id="s", position=0, name="k = 3", config=RunConfig(dataset="farm", collection="books",
        model=ollama("m")), is_baseline=True, state=state, created_at=FakeClock().now(), model_info=before,
    )  # fmt: skip
    stored = StoredSweep(
        id="s", sweep=Sweep(name="S", config=run.config), dataset_digest="0" * 64, questions=1, runs=(run, run),
        created_at=run.created_at,
    )  # fmt: skip

    def describe(model: Model) -> ModelInfo:
        if isinstance(now, PasserError):
            raise now
        return now

    return list(Requirements(MemoryStore(FakeClock()), describe).changed(stored))


def test_a_model_that_changed_is_named_before_its_runs_are_resumed():
    before = ModelInfo(name="m", digest="a" * 64, engine="ollama 0.33.0")
    [said] = resumed(ModelInfo(name="m", digest="b" * 64, engine="ollama 0.33.0"), before)
    assert said.startswith("m has changed since the sweep was created: its digest is bbbbbbbbbbbb, not aaaaaa")
    [said] = resumed(ModelInfo(name="m", digest="a" * 64, engine="ollama 0.34.0"), before)
    assert said.startswith("m now runs on ollama 0.34.0, not on ollama 0.33.0")


def test_a_model_that_is_as_it_was_or_cannot_be_asked_is_not_named():
    before = ModelInfo(name="m", digest="a" * 64, engine="ollama 0.33.0, ollama 0.34.0")
    assert resumed(before, before) == []
    assert resumed(before.model_copy(update={"engine": "ollama 0.34.0"}), before) == [], "one of several servers"
    assert resumed(GeneratorUnavailable("Away."), before) == []
    other = ModelInfo(name="m", digest="b" * 64)
    assert resumed(other, before, RunState.FINISHED) == []
    assert resumed(other, ModelInfo(name="m")) == [], "a digest that was not known cannot differ"


def test_the_embedding_model_of_a_collection_that_does_not_exist_is_named():
    found = Installation(ollama=GeneratorUnavailable("Away.")).lacks(Model(), SMALL, embedding=("ollama/e", "embedded"))
    assert [(each.kind, each.name) for each in found] == [("embedding", "embedding model ollama/e")]
    assert "A collection that is embedded with embedded/all-MiniLM-L6-v2 can replace it" in found[0].line
    assert Installation().lacks(Model(), SMALL, embedding=("ollama/e",)) == []
