"""A design that is not that of the runs: both verifiers find it, and no honest design is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from passer.domain.models.model import Model
from passer.domain.retrieval.cuts import GapPolicy, NoRetrievalPolicy, PublishedScorePolicy, RelativePolicy, ScorePolicy
from passer.domain.retrieval.passages import Chunking, Collection
from passer.domain.retrieval.planned_collection import planned_collections
from passer.domain.retrieval.retriever import Dense, Lexical
from passer.domain.sweeps.axes import Axes, ModelWindow
from passer.domain.sweeps.run import RunConfig, RunState
from passer.domain.verdict.two_looks import Looks
from tests.browser_verifier import by_the_browser, needs_node
from tests.bundles import members_of
from tests.fakes import FakeIndex, passages_of
from tests.services.provenance.test_study_forgeries import in_study, run_dropped
from tests.services.study import TEXTS, Study
from tests.studies import Json, PublishedSweep, failed_steps, resealed, told, verify_study, without_entry


def in_design(change: Callable[[Json], object]) -> Callable[[bytes], bytes]:
    return in_study(lambda value: change(value["design"]))


def run_unlisted(study: bytes) -> bytes:
    """The last run and its bundle taken out; the design still plans it."""
    members = members_of(study)
    del members[[name for name in members if name.startswith("runs/")][-1]]
    return resealed(members, lambda value: value["runs"].pop())


def in_run_left_out(**changes: str) -> Callable[[bytes], bytes]:
    """The last run called cancelled, and then something else of it."""
    return lambda study: resealed(members_of(run_dropped(study)), lambda value: value["runs"][-1].update(changes))


DENSE = {"form": "dense"}
LEXICAL = {"form": "lexical", "analyser": "plain", "k1": 1.2, "b": 0.75}
OTHER_MODEL = {"provider": "openai", "name": "larger", "base_url": None}
FORGERIES: dict[str, tuple[str | None, Callable[[bytes], bytes]]] = {
    "another model in the design": ("design", in_design(lambda v: v["config"]["model"].update(name="larger"))),
    "another temperature in the design": ("design", in_design(lambda v: v["config"]["options"].update(temperature=0))),
    "another seed in the design": ("design", in_design(lambda v: v["config"]["options"].update(seed=7))),
    "another context window in the design": (
        "design",
        in_design(lambda v: v.update(windows=[{"model": v["config"]["model"], "num_ctx": 8192}])),
    ),
    "another dataset in the design": ("design", in_design(lambda v: v["config"].update(dataset="other"))),
    "another collection in the design": ("design", in_design(lambda v: v["config"].update(collection="other"))),
    "another number of questions in the design": ("design", in_design(lambda v: v["config"].update(questions=240))),
    "another prompt in the design": ("design", in_design(lambda v: v["config"].update(prompt="other"))),
    "another retriever in the design": ("design", in_design(lambda v: v["axes"].update(retriever=[LEXICAL]))),
    "another value of an axis in the design": ("design", in_design(lambda v: v["axes"]["min_similarity"].append(0.6))),
    "a value taken out of an axis of the design": ("design", in_design(lambda v: v["axes"]["min_similarity"].pop())),
    "another axis in the design": ("design", in_design(lambda v: v["axes"]["temperature"].extend([0.2, 0.7]))),
    "models in the design that were not asked": (
        "design",
        in_design(lambda v: v["axes"]["model"].extend([v["config"]["model"], OTHER_MODEL])),
    ),
    "several collections in the design": (
        "design",
        in_design(lambda v: v["axes"]["embedding"].extend(["ollama/one", "ollama/two"])),
    ),
    "repetitions in the design that were not made": ("design", in_design(lambda v: v["axes"].update(repeat=3))),
    "noise in the design that was not measured": ("design", in_design(lambda v: v.update(noise=True))),
    "another baseline in the design": ("design", in_design(lambda v: v["baseline"].update(k=3))),
    "a design without its baseline": ("design", in_design(lambda v: v.update(baseline=None))),
    "another largest number of passages in the design": ("design", in_design(lambda v: v.update(max_k=50))),
    "another name in the design": ("design", in_design(lambda v: v.update(name="Another"))),
    "a member of the design that no sweep has": ("design", in_design(lambda v: v.update(power="all"))),
    "a part of the design taken out": ("design", in_design(lambda v: v["axes"].pop("k"))),
    "a part of the design in other words": ("design", in_design(lambda v: v.update(noise=False))),
    "a design of too many runs": ("design", in_design(lambda v: v["axes"].update(k=list(range(1, 1001)), repeat=100))),
    "a window in the design that no model had": (
        "design",
        in_design(lambda v: v.update(windows=[{"model": v["config"]["model"], "num_ctx": 4096 + n} for n in range(2)])),
    ),
    "a window of a model that was not asked in the design": (
        "design",
        in_design(lambda v: v.update(windows=[{"model": OTHER_MODEL, "num_ctx": 4096}])),
    ),
    "a bad run and its bundle taken out": ("design", run_unlisted),
    "a run that is left out called another configuration": ("design", in_run_left_out(config_digest="0" * 64)),
    "a cut of the design that its axes replace, and that no version has": (
        "design",
        in_design(lambda v: v["config"]["retrieval"].update(depth=3)),
    ),
    "a provider of the design that its axes replace, and that no version has": (
        "design",
        in_design(
            lambda v: (v["axes"]["model"].append({**v["config"]["model"]}), v["config"]["model"].update(provider="x"))
        ),
    ),
    "a retriever of the design that its axes replace, and that no version has": (
        "design",
        in_design(lambda v: (v["axes"].update(retriever=[DENSE]), v["config"].update(retriever=LEXICAL | {"k1": 11}))),
    ),
    "a timing plan in the design that no version has": (
        "design",
        in_design(lambda v: v.update(timing={"warm_up": -1})),
    ),
    "a timing plan in the design": (None, in_design(lambda v: v.update(timing={"warm_up": 1}))),
    "a hypothesis in the design of a plan that was not registered": (
        None,
        in_design(lambda v: v.update(hypothesis="Thresholds help.")),
    ),
    "a value of the design that its axes replace": (
        None,
        in_design(lambda v: v["config"]["retrieval"].update(k=5)),
    ),
}
"""Forgery: the step that names it, or None where a study alone cannot show it; docs/audit.md has this table."""


@pytest.mark.parametrize("name", FORGERIES)
def test_each_forgery_of_a_design_is_found_or_listed(study: bytes, name: str):
    step, forge = FORGERIES[name]
    changed = forge(study)
    assert without_entry(changed) != without_entry(study)
    assert failed_steps(changed)[:1] == ([] if step is None else [step])


@needs_node
def test_the_browser_says_the_same_of_each_forgery_of_a_design(study: bytes, tmp_path: Path):
    files = [forge(study) for _, forge in FORGERIES.values()]
    for name, made, by_page in zip(FORGERIES, files, by_the_browser(files, tmp_path), strict=True):
        assert by_page == told(verify_study(made)), name


LISTED = {"another name or reason of a run that is left out": None}
"""Found by no check, as the next test shows."""


def test_name_and_reason_of_a_run_that_is_left_out_cannot_be_checked():
    made = PublishedSweep()
    last = made.stored.runs[-1].id
    made.study.store.reopen([last])
    made.study.store.set_state([last], RunState.CANCELLED)
    for changes in ({"reason": "The server burned.", "state": "failed"}, {"name": "Similarity ≥ 0.99"}):
        forge = in_study(lambda value, changes=changes: value["runs"][-1].update(changes))
        assert failed_steps(forge(made.publish())) == []


EMBEDDINGS = ("ollama/Mistral:7b-", "embedded/all-MiniLM-L6-v2")
CHUNKINGS = (Chunking(chunk_size=16, chunk_overlap=4), Chunking(chunk_size=32, chunk_overlap=4, unit="tokens"))
BOOKS = "books.of-a-library-whose-name-is-long"
"""With what is varied, some names are shortened and others are not."""


def with_collections(study: Study) -> None:
    for planned in planned_collections(BOOKS, EMBEDDINGS, CHUNKINGS):
        index = FakeIndex(planned.name, passages_of(*TEXTS))
        embedding = index.collection.embedding.model_copy(update={"name": planned.embedding})
        index.collection = Collection(name=planned.name, embedding=embedding, chunking=planned.chunking or Chunking())
        study.collections._indexes[planned.name] = index


ONE = Model(provider="openai", name="One [8B]", base_url="http://127.0.0.1:1")
TWO = Model(provider="ollama", name="Two", base_url="http://me:secret@127.0.0.1:2")


def on(*connections: str) -> tuple[Model, ...]:
    return tuple(ONE.model_copy(update={"connection": each, "base_url": None}) for each in connections)


def windows(*connections: str) -> tuple[ModelWindow, ...]:
    return tuple(ModelWindow(model=each, num_ctx=4096 + place) for place, each in enumerate(on(*connections)))


DESIGNS: dict[str, dict[str, Any]] = {
    "models with windows, temperatures and prompts": {
        "axes": Axes(model=(ONE, TWO), temperature=(0, 0.7), prompt=("default", "brief"), k=(1,)),
        "windows": (ModelWindow(model=TWO, num_ctx=8192),),
    },
    "connected models": {"axes": Axes(model=(ONE.model_copy(update={"connection": "A"}), TWO), k=(1,))},
    "models alike but for their connection": {"axes": Axes(model=on("A", "B"), k=(1,), repeat=2)},
    "models alike, the second with a window": {"axes": Axes(model=on("A", "B"), k=(1,)), "windows": windows("B")},
    "models alike, each with a window": {"axes": Axes(model=on("A", "B"), k=(1,)), "windows": windows("B", "A")},
    "a model twice": {"axes": Axes(model=on("A", "A"), k=(1,)), "windows": windows("A")},
    "retrievers": {"axes": Axes(retriever=(Dense(), Lexical(analyser="english")), k=(1, 3))},
    "collections": {
        "config": RunConfig(dataset="farm", collection=BOOKS, questions=6),
        "axes": Axes(embedding=EMBEDDINGS, chunking=CHUNKINGS, k=(1,)),
        "prepare": with_collections,
    },
    "every cut": {
        "axes": Axes(
            retrieval=(
                NoRetrievalPolicy(), PublishedScorePolicy(min_distance=0.2), RelativePolicy(share=0.9), GapPolicy(),
                ScorePolicy(min_similarity=0.1, max_k=3),
            ),
            k=(2, 3),
        ),
    },
    "no baseline": {"axes": Axes(min_similarity=(0.2, 0.4)), "baseline": None},
    "nothing varied": {"axes": Axes(), "baseline": None},
    "a baseline alone": {"axes": Axes()},
    "seeds of repetitions and noise": {"axes": Axes(k=(1,), repeat=2), "repeat_seeds": True, "noise": True},
    "the same seed": {"axes": Axes(k=(1,), repeat=2), "noise": True},
    "looks and a hypothesis": {
        "axes": Axes(k=(1,)), "looks": Looks(first=6, second=12), "hypothesis": "Fewer passages are as good.",
    },
}  # fmt: skip


@needs_node
def test_both_verifiers_know_the_runs_of_every_kind_of_design(tmp_path: Path):
    studies = [PublishedSweep(questions=6, **changes).publish() for changes in DESIGNS.values()]
    for name, whole, by_page in zip(DESIGNS, studies, by_the_browser(studies, tmp_path), strict=True):
        found = verify_study(whole)
        assert found.verdict == "verified", (name, found.failed)
        assert by_page == told(found), name


ASKED = {"provider": "ollama", "name": "m", "base_url": "http://127.0.0.1:1,http://127.0.0.1:2"}
VARIATIONS = {"form": "variations", "judge": ASKED, "pins": {"model": "f" * 64}, "n": 4, "with_original": True}
TERMS = {"form": "terms", "name": "hives", "terms": {"bee": ["hive", "честотен речник"]}, "most": 8}
FUSED = {"form": "fused", "of": [DENSE, LEXICAL], "k": 60, "depth": 100}
REWRITTEN = {"form": "rewritten", "of": FUSED, "by": VARIATIONS, "k": 60, "depth": 100}
EXPANDED = {"form": "rewritten", "of": LEXICAL, "by": TERMS, "k": 60, "depth": 100}
RERANKED = {"form": "reranked", "of": REWRITTEN, "by": {"form": "cross-encoder", "name": "ce"}, "depth": 50}
GRADED = {"form": "reranked", "of": DENSE, "by": {"form": "passage-judge", "judge": ASKED}, "depth": 50}
KEYWORDS = {**REWRITTEN, "by": {**VARIATIONS, "prompt": "keywords"}}
UMBRELA = {**GRADED, "by": {**GRADED["by"], "task": "umbrela"}}
HONEST = (LEXICAL, FUSED, REWRITTEN, EXPANDED, RERANKED, GRADED, KEYWORDS, UMBRELA)
FALSE: tuple[Json, ...] = (
    DENSE,  # the default is left out
    *({**LEXICAL, **each} for each in ({"b": 1.5}, {"analyser": "german"}, {"k1": "1.2"}, {"more": 1})),
    {"form": "lexical", "k1": 1.2, "b": 0.75},
    *({**FUSED, **each} for each in ({"of": [DENSE]}, {"k": 0}, {"k": 1.5}, {"depth": True}, {"of": [FUSED, {}]})),
    {**FUSED, "of": [REWRITTEN, REWRITTEN]},  # twenty searches
    {**RERANKED, "of": {**RERANKED, "of": RERANKED}},  # seven levels
    *({**REWRITTEN, "by": {**VARIATIONS, **each}} for each in ({"n": 9}, {"pins": {}}, {"with_original": 1})),
    {**REWRITTEN, "by": {**VARIATIONS, "prompt": "variations"}},  # the default is left out
    *(
        {**REWRITTEN, "by": {**VARIATIONS, "judge": {**ASKED, **each}}}
        for each in ({"provider": "extractive"}, {"base_url": "http://a:b@c"}, {"base_url": "http://c, http://d"})
    ),
    *(
        {**EXPANDED, "by": {**TERMS, "terms": each}}
        for each in ({}, {"bee": []}, {" bee": ["hive"]}, {"!": ["hive"]}, {"bee": ["hive"], "Bee": ["wax"]})
    ),
    {**GRADED, "by": {**GRADED["by"], "task": "other"}},
    *({**EXPANDED, "by": {**TERMS, **each}} for each in ({"name": ""}, {"most": 51}, {"form": "words"})),
    *({**RERANKED, "by": {"form": "cross-encoder", "name": each}} for each in ("", "../ce", "a" * 101)),
)


@needs_node
def test_both_verifiers_read_the_retriever_that_axes_replace(tmp_path: Path):
    """No run shows it, so its form is all that can be checked."""
    study = PublishedSweep(questions=2, axes=Axes(retriever=(Dense(),), k=(1,))).publish()
    assert verify_study(study).verdict == "verified"
    made = [in_design(lambda v, of=each: v["config"].update(retriever=of))(study) for each in (*HONEST, *FALSE)]
    for place, (each, by_page) in enumerate(zip(made, by_the_browser(made, tmp_path), strict=True)):
        found = verify_study(each)
        shown = (*HONEST, *FALSE)[place]
        assert [step.name for step in found.failed] == ([] if place < len(HONEST) else ["design"]), shown
        assert by_page == told(found), shown
