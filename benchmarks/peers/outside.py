"""Peers that cannot be installed beside PaSSER, run by the Python of their own environment (.venvs/NAME).

    .venvs/torchmetrics/bin/python benchmarks/peers/outside.py torchmetrics FOLDER_OF_THE_MODEL < pairs.json

The pairs come as JSON on stdin; seconds by column group go as JSON to stdout. Nothing of PaSSER is imported here.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from time import perf_counter

Pairs = list[tuple[str, str]]


def _timed(work: Callable[[], object]) -> float:
    """The best of two runs; of up to ten where they are short, as the other side of the ratio."""
    found: list[float] = []
    while len(found) < 2 or (len(found) < 10 and sum(found) < 0.5):
        began = perf_counter()
        work()
        found.append(perf_counter() - began)
    return min(found)


def torchmetrics(pairs: Pairs, folder: str) -> dict[str, float]:
    """Seconds of torchmetrics."""
    import torch
    from torchmetrics.functional.text import rouge_score, sacre_bleu_score, squad
    from torchmetrics.functional.text.bert import bert_score

    torch.set_num_threads(2)
    references, answers = [r for r, _ in pairs], [a for _, a in pairs]
    keys = ("rouge1", "rouge2", "rougeL")
    predicted = [{"prediction_text": a, "id": str(n)} for n, a in enumerate(answers)]
    wanted = [{"answers": {"answer_start": [0], "text": [r]}, "id": str(n)} for n, r in enumerate(references)]
    return {
        "rouge": _timed(lambda: [rouge_score(a, r, rouge_keys=keys) for r, a in pairs]),
        "bleu": _timed(lambda: [sacre_bleu_score([a], [[r]]) for r, a in pairs]),
        "f1": _timed(lambda: squad(predicted, wanted)),
        "bertscore": _timed(
            lambda: bert_score(
                answers, references, model_name_or_path=folder, num_layers=6, max_length=512, truncation=True
            )
        ),
    }


def ragas(pairs: Pairs, _folder: str) -> dict[str, float]:
    """Seconds of ragas' metrics that ask no language model."""
    import asyncio

    from ragas.dataset_schema import SingleTurnSample
    from ragas.metrics import BleuScore, RougeScore

    samples = [SingleTurnSample(reference=r, response=a) for r, a in pairs]

    def run(*metrics: object) -> None:
        async def all_samples() -> None:
            for metric in metrics:
                for sample in samples:
                    await metric.single_turn_ascore(sample)  # type: ignore[attr-defined]

        asyncio.run(all_samples())

    rouge = [
        RougeScore(rouge_type=kind, mode=mode)
        for kind in ("rouge1", "rougeL")
        for mode in ("recall", "precision", "fmeasure")
    ]
    return {"rouge": _timed(lambda: run(*rouge)), "bleu": _timed(lambda: run(BleuScore()))}


if __name__ == "__main__":
    peer = {"torchmetrics": torchmetrics, "ragas": ragas}[sys.argv[1]]
    print(json.dumps(peer([tuple(pair) for pair in json.load(sys.stdin)], sys.argv[2])))
