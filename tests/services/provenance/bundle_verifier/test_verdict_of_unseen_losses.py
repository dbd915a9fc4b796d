"""A configuration that is as good only if no rare loss was missed stays undecided, and both verifiers find that.

Before version 9 it was as good: such documents are verified by that rule.
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

COLUMN: Json = {"primary": "Rouge-l.f", "margin": 0.045}
SWEEPS: dict[str, dict[str, Any]] = {
    "a column": {"rule": VerdictRule(**COLUMN)},
    "weights": {"weights": True, "rule": VerdictRule(**COLUMN)},
    "weights and clusters": {"weights": True, "clusters": True, "rule": VerdictRule(**COLUMN)},
    "planned looks": {"rule": VerdictRule(**COLUMN, looks=Looks(first=25, second=50))},
    "unplanned looks": {"rule": VerdictRule(**COLUMN, looks=Looks(first=10, second=50, is_planned=False))},
    "cost in money": {"rule": VerdictRule(**COLUMN, cost="money", price=TokenPrice(input=0.5, output=2.0))},
    "beside one amount": {"alike": True, "rule": VerdictRule(**COLUMN)},
}


def made(**given: Any) -> bytes:
    return with_verdict(others=(), near=True, **given)


def stated(bundle: bytes) -> Json:
    found: Json = value_of(members_of(bundle)["verdict.json"])
    return found


def near_in(document: Json) -> Json:
    """The gain of the configuration that differs by little."""
    found: Json = document["gains"][1]
    return found


def by_the_old_rule() -> bytes:
    """As a program before version 9 wrote it."""
    return made(rule=VerdictRule(**COLUMN, old_losses=True))


@pytest.fixture(scope="module")
def bundle() -> bytes:
    return made(**SWEEPS["a column"])


@pytest.mark.parametrize("name", SWEEPS)
def test_it_is_undecided_although_its_interval_is_above_the_margin(name: str) -> None:
    found = made(**SWEEPS[name])
    assert verify(found).verdict == "verified"
    document = stated(found)
    gain = near_in(document)
    assert document["format"] == "passer-verdict-9"
    assert (gain["outcome"], gain["reason"]) == ("undecided", "unseen_losses")
    assert -0.045 < gain["low"] < 0 < gain["high"] < 0.045
    assert document["conclusions"][0]["kind"] == "cannot_tell"


def test_an_older_document_stays_verified_by_the_rule_of_its_version() -> None:
    old = by_the_old_rule()
    document = stated(old)
    assert (verify(old).verdict, document["format"]) == ("verified", "passer-verdict-4")
    assert (near_in(document)["outcome"], near_in(document)["reason"]) == ("as_good", None)


def test_where_the_margin_exceeds_what_can_be_missed_the_version_is_the_one_before() -> None:
    """A sample of 42 can miss losses in 6.9 % of all questions; the best three have about 1.5."""
    found = made(rule=VerdictRule(primary="Rouge-l.f", margin=0.2))
    document = stated(found)
    assert (document["format"], near_in(document)["outcome"]) == ("passer-verdict-4", "as_good")
    assert verify(found).verdict == "verified"


def called_as_good(document: Json) -> None:
    near_in(document).update(outcome="as_good", reason=None)


def with_a_larger_margin(document: Json) -> None:
    document["rule"].update(margin=0.2)


FORGERIES: dict[str, tuple[Callable[[Json], object], str | None]] = {
    "as good beside the reason": (lambda d: near_in(d).update(outcome="as_good"), "gains[1].outcome"),
    "as good": (called_as_good, None),
    "the version before": (lambda d: d.update(format="passer-verdict-4"), None),
    "another one, too": (lambda d: d["gains"][0].update(reason="unseen_losses"), "gains[0].reason"),
    "a larger margin": (with_a_larger_margin, "gains[1].outcome"),
    "a lower baseline": (lambda d: d["configurations"][0]["values"].__setitem__(9, 0.0), "gains[0].gain"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_found_and_named(bundle: bytes, name: str) -> None:
    change, field = FORGERIES[name]
    step = verdict_step(forged_verdict(bundle, change))
    assert (step.outcome, step.member, step.field) == ("fail", "verdict.json", field)


@needs_node
def test_the_browser_agrees(bundle: bytes, tmp_path: Path) -> None:
    whole = [*(made(**given) for given in SWEEPS.values()), by_the_old_rule()]
    forged = [forged_verdict(bundle, change) for change, _ in FORGERIES.values()]
    found = by_the_browser([*whole, *forged], tmp_path)
    for number, (each, by_page) in enumerate(zip([*whole, *forged], found, strict=True)):
        assert by_page is not None
        assert by_page["steps"] == [step_of(step) for step in verify(each).steps], number
    assert {one and one["verdict"] for one in found[: len(whole)]} == {"verified"}
