"""The quick ways of writing records and entries give the same bytes as the writer of RFC 8785."""

from __future__ import annotations

import pytest

from passer.domain.base import canonical_json
from passer.domain.bundle.members import EntryDocument
from passer.domain.canonical import read_canonical
from passer.domain.ledger.of_run import EntryMaker, question_description
from passer.domain.manifest import RunningMeans, described_config
from passer.domain.question_record import QuestionRecord, TimingRecord
from passer.domain.run import Model, RunConfig
from tests.bundles import RUN_ID, MadeRun, Recorded, members_of


def test_records_and_timings_are_written_as_rfc_8785_says():
    made = MadeRun()
    for record, timing in made.describing.rows(RUN_ID):
        assert record.line == canonical_json(record.model_dump(mode="json"))
        assert timing.line == canonical_json(timing.model_dump(mode="json"))
        assert QuestionRecord.model_validate_json(record.line, strict=True) == record
        assert TimingRecord.model_validate_json(timing.line, strict=True) == timing


@pytest.mark.parametrize("recorded", ["nowhere", "local", "chain"])
def test_entries_are_written_as_rfc_8785_says(recorded: Recorded):
    content = members_of(MadeRun().bundle(recorded, with_times=recorded == "chain"))["entry.json"]
    document = EntryDocument.model_validate_json(content, strict=True)
    assert canonical_json(document.model_dump(mode="json")) == document.canonical == content
    assert canonical_json(read_canonical(content).value) == content


def test_a_record_says_why_and_no_more():
    record = next(MadeRun(questions=1).describing.records(RUN_ID))
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
