"""Environments of their own for the peers that cannot be installed beside PaSSER: .venvs/NAME."""

from __future__ import annotations

import shutil
import subprocess
import venv
from pathlib import Path

from benchmarks.peers.texts import ROOT

PEERS = {
    "torchmetrics": ("torchmetrics==1.9.0", "torch==2.13.0", "transformers==5.23.0", "nltk", "sacrebleu==2.6.0"),
    # ragas 0.4.3 imports what langchain-community 0.4 no longer has.
    "ragas": ("ragas==0.4.3", "langchain-community<0.4", "sacrebleu==2.6.0", "rouge-score==0.1.2"),
}
"""What each is installed from."""


def python_of(peer: str) -> Path:
    """Its interpreter, there or not."""
    return ROOT / ".venvs" / peer / "bin" / "python"


def install(peer: str) -> None:
    """Make the environment unless it is there; where pip cannot, say so and leave nothing."""
    if python_of(peer).is_file():
        return
    print(f"Installing {peer} into .venvs/{peer} ...")
    folder = ROOT / ".venvs" / peer
    venv.create(folder, with_pip=True)
    command = [str(python_of(peer)), "-m", "pip", "install", "--quiet", *PEERS[peer]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        shutil.rmtree(folder)
        print(f"{peer}: pip cannot install it: {done.stderr.strip().splitlines()[-1:]}")
