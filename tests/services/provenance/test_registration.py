"""Registered plans: recorded before the first question, and every departure from them is found."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from passer.domain.base import canonical_json, digest_of
from passer.domain.bundle.members import seals_of
from passer.domain.ledger.entry import Entry, LocalPlace, Receipt
from passer.domain.study.registration import RegisteredPlan, verdict_status
from passer.errors import ConflictError, LedgerRefused
from passer.services.provenance.registrar import Registrar
from tests.browser_verifier import by_the_browser, needs_node
from tests.bundles import members_of, rebuilt
from tests.conftest import ROOT
from tests.services.study import Study
from tests.studies import Json, PublishedSweep, told, value_of, verify_study

AT = "2026-01-02T03:04:05Z"


class ChainedRecorder:
    """A local ledger in memory: rows in order of recording, each once, digests as bundle.md defines them."""

    def __init__(self, *, is_closed: bool = False) -> None:
        self.receipts: list[Receipt] = []
        self.is_closed = is_closed

    def record(self, entry: Entry) -> Receipt:
        if self.is_closed:
            raise LedgerRefused("The chain refuses it.")
        found = self.receipt(entry)
        if found is not None:
            return found
        previous = self.receipts[-1].place.digest if self.receipts else "0" * 64
        sequence = len(self.receipts) + 1
        row = {"entry": entry.model_dump(mode="json"), "previous": previous, "recorded_at": AT, "sequence": sequence}
        place = LocalPlace(sequence=sequence, previous=previous, digest=digest_of(row))
        self.receipts.append(Receipt(entry=entry, recorded_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), place=place))
        return self.receipts[-1]

    def receipt(self, entry: Entry) -> Receipt | None:
        return next((receipt for receipt in self.receipts if receipt.entry == entry), None)


def registered(ledger: ChainedRecorder, *, before: bool = False) -> PublishedSweep:
    """A finished sweep whose plan, and then whose runs, are in a ledger; `before` runs the same design earlier."""

    def prepare(study: Study) -> None:
        registrar = Registrar(study.store, ledger)
        study.planner = replace(study.planner, register=registrar.register)

    made = PublishedSweep(hypothesis="A threshold of 0.4 is better.", margin=0.03, prepare=prepare, before=before)
    outbox = made.study.store.outbox
    for record in outbox.unposted(ledger="local"):
        waiting = outbox.waiting(record.number, ledger="local", limit=1000)
        outbox.posted([each.number for each in waiting], [ledger.record(each.entry) for each in waiting])
    made.publisher = replace(made.publisher, recorder=ledger)
    return made


@pytest.fixture(scope="module")
def study() -> bytes:
    return registered(ChainedRecorder()).publish()


def changed(study: bytes, change: Callable[[Json, Json], object]) -> bytes:
    """The study with study.json and entry.json changed and their seals put right."""
    members = members_of(study)
    document, entry = value_of(members, "study.json"), value_of(members, "entry.json")
    change(document, entry)
    seals = seals_of(document)
    entry |= {"manifest": seals, "run": "not recorded", "seals": {"manifest": digest_of(seals)[:16]}}
    values = {"study.json": canonical_json(document), "entry.json": canonical_json(entry)}
    return rebuilt({name: values.get(name, content) for name, content in members.items()})


def placed(*, sequence: int, at: str = AT) -> Callable[[Json, Json], None]:
    """The plan's row with another number or time, and with a digest that is right."""

    def change(document: Json, entry: Json) -> None:
        receipt = entry["registration"]
        place = receipt["place"] | {"sequence": sequence, "previous": ("ab" if sequence > 1 else "00") * 32}
        row = {"entry": receipt["entry"], "previous": place["previous"], "recorded_at": at, "sequence": sequence}
        receipt["place"] = place | {"digest": digest_of(row)}
        receipt["recorded_at"] = at
        receipt["seals"] = {"place": digest_of(receipt["place"])[:16], "recorded_at": digest_of(at)[:16]}

    return change


def replanned(field: str, value: object) -> Callable[[Json, Json], None]:
    """Another plan, whose row is made to fit."""

    def change(document: Json, entry: Json) -> None:
        document["registration"][field] = value
        receipt = entry["registration"]
        receipt["entry"]["run_digest"] = digest_of(document["registration"])
        place = receipt["place"]
        row = {"entry": receipt["entry"], "previous": place["previous"], "recorded_at": AT, "sequence": 1}
        place["digest"] = digest_of(row)
        receipt["seals"]["place"] = digest_of(place)[:16]

    return change


def redesigned(change: Callable[[Json], object]) -> Callable[[Json, Json], None]:
    """Another design, and its digest."""

    def changed(document: Json, entry: Json) -> None:
        change(document["design"])
        document["design_digest"] = digest_of(document["design"])

    return changed


FORGERIES: dict[str, tuple[str | None, Callable[[Json, Json], object]]] = {
    name: ("registration", change)
    for name, change in {
        "the plan taken out of the study": lambda document, entry: document.pop("registration"),
        "the plan's row taken out": lambda document, entry: entry.pop("registration"),
        "another hypothesis": redesigned(lambda design: design.update(hypothesis="None is better.")),
        "a smaller margin after the plan": redesigned(lambda design: design.update(margin=0.01)),
        "another primary metric after the plan": redesigned(lambda design: design.update(primary="METEOR")),
        "another seed after the plan": redesigned(lambda design: design["config"]["options"].update(seed=7)),
        "an earlier sweep concealed": lambda document, entry: document["registration"].update(
            earlier=0, known=["a" * 64]
        ),
        "registered after the results": placed(sequence=900),
        "planned with other questions": replanned("questions", ["c" * 64]),
        "planned with fewer configurations": replanned("configurations", ["d" * 64]),
        "planned for another sweep": replanned("sweep", "another-sweep"),
    }.items()
} | {"another time of the plan's row": (None, placed(sequence=1, at="2020-01-01T00:00:00Z"))}
"""Forgery: the step that names it, or None where a study alone cannot show it; docs/audit.md has this table."""


@needs_node
def test_each_departure_from_the_plan_is_found_by_both_verifiers(study: bytes, tmp_path: Path):
    files = [study, *(changed(study, change) for _, change in FORGERIES.values())]
    by_page = by_the_browser(files, tmp_path)
    whole = verify_study(study)
    assert whole.verdict == "verified", whole.failed
    assert whole.study is not None
    assert whole.study.standing == "confirmatory"
    assert by_page[0] == told(whole)
    for name, file, found_by_page in zip(FORGERIES, files[1:], by_page[1:], strict=True):
        found, (step, _) = verify_study(file), FORGERIES[name]
        assert found_by_page == told(found), name
        assert found.study is not None
        assert (step in [each.name for each in found.failed]) is (step is not None), name
        assert (found.verdict == "verified", found.study.standing == "confirmatory") == (step is None,) * 2, name


@pytest.mark.skipif(any(shutil.which(tool) is None for tool in ("bash", "jq", "unzip")), reason="jq is not installed")
def test_the_audit_by_hand_finds_the_plan_before_the_results(study: bytes, tmp_path: Path):
    (tmp_path / "study.zip").write_bytes(study)
    page = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    (opened,), (asked,) = (re.findall(rf"```sh {kind}\n(.*?)```", page, re.DOTALL) for kind in ("study", "registered"))
    script = f"set -euo pipefail\n{opened}echo ---\n{asked}"
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    digest, recorded, plan, *runs = done.stdout.partition("---\n")[2].split()
    assert digest == recorded
    assert plan == "1"
    assert len(runs) == 3
    assert all(int(run) > 1 for run in runs)


@pytest.mark.parametrize("normalisation", ["min-max", "winsorised"])
def test_the_audit_by_hand_computes_the_gains(study: bytes, normalisation: str, tmp_path: Path):
    if normalisation != "min-max":
        study = PublishedSweep(normalisation=normalisation).publish()
    page = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"```python study\n(.*?)```", page, re.DOTALL)
    with zipfile.ZipFile(io.BytesIO(study)) as archive:
        archive.extractall(tmp_path)
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert len(lines) == 2
    for gain, stated, error, stated_error in lines:
        assert (gain, error) == (stated, stated_error)


def test_methods_state_the_hypothesis(study: bytes):
    methods = members_of(study)["methods.md"].decode()
    assert "Hypothesis: A threshold of 0.4 is better. The results are confirmatory." in methods


def test_configurations_that_were_run_before_make_a_plan_exploratory():
    made = registered(ChainedRecorder(), before=True)
    found = verify_study(made.publish())
    assert found.verdict == "verified", found.failed
    assert found.study is not None
    assert found.study.standing == "exploratory"
    assert made.stored.registered is None or made.stored.registered.earlier == 1
    detail = next(step.detail for step in found.steps if step.name == "registration")
    assert "Exploratory: 3 configurations had already answered questions of it." in detail


def test_a_plan_that_the_ledger_refuses_does_not_start():
    with pytest.raises(ConflictError, match="The plan was not registered"):
        registered(ChainedRecorder(is_closed=True))


@pytest.mark.parametrize(
    ("known", "changed_fields", "kind"),
    [(0, (), "confirmatory"), (1, (), "exploratory"), (0, ("margin",), "exploratory")],
)
def test_the_standing_of_a_verdict(known: int, changed_fields: tuple[str, ...], kind: str):
    plan = RegisteredPlan(
        digest="a" * 64, recorded_at=datetime(2026, 1, 2, tzinfo=UTC), configurations=3, known=known, earlier=known
    )
    standing = verdict_status(plan, changed_fields)
    assert standing.kind == kind
    assert standing.line.startswith(kind.capitalize())
    assert verdict_status(None, changed_fields).kind == "exploratory"
