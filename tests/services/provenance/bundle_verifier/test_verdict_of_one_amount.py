"""A configuration that differs from the baseline by one amount leaves the family, and both verifiers find that it does.

Before version 8 it belonged to the family: such documents are verified by that rule.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from passer.domain.sweeps.budget import TokenPrice
from passer.domain.verdict.two_looks import Looks
from passer.domain.verdict.verdict import VerdictRule
from tests.browser_verifier import by_the_browser, needs_node, step_of
from tests.bundles import members_of
from tests.services.provenance.bundle_verifier.checked import value_of, verdict_step, verify
from tests.verdict_bundles import Json, forged_verdict, with_verdict

COLUMN: Json = {"primary": "Rouge-l.f"}
SWEEPS: dict[str, dict[str, Any]] = {
    "a column": {"rule": VerdictRule(**COLUMN)},
    "lower is better": {"rule": VerdictRule(primary="Laplace Perplexity")},
    "weights": {"weights": True, "rule": VerdictRule(**COLUMN)},
    "weights and clusters": {"weights": True, "clusters": True, "rule": VerdictRule(**COLUMN)},
    "planned looks": {"rule": VerdictRule(**COLUMN, looks=Looks(first=25, second=50))},
    "cost in money": {"rule": VerdictRule(**COLUMN, cost="money", price=TokenPrice(input=0.5, output=2.0))},
    "nothing else": {"others": (), "rule": VerdictRule(**COLUMN)},
    "a judge": {"judge": "unchecked"},
}


def stated(made: bytes) -> Json:
    found: Json = value_of(members_of(made)["verdict.json"])
    return found


@pytest.fixture(scope="module")
def bundle() -> bytes:
    return with_verdict(alike=True, **SWEEPS["a column"])


@pytest.mark.parametrize("name", SWEEPS)
def test_it_is_stated_with_what_is_known_of_it(name: str) -> None:
    made = with_verdict(alike=True, **SWEEPS[name])
    assert verify(made).verdict == "verified"
    document = stated(made)
    gain = document["gains"][-1]
    assert document["format"] == "passer-verdict-8"
    assert (gain["outcome"], gain["reason"], gain["low"], gain["p"]) == ("undecided", "one_amount", None, None)
    # Three questions at least have the baseline's value.
    assert gain["clusters"] / 2 < gain["alike"] <= gain["clusters"] - (1 if "clusters" in name else 3)
    assert gain["amount"] == pytest.approx(-0.1 if name == "lower is better" else 0.1)


def test_the_others_have_the_intervals_that_they_have_without_it(bundle: bytes) -> None:
    without = stated(with_verdict(**SWEEPS["a column"]))
    assert without["format"] == "passer-verdict-4"
    assert stated(bundle)["gains"][:-1] == without["gains"]


def by_the_old_rule() -> bytes:
    """As a program before version 8 wrote it."""
    return with_verdict(alike=True, rule=VerdictRule(**COLUMN, old_family=True))


def test_an_older_document_stays_verified_by_the_rule_of_its_version(bundle: bytes) -> None:
    old = by_the_old_rule()
    document = stated(old)
    assert (verify(old).verdict, document["format"]) == ("verified", "passer-verdict-4")
    # Three of 42 questions are missing from one resample in twenty: its t* has no end.
    assert [gain["low"] for gain in document["gains"]] == [None] * 4
    assert all(gain["reason"] is None for gain in document["gains"])
    assert {"alike", "amount"}.isdisjoint(document["gains"][-1])
    assert [gain["low"] is None for gain in stated(bundle)["gains"]] == [False, False, False, True]


def back_in_the_family(document: Json) -> None:
    """The rule of version 4 under the name of version 8."""
    document["gains"][-1].update(reason=None)
    del document["gains"][-1]["alike"], document["gains"][-1]["amount"]


FORGERIES: dict[str, tuple[Callable[[Json], object], str | None]] = {
    "more questions alike": (lambda d: d["gains"][-1].update(alike=d["gains"][-1]["alike"] + 1), "gains[3].alike"),
    "a larger amount": (lambda d: d["gains"][-1].update(amount=0.2), "gains[3].amount"),
    "no amount": (lambda d: d["gains"][-1].pop("amount"), "gains[3].amount"),
    "an amount of another": (lambda d: d["gains"][0].update(alike=39, amount=0.1), "gains[0].alike"),
    "called better": (lambda d: d["gains"][-1].update(outcome="better"), "gains[3].outcome"),
    "another left out, too": (
        lambda d: d["gains"][0].update(reason="one_amount", outcome="undecided", low=None, high=None, p=None),
        "gains[0].low",
    ),
    "the version before": (lambda d: d.update(format="passer-verdict-4"), None),
    "in the family": (back_in_the_family, None),
    "a value that differs": (lambda d: d["configurations"][-1]["values"].__setitem__(9, 0.0), "gains[3].gain"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_found_and_named(bundle: bytes, name: str) -> None:
    change, field = FORGERIES[name]
    step = verdict_step(forged_verdict(bundle, change))
    assert (step.outcome, step.member, step.field) == ("fail", "verdict.json", field)


def test_an_ordinary_verdict_is_not_of_version_8() -> None:
    step = verdict_step(forged_verdict(with_verdict(), lambda d: d.update(format="passer-verdict-8")))
    assert step.outcome == "fail"


@needs_node
def test_the_browser_agrees(bundle: bytes, tmp_path: Path) -> None:
    made = [*(with_verdict(alike=True, **given) for given in SWEEPS.values()), by_the_old_rule()]
    forged = [forged_verdict(bundle, change) for change, _ in FORGERIES.values()]
    forged.append(forged_verdict(with_verdict(), lambda d: d.update(format="passer-verdict-8")))
    found = by_the_browser([*made, *forged], tmp_path)
    for number, (each, by_page) in enumerate(zip([*made, *forged], found, strict=True)):
        assert by_page is not None
        assert by_page["steps"] == [step_of(step) for step in verify(each).steps], number
    assert {one and one["verdict"] for one in found[: len(made)]} == {"verified"}
