"""Text encoders on local weights: one text per forward pass, as many passes at the same time as there are cores.

A padded batch wastes work on padding, and its rounding depends on the other texts of the batch. Here every pass encodes
one text on one thread, so that the vectors of a text are the same bytes whatever other texts are encoded, in which
order, and after a restart; torch releases the GIL inside its operators, so the passes of different texts run in
parallel. For that `torch.set_num_threads(1)` is called for the whole process: two levels of threads would compete for
the cores. On a GPU texts are batched (values within 1e-4 of the CPU's).
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from passer.adapters.encoders.files import (
    EMBEDDED_DIGEST,
    EMBEDDED_PACKAGE,
    EncoderFiles,
    embedded_folder,
    find_encoder,
)
from passer.domain.extras import requires_extra
from passer.domain.retrieval.passages import EMBEDDED, EmbeddingModel
from passer.domain.wording.sentence import sentence
from passer.errors import EncoderUnavailable
from passer.ports import TokenStates, Vectors

if TYPE_CHECKING:
    from torch import Tensor

    from passer.adapters.encoders.bert import BertForward
    from passer.adapters.encoders.general import GeneralForward

Precision = Literal["float32", "bfloat16"]
"""bfloat16 is faster on CPUs with instructions for it, and changes a cosine by up to .005."""


_AHEAD = 16
"""Texts in flight per thread while earlier ones are awaited; bounds memory."""
_SPECIAL = 2
"""[CLS] and [SEP] around a text."""
_GPU_WINDOW = 512
"""Texts sorted together on a GPU."""


def embedded_encoder(*, threads: int | None = None, precision: Precision = "float32") -> TransformerEncoder:
    """Return the encoder whose weights are installed with PaSSER; loading checks their digest."""
    return TransformerEncoder(
        embedded_folder(), name=EMBEDDED, expected_digest=EMBEDDED_DIGEST, threads=threads, precision=precision
    )


class TransformerEncoder:
    """An encoder from a local folder or the local model cache, loaded on first use. Thread-safe."""

    def __init__(
        self,
        path_or_name: str | Path,
        *,
        name: str | None = None,
        expected_digest: str | None = None,
        threads: int | None = None,
        max_tokens: int = 512,
        layer: int | None = None,
        precision: Precision = "float32",
    ) -> None:
        self._source = path_or_name
        self._name = name
        self._expected_digest = expected_digest
        self._threads = threads or usable_cores()
        self._max_tokens = max_tokens
        self._layer = layer
        self._precision: Precision = precision
        self._lock = Lock()
        self._files: EncoderFiles | None = None
        self._forward: BertForward | GeneralForward | None = None
        self._digest: str | None = None
        """Digest of the loaded weights: their files may be replaced while the process runs."""
        self._pool: ThreadPoolExecutor | None = None
        self._batched = False

    @property
    def model(self) -> EmbeddingModel:
        """Name (with the precision unless it is float32), digest of the weights, dimension."""
        files = self._find()
        name = files.name if self._precision == "float32" else f"{files.name}@{self._precision}"
        dimension = int(files.config.get("hidden_size") or files.config.get("dim") or 1)
        return EmbeddingModel(name=name, digest=self._digest or files.digest, dimension=dimension)

    @property
    def max_tokens(self) -> int:
        return min(self._max_tokens, int(self._find().config.get("max_position_embeddings") or self._max_tokens))

    @property
    def layer(self) -> int:
        return self._layer or self._find().bertscore_layer

    @property
    def device(self) -> str:
        """`cpu` or `cuda`."""
        import torch

        return "cuda" if torch.cuda.is_available() else "cpu"

    def warm(self) -> None:
        """Load the weights and run one pass, so that the first request does not wait for it."""
        self.sentence_vectors(["warm"])

    def close(self) -> None:
        """End the worker threads; a later call starts new ones."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool:
            pool.shutdown(wait=True, cancel_futures=True)

    def sentence_vectors(self, texts: Sequence[str]) -> Vectors:
        rows = [states.states.mean(axis=0, dtype=np.float64) for states in self.token_states(texts)]
        vectors = np.array(rows, dtype=np.float64).reshape(len(texts), self._load().dimension)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return (vectors / np.where(norms > 0, norms, 1)).astype(np.float32)

    def token_states(self, texts: Iterable[str], *, first_only: bool = False) -> Iterator[TokenStates]:
        forward = self._load()
        # OpenMP's thread count is per thread. The thread that uses the vectors multiplies them while the workers run.
        _one_torch_thread()
        if self._batched:
            return self._in_batches(forward, texts, first_only=first_only)
        return self._side_by_side(forward, texts, first_only=first_only)

    def _side_by_side(self, forward: Any, texts: Iterable[str], *, first_only: bool) -> Iterator[TokenStates]:
        pool, source = self._workers(), iter(texts)
        under_way: deque[Future[TokenStates]] = deque()
        try:
            for text in islice(source, _AHEAD * self._threads):
                under_way.append(pool.submit(self._one, forward, text, first_only))
            while under_way:
                states = under_way.popleft().result()
                for text in islice(source, 1):
                    under_way.append(pool.submit(self._one, forward, text, first_only))
                yield states
        finally:
            for future in under_way:
                future.cancel()

    def _one(self, forward: Any, text: str, first_only: bool) -> TokenStates:
        ids, truncated = forward.tokens(_encodable(text))
        last, chosen = forward.states(ids, layer=self.layer, first_only=first_only)
        return _token_states(last, chosen, truncated=truncated, unknown=_unknown(ids, forward.unknown_id))

    def _in_batches(self, forward: Any, texts: Iterable[str], *, first_only: bool) -> Iterator[TokenStates]:
        source = iter(texts)
        while window := [forward.tokens(_encodable(text)) for text in islice(source, _GPU_WINDOW)]:
            found: list[TokenStates | None] = [None] * len(window)
            for places in forward.batches([len(ids) for ids, _ in window]):
                states = forward.batch([window[place][0] for place in places], layer=self.layer)
                for place, (last, chosen) in zip(places, states, strict=True):
                    rows = slice(1) if first_only else slice(None)
                    ids, truncated = window[place]
                    unknown = _unknown(ids, forward.unknown_id)
                    found[place] = _token_states(last[rows], chosen[rows], truncated=truncated, unknown=unknown)
            yield from (states for states in found if states is not None)

    def _find(self) -> EncoderFiles:
        if self._files is None:
            self._files = find_encoder(self._source, self._name)
        return self._files

    def _workers(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._threads, "encoder", initializer=_one_torch_thread)
            return self._pool

    def _load(self) -> BertForward | GeneralForward:
        with self._lock:
            if self._forward is None:
                self._forward = self._loaded(self._find())
            return self._forward

    def _loaded(self, files: EncoderFiles) -> BertForward | GeneralForward:
        digest = files.digest
        if self._expected_digest and digest != self._expected_digest:
            raise EncoderUnavailable(sentence("vectors.other-weights", model=files.name, package=EMBEDDED_PACKAGE))
        with requires_extra("encoder", sentence("extra.encoder", name=files.name), EncoderUnavailable):
            forward = self._opened(files)
        self._digest = digest
        return forward

    def _opened(self, files: EncoderFiles) -> BertForward | GeneralForward:
        import torch
        from safetensors import SafetensorError

        from passer.adapters.encoders.bert import BertForward, is_plain_bert
        from passer.adapters.encoders.general import GeneralForward

        try:
            _one_torch_thread()
            precision, device = getattr(torch, self._precision), self.device
            self._batched = device != "cpu"
            if is_plain_bert(files) and not self._batched:
                return BertForward(files, max_tokens=self.max_tokens, precision=precision)
            return GeneralForward(files, max_tokens=self.max_tokens, precision=precision, device=device)
        except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as exc:
            raise EncoderUnavailable(sentence("encoder.not-loaded", folder=str(files.folder))) from exc


def usable_cores() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _one_torch_thread() -> None:
    import torch

    torch.set_num_threads(1)


def _encodable(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot encode, by question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _unknown(ids: Sequence[int], unknown_id: int | None) -> float:
    """Return the share of unknown tokens; 0 for a vocabulary of bytes, which encodes every text."""
    pieces = len(ids) - _SPECIAL
    return ids.count(unknown_id) / pieces if unknown_id is not None and pieces > 0 else 0.0


def _token_states(last: Tensor, chosen: Tensor, *, truncated: bool, unknown: float) -> TokenStates:
    states = last.float().numpy()
    same = last.data_ptr() == chosen.data_ptr()
    layer_states = None if same else chosen.float().numpy()
    return TokenStates(states=states, truncated=truncated, layer_states=layer_states, unknown=unknown)
