"""Scoring: all 24 columns against the encoder's forward passes alone, the published procedure, and the peer libraries.

    python -m benchmarks.scoring [--quick] [--install-peers]

Pairs are real texts of the test data (PASSER_TEST_DATA, default ../shared/data), else of the examples. Peers that need
an environment of their own are looked for in .venvs/torchmetrics and .venvs/ragas; --install-peers makes them. The last
line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.peers.environments import PEERS, install
from benchmarks.peers.limits import Pairs, forward_passes, matmul_peak, seconds
from benchmarks.peers.original import original_procedure
from benchmarks.peers.rates import TEXT_COLUMNS, WORDNET, against_bert_score, ours, outside_peers, peers
from benchmarks.peers.texts import ROOT, real_pairs, short_pairs, swept_pairs
from benchmarks.report import Figure, report
from passer.adapters.encoders.encoder import TransformerEncoder, embedded_encoder
from passer.adapters.encoders.files import embedded_folder
from passer.domain.collector import collect_rarely
from passer.metrics import score_pairs
from tests.metrics import oracle

RECORDS_PER_PAIR = 4059 / 2069
"""Of a published sweep: evaluations over distinct (reference, answer) pairs."""
ROUNDS = 2
"""Times that each side of a ratio of the encoder's is run, by turns; the best of each counts."""


@dataclass(frozen=True)
class Sizes:
    """How many pairs each part gets."""

    all24: int
    original: int
    peers: int
    growth: tuple[int, ...]


FULL = Sizes(all24=240, original=20, peers=200, growth=(2_500, 5_000, 10_000, 20_000))
QUICK = Sizes(all24=24, original=4, peers=10, growth=(100, 200))
TEXT_PAIRS = 1_000
"""The same pairs in a quick run and a full one: the first 250 are a third slower, until their words are cached."""
TEXT_CHUNK = 50
TEXT_ROUNDS = 5
"""Fresh processes for the text columns, spread over the run; of each chunk of pairs the best counts.

Processor seconds of one process differ by half on a machine whose cores are shared, and only ever upwards: what
disturbs one chunk in one process leaves the same chunk alone in another, so that every run gives the same figure.
"""


# -- the figures -------------------------------------------------------------------------------------------------------


def against_limits(pairs: Pairs, encoder: TransformerEncoder) -> dict[str, Figure]:
    """The peak, the forward passes and all 24 columns by turns: what else the machine does falls on all alike."""
    ours([("One text.", "Another text.")], encoder)
    forward_passes(pairs[:2])
    peaks, whole, needed, all24 = [], [], [], []
    for _ in range(ROUNDS):
        peaks.append(matmul_peak())
        whole.append(forward_passes(pairs))
        all24.append(seconds(lambda: ours(pairs, encoder)))
        needed.append(forward_passes(pairs, only_needed=True)[0])
    peak, flops, forward = max(peaks), whole[0][1], min(taken for taken, _ in whole)
    return {
        "matmul_peak": Figure(peak / 1e9, "higher", "GFLOP/s"),
        "forward_passes": Figure(len(pairs) / forward, "higher", "pairs/s"),
        "forward_vs_matmul_peak": Figure(flops / forward / peak, "higher", "ratio", 0.70),
        "all24": Figure(len(pairs) / min(all24), "higher", "pairs/s"),
        "all24_vs_forward": Figure(forward / min(all24), "higher", "ratio", 0.92),
        "all24_vs_needed_forward": Figure(min(needed) / min(all24), "higher", "ratio"),
        "forward_flops_at_matmul_peak": Figure(len(pairs) * peak / flops, "higher", "pairs/s"),
    }


def against_original(
    pairs: list[tuple[str, str]], sizes: Sizes, wordnet: Any | None, encoder: TransformerEncoder
) -> dict[str, Figure]:
    """The published procedure on a sample of every length, and ours on all, by turns."""
    import torch

    score = original_procedure(embedded_folder(), wordnet)
    distinct, swept = pairs[: sizes.all24], swept_pairs(pairs, sizes.all24 // 2)
    repeated = [*swept, *swept[: round(len(swept) * (RECORDS_PER_PAIR - 1))]]

    def original(sample: Pairs) -> float:
        torch.set_num_threads(2)
        rate = len(sample) / seconds(lambda: [score(*pair) for pair in sample])
        torch.set_num_threads(1)
        return rate

    def rates(theirs: Pairs, mine: Pairs) -> tuple[float, float]:
        sample = _of_every_length(theirs, sizes.original)
        found = [(original(sample), len(mine) / seconds(lambda: ours(mine, encoder))) for _ in range(ROUNDS)]
        return max(rate for rate, _ in found), max(rate for _, rate in found)

    score(*pairs[0])
    (rate, all24), (swept_rate, sweep) = rates(distinct, distinct), rates(swept, repeated)
    return {
        "original_procedure": Figure(rate, "higher", "pairs/s"),
        "all24_vs_original": Figure(all24 / rate, "higher", "ratio", 6),
        "sweep_vs_original": Figure(sweep / swept_rate, "higher", "ratio", 12),
    }


def at_most(figures: Mapping[str, Figure]) -> Figure:
    """What `all24_vs_original` would be if nothing but the forward passes that are needed took time."""
    taken = figures["all24_vs_original"].value / figures["all24_vs_needed_forward"].value
    return Figure(taken, "higher", "ratio")


def _of_every_length(pairs: Pairs, count: int) -> Pairs:
    step = len(pairs) // count
    return sorted(pairs, key=lambda pair: len(pair[0]) + len(pair[1]))[step // 2 :: step]


def text_seconds(pairs: Pairs) -> list[float]:
    """Processor seconds of each chunk for the 14 columns that need no encoder; imports are done, nothing is cached.

    Python searches for cycles as seldom as in the program.
    """
    collect_rarely()
    ours([("One text.", "Another text.")], None, TEXT_COLUMNS)
    taken = []
    for start in range(0, len(pairs), TEXT_CHUNK):
        began = process_time()
        ours(pairs[start : start + TEXT_CHUNK], None, TEXT_COLUMNS)
        taken.append(process_time() - began)
    return taken


def text_columns(rounds: Sequence[Sequence[float]]) -> dict[str, Figure]:
    """The rate of one core, from the quickest round of each chunk."""
    taken = sum(min(chunk) for chunk in zip(*rounds, strict=True))
    return {"text14_one_core": Figure(TEXT_PAIRS / taken, "higher", "pairs/s", 300)}


def bfloat16(pairs: Pairs, encoder: TransformerEncoder) -> dict[str, Figure]:
    column = ("Cosine similarity",)
    fast = embedded_encoder(precision="bfloat16")
    fast.warm()
    found: dict[str, list[float]] = {}

    def run(name: str, by: TransformerEncoder) -> float:
        def work() -> None:
            scored = score_pairs(pairs, profile="standard", encoder=by, wordnet=None, columns=column)
            found[name] = [scores[column[0]].value or 0.0 for scores in scored]

        return seconds(work)

    speed = run("exact", encoder) / run("fast", fast)
    error = max(abs(left - right) for left, right in zip(found["exact"], found["fast"], strict=True))
    fast.close()
    return {
        "bf16_vs_fp32": Figure(speed, "higher", "ratio"),
        "bf16_largest_cosine_error": Figure(error, "lower", "cosine"),
    }


def growth(pairs: Pairs, sizes: Sizes, encoder: TransformerEncoder) -> dict[str, Figure]:
    """Processor time of a pair as the number grows, on short distinct texts, and the memory that it took."""
    made = short_pairs(list(pairs), sizes.growth[-1])
    each = []
    for count in sizes.growth:
        began = process_time()
        ours(made[:count], encoder)
        each.append((process_time() - began) / count)
        print(f"{count} short pairs: {each[-1] * 1000:.2f} ms of a core a pair")
    # Not getrusage's maximum: it keeps what the parent had when it started this process.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    peak = int(status.split("VmHWM:")[1].split()[0]) / 1024
    return {
        "cost_of_a_pair_last_vs_first": Figure(each[-1] / each[0], "lower", "ratio", 1.15),
        "memory": Figure(peak, "lower", "MB", 1500),
    }


# -- the run -----------------------------------------------------------------------------------------------------------


def in_fresh_process(part: str, quick: bool) -> Any:
    """Return what a part prints, of what others would disturb: what is imported or cached elsewhere does not count."""
    command = [sys.executable, "-m", "benchmarks.scoring", "--part", part, *(["--quick"] if quick else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    *lines, last = done.stdout.strip().splitlines()
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return json.loads(last)


def run_part(part: str, pairs: Pairs, sizes: Sizes) -> Any:
    if part == "text":
        return text_seconds(pairs[1 : TEXT_PAIRS + 1])
    encoder = embedded_encoder()
    ours([("One text.", "Another text.")], encoder)
    return {name: vars(figure) for name, figure in growth(pairs, sizes, encoder).items()}


def nltk_wordnet(folder: Path) -> Any | None:
    if WORDNET is None:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return oracle.nltk_wordnet(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a smaller run of about a minute")
    parser.add_argument("--part", choices=("text", "growth"), help=argparse.SUPPRESS)
    parser.add_argument("--install-peers", action="store_true", help="first make the environments of absent peers")
    arguments = parser.parse_args()
    sizes = QUICK if arguments.quick else FULL
    pairs = real_pairs(Path(os.environ.get("PASSER_TEST_DATA", ROOT / ".." / "shared" / "data")))
    if arguments.part:
        print(json.dumps(run_part(arguments.part, pairs, sizes)))
        return
    for peer in PEERS if arguments.install_peers else ():
        install(peer)
    text = [in_fresh_process("text", arguments.quick)]
    encoder = embedded_encoder()
    with tempfile.TemporaryDirectory() as folder:
        wordnet = nltk_wordnet(Path(folder))
        figures = against_limits(pairs[: sizes.all24], encoder)
        figures |= against_original(pairs, sizes, wordnet, encoder)
        figures["all24_vs_original_at_most"] = at_most(figures)
        text.append(in_fresh_process("text", arguments.quick))
        figures |= peers(pairs[: sizes.peers], wordnet)
        figures |= against_bert_score(pairs[: sizes.peers], encoder)
        figures |= outside_peers(pairs[: sizes.peers], encoder)
        figures |= bfloat16(pairs[: sizes.peers], encoder)
    grown = in_fresh_process("growth", arguments.quick)
    figures |= {name: Figure(**figure) for name, figure in grown.items()}
    text += [in_fresh_process("text", arguments.quick) for _ in range(TEXT_ROUNDS - len(text))]
    figures |= text_columns(text)
    report("scoring", figures)


if __name__ == "__main__":
    main()
