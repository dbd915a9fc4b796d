"""`passer demo`: an extractive reader and a language model answer, each with its table and verdict."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.local_model import with_model

pytestmark = [*with_model, pytest.mark.soak, pytest.mark.timeout(1200)]


def test_the_demo_runs_both_readers_and_prints_one_answer_whole(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "passer", "demo", "--questions", "20"]
    environment = {**os.environ, "PASSER_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = done.stderr
    first, second = said.index("1. The extractive reader"), said.index("2. SmolLM2-135M")
    assert first < second
    assert "It is not a language model" in said
    assert "far too small to answer well" in said
    assert "Similarity ≥ 0.70" in done.stdout
    # One prompt with its passages, what the model answered, and what should have been said.
    prompt, answer, reference = said.index("--- system"), said.index("--- answer"), said.index("--- reference")
    assert second < prompt < answer < reference
    assert said[answer + len("--- answer") : reference].strip()
