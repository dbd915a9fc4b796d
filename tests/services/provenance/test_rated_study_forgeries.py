"""Studies whose gains ratings of people correct: both verifiers compute them again; what they cannot find is listed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from passer.domain.bundle.verification import Verification
from passer.domain.models.model import Model
from tests.browser_verifier import by_the_browser, needs_node
from tests.bundles import members_of
from tests.services.provenance.test_study_forgeries import in_verdict
from tests.studies import Json, PublishedSweep, told, value_of, verify_study

JUDGE = Model(provider="openai", name="J", base_url="http://127.0.0.1:1")


def ratings(document: Json, run: int = 0) -> list[Json]:
    found: list[Json] = document["judged"]["ratings"]["runs"][run]["ratings"]
    return found


def moved(document: Json) -> None:
    """All ratings of the last run raised, as far as the scale goes."""
    for each in ratings(document, 2):
        each["value"] = min(1.0, each["value"] + 0.2)


def runs_swapped(document: Json) -> None:
    one, other = document["judged"]["ratings"]["runs"][:2]
    one["ratings"], other["ratings"] = other["ratings"], one["ratings"]


def twice(document: Json) -> list[Json]:
    """The two ratings of an answer that both raters rated otherwise."""
    rows = ratings(document)
    found = ([one, other] for one, other in pairwise(rows) if one["question"] == other["question"])
    return next(each for each in found if each[0]["value"] != each[1]["value"])


def raters_swapped(document: Json) -> None:
    """The values of two raters of one answer changed places: their mean stays."""
    one, other = twice(document)
    one["value"], other["value"] = other["value"], one["value"]


def raters_of_answers_swapped(document: Json) -> None:
    """A rater's values of two answers changed places."""
    one, other = twice(document)[0], ratings(document)[-1]
    one["value"], other["value"] = other["value"], one["value"]


def ratings_taken_out(document: Json) -> None:
    """As if nobody had checked the judge, with the gains as they were."""
    del document["judged"]["ratings"]
    document["judged"]["status"] = "unchecked"
    document["format"] = "passer-verdict-6"


def undrawn(document: Json) -> None:
    """A drawn question with its ratings taken out, and called one that was never there."""
    place = document["judged"]["ratings"]["drawn"].pop()["question"]
    for run in document["judged"]["ratings"]["runs"]:
        run["ratings"] = [each for each in run["ratings"] if each["question"] != place]


def called_other(document: Json) -> None:
    """A drawn question called one that was not drawn."""
    found = document["judged"]["ratings"]
    found["others"] = sorted([*found["others"], found["drawn"][-1]], key=lambda each: each["question"])
    undrawn(document)


def mostly_dropped(document: Json) -> None:
    """A fifth of a run's ratings dropped: those that are too low."""
    for run in document["judged"]["ratings"]["runs"]:
        run["ratings"] = sorted(run["ratings"], key=lambda each: each["value"])[len(run["ratings"]) // 5 :]
        run["ratings"].sort(key=lambda each: (each["question"], each["rater"]))


OF_RATINGS: dict[str, tuple[str | None, Callable[[bytes], bytes]]] = {
    "a person's rating raised": ("verdict", in_verdict(lambda v: ratings(v)[0].update(value=1))),
    "all ratings of a configuration raised": ("verdict", in_verdict(moved)),
    "a rating beyond the scale": ("verdict", in_verdict(lambda v: ratings(v)[0].update(value=1.5))),
    "a rating dropped": ("verdict", in_verdict(lambda v: ratings(v, 2).pop())),
    "the worst ratings dropped": ("verdict", in_verdict(mostly_dropped)),
    "a rating added": (
        "verdict",
        in_verdict(lambda v: ratings(v, 2).append({"question": ratings(v, 2)[-1]["question"], "rater": 1, "value": 1})),
    ),
    "a rating of a question that was not drawn": (
        "verdict",
        in_verdict(lambda v: ratings(v)[0].update(question=v["judged"]["ratings"]["others"][0]["question"])),
    ),
    "a drawn question left out of the draw": ("verdict", in_verdict(undrawn)),
    "a drawn question called not drawn": ("verdict", in_verdict(called_other)),
    "another probability of a draw": (
        "verdict",
        in_verdict(lambda v: v["judged"]["ratings"]["drawn"][0].update(inclusion=0.5)),
    ),
    "another seed of a draw": ("verdict", in_verdict(lambda v: v["judged"]["ratings"].update(seed=4))),
    "the ratings of two configurations swapped": ("verdict", in_verdict(runs_swapped)),
    "a rater's ratings of two answers swapped": ("verdict", in_verdict(raters_of_answers_swapped)),
    "the ratings taken out": (
        "verdict",
        in_verdict(ratings_taken_out),
    ),
    "ratings of a judge that nobody checked": ("verdict", in_verdict(lambda v: v["judged"].update(status="unchecked"))),
    "a gain that ratings correct, raised": ("verdict", in_verdict(lambda v: v["gains"][0].update(gain=0.3))),
    "a mean that ratings correct, raised": (
        "verdict",
        in_verdict(lambda v: v["judged"]["ratings"]["means"][1].update(value=0.9)),
    ),
    "the ratings of one answer by two raters swapped": (None, in_verdict(raters_swapped)),
}
"""Forgery: the step that names it, or None where a study alone cannot show it; docs/audit.md has this table."""

FIELDS = {
    "a rating dropped": "judged.ratings.means[2].value",
    "a drawn question left out of the draw": "judged.ratings.drawn",
    "a rating of a question that was not drawn": "judged.ratings.runs[0].ratings[0].question",
    "the worst ratings dropped": "judged.ratings.runs",
    "a gain that ratings correct, raised": "gains[0].gain",
    "a mean that ratings correct, raised": "judged.ratings.means[1].value",
}
"""What the verifier names."""

SWEEPS: dict[str, dict[str, Any]] = {
    "clusters and weights": {"questions": 60, "rated": 40, "is_declared": True},
    "everything rated": {"questions": 24, "rated": 24},
    "one amount": {"questions": 24, "rated": 24, "alike": True},
    "repeats and failures": {"questions": 30, "rated": 24, "repeat": 2, "fails": True},
}


@pytest.fixture(scope="module")
def forged(rated_study: bytes) -> dict[str, tuple[bytes, Verification]]:
    made = {name: forge(rated_study) for name, (_, forge) in OF_RATINGS.items()}
    return {name: (changed, verify_study(changed)) for name, changed in made.items()}


@pytest.mark.parametrize("name", OF_RATINGS)
def test_each_forgery_of_ratings_is_found_by_its_check_or_listed(
    rated_study: bytes, forged: dict[str, tuple[bytes, Verification]], name: str
):
    step, (changed, found) = OF_RATINGS[name][0], forged[name]
    assert changed != rated_study
    assert [each.name for each in found.failed][:1] == ([] if step is None else [step])
    if name in FIELDS:
        assert (found.failed[0].field or "").startswith(FIELDS[name])


@needs_node
def test_the_browser_finds_every_forgery_of_ratings(forged: dict[str, tuple[bytes, Verification]], tmp_path: Path):
    by_page = by_the_browser([made for made, _ in forged.values()], tmp_path)
    for (name, (_, found)), page in zip(forged.items(), by_page, strict=True):
        assert page == told(found), name


@needs_node
def test_both_verifiers_compute_gains_by_ratings_again(tmp_path: Path):
    of_judge: dict[str, Any] = {"primary": "Answer correctness", "judge": JUDGE}
    studies = [PublishedSweep(**of_judge, **changes).publish() for changes in SWEEPS.values()]
    for made, by_page, name in zip(studies, by_the_browser(studies, tmp_path), SWEEPS, strict=True):
        found = verify_study(made)
        assert (name, found.verdict, found.failed) == (name, "verified", ())
        assert by_page == told(found), name
        stated = value_of(members_of(made), "verdict.json")
        assert stated["format"] == f"passer-verdict-{8 if name == 'one amount' else 7}"
        if name == "one amount":
            # Of the first five questions, which differ by 0, the baseline lacks one.
            gain = stated["gains"][1]
            assert (gain["reason"], gain["clusters"] - gain["alike"]) == ("one_amount", 4)
            assert gain["amount"] == pytest.approx(0.1)


def test_a_study_states_ratings_without_names_and_says_how_they_count(rated_study: bytes):
    members = members_of(rated_study)
    assert b"Zoe" not in members["verdict.json"]
    assert b"Ada" not in members["verdict.json"]
    stated = value_of(members, "verdict.json")["judged"]
    assert stated["status"] == "corrected"
    assert [each["rater"] for each in ratings(value_of(members, "verdict.json"))][:1] == [0]
    count = sum(len(run["ratings"]) for run in stated["ratings"]["runs"])
    said = f"The gains are corrected (PPI++) by {count} ratings of 2 raters about 30 questions, drawn at random"
    assert said in members["methods.md"].decode()
