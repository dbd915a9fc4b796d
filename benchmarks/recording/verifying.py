"""Verification of a bundle of 10,000 questions with a ledger's row for each, and how much of it is hashing."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from benchmarks.report import Figure
from passer.antelope.format.entries import recorded_actions
from passer.bootstrap.scoring import own_scorer
from passer.domain.bundle.merkle import leaf_hash, root_of
from passer.services.provenance.bundle_verifier import BundleVerifier, Rescoring
from tests.bundles import MadeRun, members_of
from tests.studies import PublishedSweep, verify_study

QUESTIONS = 10_000
GOAL_S = 5.0
"""Reading each line strictly twice, as JSON and as a model, takes most of the time; hashing takes one percent."""


def measure(*, quick: bool) -> dict[str, Figure]:
    """Figures by name; the best of some repetitions, since what else runs here only ever adds."""
    bundle = MadeRun(questions=QUESTIONS).bundle("local")
    repetitions = 3 if quick else 7
    verify_s = min(_verified(bundle) for _ in range(repetitions))
    hashing_s = min(_hashed(members_of(bundle)) for _ in range(repetitions))
    return {
        "verify_10k_s": Figure(verify_s, "lower", "s", GOAL_S),
        "verify_10k_mb": Figure(len(bundle) / 1e6, "lower", "MB"),
        "verify_hashing_share": Figure(hashing_s / verify_s, "higher", "ratio"),
        "verify_10k_command_s": Figure(min(_commanded(bundle) for _ in range(repetitions)), "lower", "s"),
        "verify_study_ms_per_record": Figure(_study_ms(250 if quick else 2500), "lower", "ms"),
        "rescore_ms_per_answer": Figure(_rescored_ms(64 if quick else 1000), "lower", "ms"),
    }


def _study_ms(questions: int) -> float:
    """Milliseconds a record of a study of four runs: their bundles, and table and verdict computed again."""
    study = PublishedSweep(0.2, 0.3, 0.4, questions=questions).publish()
    began = perf_counter()
    found = verify_study(study)
    seconds = perf_counter() - began
    if found.verdict != "verified" or found.questions != 4 * questions:
        raise SystemExit(f"the study does not hold: {found.failed}")
    return 1000 * seconds / found.questions


def _rescored_ms(answers: int) -> float:
    """Milliseconds an answer of `--rescore`, all 24 columns, once the encoder is loaded."""
    verifier = BundleVerifier(recorded_actions, rescore=Rescoring(own_scorer()))
    verifier.verify(MadeRun(questions=4).bundle())
    bundle = MadeRun(questions=answers, seed=2).bundle()
    began = perf_counter()
    plain = BundleVerifier(recorded_actions).verify(bundle)
    without = perf_counter() - began
    began = perf_counter()
    found = verifier.verify(bundle)
    seconds = perf_counter() - began - without
    # Its scores are made up by another scorer, so that none is compared; all are computed.
    if {plain.verdict, found.verdict} != {"verified"}:
        raise SystemExit(f"the bundle does not hold: {found.failed}")
    return 1000 * seconds / answers


def _verified(bundle: bytes) -> float:
    began = perf_counter()
    found = BundleVerifier(recorded_actions).verify(bundle)
    seconds = perf_counter() - began
    if found.verdict != "verified":
        raise SystemExit(f"the bundle does not hold: {found.failed}")
    return seconds


def _commanded(bundle: bytes) -> float:
    """`passer verify` from its start to its end, offline."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bundle.zip"
        path.write_bytes(bundle)
        began = perf_counter()
        subprocess.run([sys.executable, "-m", "passer", "verify", str(path)], check=True, stdout=subprocess.DEVNULL)
        return perf_counter() - began


def _hashed(members: dict[str, bytes]) -> float:
    """The hashing alone: leaves, tree, manifest, timings, and the local row of each entry."""
    lines = members["questions.jsonl"].splitlines()
    rows = members["entry.json"].split(b'{"entry":')[1:]
    began = perf_counter()
    root_of([leaf_hash(line) for line in lines])
    for part in (members["manifest.json"], members["timings.jsonl"], *rows):
        hashlib.sha256(part).digest()
    return perf_counter() - began
