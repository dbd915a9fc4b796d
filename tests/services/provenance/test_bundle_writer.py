"""Bundles, opened by other programs than the one that wrote them."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from passer.domain.ledger.entry import testid_of as name_of_run
from passer.domain.score import VECTOR_ORDER
from passer.domain.sweeps.run import RunConfig
from passer.errors import ConflictError, NotFoundError
from passer.ports import EvaluationFact
from passer.services.provenance.bundle_writer import BundleWriter
from tests.bundles import AROUND, RUN_ID, MadeRun, members_of, question_ids, rebuilt

MEMBERS = ["manifest.json", "questions.jsonl", "scores.csv", "entry.json", "timings.jsonl"]


@pytest.fixture(scope="module")
def made() -> MadeRun:
    return MadeRun()


@pytest.fixture(scope="module")
def members(made: MadeRun) -> dict[str, bytes]:
    return members_of(made.bundle())


def sha256(*parts: bytes) -> str:
    return hashlib.sha256(b"".join(parts)).hexdigest()


def records_of(members: dict[str, bytes]) -> list[dict[str, object]]:
    return [json.loads(line) for line in members["questions.jsonl"].splitlines()]


def test_the_zip_is_the_one_that_follows_from_the_five_members(made: MadeRun, members: dict[str, bytes]):
    assert list(members) == MEMBERS
    assert rebuilt(members) == made.bundle()


def test_the_same_run_gives_the_same_bytes_wherever_it_lies():
    assert MadeRun().bundle("local") == MadeRun().bundle("local")
    assert MadeRun(seed=2).bundle() != MadeRun().bundle()


@pytest.mark.skipif(shutil.which("unzip") is None, reason="unzip is not installed")
def test_unzip_finds_nothing_wrong(made: MadeRun, tmp_path: Path):
    (tmp_path / "b.zip").write_bytes(made.bundle("chain"))
    done = subprocess.run(["unzip", "-t", "b.zip"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "No errors detected" in done.stdout


def test_a_record_holds_what_the_run_left(made: MadeRun, members: dict[str, bytes]):
    records = records_of(members)
    assert [record["id"] for record in records] == question_ids(50)
    assert [record["number"] for record in records] == list(range(50))
    first, failed, answered = records[0], records[7], records[8]
    assert first["question"] == made.dataset.questions[0].text
    assert first["reference"] == made.dataset.questions[0].reference
    assert (first["state"], first["passages"]) == ("scored", [])
    assert first["scores"]["BLEU"] == 1e-7
    assert set(first["scores"]) == set(VECTOR_ORDER)
    assert [passage["rank"] for passage in records[3]["passages"]] == [1, 2, 3]
    assert (failed["state"], failed["answer"], failed["scores"]) == ("failed", None, None)
    assert failed["reason"] == "The model server took too long: raise the time-out."
    assert (answered["state"], answered["scores"], answered["missing"]) == ("answered", None, {})
    assert records[4]["scores"]["METEOR"] is None
    assert records[4]["missing"] == {"METEOR": "no_tokens"}
    assert records[2]["notes"] == {"B-RT.average": "answer_cut_off"}


def test_a_count_that_json_cannot_hold_is_none(members: dict[str, bytes]):
    timings = records_of(members)[3]["timings"]
    assert timings["eval_duration_ns"] is None
    assert timings["eval_count"] is not None


def test_minus_zero_is_zero(members: dict[str, bytes]):
    assert b"-0," not in members["questions.jsonl"]
    assert records_of(members)[2]["scores"]["BLEU"] == 0


def test_a_small_tree_by_hand_and_by_sha256sum():
    members = members_of(MadeRun(questions=3).bundle())
    lines = members["questions.jsonl"].splitlines()
    assert len(lines) == 3
    leaves = [bytes.fromhex(sha256(b"\0", line)) for line in lines]
    pair = bytes.fromhex(sha256(b"\x01", leaves[0], leaves[1]))
    manifest = json.loads(members["manifest.json"])
    assert manifest["questions_root"] == sha256(b"\x01", pair, leaves[2])
    done = subprocess.run(["sha256sum"], input=b"\0" + lines[2], capture_output=True, check=True)
    assert done.stdout.split()[0].decode() == leaves[2].hex()
    done = subprocess.run(["sha256sum"], input=members["timings.jsonl"], capture_output=True, check=True)
    assert done.stdout.split()[0].decode() == manifest["timings_digest"]


def test_the_table_of_scores_is_read_by_the_standard_library(members: dict[str, bytes]):
    rows = list(csv.DictReader(io.StringIO(members["scores.csv"].decode(), newline="")))
    assert list(rows[0]) == ["number", "id", "leaf", "state", *VECTOR_ORDER]
    lines = members["questions.jsonl"].splitlines()
    for row, record, line in zip(rows, records_of(members), lines, strict=True):
        assert row["leaf"] == sha256(b"\0", line)
        assert row["id"].removeprefix("'") == record["id"]
        for column in VECTOR_ORDER:
            value = (record["scores"] or {}).get(column)
            assert row[column] == "" if value is None else float(row[column]) == float(value)
    assert rows[0]["id"] == "'=1+1", "a spreadsheet program does not run it"
    assert rows[0]["BLEU"] == "1e-7"
    assert rows[4]["Laplace Perplexity"] == "12345678901234567000"


def test_the_manifest_says_what_the_run_was(made: MadeRun, members: dict[str, bytes]):
    manifest = json.loads(members["manifest.json"])
    assert manifest["run"] == {"id": RUN_ID, "sweep_id": RUN_ID[:-4], "name": "Score >= 0.25"}
    assert RunConfig.model_validate(manifest["config"]).retrieval.min_similarity == 0.25
    canonical_config = json.dumps(manifest["config"], sort_keys=True, separators=(",", ":"))
    assert manifest["config_digest"] == sha256(canonical_config.encode())
    assert manifest["model"]["digest"] == "f" * 64
    assert manifest["model"]["quantization"] == "Q4_0"
    assert manifest["prompt_template"] == {"name": "default", "digest": "d" * 64}
    assert manifest["encoder_digest"] == "e" * 64
    assert manifest["dataset"]["digest"] == made.dataset.digest
    assert manifest["software"] == AROUND.software
    assert manifest["machine"]["processor"] == "A processor"
    assert manifest["counts"]["asked"] == 50
    # Of 0 ... 49 the numbers 7, 18, 29, 40 failed, and 8, 19, 30, 41 were answered only.
    assert manifest["counts"]["failed"] == 4
    assert manifest["counts"]["scored"] == 42
    assert manifest["counts"]["answered"] == 46
    assert manifest["counts"]["reasons"] == {"The model server took too long: raise the time-out.": 4}
    scored = [record["scores"]["METEOR"] for record in records_of(members) if record["scores"]]
    there = [value for value in scored if value is not None]
    assert manifest["means"]["METEOR"]["n"] == len(there) < 42
    assert manifest["means"]["METEOR"]["mean"] == pytest.approx(sum(there) / len(there), rel=1e-12)


def test_what_is_not_known_is_listed():
    unknown = json.loads(members_of(MadeRun(collection_is_known=False).bundle())["manifest.json"])["unknown"]
    assert "collection" in unknown
    assert "model.digest" not in unknown


def test_the_entries_follow_from_the_run(made: MadeRun):
    members = members_of(made.bundle("local"))
    document = json.loads(members["entry.json"])
    manifest = json.loads(members["manifest.json"])
    run = document["run"]["entry"]
    assert run["run_digest"] == sha256(members["manifest.json"])
    assert run["config_digest"] == manifest["config_digest"]
    assert run["testid"] == name_of_run(RUN_ID)
    assert run["description"] == f"run {RUN_ID}"
    assert run["results"] == [manifest["means"][column]["mean"] for column in VECTOR_ORDER]
    lines = members["questions.jsonl"].splitlines()
    for number, receipt in enumerate(document["questions"]):
        entry, record = receipt["entry"], json.loads(lines[number])
        assert entry["run_digest"] == sha256(b"\0", lines[number])
        assert len(entry["description"].encode()) <= 256
        scores = record["scores"] or dict.fromkeys(VECTOR_ORDER)
        mask = sum(2**place for place, column in enumerate(VECTOR_ORDER) if scores[column] is not None)
        expected = [scores[column] or 0 for column in VECTOR_ORDER]
        assert entry["results"] == (expected if mask == 2**24 - 1 else [*expected, mask])
    described = [receipt["entry"]["description"] for receipt in document["questions"]]
    assert described[5] == f"run {RUN_ID} question two\nlines"
    assert described[4] == f"run {RUN_ID} question sha256:{sha256(('я' * 200).encode())}"
    assert document["question_times"] == "not recorded"


def test_rows_of_times_hold_nine_values(made: MadeRun):
    members = members_of(MadeRun().bundle("chain", with_times=True))
    document = json.loads(members["entry.json"])
    record = json.loads(members["questions.jsonl"].splitlines()[1])
    local = json.loads(members["timings.jsonl"].splitlines()[1])
    reported = record["timings"]
    assert document["question_times"][1]["entry"]["results"] == [
        reported["eval_duration_ns"], reported["eval_count"], 0, reported["prompt_eval_count"], 0,
        reported["total_duration_ns"], local["embedding_s"], local["retrieval_s"], local["scoring_s"],
        1 + 2 + 8 + 32 + 64 + 128 + 256,
    ]  # fmt: skip
    assert len(document["transactions"]) == 6, "102 rows, 20 a transaction, each transaction once"


def test_a_part_of_the_rows_counts_as_none():
    made = MadeRun(questions=5)
    described = made.manifest_builder.described(RUN_ID)
    made.store.outbox.put_record(RUN_ID, described.record, ledger="local")
    with BundleWriter(made.manifest_builder, made.store.outbox, "local").bundle(RUN_ID) as stream:
        waiting = json.loads(members_of(stream.read())["entry.json"])
    assert (waiting["run"], waiting["questions"]) == ("not recorded", "not recorded")


def test_the_recorded_manifest_stays_whatever_becomes_of_the_machine():
    made = MadeRun(questions=5)
    before = members_of(made.bundle("local"))["manifest.json"]
    made.collection_is_known = False
    outbox = made.store.outbox
    assert BundleWriter(made.manifest_builder, outbox, "local").manifest(RUN_ID).canonical == before
    with BundleWriter(made.manifest_builder, outbox, "local").bundle(RUN_ID) as stream:
        assert members_of(stream.read())["manifest.json"] == before


def test_records_that_changed_since_are_not_bundled():
    made = MadeRun(questions=8)
    made.bundle("local")
    failed = made.store.evaluations(RUN_ID)[7]
    other = failed.model_copy(update={"reason": "Another reason: try again."})
    made.store.record([EvaluationFact(other)])
    with pytest.raises(ConflictError, match="no longer match its manifest"):
        BundleWriter(made.manifest_builder, made.store.outbox, "local").bundle(RUN_ID)


def test_a_run_that_is_not_finished_has_no_bundle():
    made = MadeRun(questions=8)
    made.store.reopen([RUN_ID])
    bundle_writer = BundleWriter(made.manifest_builder, made.store.outbox, "local")
    with pytest.raises(ConflictError, match="7 of 8 questions"):
        bundle_writer.bundle(RUN_ID)
    with pytest.raises(NotFoundError, match="no run"):
        bundle_writer.bundle("0123456789ab-001")


def test_no_password_gets_into_a_bundle():
    bundle = MadeRun(questions=5, password="me:s3cret@").bundle("local")
    assert b"s3cret" not in bundle
    assert b"127.0.0.1:11434" in bundle
