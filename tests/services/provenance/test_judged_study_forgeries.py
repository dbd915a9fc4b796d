"""What somebody would change in a study that a judge decides: each is found by the check that docs/audit.md names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from passer.domain.base import canonical_json
from tests.browser_verifier import by_the_browser, needs_node
from tests.bundles import members_of, rebuilt
from tests.services.provenance.test_study_forgeries import in_records, in_study, in_verdict, question_left_out
from tests.studies import Json, failed_steps, resealed, told, value_of, verify_study, with_verdict_changed


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
    "the judge taken out of the design": ("design", in_study(lambda v: v["design"].pop("judge"))),
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


@needs_node
def test_the_methods_name_a_judge_that_nobody_checked(judged_study: bytes, tmp_path: Path):
    """Both verifiers also accept the sentence without it, as earlier versions wrote it, and no other."""
    members = members_of(judged_study)
    judged = value_of(members, "verdict.json")["judged"]
    text = members["methods.md"].decode()
    says = f", says judge {judged['judge']} (unchecked)."
    assert (judged["status"], text.count(says)) == ("unchecked", 1)
    texts = {
        None: text.replace(says, "."),
        "methods": text.replace(says, f", says judge {judged['judge']} (corrected)."),
    }
    studies = [resealed(members | {"methods.md": each.encode()}) for each in texts.values()]
    for step, study, by_page in zip(texts, studies, by_the_browser(studies, tmp_path), strict=True):
        assert failed_steps(study) == ([] if step is None else [step])
        assert by_page == told(verify_study(study))
