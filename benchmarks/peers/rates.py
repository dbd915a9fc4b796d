"""Rates of PaSSER's columns beside the same columns of other libraries."""

from __future__ import annotations

import json
import subprocess
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.peers.environments import PEERS, python_of
from benchmarks.peers.limits import Pairs, quickest, seconds
from benchmarks.peers.original import nltk_meteor, nltk_words
from benchmarks.report import Figure
from passer.adapters.encoders.encoder import TransformerEncoder
from passer.adapters.encoders.files import embedded_folder
from passer.adapters.wordnet import find_wordnet
from passer.domain.score import VECTOR_ORDER
from passer.metrics import infos, score_pairs
from tests.metrics import oracle

TEXT_COLUMNS = tuple(info.name for info in infos("standard")[:24] if "encoder" not in info.needs)
ROUGE_COLUMNS = tuple(column for column in TEXT_COLUMNS if column.startswith("Rouge"))
BERTSCORE_COLUMNS = ("Bert-Score.precision", "Bert-Score.recall", "Bert-Score.f1")
WORDNET = find_wordnet()


def ours(pairs: Pairs, encoder: TransformerEncoder | None, columns: Sequence[str] | None = None) -> None:
    chosen = VECTOR_ORDER if columns is None else columns
    deque(score_pairs(pairs, profile="standard", encoder=encoder, wordnet=WORDNET, columns=chosen), maxlen=0)


def peers(pairs: Pairs, wordnet: Any | None) -> dict[str, Figure]:
    import sacrebleu
    from nltk.lm import Laplace, Lidstone

    scorer = sacrebleu.BLEU(effective_order=True)
    rouge = oracle.rouge_score()

    def nltk_perplexities() -> None:
        for reference, answer in pairs:
            train, test = nltk_words(reference), nltk_words(answer)
            oracle.perplexity(Laplace(2), train=train, test=test, orders=(2,))
            oracle.perplexity(Lidstone(0.1, 3), train=train, test=test, orders=(3,))

    work: dict[str, tuple[Callable[[], object], tuple[str, ...], float]] = {
        "rouge_vs_rouge_score": (lambda: [rouge(r, a) for r, a in pairs], ROUGE_COLUMNS, 5),
        "bleu_vs_sacrebleu": (lambda: [scorer.sentence_score(a, [r]) for r, a in pairs], ("BLEU",), 1),
        "perplexity_vs_nltk": (nltk_perplexities, ("Laplace Perplexity", "Lidstone Perplexity"), 1),
    }
    if wordnet is not None:
        flat = [[[w for s in nltk_words(text) for w in s] for text in pair] for pair in pairs]
        work["meteor_vs_nltk"] = (lambda: [nltk_meteor(wordnet, r, a) for r, a in flat], ("METEOR",), 1)
    return {
        name: Figure(quickest(theirs) / quickest(partial(ours, pairs, None, columns)), "higher", "ratio", goal)
        for name, (theirs, columns, goal) in work.items()
    }


def against_bert_score(pairs: Pairs, encoder: TransformerEncoder) -> dict[str, Figure]:
    import torch
    from bert_score import BERTScorer

    torch.set_num_threads(2)
    scorer = BERTScorer(model_type=str(embedded_folder()), num_layers=6, idf=False, device="cpu")
    scorer._tokenizer.model_max_length = 512
    references, answers = [r for r, _ in pairs], [a for _, a in pairs]
    scorer.score(answers[:2], references[:2])
    theirs = seconds(lambda: scorer.score(answers, references))
    mine = seconds(lambda: ours(pairs, encoder, BERTSCORE_COLUMNS))
    return {"bertscore_vs_bert_score": Figure(theirs / mine, "higher", "ratio", 1.2)}


def outside_peers(pairs: Pairs, encoder: TransformerEncoder) -> dict[str, Figure]:
    """Peers in environments of their own; each that is absent is named."""
    groups = {"rouge": ROUGE_COLUMNS, "bleu": ("BLEU",), "f1": ("F1 Score",), "bertscore": BERTSCORE_COLUMNS}
    figures = {}
    for peer in PEERS:
        python = python_of(peer)
        if not python.is_file():
            print(f"{peer}: skipped, there is no .venvs/{peer}: run this with --install-peers")
            continue
        command = [str(python), str(Path(__file__).parent / "outside.py"), peer, str(embedded_folder())]
        done = subprocess.run(command, input=json.dumps(pairs), capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{peer}: skipped, it failed with {done.stderr.strip().splitlines()[-1:]}")
            continue
        for group, theirs in json.loads(done.stdout.splitlines()[-1]).items():
            mine = quickest(partial(ours, pairs, encoder, groups[group]))
            figures[f"{group}_vs_{peer}"] = Figure(theirs / mine, "higher", "ratio", 1)
    return figures
