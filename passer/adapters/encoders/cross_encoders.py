"""Cross-encoders: sequence classifiers of `transformers` in folders of this machine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from passer.adapters.encoders.files import EncoderFiles, find_encoder
from passer.domain.extras import requires_extra
from passer.domain.retrieval.refinements import CrossEncoder
from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import ConfigError, ConflictError, EncoderUnavailable

LONGEST = 512
"""Tokens of question and passage together, where the model states no limit."""
WEIGHTS = "weights"


class CrossEncoders:
    """The cross-encoders of a folder, each loaded when it is first needed."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._loaded = cache(_Loaded)
        self._lock = Lock()

    def names(self) -> list[str]:
        """Return the names of the folders that contain a sequence classifier."""
        folders = sorted(self._folder.iterdir()) if self._folder and self._folder.is_dir() else []
        return [each.name for each in folders if (each / "config.json").is_file()]

    def pinned(self, by: CrossEncoder) -> CrossEncoder:
        return CrossEncoder(name=by.name, pins={WEIGHTS: self._files(by.name).digest})

    def scores(self, by: CrossEncoder, question: str, texts: Sequence[str]) -> list[float]:
        files = self._files(by.name)
        if by.pins and by.pins != {WEIGHTS: files.digest}:
            raise ConflictError(sentence("reranker.changed", name=by.name))
        # One at a time: passages of several sweeps would only compete for the cores.
        with self._lock:
            return self._loaded(files.folder, files.digest).scores(question, texts)

    def _files(self, name: str) -> EncoderFiles:
        if name not in self.names():
            raise ConfigError(self._unknown(name), field="retriever")
        assert self._folder is not None, "it has names"
        try:
            files = find_encoder(self._folder / name, name)
        except EncoderUnavailable as exc:
            raise ConfigError(exc.message, field="retriever") from exc
        # Other formats are pickles, which may run code when they are loaded.
        if any(path.suffix != ".safetensors" for path in files.weights):
            raise ConfigError(sentence("reranker.not-safetensors", name=name), field="retriever")
        return files

    def _unknown(self, name: str) -> Sentence:
        if self._folder is None:
            return sentence("reranker.no-folder", name=name)
        known = self.names()
        if not known:
            return sentence("reranker.none", name=name, folder=str(self._folder))
        return sentence("reranker.unknown", name=name, folder=str(self._folder), names=", ".join(known))


class _Loaded:
    """A cross-encoder in memory."""

    def __init__(self, folder: Path, digest: str) -> None:
        with requires_extra("encoder", sentence("extra.cross-encoder"), ConfigError):
            from transformers import AutoModelForSequenceClassification, AutoTokenizer
        given: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
        self._tokenizer: Any = AutoTokenizer.from_pretrained(folder, **given)
        model: Any = AutoModelForSequenceClassification.from_pretrained(folder, use_safetensors=True, **given)
        if model.config.num_labels != 1:
            labels = model.config.num_labels
            raise ConfigError(sentence("reranker.labels", name=folder.name, labels=labels), field="retriever")
        self._model = model.eval()
        # A tokenizer without a limit states a huge number.
        stated = (self._tokenizer.model_max_length, getattr(model.config, "max_position_embeddings", LONGEST))
        self._longest = min(LONGEST, *stated)

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return the logit of each pair. Each pair is one pass, so that its company cannot change its rounding."""
        import torch

        found = []
        for text in texts:
            pair = self._tokenizer(
                question, text, truncation="longest_first", max_length=self._longest, return_tensors="pt"
            )
            with torch.inference_mode():
                found.append(float(self._model(**pair).logits[0, 0]))
        return found
