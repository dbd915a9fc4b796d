"""The verdict in a bundle: it follows from its values, the run's values from its records, and nothing else passes."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from passer.domain.bundle.verdict_check import VerdictCheck, read_verdict
from passer.domain.dataset import Question
from passer.domain.sweeps.budget import TokenPrice
from passer.domain.verdict.two_looks import Looks
from passer.domain.verdict.verdict import VerdictRule
from tests.browser_verifier import by_the_browser, needs_node, step_of
from tests.bundles import RUN_ID, SWEEP_ID, MadeRun, members_of, rebuilt, weight_of
from tests.conftest import ROOT
from tests.services.provenance.bundle_verifier.checked import value_of, verdict_step, verify
from tests.services.provenance.bundle_verifier.test_verdict_of_judges import OF_JUDGES, before_version_6
from tests.verdict_bundles import Json, forged_verdict, with_verdict

OLD = VerdictRule(old_rank=True)
SWEEPS: dict[str, dict[str, Any]] = {
    "one better": {},
    "clusters": {"clusters": True},
    "weights": {"weights": True},
    "weights and clusters": {"weights": True, "clusters": True},
    "weights and planned looks": {"weights": True, "rule": VerdictRule(looks=Looks(first=25, second=50))},
    "repeats": {"repeats": 2},
    "a column": {"rule": VerdictRule(primary="METEOR")},
    "lower is better": {"rule": VerdictRule(primary="Laplace Perplexity")},
    "planned looks": {"rule": VerdictRule(looks=Looks(first=25, second=50))},
    "unplanned looks": {"rule": VerdictRule(looks=Looks(first=25, second=50, is_planned=False))},
    "undecided": {"others": (0.0, 0.02)},
    "one comparison": {"others": ()},
    "a configuration that failed": {"others": (0.8, None)},
    "a judge": {"judge": "unchecked"},
    "a judge, weights and clusters": {"judge": "unchecked", "weights": True, "clusters": True},
    "a judge of repeats": {"judge": "unchecked", "repeats": 2},
    "a biased judge": {"judge": "biased"},
    "cost in money": {"rule": VerdictRule(cost="money", price=TokenPrice(input=0.5, output=2.0))},
    "version 1": {"rule": OLD},
    "version 2": {"rule": OLD, "weights": True},
}


@pytest.fixture(scope="module")
def bundle() -> bytes:
    return with_verdict()


@pytest.mark.parametrize("name", SWEEPS)
def test_the_verdict_of_every_kind_of_sweep_follows(name: str):
    made = with_verdict(**SWEEPS[name])
    found = verify(made)
    step = verdict_step(made)
    assert (found.verdict, step.outcome) == ("verified", "pass"), step
    stated = value_of(members_of(made)["verdict.json"])
    assert stated["conclusion_digest"] in step.detail
    assert ("averages over repeats" in step.detail) == (name == "repeats")
    assert (stated["conclusions"][0]["kind"] == "no_verdict") == ("failed" in name or "biased" in name)
    assert len(stated["configurations"]) == 2 + len(SWEEPS[name].get("others", (0, 0)))
    version = 5 if name.startswith("cost") else 6 if "judge" in name else 4
    version = int(name[-1]) if name.startswith("version") else version
    assert stated["format"] == f"passer-verdict-{version}"


def test_a_verdict_that_was_written_before_version_4_stays_verified_and_is_not_of_version_4():
    # Written by commit e8a0d62 for the same run.
    old = (ROOT / "tests" / "golden" / "verdict-1.json").read_bytes()
    made = rebuilt(members_of(with_verdict(others=())) | {"verdict.json": old})
    assert verify(made).verdict == "verified"
    step = verdict_step(forged_verdict(made, lambda document: document.update(format="passer-verdict-4")))
    assert (step.outcome, step.field) == ("fail", "gains[0].high")


def test_the_sweep_that_is_verified_has_something_to_say(bundle: bytes):
    stated = value_of(members_of(bundle)["verdict.json"])
    (conclusion,) = stated["conclusions"]
    assert conclusion["kind"] == "better"
    assert conclusion["recommended"] in [each["name"] for each in stated["configurations"]]
    assert (
        "Gains, intervals and verdict recomputed from 42 questions in 4 configurations" in verdict_step(bundle).detail
    )


def test_a_bundle_without_a_verdict_stays_verified():
    made = MadeRun().bundle("local")
    assert verify(made).verdict == "verified"
    assert verdict_step(made).outcome == "not_checked"
    assert "because the bundle was written without the verdict" in verdict_step(made).detail


def own(document: Json) -> Json:
    found: Json = document["configurations"][1]
    return found


def first_value(document: Json) -> None:
    values = own(document)["values"]
    place = next(place for place, value in enumerate(values) if value is not None)
    values[place] += 0.001


FORGERIES: dict[str, tuple[Callable[[Json], object], str]] = {
    "another winner": (lambda d: d["conclusions"][0].update(recommended="own"), "conclusions[0].recommended"),
    "another verdict": (lambda d: d["conclusions"][0].update(kind="cannot_tell"), "conclusions[0].kind"),
    "a larger gain": (lambda d: d["gains"][0].update(gain=0.9), "gains[0].gain"),
    "a narrower interval": (lambda d: d["gains"][1].update(low=d["gains"][1]["low"] + 1e-4), "gains[1].low"),
    "a smaller p": (lambda d: d["gains"][0].update(p=0.001), "gains[0].p"),
    "a kinder outcome": (lambda d: d["gains"][0].update(outcome="better"), "gains[0].outcome"),
    "a wider margin": (lambda d: d["rule"].update(margin=0.03), "gains[0].outcome"),
    "other resamples": (lambda d: d["rule"].update(seed=7), "gains[0].low"),
    "a value of this run": (first_value, "configurations[1].values[0]"),
    "a value of another run": (
        lambda d: d["configurations"][2]["values"].__setitem__(0, d["configurations"][2]["values"][0] + 0.01),
        "gains[1].gain",
    ),
    "no baseline": (lambda d: d["configurations"][1].update(baseline=None), "gains"),
    "a baseline that is nowhere": (lambda d: own(d).update(baseline=9), "configurations[1].baseline"),
    "another sweep": (lambda d: d.update(sweep_id="ffffffffffff"), "sweep_id"),
    "another run": (lambda d: own(d)["runs"][0].update(id="x"), "configurations"),
    "a question less": (lambda d: d["questions"].pop(), "configurations[0].values"),
    "a question twice": (lambda d: d["questions"].__setitem__(1, d["questions"][0]), "questions"),
    "failures hidden": (lambda d: d["configurations"][0].update(failed=40), "conclusions[0].kind"),
    "no conclusion": (lambda d: d["conclusions"].clear(), "conclusions"),
    "other weights": (
        lambda d: d["composite"]["metrics"][0].update(weight=0.9),
        "configurations[1].values[0]",
    ),
    "endless resamples": (lambda d: d["rule"].update(draws=10**9), "rule.draws"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_verdict_is_found_and_named(bundle: bytes, name: str):
    change, field = FORGERIES[name]
    forged = forged_verdict(bundle, change)
    step = verdict_step(forged)
    assert (verify(forged).verdict, step.outcome, step.member) == ("not verified", "fail", "verdict.json")
    assert step.field == field


@pytest.fixture(scope="module")
def weighted() -> bytes:
    return with_verdict(weights=True)


def first_weight(document: Json) -> None:
    document["weights"][0] *= 2


def without_weights(document: Json) -> None:
    del document["weights"]


OF_WEIGHTS: dict[str, tuple[Callable[[Json], object], str | None]] = {
    "a heavier question": (first_weight, "gains[0].gain"),
    "weights as none": (without_weights, "gains[0].gain"),
    "the first version": (lambda d: d.update(format="passer-verdict-1"), None),
    "no weights in the first version": (
        lambda d: (without_weights(d), d.update(format="passer-verdict-1")),
        "gains[0].gain",
    ),
    "a weight of 0": (lambda d: d["weights"].__setitem__(0, 0), "weights[0]"),
    "a weight less": (lambda d: d["weights"].pop(), "weights"),
    "worth more": (lambda d: d["gains"][0].update(effective_pairs=60.0), "gains[0].effective_pairs"),
}


@pytest.mark.parametrize("name", OF_WEIGHTS)
def test_forged_weights_are_found(weighted: bytes, name: str):
    change, field = OF_WEIGHTS[name]
    step = verdict_step(forged_verdict(weighted, change))
    assert (step.outcome, step.member, step.field) == ("fail", "verdict.json", field)


@pytest.fixture(scope="module")
def planned() -> bytes:
    return with_verdict(**SWEEPS["planned looks"])


OF_LOOKS: dict[str, tuple[Callable[[Json], object], str | None]] = {
    "a narrower interval": (lambda d: d["gains"][1].update(low=d["gains"][1]["low"] + 1e-4), "gains[1].low"),
    "a larger first look": (lambda d: d["look"].update(share=0.9), "gains[0].low"),
    "a question of the first look": (lambda d: d["look"]["in_first"].__setitem__(0, False), "gains[0].low"),
    "the second look as the only one": (lambda d: d.update(look=None), "gains[0].low"),
    "not planned": (lambda d: d["look"].update(is_planned=False), "gains[0].gain"),
    "a question less": (lambda d: d["look"]["in_first"].pop(), "look.in_first"),
}


@pytest.mark.parametrize("name", OF_LOOKS)
def test_forged_looks_are_found(planned: bytes, name: str):
    change, field = OF_LOOKS[name]
    step = verdict_step(forged_verdict(planned, change))
    assert (step.outcome, step.member, step.field) == ("fail", "verdict.json", field)


def test_weights_are_stated_and_equal_ones_are_not(bundle: bytes, weighted: bytes):
    plain, heavy = (value_of(members_of(each)["verdict.json"]) for each in (bundle, weighted))
    assert ("weights" in plain, "weights" in heavy) == (False, True)
    declared = [weight_of(each) for each in heavy["questions"]]
    assert [each / heavy["weights"][0] for each in heavy["weights"]] == pytest.approx(
        [each / declared[0] for each in declared]
    )
    assert "effective_pairs" not in plain["gains"][0]
    # Kish: (sum w)^2 / sum w^2 over the pairs, here all questions.
    gain = heavy["gains"][0]
    assert gain["pairs"] == len(declared)
    assert gain["effective_pairs"] == pytest.approx(sum(declared) ** 2 / sum(each**2 for each in declared))


@pytest.mark.parametrize(
    ("heaviest", "size", "field"), [(1.0, 3, None), (2.0, 3, "weights"), (1.0, 2, "clusters"), (1.0, 99, "clusters")]
)
def test_clusters_and_weights_are_compared_with_the_auditors_dataset(heaviest: float, size: int, field: str | None):
    document, _ = read_verdict(members_of(with_verdict(clusters=True, weights=True))["verdict.json"])
    assert document is not None
    # Only proportions matter, and the names of clusters do not. The verdict leaves questions out that lack a value.
    places = {question.id: place for place, question in enumerate(MadeRun().dataset.questions)}
    copy = [
        Question(
            id=each,
            text="?",
            reference="!",
            weight=10 * weight_of(each) * (1.0 if number else heaviest),
            cluster=f"cluster {places[each] // size}" if size < 99 else None,
        )
        for number, each in enumerate(document.questions)
    ]
    found = VerdictCheck(document, RUN_ID, SWEEP_ID, [], copy).problem()
    # Without records, the values of the run are the next problem.
    assert found is not None
    assert found.field == (field or "configurations[1].values[0]")


@needs_node
def test_a_dataset_that_declares_none_has_no_clusters_and_no_weights(tmp_path: Path):
    """Everything else follows: a forger with PaSSER chose them after the answers."""
    plain = MadeRun(odd_numbers=False).bundle("nowhere")
    made = [with_verdict(plain, **{name: True}) for name in ("clusters", "weights")]
    for name, bundle, by_page in zip(("clusters", "weights"), made, by_the_browser(made, tmp_path), strict=True):
        step = verdict_step(bundle)
        assert (step.outcome, step.member, step.field) == ("fail", "verdict.json", name)
        assert by_page is not None
        assert step_of(step) in by_page["steps"]


def test_what_nothing_else_covers_is_covered_by_the_digest(bundle: bytes):
    members = members_of(bundle)
    other = members["verdict.json"].replace(b'"run_digest":"aaaa', b'"run_digest":"aaab', 1)
    step = verdict_step(rebuilt(members | {"verdict.json": other}))
    assert (step.outcome, step.field) == ("fail", "digest")


def test_a_member_too_few_is_not_of_the_form(bundle: bytes):
    step = verdict_step(forged_verdict(bundle, lambda document: document.pop("look")))
    assert (step.outcome, step.field) == ("fail", "look")


def rewritten(document: Json, dice: random.Random) -> None:
    """A value somewhere in the verdict replaced or dropped."""
    at: Any = document
    while True:
        key = dice.choice(list(at)) if isinstance(at, dict) else dice.randrange(len(at))
        if not isinstance(at[key], dict | list) or not at[key] or dice.random() < 0.1:
            break
        at = at[key]
    if dice.random() < 0.2:
        del at[key]
    else:
        at[key] = dice.choice([None, "other", "f" * 64, 7, 1e-7, 0.5, True, [], {}, -1, 1.5, 1e21])


@pytest.fixture(scope="module")
def judged() -> bytes:
    return with_verdict(judge="unchecked")


@needs_node
def test_the_browser_agrees_about_every_verdict(
    bundle: bytes, weighted: bytes, planned: bytes, judged: bytes, tmp_path: Path
):
    dice = random.Random(20260103)
    whole = [with_verdict(**given) for given in SWEEPS.values()]
    forged = [forged_verdict(bundle, change) for change, _ in FORGERIES.values()]
    forged += [forged_verdict(weighted, change) for change, _ in OF_WEIGHTS.values()]
    forged += [forged_verdict(planned, change) for change, _ in OF_LOOKS.values()]
    forged += [forged_verdict(judged, change) for change, _ in OF_JUDGES.values()]
    whole += [before_version_6(name) for name in ("verdict-3.json", "verdict-4-judged.json")]
    made_of = (bundle, weighted, judged)
    changed = [forged_verdict(made, lambda d: rewritten(d, dice)) for made in made_of for _ in range(40)]
    found = by_the_browser([*whole, *forged, *changed], tmp_path)
    for number, (made, by_browser) in enumerate(zip([*whole, *forged, *changed], found, strict=True)):
        assert by_browser is not None
        assert by_browser["steps"] == [step_of(step) for step in verify(made).steps], number
    assert {one and one["verdict"] for one in found[: len(whole)]} == {"verified"}
