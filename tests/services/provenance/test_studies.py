"""Studies: what is published is verified by both verifiers, and what somebody changed is found, or is listed here."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from passer.antelope.format.entries import recorded_actions
from passer.domain.base import canonical_json
from passer.domain.bundle.verification import STUDY_STEPS, Verification
from passer.domain.run import RunState
from passer.domain.study.document import member_of
from passer.domain.study.table import COLUMNS
from passer.domain.verdict.two_looks import Looks
from passer.errors import ConflictError, InputError
from passer.services.provenance.bundle_verifier import BundleVerifier
from passer.services.provenance.rescoring import Rescoring
from passer.services.provenance.verifier import Verifier
from tests.browser_verifier import by_the_browser, needs_node, step_of
from tests.bundles import members_of, rebuilt
from tests.conftest import ROOT
from tests.services.provenance.bundle_verifier.forging import Draft, forged
from tests.studies import (
    Json,
    PlausibleScorer,
    PublishedSweep,
    resealed,
    value_of,
    with_run_forged,
    with_verdict_changed,
)

SWEEPS: dict[str, dict[str, Any]] = {
    "published panel": {},
    "text panel": {"panel": "text-1", "normalisation": "winsorised"},
    "repeats": {"repeat": 2, "repeat_seeds": True},
    "noise": {"noise": True},
    "a column": {"primary": "METEOR", "margin": 0.05},
    "lower is better": {"primary": "Laplace Perplexity", "margin": 1.0},
    "a failed question": {"fails": True},
    "clusters and weights": {"is_declared": True, "fails": True},
    "planned looks": {"looks": Looks(first=12, second=24)},
}


def verify(study: bytes, *, rescore: bool = False) -> Verification:
    again = Rescoring(PlausibleScorer()) if rescore else None
    return Verifier(BundleVerifier(recorded_actions, rescore=again)).verify(memoryview(study))


def told(found: Verification) -> dict[str, Any]:
    return found.model_dump(exclude={"steps"}) | {"steps": [step_of(step) for step in found.steps]}


def failed(study: bytes, *, rescore: bool = False) -> list[str]:
    return [step.name for step in verify(study, rescore=rescore).failed]


@pytest.fixture(scope="module")
def published() -> PublishedSweep:
    return PublishedSweep()


@pytest.fixture(scope="module")
def study(published: PublishedSweep) -> bytes:
    return published.publish()


@needs_node
def test_both_verifiers_verify_the_study_of_every_kind_of_sweep(tmp_path: Path):
    studies = [PublishedSweep(**changes).publish() for changes in SWEEPS.values()]
    for name, whole, by_page in zip(SWEEPS, studies, by_the_browser(studies, tmp_path), strict=True):
        found = verify(whole)
        assert found.verdict == "verified", (name, found.failed)
        assert [step.name for step in found.steps] == list(STUDY_STEPS)
        assert by_page is not None
        expected = told(found)
        if name == "planned looks":
            # The page's verifier says that it cannot compute this bound.
            place = STUDY_STEPS.index("verdict")
            assert by_page["steps"][place] == expected["steps"][place] | {"outcome": "not_checked"}
            del by_page["steps"][place], expected["steps"][place]
        assert by_page == expected, name


def test_a_study_is_the_same_whenever_it_is_published(published: PublishedSweep, study: bytes):
    assert published.publish() == study
    assert published.publish(record=False) == study, "a recorded study keeps its receipt"


def test_the_bundles_of_runs_are_those_that_are_exported(published: PublishedSweep, study: bytes):
    members = members_of(study)
    for run in published.stored.runs:
        with published.writer.bundle_writer.bundle(run.id) as stream:
            assert members[member_of(run.id)] == stream.read()


def test_runs_that_are_not_in_the_table_are_named():
    made = PublishedSweep()
    last = made.stored.runs[-1].id
    made.study.store.reopen([last])
    made.study.store.set_state([last], RunState.CANCELLED)
    whole = made.publish()
    found = verify(whole)
    assert found.verdict == "verified", found.failed
    assert found.study is not None
    assert (found.study.in_table, found.study.runs) == (2, 3)
    said = "1 of 3 runs is not in the table: Score >= 0.40 (cancelled)."
    assert said in next(step.detail for step in found.steps if step.name == "study")
    for name in ("methods.md", "CITATION.cff", "ro-crate-metadata.json"):
        assert said in members_of(whole)[name].decode()


def test_a_sweep_without_a_finished_run_cannot_be_published():
    made = PublishedSweep()
    made.study.store.reopen([run.id for run in made.stored.runs])
    with pytest.raises(ConflictError, match="No run of sweep"):
        made.publish()


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
        assert verify(file).verdict == "not verified"


Change = Callable[[bytes, random.Random], bytes]


def byte_of_file(study: bytes, dice: random.Random) -> bytes:
    place = dice.randrange(len(study))
    return study[:place] + bytes([study[place] ^ (1 << dice.randrange(8))]) + study[place + 1 :]


def byte_of_member(study: bytes, dice: random.Random) -> bytes:
    members = members_of(study)
    name = dice.choice(list(members))
    return rebuilt(members | {name: byte_of_file(members[name], dice)})


def structure(study: bytes, dice: random.Random) -> bytes:
    members = members_of(study)
    names = list(members)
    act = dice.choice(["drop", "order", "add", "swap", "cut"])
    one, other = dice.sample(names, 2)
    if act == "drop":
        del members[one]
    elif act == "order":
        names.remove(one)
        names.insert(dice.randrange(len(names)), one)
        members = {name: members[name] for name in names}
        if rebuilt(members) == study:
            return study[:-1]
    elif act == "add":
        members["runs/more.zip"] = b"more"
    elif act == "swap":
        members[one], members[other] = members[other], members[one]
    else:
        return study[: dice.randrange(len(study))]
    return rebuilt(members)


def number_of_verdict(study: bytes, dice: random.Random) -> bytes:
    """A number of the verdict moved, its own digest and study.json made to fit."""

    def move(document: Json) -> None:
        parts: list[tuple[Json, str]] = [(document["rule"], name) for name in ("margin", "alpha", "saving")]
        parts += [(each, name) for each in document["gains"] for name in ("gain", "low", "high", "p")]
        parts += [(each, name) for each in document["composite"]["metrics"] for name in ("minimum", "maximum")]
        for each in document["configurations"]:
            parts += [(each, "cost"), *((each["values"], place) for place in range(len(each["values"])))]
        at, key = dice.choice([(at, key) for at, key in parts if at[key] is not None])
        at[key] *= 1.001 if at[key] else 1
        at[key] += 1e-6

    return with_verdict_changed(study, move)


def cell_of_table(study: bytes, dice: random.Random) -> bytes:
    """A cell of the table changed, study.json made to fit."""
    members = members_of(study)
    rows = [row.split(",") for row in members["table.csv"].decode().split("\r\n")]
    row, column = dice.randrange(1, len(rows) - 1), dice.randrange(len(rows[0]))
    rows[row][column] += "1" if "." in rows[row][column] and "e" not in rows[row][column] else "7"
    if COLUMNS[column] not in ("configuration", "model", "outcome"):
        rows[row][column] = dice.choice(["0.123456", "7", ""] if rows[row][column] != "7" else ["0.123456"])
    return resealed(members | {"table.csv": "\r\n".join(map(",".join, rows)).encode()})


CHANGES: tuple[Change, ...] = (byte_of_file, byte_of_member, structure, number_of_verdict, cell_of_table)


def of_study(study: bytes) -> dict[str, Any] | None:
    try:
        return told(verify(study))
    except InputError:
        return None


@needs_node
@pytest.mark.parametrize("count", [50, pytest.param(2000, marks=[pytest.mark.soak, pytest.mark.timeout(7200)])])
def test_both_verifiers_find_every_change(study: bytes, tmp_path: Path, count: int):
    dice = random.Random(20261122)
    changes = [CHANGES[number % len(CHANGES)] for number in range(count)]
    mutants = [change(study, dice) for change in changes]
    found = by_the_browser(mutants, tmp_path)
    for number, (mutant, by_page, change) in enumerate(zip(mutants, found, changes, strict=True)):
        expected = of_study(mutant)
        assert by_page == expected, (number, change.__name__)
        assert expected is None or expected["verdict"] == "not verified", (number, change.__name__)


def in_verdict(change: Callable[[Json], object]) -> Callable[[bytes], bytes]:
    return lambda study: with_verdict_changed(study, change)


def in_study(change: Callable[[Json], object]) -> Callable[[bytes], bytes]:
    return lambda study: resealed(members_of(study), change)


def in_records(change: Callable[[Json], object], *, only: int | None = None) -> Callable[[bytes], bytes]:
    """Records of the last run changed, its bundle and study.json made to fit."""

    def tamper(draft: Draft) -> None:
        for record in draft.records if only is None else draft.records[only : only + 1]:
            change(record)

    return lambda study: with_run_forged(study, -1, lambda bundle: forged(bundle, "records", tamper))


def in_manifest(change: Callable[[Json], object]) -> Callable[[bytes], bytes]:
    def tamper(draft: Draft) -> None:
        change(draft.manifest)

    return lambda study: with_run_forged(study, -1, lambda bundle: forged(bundle, "records", tamper))


def in_file(name: str, old: str, new: str) -> Callable[[bytes], bytes]:
    def change(study: bytes) -> bytes:
        members = members_of(study)
        text = members[name].decode()
        assert old in text
        return resealed(members | {name: text.replace(old, new, 1).encode()})

    return change


def raised(record: Json) -> None:
    if record["scores"] is not None:
        record["scores"]["F1 Score"] = min(1.0, record["scores"]["F1 Score"] + 0.2)


def without_last_row(study: bytes) -> bytes:
    members = members_of(study)
    rows = members["table.csv"].splitlines(keepends=True)
    return resealed(members | {"table.csv": b"".join(rows[:-1])})


def names_swapped(study: bytes) -> bytes:
    members = members_of(study)
    table = members["table.csv"].replace(b"Score >= 0.20", b"?").replace(b"Score >= 0.40", b"Score >= 0.20")
    return resealed(members | {"table.csv": table.replace(b"?", b"Score >= 0.40")})


def run_dropped(study: bytes) -> bytes:
    """The last run called failed, its bundle taken out; the verdict still has it."""
    members = members_of(study)
    del members[[name for name in members if name.startswith("runs/")][-1]]
    return resealed(members, lambda value: value["runs"][-1].update(run_digest=None, state="failed"))


def bundles_swapped(study: bytes) -> bytes:
    members = members_of(study)
    *_, one, other = (name for name in members if name.startswith("runs/"))
    return resealed(members | {one: members[other], other: members[one]})


def record_edited(study: bytes) -> bytes:
    members = members_of(study)
    name = [name for name in members if name.startswith("runs/")][-1]
    inner = members_of(members[name])
    inner["questions.jsonl"] = inner["questions.jsonl"].replace(b"nitrogen", b"nitrogem", 1)
    return resealed(members | {name: rebuilt(inner)})


def kept_receipt(study: bytes) -> bytes:
    """The title changed, the receipt of the ledger kept."""
    members = members_of(study)
    entry = value_of(members, "entry.json")
    changed = members_of(in_study(lambda value: value.update(title="Another"))(study))
    own = value_of(changed, "entry.json")
    receipt = {**own, "run": entry["run"], "transactions": entry["transactions"]}
    return rebuilt(changed | {"entry.json": canonical_json(receipt)})


def question_left_out(document: Json) -> None:
    del document["questions"][3]
    for each in document["configurations"]:
        del each["values"][3]


FORGERIES: dict[str, tuple[str | None, Callable[[bytes], bytes]]] = {
    "a gain raised": ("verdict", in_verdict(lambda v: v["gains"][0].update(gain=v["gains"][0]["gain"] + 0.01))),
    "an interval narrowed": ("verdict", in_verdict(lambda v: v["gains"][0].update(low=0.001))),
    "a p value lowered": ("verdict", in_verdict(lambda v: v["gains"][0].update(p=0.04))),
    "an outcome called better": ("verdict", in_verdict(lambda v: v["gains"][0].update(outcome="better"))),
    "another recommendation": (
        "verdict",
        in_verdict(lambda v: v["conclusions"][0].update(kind="better", recommended="Score >= 0.20")),
    ),
    "a smaller margin in the verdict": ("verdict", in_verdict(lambda v: v["rule"].update(margin=0.01))),
    "a larger alpha in the verdict": ("verdict", in_verdict(lambda v: v["rule"].update(alpha=0.2))),
    "a lucky seed of the resamples": ("verdict", in_verdict(lambda v: v["rule"].update(seed=7))),
    "fewer pairs required": ("verdict", in_verdict(lambda v: v["rule"].update(fewest_pairs=5))),
    "another primary metric": ("verdict", in_verdict(lambda v: v["rule"].update(primary="METEOR"))),
    "another weight in the panel": (
        "verdict",
        in_verdict(lambda v: v["composite"]["metrics"][0].update(weight=0.5)),
    ),
    "a bound of the pool moved": (
        "verdict",
        in_verdict(lambda v: v["composite"]["metrics"][1].update(maximum=0.9)),
    ),
    "a metric's direction turned": (
        "verdict",
        in_verdict(lambda v: v["composite"]["metrics"][0].update(higher_is_better=False)),
    ),
    "a value of one question raised": (
        "verdict",
        in_verdict(lambda v: v["configurations"][1]["values"].__setitem__(0, 1.0)),
    ),
    "a bad question left out of the verdict": ("verdict", in_verdict(question_left_out)),
    "a bad value called missing": (
        "verdict",
        in_verdict(lambda v: v["configurations"][1]["values"].__setitem__(0, None)),
    ),
    "a cost lowered": ("verdict", in_verdict(lambda v: v["configurations"][1].update(cost=0.1))),
    "failed answers hidden in the verdict": ("verdict", in_verdict(lambda v: v["configurations"][1].update(open=1))),
    "another baseline": ("verdict", in_verdict(lambda v: v["configurations"][1].update(baseline=2))),
    "a configuration left out of the verdict": (
        "verdict",
        in_verdict(lambda v: (v["configurations"].pop(), v["gains"].pop())),
    ),
    "a cell of the table changed": ("table", in_file("table.csv", ",24,24,0,", ",25,25,0,")),
    "a row of the table left out": ("table", without_last_row),
    "the names of two rows swapped": ("table", names_swapped),
    "a number in the methods changed": ("methods", in_file("methods.md", "[0.05]", "[0.01]")),
    "a number in the methods linked elsewhere": ("methods", in_file("methods.md", "#/rule/alpha", "#/rule/margin")),
    "the margin of the design changed": ("verdict", in_study(lambda v: v["design"].update(margin=0.5))),
    "the panel of the design changed": ("verdict", in_study(lambda v: v["design"].update(panel="text-1"))),
    "another run called the baseline": (
        "verdict",
        in_study(lambda v: (v["runs"][0].update(is_baseline=False), v["runs"][1].update(is_baseline=True))),
    ),
    "another text of a prompt": ("design", in_study(lambda v: v["prompts"][0].update(text="Answer well."))),
    "weights that nobody declared": (
        "verdict",
        in_study(lambda v: v["dataset"].update(weights=[1.5] * 12 + [0.5] * 12)),
    ),
    "another dataset's digest": ("design", in_study(lambda v: v["dataset"].update(digest="0" * 64))),
    "a bad run called failed": ("verdict", run_dropped),
    "a bad run not listed at all": (
        "runs",
        in_study(lambda v: v["runs"].pop()),
    ),
    "the bundles of two runs swapped": ("design", bundles_swapped),
    "a record edited": ("runs", record_edited),
    "scores of one run raised, the verdict kept": ("verdict", in_records(raised)),
    "an easier reference in one run": ("design", in_records(lambda r: r.update(reference="clover"), only=0)),
    "another model's name in one run": ("runs", in_manifest(lambda m: m["model"].update(name="larger"))),
    "a run of another sweep": ("design", in_manifest(lambda m: m["run"].update(sweep_id="ffffffffffff"))),
    "a changed study with the receipt of the first": ("study_entry", kept_receipt),
    "an answer edited after it was scored": (
        "rescored",
        in_records(lambda r: r.update(answer="clover fixes nitrogen from the air"), only=0),
    ),
    "another title or author": (None, in_study(lambda v: v.update(title="Another", authors=["Somebody"]))),
    "other words around the numbers": (None, in_file("methods.md", "question by question", "as everybody does")),
    "other sweeps of the dataset kept quiet": (None, in_study(lambda v: v.update(others=[]))),
    "another time of planning": (None, in_study(lambda v: v["sweep"].update(created_at="2020-01-01T00:00:00Z"))),
}
"""Forgery: the step that names it, or None where a study alone cannot show it; docs/audit.md repeats this table."""


@pytest.mark.parametrize("name", FORGERIES)
def test_each_forgery_is_found_by_its_check_or_listed(study: bytes, name: str):
    step, forge = FORGERIES[name]
    changed = forge(study)
    assert changed != study
    names = failed(changed, rescore=step == "rescored")
    assert names[:1] == ([] if step is None else [step])


def test_the_honest_study_is_verified_with_rescoring(study: bytes):
    found = verify(study, rescore=True)
    assert (found.verdict, found.unconfirmed) == ("verified", ())


def test_the_audit_page_lists_every_forgery():
    page = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    for name, (step, _) in FORGERIES.items():
        shown = f"`{step}`" if step else "cannot be found"
        assert f"| {name} | {shown} |" in page, name
