"""The verdict by a judge in a bundle: marks follow from the judge's replies, and nothing else passes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from passer.domain.bundle.verdict_check import VerdictCheck, read_verdict
from tests.bundles import RUN_ID, SWEEP_ID, members_of, rebuilt
from tests.conftest import ROOT
from tests.services.provenance.bundle_verifier.checked import value_of, verdict_step, verify
from tests.verdict_bundles import Json, forged_verdict, with_verdict


def before_version_6(name: str) -> bytes:
    """A judge's verdict of the same run as main at 7768403 wrote it, with digests of the texts that were judged."""
    old = (ROOT / "tests" / "golden" / name).read_bytes()
    return rebuilt(members_of(with_verdict(others=(), judge="unchecked")) | {"verdict.json": old})


@pytest.mark.parametrize("name", ["verdict-3.json", "verdict-4-judged.json"])
def test_a_judges_verdict_of_an_earlier_version_stays_verified_and_its_marks_are_recomputed(name: str):
    made = before_version_6(name)
    assert verify(made).verdict == "verified"
    assert "92 marks follow from the judge's replies" in verdict_step(made).detail
    grade = {"a_reason": "So.", "b_grade": 10}
    step = verdict_step(forged_verdict(made, lambda d: d["judged"]["judgements"][0].update(value=grade)))
    assert (step.outcome, step.field) == ("fail", "judged.runs[0].marks[0].value")
    step = verdict_step(forged_verdict(made, lambda d: d.update(format="passer-verdict-6")))
    assert step.outcome == "fail"


@pytest.fixture(scope="module")
def judged() -> bytes:
    return with_verdict(judge="unchecked")


def marks(document: Json, run: int) -> list[Json]:
    found: list[Json] = document["judged"]["runs"][run]["marks"]
    return found


def reply(document: Json, place: int) -> Json:
    found: Json = document["judged"]["judgements"][place]
    return found


def own_reply(document: Json) -> Json:
    """The reply on the first answer of the bundle's own run, whose texts are at hand."""
    return reply(document, marks(document, 1)[0]["judgements"][0])


def question_left_out(document: Json) -> None:
    """A question taken out of the verdict, but not out of the marks."""
    del document["questions"][5]
    for each in document["configurations"]:
        del each["values"][5]


OF_JUDGES: dict[str, tuple[Callable[[Json], object], str | None]] = {
    "a kinder mark": (lambda d: marks(d, 2)[0].update(value=1), "judged.runs[2].marks[0].value"),
    "a kinder mark with a kinder value": (
        lambda d: (marks(d, 2)[0].update(value=1), d["configurations"][2]["values"].__setitem__(0, 1)),
        "judged.runs[2].marks[0].value",
    ),
    "a kinder reply": (lambda d: reply(d, 0)["value"].update(b_grade=10), "judged.runs[0].marks[0].value"),
    "a grade beyond the scale": (lambda d: reply(d, 0)["value"].update(b_grade=11), "judged.runs[0].marks[0].value"),
    "a grade that is no number": (lambda d: reply(d, 0)["value"].update(b_grade=True), "judged.runs[0].marks[0].value"),
    "a failed reply with a value": (lambda d: reply(d, 0).update(reason="cut_off"), "judged.runs[0].marks[0].value"),
    "a reply to another task": (lambda d: reply(d, 0).update(task="standalone"), "judged.judgements[0].task_digest"),
    "another task": (lambda d: reply(d, 0).update(task_digest="b" * 64), "judged.judgements[0].task_digest"),
    "another instruction": (
        lambda d: d["judged"]["tasks"][0].update(instruction="Be kind."),
        "judged.tasks[0].digest",
    ),
    "another judge's reply": (lambda d: reply(d, 1).update(model_digest="m"), "judged.judgements[1].model_digest"),
    "a reply about other texts": (lambda d: own_reply(d).update(given_digest="c" * 64), "given_digest"),
    "no digest of a prompt": (lambda d: reply(d, 0).pop("prompt_digest"), "judged"),
    "a reply that occurs twice": (lambda d: reply(d, 1).update(key=reply(d, 0)["key"]), "judged.judgements[1].key"),
    "a reply that nothing uses": (
        lambda d: d["judged"]["judgements"].append(reply(d, 0) | {"key": "e" * 64}),
        "judged.judgements",
    ),
    "two replies swapped": (lambda d: marks(d, 0)[0].update(judgements=marks(d, 0)[1]["judgements"]), "judgements"),
    "an answer that is called empty": (lambda d: marks(d, 1)[3].update(reason="empty_answer"), "marks[3].reason"),
    "an answer that is called failed": (
        lambda d: marks(d, 1)[3].update(reason="generation_failed"),
        "marks[3].reason",
    ),
    "an abstention that is left out": (
        lambda d: marks(d, 2)[3].update(reason="cut_off"),
        "configurations[2].values[3]",
    ),
    "a bad value called missing": (
        lambda d: d["configurations"][2]["values"].__setitem__(0, None),
        "configurations[2].values[0]",
    ),
    "a bad question left out": (question_left_out, "questions"),
    "the version before": (lambda d: d.update(format="passer-verdict-4"), None),
    "a mark beyond the scale": (lambda d: marks(d, 0)[0].update(value=1.5), "judged.runs[0].marks[0].value"),
    "a mark without a judgement": (lambda d: d["judged"].update(judgements=[]), "judged.runs[0].marks[0].judgements"),
    "a mark less": (lambda d: marks(d, 0).pop(), "judged.runs[0].marks"),
    "a run less": (lambda d: d["judged"]["runs"].pop(), "judged.runs"),
    "another column": (lambda d: d["judged"].update(column="Faithfulness"), "judged.column"),
    "a biased judge": (lambda d: d["judged"].update(status="biased"), "conclusions[0].kind"),
    "a waiting judge": (lambda d: d["judged"].update(status="waiting"), "judged.status"),
    "the first version": (lambda d: d.update(format="passer-verdict-1"), None),
    "no judge": (lambda d: (d.update(format="passer-verdict-1"), d.pop("judged")), "configurations[1].values[0]"),
}


@pytest.mark.parametrize("name", OF_JUDGES)
def test_forged_marks_of_a_judge_are_found(judged: bytes, name: str):
    change, field = OF_JUDGES[name]
    step = verdict_step(forged_verdict(judged, change))
    assert (step.outcome, step.member) == ("fail", "verdict.json")
    assert field is None or (step.field or "").endswith(field)


def test_digests_that_only_the_ledger_covers_are_listed(judged: bytes):
    """Nothing in a bundle leads to these; docs/audit.md says so. A recorded study has them under its digest."""
    for name in ("prompt_digest", "reply_digest", "key"):
        changed = forged_verdict(judged, lambda d, name=name: reply(d, 0).update({name: "9" * 64}))
        assert verify(changed).verdict == "verified", name
        members = members_of(judged)
        old = value_of(members["verdict.json"])["judged"]["judgements"][0][name].encode()
        plain = rebuilt(members | {"verdict.json": members["verdict.json"].replace(old, b"9" * 64)})
        assert (verdict_step(plain).outcome, verdict_step(plain).field) == ("fail", "digest")


def test_the_verdict_of_a_judge_states_its_replies(judged: bytes):
    stated = value_of(members_of(judged)["verdict.json"])
    assert (stated["format"], stated["conclusions"][0]["kind"]) == ("passer-verdict-6", "better")
    mark = stated["judged"]["runs"][2]["marks"][0]
    judgement = stated["judged"]["judgements"][mark["judgements"][0]]
    assert judgement["value"]["b_grade"] == pytest.approx(10 * mark["value"])
    assert stated["configurations"][2]["values"][3] == 0


def test_a_mark_needs_an_answer_in_the_records(judged: bytes):
    document, _ = read_verdict(members_of(judged)["verdict.json"])
    assert document is not None
    found = VerdictCheck(document, RUN_ID, SWEEP_ID, []).problem()
    assert found is not None
    assert found.field == "judged.questions"
    old, _ = read_verdict(members_of(before_version_6("verdict-4-judged.json"))["verdict.json"])
    assert old is not None
    found = VerdictCheck(old, RUN_ID, SWEEP_ID, []).problem()
    assert found is not None
    assert found.field == "judged.runs[1].marks[0].value"
