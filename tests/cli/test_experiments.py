"""Experiments of configs on a small collection: fixed and adaptive cuts, verified twice; ablations."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from tests.browser_verifier import by_the_browser, needs_node
from tests.cli.conftest import Ended
from tests.conftest import ROOT

NAMES = {
    "Top-k 5", "Top-k 3", "Top-k 10", "Similarity ≥ 0.40", "Similarity ≥ 0.50",
    "Relative ≥ 0.75", "Relative ≥ 0.85", "Relative ≥ 0.95", "Largest gap of 20",
}  # fmt: skip


def records_of(bundle: bytes) -> tuple[str, list[dict[str, Any]]]:
    """Return the name of a run with its records."""
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        name = json.loads(archive.read("manifest.json"))["run"]["name"]
        return name, [json.loads(line) for line in archive.read("questions.jsonl").splitlines()]


def kept_by_hand(name: str, similarities: np.ndarray) -> int:
    """What a cut keeps of a whole ranking, by its definition in docs/method.md."""
    kind, number = name.rsplit(" ", 1)
    if kind == "Top-k":
        return min(int(number), len(similarities))
    if kind == "Similarity ≥":
        return int((similarities >= float(number)).sum())
    if kind == "Relative ≥":
        return int((similarities >= float(number) * similarities[0]).sum())
    return int(np.argmax(similarities[:-1] - similarities[1:])) + 1


@needs_node
def test_fixed_and_adaptive_cuts_are_compared_and_verified(farm: Callable[..., Ended], tmp_path: Path) -> None:
    written = yaml.safe_load((ROOT / "configs" / "adaptive-cuts.yaml").read_text(encoding="utf-8"))
    experiment = tmp_path / "cuts.yaml"
    experiment.write_text(yaml.safe_dump({**written, "dataset": "farm", "collection": "farm"}), encoding="utf-8")
    done = farm("sweep", experiment, "--json")
    assert done.status == 0, done.err
    study = tmp_path / "study.zip"
    published = farm("publish", done.json["id"], "-o", study)
    assert published.status == 0, published.err
    assert farm("verify", study).status == 0
    with zipfile.ZipFile(study) as archive:
        records = dict(records_of(archive.read(each)) for each in archive.namelist() if each.startswith("runs/"))
    assert set(records) == NAMES
    # Top-k 10 keeps the whole ranking: the collection has fewer passages.
    whole = [np.array([each["similarity"] for each in record["passages"]]) for record in records["Top-k 10"]]
    assert all(2 < len(similarities) < 10 for similarities in whole)
    kept = {name: [len(record["passages"]) for record in of_run] for name, of_run in records.items()}
    assert kept == {name: [kept_by_hand(name, similarities) for similarities in whole] for name in NAMES}
    # An adaptive cut is no fixed one: it keeps another number for another question.
    assert len(set(kept["Relative ≥ 0.75"])) > 1
    (found,) = by_the_browser([study.read_bytes()], tmp_path)
    assert found
    assert found["verdict"] == "verified"


@pytest.mark.soak
def test_ablations_of_splitting_and_hardware_run_as_their_files_say(
    farm: Callable[..., Ended], home: Path, tmp_path: Path
) -> None:
    def swept(name: str, **changes: object) -> dict[str, Any]:
        written = yaml.safe_load((ROOT / "configs" / name).read_text(encoding="utf-8"))
        experiment = tmp_path / name
        experiment.write_text(yaml.safe_dump({**written, **changes}), encoding="utf-8")
        done = farm("sweep", experiment, "--json")
        assert done.status == 0, done.err
        found: dict[str, Any] = done.json
        return found

    own = {"dataset": "farm", "collection": "farm", "model": "extractive"}
    sizes = {256: 0, 512: 50, 1024: 50, 2048: 100}
    for size, overlap in sizes.items():
        farm("ingest", f"farm-{size}-{overlap}", home / "documents", "--chunk-size", size, "--chunk-overlap", overlap)
    split = swept("ablation-chunking.yaml", **own)
    collections = [run["config"]["collection"] for run in farm("show", split["id"], "--json").json["runs"]]
    assert {name: collections.count(name) for name in collections} == {
        f"farm-{size}-{overlap}": 4 for size, overlap in sizes.items()
    }
    timed = swept("ablation-hardware.yaml", **own, timing={"warm_up": 1}, questions=3)
    times = farm("timings", timed["id"], "--json")
    assert times.status == 0, times.err
    assert len(timed["runs"]) == 3
