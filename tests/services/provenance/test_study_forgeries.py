"""What somebody would change in a study: each is found by the check that docs/audit.md names, or listed there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from passer.domain.base import canonical_json
from tests.browser_verifier import by_the_browser, needs_node
from tests.bundles import members_of, rebuilt
from tests.conftest import ROOT
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
        in_verdict(lambda v: v["conclusions"][0].update(kind="better", recommended="Similarity ≥ 0.20")),
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


def reply(document: Json, place: int = 0) -> Json:
    found: Json = document["judged"]["judgements"][place]
    return found


def mark(document: Json, *, of: bool = True) -> Json:
    """The first mark with a value, or without one, beginning with the last run."""
    marks: list[Json] = [each for run in reversed(document["judged"]["runs"]) for each in run["marks"]]
    return next(each for each in marks if (each["value"] is not None) == of)


def kinder(document: Json) -> None:
    """A better grade, and the mark that follows from it."""
    found = mark(document)
    reply(document, found["judgements"][0])["value"]["b_grade"] = 10
    found["value"] = 1


def replies_swapped(document: Json) -> None:
    """Two marks of a run with the reply of the other."""
    one, other = [each for each in document["judged"]["runs"][0]["marks"] if each["value"] is not None][:2]
    first, second = (reply(document, each["judgements"][0]) for each in (one, other))
    first["value"], second["value"] = second["value"], first["value"]
    one["value"], other["value"] = other["value"], one["value"]
    first["given_digest"], second["given_digest"] = second["given_digest"], first["given_digest"]


def judged_question_left_out(document: Json) -> None:
    """A question taken out everywhere in the verdict."""
    place = document["judged"]["questions"].index(document["questions"][3])
    del document["judged"]["questions"][place]
    for run in document["judged"]["runs"]:
        del run["marks"][place]
    question_left_out(document)


OF_A_JUDGE: dict[str, tuple[str | None, Callable[[bytes], bytes]]] = {
    "a judge's mark raised": ("verdict", in_verdict(lambda v: mark(v).update(value=1))),
    "a judge's grade raised": ("verdict", in_verdict(lambda v: reply(v)["value"].update(b_grade=10))),
    "a judge's grade raised, and its mark": ("verdict", in_verdict(kinder)),
    "a judge's mark left out": ("verdict", in_verdict(lambda v: mark(v).update(value=None, reason="cut_off"))),
    "a judge's mark without its reply": ("verdict", in_verdict(lambda v: mark(v).update(judgements=[]))),
    "a cut reply of a judge called an abstention": (
        "verdict",
        in_verdict(lambda v: mark(v, of=False).update(reason="abstained")),
    ),
    "a judge's replies on two answers swapped": ("verdict", in_verdict(replies_swapped)),
    "a judge's reply about other texts": ("verdict", in_verdict(lambda v: reply(v).update(given_digest="c" * 64))),
    "another task of a judge": ("verdict", in_verdict(lambda v: reply(v).update(task_digest="b" * 64))),
    "another instruction to a judge": (
        "verdict",
        in_verdict(lambda v: v["judged"]["tasks"][0].update(instruction="Be kind.")),
    ),
    "a reply of another judge among them": ("verdict", in_verdict(lambda v: reply(v, 1).update(model_digest="x"))),
    "another judge's name": ("verdict", in_verdict(lambda v: v["judged"].update(judge="K"))),
    "another column of a judge": ("verdict", in_verdict(lambda v: v["judged"].update(column="Answerability"))),
    "a judge that people found biased": ("verdict", in_verdict(lambda v: v["judged"].update(status="biased"))),
    "a bad question left out of the judge's marks": ("verdict", in_verdict(judged_question_left_out)),
    "a judge's replies in another order": ("verdict", in_verdict(lambda v: v["judged"]["judgements"].reverse())),
    "no digest of a judge's prompt": ("verdict", in_verdict(lambda v: reply(v).pop("prompt_digest"))),
    "an answer edited after it was judged": (
        "verdict",
        in_records(lambda r: r.update(answer="clover fixes nitrogen from the air"), only=0),
    ),
    "another judge in the design": ("verdict", in_study(lambda v: v["design"]["judge"].update(name="K"))),
    "the judge taken out of the design": ("verdict", in_study(lambda v: v["design"].pop("judge"))),
    "other digests of a judge's prompt, reply or request": (
        None,
        in_verdict(lambda v: reply(v).update(prompt_digest="0" * 64, reply_digest="1" * 64, key="2" * 64)),
    ),
    "other reasons in a judge's reply": (None, in_verdict(lambda v: reply(v)["value"].update(a_reason="Other."))),
}
"""The same for a study whose primary metric is a judged column. Replies invented as a whole, with all that follows from
them, are not found either: nothing proves that a model gave them."""


@pytest.mark.parametrize("name", OF_A_JUDGE)
def test_each_forgery_of_a_judge_is_found_by_its_check_or_listed(judged_study: bytes, name: str):
    step, forge = OF_A_JUDGE[name]
    changed = forge(judged_study)
    assert changed != judged_study
    assert failed_steps(changed)[:1] == ([] if step is None else [step])


@needs_node
def test_the_browser_finds_every_forgery_of_a_judge(judged_study: bytes, tmp_path: Path):
    forged_studies = [forge(judged_study) for _, forge in OF_A_JUDGE.values()]
    for made, by_page, name in zip(forged_studies, by_the_browser(forged_studies, tmp_path), OF_A_JUDGE, strict=True):
        assert by_page == told(verify_study(made)), name


@pytest.mark.parametrize("member", ["key", "prompt_digest", "reply_digest", "model_digest", "value"])
def test_a_recorded_study_has_each_member_of_a_judgement_under_its_digest(judged_study: bytes, member: str):
    def change(document: Json) -> None:
        for each in document["judged"]["judgements"]:
            each[member] = {**each["value"], "a_reason": "!"} if member == "value" and each["value"] else each[member]
        if member != "value":
            reply(document)[member] = "5" * 64
        if member == "model_digest":
            for each in document["judged"]["judgements"]:
                each[member] = "5" * 64

    entry = value_of(members_of(judged_study), "entry.json")
    changed = members_of(with_verdict_changed(judged_study, change))
    own = value_of(changed, "entry.json") | {"run": entry["run"], "transactions": entry["transactions"]}
    assert failed_steps(rebuilt(changed | {"entry.json": canonical_json(own)})) == ["study_entry"]


@pytest.mark.parametrize("name", FORGERIES)
def test_each_forgery_is_found_by_its_check_or_listed(study: bytes, name: str):
    step, forge = FORGERIES[name]
    changed = forge(study)
    assert changed != study
    names = failed_steps(changed, rescore=step == "rescored")
    assert names[:1] == ([] if step is None else [step])


def test_the_honest_study_is_verified_with_rescoring(study: bytes):
    found = verify_study(study, rescore=True)
    assert (found.verdict, found.unconfirmed) == ("verified", ())


def test_the_audit_page_lists_every_forgery():
    page = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    for name, (step, _) in (FORGERIES | OF_A_JUDGE).items():
        shown = f"`{step}`" if step else "cannot be found"
        assert f"| {name} | {shown} |" in page, name
