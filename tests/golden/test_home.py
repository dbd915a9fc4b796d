"""A home and a bundle that commit ebc3fdf made (make_home.py): what it wrote opens, verifies, and goes on.

Every value below was printed by that commit and never changes.
"""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from passer.bootstrap import build_services
from passer.cli import main
from passer.domain.base import digest_of
from passer.domain.bundle.manifest import described_config
from passer.domain.score import VECTOR_ORDER
from passer.domain.study.document import StudyDocument, StudyRun, StudySweep, described_design
from passer.domain.study.planned_runs import plan_problem
from passer.domain.wording.sentence import reading
from passer.ports import RunQuery
from passer.settings import Settings
from tests.golden.make_home import REFUSED
from tests.ollama_server import OllamaServer, Step

FOLDER = Path(__file__).parent
FINISHED, INTERRUPTED = "91779e15f728", "e98facc37833"
BUNDLED = f"{FINISHED}-001"
LEDGER_ROWS, LEDGER_HEAD = 36, "c013e1e23cc313bf8e3ba86aff8b84ce2a75cb3cb97b48027656f82e1825e1ec"
EXPORTS = {
    FINISHED: "b1f36853a2c7cd51af83c1ce4063bb21273b63ebc08085535c801456b0f0fa24",
    INTERRUPTED: "c53d639784be0fec50ea37878ada26dca8134ff6a1a16dbe81e1e6141b6fc591",
}
"""SHA-256 of `passer export ID -o FILE.jsonl --reproducible` of the finished sweeps."""
KEYS = {
    FINISHED: "285fe652061729e639ba3ead7586e0ed1e5b9c8f1a809a859b51f87a71152f51",
    INTERRUPTED: "3102711a934230634f863d643f6a6f6fd25611eea7bf005bf5eaab7d465d6fc6",
}
"""SHA-256 of all evaluations with their prompt digests, answer keys and pair keys, of the finished sweeps."""
BUNDLE = "07622e87f63e64d8adf8f23a8ebeba508bb64602b7d0714ae77f82dfe7e68b6e"
MANIFEST = "4049e10a24e2f4fba111541f34692de3d11157c9384667b8287c071343396aa4"
QUESTIONS_ROOT = "a5573228bb610b83ec3eec5668e3ccf2847c2b8acd17eee1147d220168dbb3e1"
CONFIG = "defc0c0b666b2ed9d8884145f9a6903ceec7d2a6f3b246a48aac5179b586856d"
DATASET = "b5870e4e95a0869fd2eb81ac0f80142574b7564b7f32f33d0cb9789edc6bad77"
COLLECTION = "036edb55f236d687bb4aa2b8cbe2b34c4aa11e96f19563ef102626935445417e"
TIMINGS = "8d4d6d82e2556710e39410e86bb63d63b7f9a9e3252a6a0718cd1a5c0bbb4e7d"

RANKING = "1902e272c6dcaae6809dd740c6a607e6dc93d9cad1fcb58c2b0647def9d3c51e"
"""SHA-256 of the ids of the passages for the first question, in order."""
NEAREST = "0.767815"
GOLD = ("fd2ced66bd254f9a41d2c3af-00000",)

Passer = Callable[..., str]

COLUMNS = (
    "sweep", "sweep_id", "run", "run_id", "is_baseline", "model", "model_digest", "policy", "threshold", "k", "prompt",
    "temperature", "seed", "repeat", "profile", "number", "question_id", "question", "reference", "answer",
    "passages_kept", "covered", "abstained", "truncated", "state", "reason", "total_duration_ns", "load_duration_ns",
    "prompt_eval_count", "prompt_eval_duration_ns", "eval_count", "eval_duration_ns", "tokens_per_s", *VECTOR_ORDER,
    "missing_scores",
)  # fmt: skip
"""The columns of an export when the home was made."""


@pytest.fixture(scope="module")
def model() -> Iterator[OllamaServer]:
    with OllamaServer() as server:
        yield server


@pytest.fixture
def passer(
    tmp_path: Path, model: OllamaServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Passer:
    """A command in a home that was restored from home.zip; what it printed."""
    environment = {
        "PASSER_HOME": str(tmp_path / "home"),
        "PASSER_ENCODER": "none",
        "PASSER_EMBEDDING": "ollama/nomic-embed-text:latest",
        "PASSER_OLLAMA_URL": model.url,
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    def run(*arguments: object) -> str:
        monkeypatch.setattr("sys.argv", ["passer", *map(str, arguments)])
        capsys.readouterr()
        with suppress(SystemExit):
            main()
        printed = capsys.readouterr()
        assert "passer: " not in printed.err
        return printed.out

    run("restore", FOLDER / "home.zip")
    return run


def keys_of(home: Path, sweep_id: str) -> str:
    services = build_services(Settings(home=home))
    runs = services.adapters.runs.load_sweep(sweep_id).runs
    found = [
        (run.id, each) for run in runs for each in services.adapters.evaluations.evaluations(run.id, with_scores=False)
    ]
    services.close()
    rows = [
        [run_id, e.number, e.question_id, e.state, *e.kept, e.prompt_digest, e.answer_key, e.pair_key]
        for run_id, e in found
    ]
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()


def export_of(passer: Passer, folder: Path, sweep_id: str) -> str:
    """Digest of the columns that exports had when the home was made; later versions add columns."""
    passer("export", sweep_id, "-o", folder / f"{sweep_id}.jsonl", "--reproducible")
    rows = [json.loads(line) for line in (folder / f"{sweep_id}.jsonl").read_text(encoding="utf-8").splitlines()]
    for row in rows:
        # The home was made when a similarity threshold was labelled "Score >=", and top-k "Normal k=".
        for name in ("policy", "run"):
            row[name] = row[name].replace("Similarity ≥ ", "Score >= ").replace("Top-k ", "Normal k=")
        # And when exports counted questions from 0.
        row["number"] -= 1
    lines = [json.dumps({name: row[name] for name in COLUMNS}) + "\n" for row in rows]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def test_the_finished_sweep_opens_with_the_same_results_and_addresses(passer: Passer, tmp_path: Path):
    assert f"{FINISHED}  finished  Finished" in passer("runs")
    assert export_of(passer, tmp_path, FINISHED) == EXPORTS[FINISHED]
    assert keys_of(tmp_path / "home", FINISHED) == KEYS[FINISHED]


def test_its_passages_are_still_shown_in_the_order_in_which_they_were_found(passer: Passer, tmp_path: Path):
    passer("runs")
    services = build_services(Settings(home=tmp_path / "home"))
    shown = services.runs.run_browser.detail(f"{FINISHED}-000", 0)
    services.close()
    assert [passage.rank for passage in shown.passages] == list(range(1, 16))
    assert hashlib.sha256(json.dumps([passage.id for passage in shown.passages]).encode()).hexdigest() == RANKING
    assert f"{shown.passages[0].similarity:.6f}" == NEAREST
    assert shown.gold_ids == GOLD


def test_its_runs_are_shown_and_found_by_the_names_of_today(passer: Passer):
    first = re.search(r"Similarity ≥ (0\.\d\d)", passer("show", FINISHED))
    assert first is not None
    assert "Score >=" not in passer("show", FINISHED)
    services = build_services(Settings.of_environment())
    found = [services.runs.run_list.find(RunQuery(find=text)).total for text in ("similarity >=", "Score ≥ ")]
    with reading("bg"):
        translated = (f"Сходство ≥ {at}" for at in ("", first[1].replace(".", ",")))
        own = [services.runs.run_list.find(RunQuery(find=text)).total for text in translated]
    services.close()
    assert found[0] == found[1] == own[0] >= own[1] > 0


def test_the_ledger_verifies_to_the_same_head(passer: Passer):
    assert passer("ledger", "head").split() == [str(LEDGER_ROWS), LEDGER_HEAD]
    passer("ledger", "verify")
    rows = passer("ledger", "list", "--json")
    assert BUNDLED in rows


def test_a_finished_run_gives_the_same_bundle_as_before(passer: Passer, tmp_path: Path):
    passer("bundle", BUNDLED, "-o", tmp_path / "again.zip")
    with zipfile.ZipFile(tmp_path / "again.zip") as again, zipfile.ZipFile(FOLDER / "bundle.zip") as kept:
        added = set(again.namelist()) - set(kept.namelist())
        same = [name for name in kept.namelist() if name != "entry.json"]
        assert [again.read(name) for name in same] == [kept.read(name) for name in same]
        entry = json.loads(again.read("entry.json"))
        # The proof is signed by the key of the home that writes it, which no home of before had.
        assert set(entry.pop("proofs")) == added == {"ledger.key", "ledger.tlog-proof"}
        assert entry == json.loads(kept.read("entry.json"))


def test_its_sweeps_still_plan_the_runs_that_they_have(passer: Passer):
    """A study of them fails otherwise; they cannot be published, because nothing computed their Bert-Score."""
    passer("runs")
    services = build_services(Settings.of_environment())
    for stored in map(services.adapters.runs.load_sweep, (FINISHED, INTERRUPTED)):
        design = described_design(stored.sweep.model_dump(mode="json"))
        runs = [
            StudyRun(
                id=run.id,
                name=run.stored_name,
                is_baseline=run.is_baseline,
                state="queued",
                reason=None,
                config_digest=described_config(run.config).digest,
                run_digest=None,
            )
            for run in stored.runs
        ]
        sweep = StudySweep(id=stored.id, name=stored.sweep.name, created_at="")
        facts: dict[str, Any] = {"sweep": sweep, "design": design, "design_digest": digest_of(design), "runs": runs}
        assert len(runs) > 1
        assert plan_problem(StudyDocument.model_construct(**facts)) is None
    services.close()


def test_the_bundle_is_verified_and_names_the_same_digests(passer: Passer):
    content = (FOLDER / "bundle.zip").read_bytes()
    assert hashlib.sha256(content).hexdigest() == BUNDLE
    assert "FAIL" not in passer("verify", FOLDER / "bundle.zip")
    with zipfile.ZipFile(FOLDER / "bundle.zip") as opened:
        kept = opened.read("manifest.json")
    manifest = json.loads(kept)
    assert hashlib.sha256(kept).hexdigest() == MANIFEST
    assert manifest["questions_root"] == QUESTIONS_ROOT
    assert manifest["config_digest"] == CONFIG
    assert manifest["dataset"]["digest"] == DATASET
    assert manifest["collection"]["digest"] == COLLECTION
    assert manifest["timings_digest"] == TIMINGS


def test_the_interrupted_sweep_goes_on_to_the_results_of_an_unbroken_one(
    passer: Passer, model: OllamaServer, tmp_path: Path
):
    before = len(model.generations)
    searched = [seen for seen in model.seen if seen.path == "/api/embed"]
    passer("resume", INTERRUPTED)
    asked = model.generations[before:]
    assert 0 < len(asked) < 17, "an unbroken run asks 17 prompts"
    assert len({seen.prompt_digest for seen in asked}) == len(asked)
    assert [seen for seen in model.seen if seen.path == "/api/embed"] == searched, "no question is looked up again"
    assert export_of(passer, tmp_path, INTERRUPTED) == EXPORTS[INTERRUPTED]
    assert keys_of(tmp_path / "home", INTERRUPTED) == KEYS[INTERRUPTED]
    passer("ledger", "verify")
    passer("bundle", f"{INTERRUPTED}-002", "-o", tmp_path / "run.zip")
    assert "FAIL" not in passer("verify", tmp_path / "run.zip")


def test_a_sweep_begun_again_asks_nothing_that_was_answered(passer: Passer, model: OllamaServer, tmp_path: Path):
    """Answer keys are those of the earlier program: a new sweep of the same configuration finds its answers."""
    model.when(REFUSED, Step(status=400, error="this question is refused"))
    before = len(model.generations)
    file = tmp_path / "again.yaml"
    file.write_text(
        "name: Again\ndataset: farm\ncollection: farm\nmodel: ollama/mistral:latest\nretrieval: {mode: normal, k: 3}\n"
    )
    passer("sweep", file)
    asked = model.generations[before:]
    assert [seen.status for seen in asked] == [400], "only the question that failed is asked"


def test_a_request_that_says_more_than_the_earlier_program_did_reuses_none_of_its_answers(
    passer: Passer, model: OllamaServer
):
    """The command line sets options that the earlier program left to the server's version."""
    before = len(model.generations)
    passer("run", "--dataset", "farm", "--collection", "farm", "--model", "ollama/mistral:latest", "--k", 3)
    asked = model.generations[before:]
    assert len(asked) == len({seen.prompt_digest for seen in asked}) > 1
    assert all("repeat_penalty" in seen.body["options"] for seen in asked)
