"""Header of a GGUF file: what a model is and how much memory it needs, read without loading it.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md (version 2 and 3, little endian).
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from passer.domain.models.model import MOST_OF_LICENCE, ModelInfo
from passer.domain.wording.sentence import sentence
from passer.errors import ConfigError

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
"""struct formats by the format's type number."""
_STRING, _ARRAY = 8, 9
_MOST_ENTRIES = 100_000
_LONGEST_STRING = 64 * 1024 * 1024
_BYTES_PER_CACHED_VALUE = 2
"""llama.cpp stores keys and values as 16-bit floats by default."""
_QUANTISATIONS = {
    0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1", 10: "Q2_K", 11: "Q3_K_S", 12: "Q3_K_M",
    13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S", 17: "Q5_K_M", 18: "Q6_K", 19: "IQ2_XXS", 20: "IQ2_XS",
    21: "Q2_K_S", 22: "IQ3_XS", 23: "IQ3_XXS", 24: "IQ1_S", 25: "IQ4_NL", 26: "IQ3_S", 27: "IQ3_M", 28: "IQ2_S",
    29: "IQ2_M", 30: "IQ4_XS", 31: "IQ1_M", 32: "BF16", 36: "TQ1_0", 37: "TQ2_0", 38: "MXFP4",
}  # fmt: skip
"""`general.file_type`, as llama.h numbers it."""


@dataclass(frozen=True)
class Weights:
    """A GGUF file with the values of its header."""

    path: Path
    name: str
    """Name of the model in PaSSER."""
    header: dict[str, Any]
    """Metadata without arrays, whose place their length takes."""
    size_bytes: int

    @property
    def architecture(self) -> str:
        """Architecture family; the prefix of most entries."""
        return str(self.header.get("general.architecture", "unknown"))

    @property
    def context_length(self) -> int | None:
        """Longest context that the model was trained for, in tokens."""
        return self._number("context_length")

    @property
    def cache_bytes_per_token(self) -> int:
        """Memory of keys and values for one token of context; an upper bound where layers share or slide."""
        heads = self._number("attention.head_count") or 1
        shared = self._number("attention.head_count_kv") or heads
        size = (self._number("embedding_length") or 0) // heads
        key, value = self._number("attention.key_length") or size, self._number("attention.value_length") or size
        return (self._number("block_count") or 0) * shared * (key + value) * _BYTES_PER_CACHED_VALUE

    def info(self, digest: str, *, engine: str, for_trials: bool) -> ModelInfo:
        """Return the description that a run records."""
        template = str(self.header.get("tokenizer.chat_template", ""))
        return ModelInfo(
            name=self.name,
            digest=digest,
            family=self.architecture,
            parameter_size=self.header.get("general.size_label"),
            quantization=_QUANTISATIONS.get(self.header.get("general.file_type", -1)),
            context_length=self.context_length,
            size_bytes=self.size_bytes,
            engine=engine,
            licence=self._text("general.license"),
            template_digest=hashlib.sha256(template.encode()).hexdigest(),
            for_trials=for_trials,
        )

    def _text(self, name: str) -> str | None:
        value = self.header.get(name)
        return value.strip()[:MOST_OF_LICENCE] or None if isinstance(value, str) else None

    def _number(self, name: str) -> int | None:
        value = self.header.get(f"{self.architecture}.{name}")
        return value if isinstance(value, int) and value > 0 else None


def read_weights(path: Path, *, name: str) -> Weights:
    """Read a file's header; ConfigError if it is not a GGUF file or ends too early."""
    try:
        with path.open("rb") as file:
            return Weights(path=path, name=name, header=_header(file), size_bytes=path.stat().st_size)
    except OSError as exc:
        raise ConfigError(sentence("local.unreadable", file=path.name, said=exc.strerror or str(exc))) from exc
    except (ValueError, struct.error, RecursionError) as exc:
        raise ConfigError(sentence("local.not-gguf", file=path.name)) from exc


def file_digest(path: Path) -> str:
    """Return the SHA-256, hex, of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _header(file: BinaryIO) -> dict[str, Any]:
    if file.read(4) != b"GGUF":
        raise ValueError("no GGUF magic")
    version, _, entries = _unpacked(file, "<IQQ")
    if version not in (2, 3) or entries > _MOST_ENTRIES:
        raise ValueError("unknown version or damaged header")
    return {_string(file): _value(file, *_unpacked(file, "<I")) for _ in range(entries)}


def _value(file: BinaryIO, kind: int) -> Any:
    if kind == _STRING:
        return _string(file)
    if kind == _ARRAY:
        return _skipped(file)
    if kind not in _SCALARS:
        raise ValueError(f"unknown type {kind}")
    return _unpacked(file, f"<{_SCALARS[kind]}")[0]


def _skipped(file: BinaryIO) -> int:
    """Skip an array; returns its length, or its largest number where layers differ (head counts of some models)."""
    kind, length = _unpacked(file, "<IQ")
    if kind in (_STRING, _ARRAY):
        for _ in range(length):
            _value(file, kind)
        return int(length)
    if kind not in _SCALARS:
        raise ValueError(f"unknown type {kind}")
    values = _unpacked(file, f"<{length}{_SCALARS[kind]}") if length <= _MOST_ENTRIES else ()
    if not values:
        file.seek(length * struct.calcsize(_SCALARS[kind]), 1)
    return int(max(values)) if values and kind in (4, 5) else int(length)


def _string(file: BinaryIO) -> str:
    (length,) = _unpacked(file, "<Q")
    if length > _LONGEST_STRING:
        raise ValueError("damaged string")
    data = file.read(length)
    if len(data) < length:
        raise ValueError("the file ends in its header")
    return data.decode("utf-8", "replace")


def _unpacked(file: BinaryIO, layout: str) -> tuple[Any, ...]:
    return struct.unpack(layout, file.read(struct.calcsize(layout)))
