"""Each step of a verification has tampers that it alone finds: a step that is left out lets them through.

Everything else about a tampered bundle is right: digests, seals and transactions were made anew (`forging.py`). The
page's verifier reads the same files. What only a chain can confirm is in `test_chain_tampers.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import pytest

from passer.antelope.format.entries import recorded_actions
from passer.domain.bundle.verification import OfflineStep, StepName
from passer.services.provenance.bundle_verifier import BundleVerifier
from tests.browser_verifier import by_the_browser, needs_node, step_of
from tests.bundles import MadeRun, Recorded
from tests.services.provenance.bundle_verifier.file_tampers import NOT_CANONICAL, OFF_FORM, SEALS, ZIP
from tests.services.provenance.bundle_verifier.forging import ZEROS, Draft, Stage, forged
from tests.services.provenance.bundle_verifier.ledger_tampers import ENTRIES, LEDGER, ROWS, row
from tests.services.provenance.bundle_verifier.row_tampers import (
    LINES,
    TABLES,
    TIMINGS,
    VALUES,
    manifest,
    no_records,
    same_id,
    table,
)
from tests.services.provenance.bundle_verifier.value_tampers import VALUES as PLAUSIBLE

QUESTIONS = 12


@dataclass(frozen=True)
class Tamper:
    step: StepName
    name: str
    stage: Stage
    change: Callable[[Draft], object]
    recorded: Recorded = "local"


TAMPERS: tuple[Tamper, ...] = (
    *(Tamper("zip", name, "file", change) for name, change in ZIP.items()),
    *(Tamper("manifest", name, "members", change, "nowhere") for name, change in NOT_CANONICAL.items()),
    *(Tamper("manifest", name, "manifest", manifest(change), "nowhere") for name, change in OFF_FORM.items()),
    *(Tamper("manifest", name, "seals", change) for name, change in SEALS.items()),
    *(Tamper("questions", name, "lines", change) for name, change in LINES.items()),
    Tamper("questions", "one id for two questions", "records", same_id),
    Tamper("questions", "no record", "records", no_records, "nowhere"),
    Tamper("questions", "its end cut off", "members", lambda d: d.members.update(
        {"questions.jsonl": d.members["questions.jsonl"][:-1]})),
    *(Tamper(step, name, "manifest", manifest(change), "chain") for (step, name), change in VALUES.items()),
    *(Tamper("scores", name, "members", table(change)) for name, change in TABLES.items()),
    *(Tamper("timings", name, "lines", change) for name, change in TIMINGS.items()),
    *(Tamper("plausible", name, *how) for name, how in PLAUSIBLE.items()),
    *(Tamper("entry", name, *how) for name, how in ENTRIES.items()),
    *(
        Tamper("run_entry", f"another {field} in {name}", "entries", row(name, None, **{field: value}), recorded)
        for field, value in ROWS.items()
        for name, recorded in (("run", "local"), ("run_times", "chain"))
    ),
    Tamper("run_entry", "another action", "entries", row("run", None, action="addtimetest"), "chain"),
    *(
        Tamper("question_entries", f"another {field} in {name}", "entries", row(name, 3, **{field: value}), recorded)
        for field, value in ROWS.items()
        for name, recorded in (("questions", "local"), ("question_times", "chain"))
    ),
    Tamper("question_entries", "another action", "entries", row("questions", 3, action="addtimetest"), "chain"),
    *(Tamper(*how) for how in LEDGER),
)  # fmt: skip


@pytest.fixture(scope="module")
def whole() -> dict[Recorded, bytes]:
    kinds: tuple[Recorded, ...] = ("nowhere", "local", "chain")
    return {recorded: MadeRun(questions=QUESTIONS).bundle(recorded, with_times=True) for recorded in kinds}


def test_a_forger_who_changes_nothing_makes_the_same_bundle(whole: dict[Recorded, bytes]):
    for bundle in whole.values():
        assert forged(bundle, "records", lambda draft: None) == bundle


@pytest.mark.parametrize("tamper", TAMPERS, ids=lambda tamper: f"{tamper.step}-{tamper.name}")
def test_the_step_alone_finds_the_tamper(whole: dict[Recorded, bytes], tamper: Tamper):
    found = BundleVerifier(recorded_actions).verify(forged(whole[tamper.recorded], tamper.stage, tamper.change))
    assert [step.name for step in found.failed] == [tamper.step]
    assert found.verdict == "not verified"


def test_every_step_has_its_tampers():
    # These have forgeries of their own: test_verdict.py, test_proof_forgeries.py.
    elsewhere = {"verdict", "checkpoint", "stamps"}
    needs_an_auditor = {"dataset", "rescored", "expected"}
    assert {tamper.step for tamper in TAMPERS} == set(get_args(OfflineStep)) - needs_an_auditor - elsewhere


@needs_node
def test_the_page_s_verifier_finds_the_same(whole: dict[Recorded, bytes], tmp_path: Path):
    files = [forged(whole[tamper.recorded], tamper.stage, tamper.change) for tamper in TAMPERS]
    for tamper, file, found in zip(TAMPERS, files, by_the_browser(files, tmp_path), strict=True):
        expected = BundleVerifier(recorded_actions).verify(file)
        assert found is not None
        assert found["steps"] == [step_of(step) for step in expected.steps], (tamper.step, tamper.name)


def test_a_verifier_that_cannot_unpack_transactions_says_so(whole: dict[Recorded, bytes]):
    found = BundleVerifier().verify(whole["chain"])
    assert [step.outcome for step in found.steps if step.name == "action"] == ["not_checked"]
    assert found.verdict == "verified"


def test_the_first_row_of_a_ledger_follows_nothing(whole: dict[Recorded, bytes]):
    def first(draft: Draft) -> None:
        for _, _, receipt in draft.receipts:
            receipt["place"]["sequence"] -= 2
            if receipt["place"]["sequence"] == 1:
                receipt["place"]["previous"] = ZEROS

    assert BundleVerifier(recorded_actions).verify(forged(whole["local"], "entries", first)).verdict == "verified"
