"""Studies without texts: both verifiers compute table and verdict again, and nothing in the file is a text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from passer.domain.base import canonical_json, digest_of
from passer.domain.bundle.expectation import Expectation
from passer.domain.models.model import Model
from passer.domain.study.document import member_of
from passer.errors import ConflictError
from passer.services.provenance.bundle_verifier import BundleVerifier
from passer.services.provenance.bundle_writer import BundleWriter
from passer.services.provenance.verifier import Verifier
from tests.browser_verifier import by_the_browser, needs_node
from tests.bundles import RUN_ID, SWEEP_ID, MadeRun, members_of
from tests.fake_store import MemoryStore
from tests.fakes import FakeClock
from tests.services.provenance.bundle_verifier.forging import Draft, Stage, forged
from tests.services.provenance.test_registration import ChainedRecorder, registered
from tests.sheet_studies import published_sheets, sheets
from tests.studies import (
    PUBLICATION,
    Json,
    PublishedSweep,
    failed_steps,
    resealed,
    told,
    value_of,
    verify_study,
    with_run_forged,
)

WITHHELD = PUBLICATION.model_copy(update={"texts": False})


@pytest.fixture(scope="module")
def bare(published: PublishedSweep) -> bytes:
    return published.publish(publication=WITHHELD)


@needs_node
def test_both_verifiers_verify_studies_without_texts(
    published: PublishedSweep, study: bytes, bare: bytes, tmp_path: Path
):
    planned = registered(ChainedRecorder()).publish(publication=WITHHELD)
    failing = PublishedSweep(fails=True, is_declared=True).publish(publication=WITHHELD)
    of_sheets = published_sheets(publication=WITHHELD)
    files = [bare, planned, failing, of_sheets]
    for file, by_page in zip(files, by_the_browser(files, tmp_path), strict=True):
        found = verify_study(file, rescore=True)
        assert found.verdict == "verified", found.failed
        assert "rescored" in (found.unconfirmed or ())
        assert by_page == told(verify_study(file))
    assert verify_study(planned).study.standing == "confirmatory"  # type: ignore[union-attr]
    # Table, verdict and the digests of runs, so also what the ledger has, are those of the study with texts.
    with_texts, without = members_of(study), members_of(bare)
    for name in ("table.csv", "verdict.json"):
        assert without[name] == with_texts[name]
    digests = [[run["run_digest"] for run in value_of(each, "study.json")["runs"]] for each in (with_texts, without)]
    assert digests[0] == digests[1]


def test_no_text_is_in_the_file(published: PublishedSweep, study: bytes, bare: bytes):
    for run in published.stored.runs:
        whole = members_of(members_of(study)[member_of(run.id)])["questions.jsonl"].splitlines()
        held = members_of(members_of(bare)[member_of(run.id)])["questions.jsonl"].splitlines()
        for line, without in zip(whole, held, strict=True):
            record, kept = _record(line), _record(without)
            texts = [record["question"], record["reference"], record["answer"]]
            assert all(texts)
            assert not any(text.encode() in bare for text in texts)
            # By hand: SHA-256(0x00 || line) and the digest of the list of id, question and reference.
            assert kept["withheld"] == {
                "leaf": hashlib.sha256(b"\0" + line).hexdigest(),
                "asked": digest_of([record["id"], record["question"], record["reference"]]),
            }
    for text in ("methods.md", "CITATION.cff", "ro-crate-metadata.json"):
        assert b"The texts of questions and answers are withheld." in members_of(bare)[text]


def test_no_text_of_a_sheet_is_in_its_study():
    whole = published_sheets(publication=WITHHELD)
    texts = {text for sheet in sheets() for text in (*sheet.questions, *sheet.answers) if len(text) > 3}
    assert texts
    assert not [text for text in texts if text.encode() in whole]
    keys = {key for sheet in sheets() for key in sheet.keys if len(key) > 3}
    assert not [key for key in keys if key.encode() in whole]


def test_the_questions_are_those_of_the_auditors_copy(published: PublishedSweep, bare: bytes):
    copy = published.study.store.load_dataset("farm")

    def outcome(questions: Any) -> str:
        expected = Expectation(dataset=copy.model_copy(update={"questions": questions}))
        steps = Verifier(BundleVerifier(expectation=expected)).verify(memoryview(bare)).steps
        return next(step.outcome for step in steps if step.name == "dataset")

    assert outcome(copy.questions) == "pass"
    other = copy.questions[3].model_copy(update={"reference": "another"})
    assert outcome((*copy.questions[:3], other, *copy.questions[4:])) == "fail"


def test_the_replies_of_a_judge_are_texts():
    made = PublishedSweep(
        primary="Answer correctness", judge=Model(provider="openai", name="J", base_url="http://127.0.0.1:1")
    )
    with pytest.raises(ConflictError, match="cannot be published without texts"):
        made.publish(publication=WITHHELD)


@needs_node
def test_both_verifiers_verify_a_bundle_without_texts(tmp_path: Path):
    made = MadeRun(questions=13, odd_numbers=False)
    whole, bare = members_of(made.bundle("local")), made.bundle("local", texts=False)
    held = members_of(bare)
    assert {name for name in whole if whole[name] != held[name]} == {"questions.jsonl"}
    for line, without in zip(*(each["questions.jsonl"].splitlines() for each in (whole, held)), strict=True):
        record, kept = _record(line), _record(without)
        assert not any(text.encode() in bare for text in (record["question"], record["reference"]))
        assert kept["withheld"]["leaf"] == hashlib.sha256(b"\0" + line).hexdigest()
    found = Verifier(BundleVerifier()).verify(memoryview(bare))
    assert found.verdict == "verified", found.failed
    assert by_the_browser([bare], tmp_path) == [told(found)]


def test_a_bundle_without_texts_has_no_replies_of_a_judge():
    made = MadeRun(questions=4)
    for verdict, is_left in ((b'{"judged":{"replies":[]}}', False), (b'{"rule":{}}', True)):
        writer = BundleWriter(made.manifest_builder, made.store.outbox, "local", verdict_of={SWEEP_ID: verdict}.get)
        with writer.bundle(RUN_ID, texts=False) as bare, writer.bundle(RUN_ID) as whole:
            assert ("verdict.json" in members_of(bare.read())) is is_left
            assert "verdict.json" in members_of(whole.read())


def in_first(change: Callable[[Json], object], *, follows: bool = True) -> Callable[[bytes], bytes]:
    """The first record of the last run changed; root, manifest, table and digests fit again where they follow."""

    def tamper(draft: Draft) -> None:
        change(draft.records[0])
        if not follows:
            draft.lines[0] = canonical_json(draft.records[0]) + b"\n"

    stage: Stage = "records" if follows else "manifest"
    return lambda study: with_run_forged(study, -1, lambda bundle: forged(bundle, stage, tamper))


def swapped(draft: Draft) -> None:
    """The scores of the first two records swapped."""
    first, second = draft.records[:2]
    for part in ("scores", "missing", "notes"):
        first[part], second[part] = second[part], first[part]


def swapped_before_publishing(_: bytes) -> bytes:
    """The same, and table, verdict and all digests follow: a publisher's own store says so."""
    made = PublishedSweep()
    store, run = made.study.store, made.stored.runs[-1]
    first, second = store.evaluations(run.id, with_scores=False)[:2]
    assert first.pair_key != second.pair_key
    store.scored_otherwise(first, second.pair_key)
    store.scored_otherwise(second, first.pair_key)
    # What the run's end recorded is forgotten too.
    writer = replace(made.composer.bundle_writer, outbox=MemoryStore(FakeClock()).outbox)
    made.composer = replace(made.composer, bundle_writer=writer)
    return made.publish(publication=WITHHELD)


FORGERIES: dict[str, tuple[str | None, Callable[[bytes], bytes]]] = {
    "texts called published": ("design", lambda study: resealed(members_of(study), lambda v: v.pop("texts"))),
    "another question in place of a withheld one": ("design", in_first(lambda r: r["withheld"].update(asked="a" * 64))),
    "another leaf of a withheld record": (
        "runs",
        in_first(lambda r: r["withheld"].update(leaf="b" * 64), follows=False),
    ),
    "a text beside a withheld record": ("runs", in_first(lambda r: r.update(answer="Copper."))),
    "one record called published": ("runs", in_first(lambda r: r.pop("withheld"))),
    "a score of a withheld record raised": ("verdict", in_first(lambda r: r["scores"].update({"F1 Score": 1.0}))),
    "the scores of two withheld records swapped": (
        "verdict",
        lambda study: with_run_forged(study, -1, lambda bundle: forged(bundle, "records", swapped)),
    ),
    "the scores of two withheld records swapped, with table and verdict that follow": (
        None,
        swapped_before_publishing,
    ),
    "a leaf of a withheld record that somebody made up, with all digests that follow": (
        None,
        in_first(lambda r: r["withheld"].update(leaf="b" * 64)),
    ),
}


@needs_node
def test_each_forgery_of_a_study_without_texts_is_found_by_both_verifiers(bare: bytes, tmp_path: Path):
    files = [forge(bare) for _, forge in FORGERIES.values()]
    by_page = by_the_browser(files, tmp_path)
    for (name, (step, _)), file, seen in zip(FORGERIES.items(), files, by_page, strict=True):
        assert failed_steps(file)[:1] == ([] if step is None else [step]), name
        assert seen == told(verify_study(file)), name


def _record(line: bytes) -> Json:
    value: Json = json.loads(line)
    assert canonical_json(value) == line
    return value
