"""Names in a study: each model, and each setting of a model, has its own name and its own verdict."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from passer.domain.retrieval.retriever import Dense, Lexical
from passer.domain.sweeps import run_names
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import RunConfig
from passer.services.analysis.comparability import Group, arm_labels
from passer.services.analysis.verdict import judgement
from passer.services.exports.exported_rows import exported_rows
from tests.browser_verifier import by_the_browser, needs_node
from tests.bundles import members_of
from tests.services.provenance.test_design_forgeries import BOOKS, CHUNKINGS, EMBEDDINGS, on, with_collections
from tests.studies import PublishedSweep, failed_steps, told, value_of, verify_study

COLLECTIONS: dict[str, Any] = {
    "config": RunConfig(dataset="farm", collection=BOOKS, questions=6),
    "axes": Axes(embedding=EMBEDDINGS, chunking=CHUNKINGS, k=(1,)),
    "prepare": with_collections,
}
SHARED = "extractive (default, temperature 0.2)"


def shared(groups: Sequence[Group], **_: bool) -> list[str]:
    """Labels as earlier versions gave them."""
    return arm_labels(groups, shares_names=True)


def models_in(study: bytes) -> list[str]:
    """The models with a verdict, which are those of the configurations."""
    stated = value_of(members_of(study), "verdict.json")
    models = [each["model"] for each in stated["conclusions"]]
    assert models == list(dict.fromkeys(each["model"] for each in stated["configurations"]))
    return models


@needs_node
def test_models_alike_but_for_their_connection_have_names_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Each has its verdict. Studies of earlier versions gave both one name and one verdict, and verify as before."""
    axes = Axes(model=on("A", "B"), k=(1,))
    sweep = PublishedSweep(questions=6, axes=axes)
    now, store = sweep.publish(), sweep.study.store
    with monkeypatch.context() as earlier:
        earlier.setattr(run_names, "_server", lambda *_: None)
        unnumbered = PublishedSweep(questions=6, axes=axes)
        numbered = unnumbered.publish()
        earlier.setattr(judgement, "arm_labels", shared)
        before = unnumbered.publish()
    assert models_in(now) == ["One [8B] (server 1)", "One [8B] (server 2)"]
    assert models_in(before) == ["One [8B] (default, temperature 0.2)"]
    assert models_in(numbered) == [f"One [8B] (default, temperature 0.2, variant {number})" for number in (1, 2)]
    exported = exported_rows(sweep.stored, store.load_dataset("farm").questions, store)
    assert {row.run.name: row.model for row in exported} == {
        f"One [8B] (server {number}), Top-k {k}": f"One [8B] (server {number})" for number in (1, 2) for k in (1, 2)
    }
    assert b"connection" not in members_of(now)["study.json"]
    studies = [now, numbered, before]
    for study, by_page in zip(studies, by_the_browser(studies, tmp_path), strict=True):
        found = verify_study(study)
        assert found.verdict == "verified", found.failed
        assert by_page == told(found)


@needs_node
def test_collections_of_a_sweep_have_names_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Each has its verdict, in both verifiers, and so has a study in which all had one name."""
    sweep = PublishedSweep(**COLLECTIONS)
    now = sweep.publish()
    names = dict.fromkeys(run.config.collection for run in sweep.stored.runs)
    assert models_in(now) == [f"{SHARED[:-1]}, {name})" for name in names]
    assert len(names) == 4
    with monkeypatch.context() as earlier:
        earlier.setattr(judgement, "arm_labels", shared)
        before = sweep.publish()
    assert models_in(before) == [SHARED]
    for study, by_page in zip((now, before), by_the_browser([now, before], tmp_path), strict=True):
        found = verify_study(study)
        assert found.verdict == "verified", found.failed
        assert by_page == told(found)


@needs_node
def test_a_name_that_several_configurations_share_has_no_gain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Earlier versions recommended a name, and do not say which of its configurations they meant."""
    settings: dict[str, Any] = {"axes": Axes(model=on("A", "B"), k=(1,)), "margin": 0.9}
    studies = [PublishedSweep(**settings).publish()]
    with monkeypatch.context() as earlier:
        earlier.setattr(run_names, "_server", lambda *_: None)
        earlier.setattr(judgement, "arm_labels", shared)
        studies.append(PublishedSweep(**settings).publish())
    for study, count, by_page in zip(studies, (2, 1), by_the_browser(studies, tmp_path), strict=True):
        found = verify_study(study)
        assert found.verdict == "verified", found.failed
        assert found.study is not None
        assert found.study.result is not None
        conclusions = found.study.result.conclusions
        servers = [" (server 1)", " (server 2)"] if count == 2 else [""]
        assert [each.recommended for each in conclusions] == [f"One [8B]{server}, Top-k 1" for server in servers]
        assert all((each.gain is None) == (count == 1) for each in conclusions)
        assert by_page == told(found)


FORGERIES: dict[str, tuple[str, Callable[[list[str]], list[str]]]] = {
    "a bad configuration taken out of its verdict, as of another model": (
        "verdict",
        lambda labels: [*labels[:-1], f"{SHARED} "],
    ),
    "a collection's configuration with a verdict of its own": (
        "verdict",
        lambda labels: [labels[0], f"{SHARED[:-1]}, mine)", *labels[2:]],
    ),
    "two collections put into one verdict": ("verdict", lambda labels: [labels[0]] * 4 + labels[4:]),
    "all collections put into one verdict, by another name": (
        "verdict",
        lambda labels: [f"{SHARED[:-1]}, best)"] * len(labels),
    ),
}


@needs_node
def test_other_names_are_found_although_everything_else_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A name decides which configurations share a verdict."""
    sweep, studies = PublishedSweep(**COLLECTIONS), []
    for _, forge in FORGERIES.values():
        with monkeypatch.context() as forged:
            forged.setattr(judgement, "arm_labels", lambda groups, own=forge, **_: own(arm_labels(groups)))
            studies.append(sweep.publish())
    checked = zip(FORGERIES.items(), studies, by_the_browser(studies, tmp_path), strict=True)
    for (name, (step, _)), study, by_page in checked:
        assert failed_steps(study) == [step], name
        assert by_page == told(verify_study(study)), name


def test_the_table_says_how_the_runs_of_each_name_retrieve():
    axes = Axes(retriever=(Dense(), Lexical(analyser="english")), k=(1, 3))
    study = PublishedSweep(questions=6, axes=axes).publish()
    rows = list(csv.DictReader(io.StringIO(members_of(study)["table.csv"].decode(), newline="")))
    cuts = [json.loads(row["retrieval"]) for row in rows]
    assert sorted((cut["mode"], cut["k"]) for cut in cuts) == sorted([("normal", k) for k in (1, 2, 3)] * 2)
    # Dense retrieval, which was the only one, is left out in configurations.
    forms = [row["retriever"] and json.loads(row["retriever"])["form"] for row in rows]
    assert sorted(forms) == ["", "", "", "lexical", "lexical", "lexical"]
    assert {json.loads(row["retriever"])["analyser"] for row in rows if row["retriever"]} == {"english"}
    methods = members_of(study)["methods.md"].decode()
    assert "several right answers" not in methods
