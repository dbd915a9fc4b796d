"""Studies: what is published is verified by both verifiers, and read by others."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from passer.domain.analysis.composites import Composites
from passer.domain.bundle.verification import STUDY_STEPS
from passer.domain.judging.formulas import FORMULAS
from passer.domain.models.model import Model
from passer.domain.score import Score, Scores
from passer.domain.study.document import member_of
from passer.domain.sweeps.run import RunState
from passer.domain.verdict.two_looks import Looks
from passer.errors import ConflictError
from tests.browser_verifier import by_the_browser, needs_node
from tests.bundles import members_of, rebuilt
from tests.services.provenance.bundle_verifier.forging import Draft, forged
from tests.services.study import Study
from tests.studies import (
    Json,
    PlausibleScorer,
    PublishedSweep,
    told,
    value_of,
    verify_study,
    with_run_forged,
    with_verdict_changed,
)


def counting(study: Study) -> None:
    """Let the model say how long it took, and count tokens."""
    study.chat_model.seconds, study.chat_model.counts_tokens = 0.5, True


class WithoutWordNet(PlausibleScorer):
    """As on a machine without WordNet: no answer has METEOR."""

    def _scores(self, reference: str, answer: str) -> Scores:
        return super()._scores(reference, answer) | {"METEOR": Score(value=None, reason="wordnet_unavailable")}


def without_wordnet(study: Study) -> None:
    """Score on such a machine."""
    study.scorer = WithoutWordNet()


class WithoutEncoder(PlausibleScorer):
    """As on a machine without an encoder."""

    def _scores(self, reference: str, answer: str) -> Scores:
        lost = ("Bert-Score.precision", "Bert-Score.recall", "Bert-Score.f1")
        return super()._scores(reference, answer) | {
            column: Score(value=None, reason="encoder_unavailable") for column in lost
        }


def without_encoder(study: Study) -> None:
    """Score on such a machine."""
    study.scorer = WithoutEncoder()


JUDGE = Model(provider="openai", name="J", base_url="http://127.0.0.1:1")
SWEEPS: dict[str, dict[str, Any]] = {
    "published panel": {},
    "text panel": {"panel": "text-1", "normalisation": "winsorised"},
    "text panel without METEOR": {"panel": "text-1-no-meteor"},
    "published panel without METEOR": {"panel": "phase3-no-meteor", "prepare": without_wordnet},
    "no WordNet": {"panel": "text-1", "prepare": without_wordnet},
    "panel of phase 2": {"panel": "phase2"},
    "repeats": {"repeat": 2, "repeat_seeds": True},
    "noise": {"noise": True},
    "a column": {"primary": "METEOR", "margin": 0.05},
    "lower is better": {"primary": "Laplace Perplexity", "margin": 1.0},
    "a failed question": {"fails": True},
    "clusters and weights": {"is_declared": True, "fails": True},
    "planned looks": {"looks": Looks(first=12, second=24)},
    "a planned first look": {"looks": Looks(first=24, second=48)},
    "cost in money": {"cost": "money", "price": "0.5,2 USD", "prepare": counting},
    "cost in seconds": {"cost": "seconds", "prepare": counting},
    "a judge": {"primary": "Answer correctness", "judge": JUDGE},
    "a judge, repeats": {"primary": "Answer correctness", "judge": JUDGE, "repeat": 2, "repeat_seeds": True},
    "a judge, failures, clusters and weights": {
        "primary": "Answer correctness", "judge": JUDGE, "fails": True, "is_declared": True,
    },
    "a judge, no WordNet": {
        "primary": "Faithfulness", "judge": JUDGE, "panel": "text-1", "prepare": without_wordnet,
        "normalisation": "winsorised",
    },
    "a judge, no encoder": {"primary": "Accuracy", "judge": JUDGE, "panel": "text-1", "prepare": without_encoder},
    "a judge, cost in money": {
        "primary": "Context precision", "judge": JUDGE, "cost": "money", "price": "0.5,2 USD", "prepare": counting,
    },
    **{f"a judge of {column}": {"primary": column, "judge": JUDGE} for column in FORMULAS},
    "key facts of gold passages": {"primary": "Nugget all", "judge": JUDGE, "unanswered": 3},
}  # fmt: skip


@needs_node
def test_both_verifiers_verify_the_study_of_every_kind_of_sweep(tmp_path: Path):
    studies = [PublishedSweep(**changes).publish() for changes in SWEEPS.values()]
    for name, whole, by_page in zip(SWEEPS, studies, by_the_browser(studies, tmp_path), strict=True):
        found = verify_study(whole)
        assert found.verdict == "verified", (name, found.failed)
        assert [step.name for step in found.steps] == list(STUDY_STEPS)
        assert by_page is not None
        assert by_page == told(found), name
        stated = value_of(members_of(whole), "verdict.json")
        if "METEOR" in name or name == "no WordNet":
            assert stated["composite"]["panel"].endswith("-no-meteor"), name
        chosen = SWEEPS[name].get("cost")
        assert stated["rule"]["cost"] == (chosen or "prompt_tokens")
        # Without a count of tokens passages are counted.
        assert stated["conclusions"][0]["cost"] == (chosen or "passages")
        version = 6 if "judge" in SWEEPS[name] else 5 if chosen else 4
        assert stated["format"] == f"passer-verdict-{version}"
        if version == 6:
            marks = [mark for run in stated["judged"]["runs"] for mark in run["marks"]]
            assert len({mark["value"] for mark in marks}) > 1, name
            asked = {each["task"] for each in stated["judged"]["judgements"]}
            assert ("passage-nuggets" in asked) == ("unanswered" in SWEEPS[name]), name


@needs_node
def test_a_configuration_without_any_answer_counts_and_studies_that_left_it_out_stay_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    # Similarity ≥ -1.00 keeps all passages, which are too many for the model.
    sweep = PublishedSweep(-1.0, 0.4, reads_at_most=2)
    now = sweep.publish()
    monkeypatch.setattr(Composites, "can_compare", Composites.shares_constants)
    before = sweep.publish()
    monkeypatch.undo()
    stated = [value_of(members_of(study), "verdict.json") for study in (now, before)]
    assert [each["configurations"][1]["failed"] for each in stated] == [24, 24]
    assert [each["configurations"][1]["baseline"] for each in stated] == [0, None]
    kinds = [each["conclusions"][0]["kind"] for each in stated]
    assert kinds[0] == "no_verdict" != kinds[1]
    for study, by_page in zip((now, before), by_the_browser([now, before], tmp_path), strict=True):
        found = verify_study(study)
        assert found.verdict == "verified", found.failed
        assert by_page == told(found)


@needs_node
def test_methods_name_no_outcome_where_the_results_allow_no_verdict(tmp_path: Path):
    sweep = PublishedSweep(questions=12)
    whole = sweep.publish()
    methods = members_of(whole)["methods.md"].decode()
    assert "The results allow no verdict." in methods
    lines = [line for line in methods.splitlines() if line.startswith("- Similarity")]
    assert [line.endswith(("=4,17)).", "no interval.")) for line in lines] == [True, True]
    assert "undecided" not in methods
    (by_page,) = by_the_browser([whole], tmp_path)
    found = verify_study(whole)
    assert found.verdict == "verified", found.failed
    assert by_page == told(found)


def test_a_study_is_the_same_whenever_it_is_published(published: PublishedSweep, study: bytes):
    assert published.publish() == study
    assert published.publish(record=False) == study, "a recorded study keeps its receipt"


def test_the_bundles_of_runs_are_those_that_are_exported(published: PublishedSweep, study: bytes):
    members = members_of(study)
    for run in published.stored.runs:
        with published.composer.bundle_writer.bundle(run.id) as stream:
            assert members[member_of(run.id)] == stream.read()


def test_runs_that_are_not_in_the_table_are_named():
    made = PublishedSweep()
    last = made.stored.runs[-1].id
    made.study.store.reopen([last])
    made.study.store.set_state([last], RunState.CANCELLED)
    whole = made.publish()
    found = verify_study(whole)
    assert found.verdict == "verified", found.failed
    assert found.study is not None
    assert (found.study.in_table, found.study.runs) == (2, 3)
    said = "1 of 3 runs is not in the table: Similarity ≥ 0.40 (cancelled)."
    assert said in next(step.detail for step in found.steps if step.name == "study")
    for name in ("methods.md", "CITATION.cff", "ro-crate-metadata.json"):
        assert said in members_of(whole)[name].decode()


def test_a_sweep_without_a_finished_run_cannot_be_published():
    made = PublishedSweep()
    made.study.store.reopen([run.id for run in made.stored.runs])
    with pytest.raises(ConflictError, match="No run of sweep"):
        made.publish()


def test_an_independent_library_reads_the_crate(published: PublishedSweep, study: bytes, tmp_path: Path):
    """rocrate, which WorkflowHub uses: context and profile are those of RO-Crate 1.2, and every file is described."""
    from rocrate.rocrate import ROCrate

    archive = tmp_path / "study.zip"
    archive.write_bytes(study)
    crate = ROCrate(archive)
    assert crate.metadata["conformsTo"] == "https://w3id.org/ro/crate/1.2"
    assert crate.root_dataset["name"] == 'A "study"'
    assert [author["name"] for author in crate.root_dataset["author"]] == ["Ada Lovelace"]
    assert crate.root_dataset["license"].id == "https://spdx.org/licenses/CC-BY-4.0"
    (made,) = crate.get_by_type("CreateAction")
    assert {file.id for file in made["result"]} == {member_of(run.id) for run in published.stored.runs}
    assert made["instrument"]["softwareVersion"] == "PaSSER test"
    # What it writes again has the same files with the same bytes.
    crate.write(tmp_path / "again")
    members = members_of(study)
    assert {file.id for file in crate.get_by_type("File")} == set(members) - {"ro-crate-metadata.json"}
    for name in set(members) - {"ro-crate-metadata.json"}:
        assert (tmp_path / "again" / name).read_bytes() == members[name], name


def test_what_repositories_read(study: bytes):
    members = members_of(study)
    crate = value_of(members, "ro-crate-metadata.json")
    graph = {entity["@id"]: entity for entity in crate["@graph"]}
    # RO-Crate 1.2: the descriptor is about the root, which lists every file; each reference is described.
    assert graph["ro-crate-metadata.json"]["about"] == {"@id": "./"}
    assert {part["@id"] for part in graph["./"]["hasPart"]} == set(members) - {"ro-crate-metadata.json"}
    assert all(part["@id"] in graph for part in graph["./"]["hasPart"])
    assert graph["./"]["license"]["@id"] in graph
    import yaml

    citation = yaml.safe_load(members["CITATION.cff"])
    assert (citation["cff-version"], citation["type"], citation["title"]) == ("1.2.0", "dataset", 'A "study"')
    assert citation["authors"] == [{"name": "Ada Lovelace"}]


def test_hostile_files_are_refused_whole(study: bytes, tmp_path: Path):
    members = members_of(study)
    many = {f"runs/{number}.zip": b"" for number in range(500)}
    hostile = [
        rebuilt(members | many),
        rebuilt({**members, "../../x": b"x"}),
        rebuilt({name: content for name, content in members.items() if name != "verdict.json"}),
        rebuilt({**members, next(name for name in members if name.startswith("runs/")): study}),
        rebuilt({**members, "study.json": b"[" * 100_000}),
        study[: len(study) // 2],
        study + b"\0",
        study.replace(b"PK\x05\x06", b"PK\x05\x07"),
    ]
    for file in hostile:
        assert verify_study(file).verdict == "not verified"


def with_first_id(study: bytes, name: str) -> bytes:
    """The first question of all runs under another id."""

    def tamper(draft: Draft) -> None:
        for lines in (draft.records, draft.timings):
            lines[0].update(id=name)

    runs = sum(member.startswith("runs/") for member in members_of(study))
    return reduce(
        lambda made, place: with_run_forged(made, place, lambda run: forged(run, "records", tamper)), range(runs), study
    )


@needs_node
def test_both_verifiers_say_the_same_of_strange_members(study: bytes, tmp_path: Path):
    changes: tuple[Callable[[Json], object], ...] = (
        lambda v: v.update(weights=[]),
        lambda v: v["configurations"][1]["values"].pop(),
        lambda v: v["configurations"][1]["values"].clear(),
        lambda v: v["configurations"][1].update(runs=v["configurations"][1]["runs"] * 2),
        lambda v: v["configurations"][1].update(baseline=1),
        lambda v: v["configurations"][1].update(baseline=7),
        lambda v: v["questions"].append(v["questions"][0]),
    )
    # No dataset has a question with such an id.
    made = [with_first_id(study, each) for each in ("", "x" * 201)]
    made += [with_verdict_changed(study, change) for change in changes]
    for place, (file, by_page) in enumerate(zip(made, by_the_browser(made, tmp_path), strict=True)):
        found = verify_study(file)
        assert found.verdict == "not verified", place
        assert by_page == told(found), place
