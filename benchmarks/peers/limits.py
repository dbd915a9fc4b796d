"""What bounds scoring: the machine's matrix products, and the encoder's forward passes alone."""

from __future__ import annotations

import gc
import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any

from passer.adapters.encoders.bert import BertForward
from passer.adapters.encoders.files import embedded_folder, find_encoder
from passer.metrics.brt import combined_text

Pairs = Sequence[tuple[str, str]]
ENOUGH_S = 0.5
"""Short work is repeated for this long: one interruption must not decide a ratio."""


def seconds(work: Callable[[], object]) -> float:
    gc.collect()
    began = perf_counter()
    work()
    return perf_counter() - began


def quickest(work: Callable[[], object]) -> float:
    """Seconds of the best of two runs, after which caches are warm; of up to ten where they are short."""
    found = [seconds(work), seconds(work)]
    while len(found) < 10 and sum(found) < ENOUGH_S:
        found.append(seconds(work))
    return min(found)


def matmul_peak() -> float:
    """FLOP/s of 1024^3 products in float32 on two threads: the best of 20 rounds."""
    import torch

    torch.set_num_threads(2)
    left, right = torch.randn(1024, 1024), torch.randn(1024, 1024)
    rounds = [seconds(lambda: [left @ right for _ in range(10)]) for _ in range(20)]
    torch.set_num_threads(1)
    return 10 * 2 * 1024**3 / min(rounds)


def forward_passes(pairs: Pairs, *, only_needed: bool = False) -> tuple[float, float]:
    """Seconds and useful FLOPs of one pass for each distinct text, tokens ready, longest first, nothing else done.

    `only_needed` stops the combined texts, of which one vector is read, where ours stops; FLOPs are of whole passes.
    """
    import torch

    torch.set_num_threads(1)
    files = find_encoder(embedded_folder())
    forward = BertForward(files, max_tokens=512, precision=torch.float32)
    combined = {combined_text(reference=reference, answer=answer) for reference, answer in pairs}
    texts = dict.fromkeys([text for pair in pairs for text in pair] + sorted(combined))
    work = [(forward.tokens(text)[0], only_needed and text in combined) for text in texts]
    work.sort(key=lambda each: len(each[0]), reverse=True)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0)), initializer=lambda: torch.set_num_threads(1)) as pool:

        def run() -> None:
            deque(pool.map(lambda each: forward.states(each[0], layer=6, first_only=each[1]), work), maxlen=0)

        return seconds(run), sum(_flops(len(ids), files.config) for ids, _ in work)


def _flops(tokens: int, config: dict[str, Any]) -> float:
    width, inner, layers = config["hidden_size"], config["intermediate_size"], config["num_hidden_layers"]
    return float(layers * (tokens * 2 * (4 * width**2 + 2 * width * inner) + 4 * tokens**2 * width))
