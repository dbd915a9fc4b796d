"""Any transformers model: one text at a time on a CPU, sorted and padded batches on a GPU."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING, Any

from passer.adapters.encoders.files import EncoderFiles

if TYPE_CHECKING:
    from torch import Tensor, dtype

_BATCH_TOKENS = 65_536
"""Tokens per padded batch on a GPU, padding included."""


class GeneralForward:
    """Computes hidden states by `transformers` with the model's own attention."""

    def __init__(self, files: EncoderFiles, *, max_tokens: int, precision: dtype, device: str) -> None:
        from transformers import AutoModel, AutoTokenizer

        self._model: Any = AutoModel.from_pretrained(files.folder, local_files_only=True, dtype=precision)
        self._model = self._model.eval().to(device)
        self._tokenizer: Any = AutoTokenizer.from_pretrained(files.folder, local_files_only=True)
        self.unknown_id: int | None = _unknown_id(self._tokenizer)
        self._max_tokens = max_tokens
        self._device = device
        # Fast tokenizers keep the last call's truncation as state: two threads in one raise "Already borrowed".
        self._lock = Lock()
        self.dimension = int(self._model.config.hidden_size)

    def tokens(self, text: str) -> tuple[list[int], bool]:
        """Return token ids with special tokens, and whether the text was cut."""
        with self._lock:
            ids: list[int] = self._tokenizer(text, truncation=False, verbose=False)["input_ids"]
            if len(ids) <= self._max_tokens:
                return ids, False
            cut: list[int] = self._tokenizer(text, truncation=True, max_length=self._max_tokens)["input_ids"]
            return cut, True

    def states(self, ids: Sequence[int], *, layer: int, first_only: bool) -> tuple[Tensor, Tensor]:
        """Return the states of the last layer and of `layer` for one text, without padding."""
        ((last, chosen),) = self.batch([ids], layer=layer)
        return (last[:1], chosen[:1]) if first_only else (last, chosen)

    def batches(self, lengths: Sequence[int]) -> Iterator[list[int]]:
        """Yield the places of the texts of each batch: longest first, with a limit on tokens including padding."""
        order = iter(sorted(range(len(lengths)), key=lambda place: (-lengths[place], place)))
        for first in order:
            room = max(1, _BATCH_TOKENS // max(1, lengths[first]))
            yield [first, *islice(order, room - 1)]

    def batch(self, batch: Sequence[Sequence[int]], *, layer: int) -> list[tuple[Tensor, Tensor]]:
        """Return the states of several texts from one padded pass, without padding, on the CPU."""
        import torch

        width = max(len(ids) for ids in batch)
        padding = self._tokenizer.pad_token_id or 0
        ids = torch.tensor([[*row, *[padding] * (width - len(row))] for row in batch], device=self._device)
        mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in batch], device=self._device)
        with torch.inference_mode():
            hidden = self._model(input_ids=ids, attention_mask=mask, output_hidden_states=True).hidden_states
        last, chosen = hidden[-1].cpu(), hidden[layer].cpu()
        return [(last[place, : len(row)], chosen[place, : len(row)]) for place, row in enumerate(batch)]


def _unknown_id(tokenizer: Any) -> int | None:
    """Return the id of an unknown token; None for a vocabulary of bytes, which names a special token instead."""
    unknown: int | None = tokenizer.unk_token_id
    others = {tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.bos_token_id, tokenizer.eos_token_id}
    return None if unknown in others else unknown
