"""What somebody would change in a study: each is found by the check that docs/audit.md names, or listed there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from passer.domain.base import canonical_json
from tests.browser_verifier import by_the_browser, needs_node
from tests.bundles import members_of, rebuilt
from tests.services.provenance.bundle_verifier.forging import Draft, forged
from tests.studies import (
    Json,
    failed_steps,
    resealed,
    told,
    value_of,
    verify_study,
    with_run_forged,
    with_verdict_changed,
    without_entry,
)


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


def with_last_cell(cell: str) -> Callable[[bytes], bytes]:
    """The last mean of the last row changed, to which methods.md has no link."""

    def changed(study: bytes) -> bytes:
        members = members_of(study)
        kept, _, _ = members["table.csv"].decode().rpartition(",")
        return resealed(members | {"table.csv": f"{kept},{cell}\r\n".encode()})

    return changed


def names_swapped(study: bytes) -> bytes:
    members = members_of(study)
    table = (
        members["table.csv"]
        .replace("Similarity ≥ 0.20".encode(), b"?")
        .replace("Similarity ≥ 0.40".encode(), "Similarity ≥ 0.20".encode())
    )
    return resealed(members | {"table.csv": table.replace(b"?", "Similarity ≥ 0.40".encode())})


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
    """The program's name changed, the receipt of the ledger kept."""
    members = members_of(study)
    entry = value_of(members, "entry.json")
    changed = members_of(in_study(lambda value: value.update(published_by="Another"))(study))
    own = value_of(changed, "entry.json")
    receipt = {**own, "run": entry["run"], "transactions": entry["transactions"]}
    return rebuilt(changed | {"entry.json": canonical_json(receipt)})


def another_author(study: bytes) -> bytes:
    """Everywhere, with all digests right."""
    members = members_of(study)
    for name in ("CITATION.cff", "ro-crate-metadata.json"):
        assert b'"Ada Lovelace"' in members[name]
        members[name] = members[name].replace(b'"Ada Lovelace"', b'"Somebody"')
    return resealed(members, lambda value: value.update(authors=["Somebody"]))


def another_day(study: bytes) -> bytes:
    """The day on which the last run finished, everywhere."""
    members = members_of(study)
    at = value_of(members, "study.json")["finished_at"]
    for name in ("CITATION.cff", "ro-crate-metadata.json"):
        assert at[:10].encode() in members[name]
        members[name] = members[name].replace(at[:10].encode(), b"2020-01-01")
    return resealed(members, lambda value: value.update(finished_at=f"2020-01-01{at[10:]}"))


def in_crate(change: Callable[[Json], object]) -> Callable[[bytes], bytes]:
    def changed(study: bytes) -> bytes:
        members = members_of(study)
        crate = value_of(members, "ro-crate-metadata.json")
        change(crate)
        return resealed(members | {"ro-crate-metadata.json": canonical_json(crate)})

    return changed


def recommended(name: str) -> Callable[[bytes], bytes]:
    said = "These questions cannot tell whether a configuration is better than the baseline."
    return in_file("methods.md", said, f"Recommended: {name}, which is better than the baseline.")


def question_left_out(document: Json) -> None:
    del document["questions"][3]
    for each in document["configurations"]:
        del each["values"][3]


OTHER_SWEEP = {
    "id": "ffffffffffff",
    "name": "Other",
    "created_at": "2020-01-01T00:00:00Z",
    "state": "finished",
    "has_same_design": False,
}
FORGERIES: dict[str, tuple[str | None, Callable[[bytes], bytes]]] = {
    "a gain raised": ("verdict", in_verdict(lambda v: v["gains"][0].update(gain=v["gains"][0]["gain"] + 0.01))),
    "an interval narrowed": ("verdict", in_verdict(lambda v: v["gains"][0].update(low=0.001))),
    "a p value lowered": ("verdict", in_verdict(lambda v: v["gains"][0].update(p=0.04))),
    "an outcome called better": ("verdict", in_verdict(lambda v: v["gains"][0].update(outcome="better"))),
    "another recommendation": (
        "verdict",
        in_verdict(lambda v: v["conclusions"][0].update(kind="better", recommended="Similarity ≥ 0.20")),
    ),
    "a gain corrected for the selection, invented": (
        "verdict",
        in_verdict(lambda v: v["conclusions"][0].update(corrected={"gain": 0.2, "better_share": 1.0, "splits": 200})),
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
    "a cost measured otherwise": ("verdict", in_verdict(lambda v: v["rule"].update(cost="passages"))),
    "a cost lowered": ("verdict", in_verdict(lambda v: v["configurations"][1].update(cost=0.1))),
    "failed answers hidden in the verdict": ("verdict", in_verdict(lambda v: v["configurations"][1].update(open=1))),
    "another baseline": ("verdict", in_verdict(lambda v: v["configurations"][1].update(baseline=2))),
    "a configuration left out of the verdict": (
        "verdict",
        in_verdict(lambda v: (v["configurations"].pop(), v["gains"].pop())),
    ),
    "another retrieval setting next to a name in the table": (
        "table",
        in_file("table.csv", '""min_similarity"":0.4', '""min_similarity"":0.2'),
    ),
    "a cell of the table changed": ("table", in_file("table.csv", ",24,24,0,", ",25,25,0,")),
    "a mean in the table beyond every number": ("table", with_last_cell("1e999")),
    "a row of the table left out": ("table", without_last_row),
    "the names of two rows swapped": ("table", names_swapped),
    "a number in the methods changed": ("methods", in_file("methods.md", "[0.05]", "[0.01]")),
    "a number in the methods linked elsewhere": ("methods", in_file("methods.md", "#/rule/alpha", "#/rule/margin")),
    "the margin of the design changed": ("verdict", in_study(lambda v: v["design"].update(margin=0.5))),
    "the panel of the design changed": ("verdict", in_study(lambda v: v["design"].update(panel="text-1"))),
    "another run called the baseline": (
        "design",
        in_study(lambda v: (v["runs"][0].update(is_baseline=False), v["runs"][1].update(is_baseline=True))),
    ),
    "another text of a prompt": ("design", in_study(lambda v: v["prompts"][0].update(text="Answer well."))),
    "weights that nobody declared": (
        "dataset",
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
    "a changed study with the entry of the first": ("study_entry", kept_receipt),
    "an answer edited after it was scored": (
        "rescored",
        in_records(lambda r: r.update(answer="clover fixes nitrogen from the air"), only=0),
    ),
    "another author in CITATION.cff": ("files", in_file("CITATION.cff", "Ada Lovelace", "Somebody")),
    "somebody's DOI in CITATION.cff": ("files", in_file("CITATION.cff", "type: dataset", "type: dataset\ndoi: 10.1/1")),
    "another title in study.json": ("files", in_study(lambda v: v.update(title="Another"))),
    "another licence in the RO-Crate": ("files", in_file("ro-crate-metadata.json", "CC-BY-4.0", "CC0-1.0")),
    "another digest of a run in the RO-Crate": (
        None,
        in_crate(lambda v: next(e for e in v["@graph"] if e["@id"].startswith("runs/")).update(identifier="sha256:0")),
    ),
    "a run of the table called failed": ("study", in_study(lambda v: v["runs"][1].update(state="failed"))),
    "another title or author everywhere": (None, another_author),
    "another recommended configuration in the methods": ("methods", recommended("Similarity ≥ 0.40")),
    "another program named as the publisher": (None, in_study(lambda v: v.update(published_by="Another"))),
    "other sweeps of the dataset invented": (None, in_study(lambda v: v["others"].append(OTHER_SWEEP))),
    "another id of the sweep": ("design", in_study(lambda v: v["sweep"].update(id="ffffffffffff"))),
    "prompts taken out": (None, in_study(lambda v: v.update(prompts=[]))),
    "a sentence without a link in the methods": (None, in_file("methods.md", ". ", ". Everybody should use it. ")),
    "other words around the numbers": (None, in_file("methods.md", "question by question", "as everybody does")),
    "other sweeps of the dataset concealed": (None, in_study(lambda v: v.update(others=[]))),
    "another day of finishing everywhere": (None, another_day),
    "another time of planning": (None, in_study(lambda v: v["sweep"].update(created_at="2020-01-01T00:00:00Z"))),
}
"""Forgery: the step that names it, or None where a study alone cannot show it; docs/audit.md has this table."""


@pytest.mark.parametrize("name", FORGERIES)
def test_each_forgery_is_found_by_its_check_or_listed(study: bytes, name: str):
    step, forge = FORGERIES[name]
    changed = forge(study)
    assert without_entry(changed) != without_entry(study)
    names = failed_steps(changed, rescore=step == "rescored")
    assert names[:1] == ([] if step is None else [step])


@needs_node
def test_the_browser_says_the_same_of_each_forgery(study: bytes, tmp_path: Path):
    files = [forge(study) for _, forge in FORGERIES.values()]
    for name, made, by_page in zip(FORGERIES, files, by_the_browser(files, tmp_path), strict=True):
        assert by_page == told(verify_study(made)), name


def test_the_honest_study_is_verified_with_rescoring(study: bytes):
    found = verify_study(study, rescore=True)
    assert (found.verdict, found.unconfirmed) == ("verified", ())
