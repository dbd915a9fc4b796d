"""Manifests, records and entries."""

from __future__ import annotations

import re

import pytest

from passer.domain.base import canonical_json
from passer.domain.bundle.documents import Violation, read_document
from passer.domain.bundle.manifest import Manifest, described_config
from passer.domain.bundle.members import EntryDocument
from passer.domain.bundle.question_record import QuestionRecord, TimingRecord
from passer.domain.ledger.of_run import EntryMaker, question_description
from passer.domain.models.model import Model
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.run_tally import RunningMeans
from tests.bundles import RUN_ID, MadeRun, Recorded, members_of


def test_records_and_times_are_read_back_from_their_lines():
    for record, timing in MadeRun().manifest_builder.rows(RUN_ID):
        for line, model, value in ((record.line, QuestionRecord, record), (timing.line, TimingRecord, timing)):
            read = read_document(model, line)
            assert (read.value, read.violation) == (value, None)


@pytest.mark.parametrize("recorded", ["nowhere", "local", "chain"])
def test_entries_are_read_back_from_their_document(recorded: Recorded):
    content = members_of(MadeRun().bundle(recorded, with_times=recorded == "chain"))["entry.json"]
    read = read_document(EntryDocument, content)
    assert read.violation is None
    assert canonical_json(read.json) == content


@pytest.mark.parametrize(
    ("field", "number"), [("eval_count", 2**53), ("eval_duration_ns", -(2**53)), ("eval_count", 10**16)]
)
def test_an_integer_without_an_exact_double_is_refused(field: str, number: int):
    record = next(MadeRun(questions=1).manifest_builder.records(RUN_ID)).model_dump()
    with pytest.raises(ValueError, match=r"below 2\^53"):
        QuestionRecord.model_validate(record | {"timings": record["timings"] | {field: number}})


@pytest.mark.parametrize("number", ["9007199254740992", "10000000000000000", "12345678901234567000", "1e+300"])
def test_large_numbers_in_a_manifest_are_doubles_but_no_integers(number: str):
    made = canonical_json(MadeRun(questions=1).manifest_builder.manifest(RUN_ID).model_dump(mode="json"))
    for name, is_read in (("min_similarity", True), ("size_bytes", False), ("dimension", False)):
        changed, found = re.subn(rf'(?<="{name}":)[^,}}]+'.encode(), number.encode(), made)
        assert found == 1
        assert (read_document(Manifest, changed).violation is None) == is_read


@pytest.mark.parametrize(
    ("added", "is_read"),
    [
        ('"a 1.0, or [2.0]"', True), ("1", True), ("0", True), ("1e+300", True), ("1.0", False), ("-0", False),
        ("1e300", False), ('{"b":1,"a":2}', False), ('{"a":1,"a":1}', False), ("[" * 62 + "]" * 62, True),
        ("[" * 80 + "]" * 80, False),
    ],
)  # fmt: skip
def test_a_configuration_holds_any_value_in_its_canonical_form(added: str, is_read: bool):
    made = canonical_json(MadeRun(questions=1).manifest_builder.manifest(RUN_ID).model_dump(mode="json"))
    changed = made.replace(b'"config":{', f'"config":{{"a":{added},'.encode(), 1)
    assert changed != made
    assert (read_document(Manifest, changed).violation is None) == is_read


def test_a_member_with_a_default_may_not_be_left_out():
    line = next(MadeRun(questions=1).manifest_builder.records(RUN_ID)).line
    cut = re.sub(rb'"load_duration_ns":[^,]+,', b"", line)
    assert cut != line
    assert read_document(QuestionRecord, cut).violation == Violation("A member is missing.")


def test_a_record_says_why_and_no_more():
    record = next(MadeRun(questions=1).manifest_builder.records(RUN_ID))
    plain = record.model_dump()
    for change in (
        {"reason": "Why?"}, {"answer": None}, {"scores": None}, {"state": "failed"}, {"state": "answered"},
        {"missing": {"BLEU": "no_tokens"}}, {"scores": {"BLEU": 1.0}}, {"notes": {"None": "answer_cut_off"}},
        {"scores": record.scores | {"BLEU": None}}, {"prompt_digest": "0"}, {"number": -1}, {"more": 1},
    ):  # fmt: skip
        with pytest.raises(ValueError, match="validation error"):
            QuestionRecord.model_validate(plain | change)


def test_means_are_plain_sums_in_order():
    means = RunningMeans(3)
    for row in ((0.1, None, 1e308), (0.2, None, 1e308), (0.3, None, None)):
        means.add(row)
    # 0.1 + 0.2 + 0.3 is 0.6000000000000001 in doubles, in this order; 2e308 is none.
    assert means.means == (0.6000000000000001 / 3, None, None)
    assert means.counts == [3, 0, 2]


def test_a_configuration_is_found_by_its_digest_whatever_the_password():
    config = RunConfig(dataset="d", collection="c", model=Model(provider="ollama", name="m", base_url="http://a:b@h:1"))
    plain = RunConfig(dataset="d", collection="c", model=Model(provider="ollama", name="m", base_url="http://h:1"))
    assert described_config(config) == described_config(plain) == plain


def test_a_description_has_room_for_every_id():
    assert question_description("r", "q 1") == "run r question q 1"
    # "run r question " has 15 bytes.
    assert question_description("r", "x" * 241) == "run r question " + "x" * 241
    long = question_description("r", "x" * 242)
    assert long.startswith("run r question sha256:")
    assert len(long) == len("run r question sha256:") + 64
    assert EntryMaker("r", "0" * 64).of_question("addtest", [None], question_id="x" * 900, leaf="1" * 64).results == (
        0,
        0,
    )
