"""Runs as they lie in a store when they are finished, and their bundles: recorded nowhere, locally, or on a chain."""

from __future__ import annotations

import io
import random
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from passer.antelope.format.entries import entry_action
from passer.antelope.format.transactions import packed_transaction, transaction_id
from passer.domain.base import digest_of
from passer.domain.bundle.manifest import DescribedMachine, Surroundings
from passer.domain.dataset import Dataset, Question
from passer.domain.ledger.chain import ChainTransaction
from passer.domain.ledger.entry import ChainPlace, Entry, LocalPlace, Receipt
from passer.domain.models.answer import Answer, ModelTimings, Prompt
from passer.domain.models.chat import Message
from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.cuts import ScorePolicy
from passer.domain.retrieval.passages import Passage, Ranking, RetrievedPassage
from passer.domain.retrieval.retriever import RankedBy
from passer.domain.score import VECTOR_ORDER, Score, score_ranges
from passer.domain.sweeps.run import Evaluation, Run, RunConfig, RunState
from passer.domain.sweeps.sweep import Sweep
from passer.ports import AnswerFact, EvaluationFact, PairFact, PromptFact, RankingFact, StoredSweep
from passer.services.provenance.bundle_writer import BundleWriter
from passer.services.provenance.manifest_builder import ManifestBuilder
from tests.fake_store import MemoryStore
from tests.fakes import FakeClock, FakeCollections, FakeIndex, FakeTemplates, passages_of

Recorded = Literal["nowhere", "local", "chain", "chain, run alone"]
SWEEP_ID = "0123456789ab"
RUN_ID = f"{SWEEP_ID}-000"
CREATED = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
AROUND = Surroundings(
    software={"passer": "0.1.0", "python": "3.11.7"},
    code_commit="0" * 40,
    machine=DescribedMachine(system="Linux 6.1", architecture="x86_64", processor="A processor", cpu_count=2),
)
RANGES = {column: (low, min(high, 30.0)) for column, (low, high) in score_ranges("standard").items()}
"""Of the scores that are made up."""
TEXTS = ("clover fixes nitrogen from the air", "copper is limited to 28 kilograms", "bees fly three kilometres")
WORDS = ("clover", "nitrogen", "бобови", "大豆", "hive", "varroa", "copper", "🐝", "organic", "rotation", "soil")


def text(dice: random.Random, words: int) -> str:
    return " ".join(dice.choice(WORDS) for _ in range(words))


def question_ids(count: int) -> list[str]:
    """Plain ids, and in the first places those that need care in a table or in an entry's description."""
    odd = ["=1+1", 'say "so", twice', "въпрос 3", "x" * 200, "я" * 200, "two\nlines"]
    return [*odd[:count], *(f"q-{number:04d}" for number in range(len(odd), count))]


def weight_of(question: str) -> float:
    """A weight of 1, 2, 3 or 4 that follows from the id."""
    return 1.0 + sum(question.encode()) % 4


@dataclass
class MadeRun:
    """A finished run of so many questions: some scored, some answered only, some failed, odd numbers among them."""

    questions: int = 50
    seed: int = 1
    collection_is_known: bool = True
    password: str = ""
    odd_numbers: bool = True
    """Among them some that need an exponent, and one that no double holds."""
    plausible: bool = True
    """Scores in their columns' ranges, and passages that the configuration keeps."""
    clusters: bool = False
    """The dataset declares a cluster of each three questions."""
    weights: bool = False

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)
        self.store = MemoryStore(FakeClock())
        self.index = FakeIndex("books", passages_of(*TEXTS))
        ids = question_ids(self.questions)
        made = tuple(
            Question(
                id=key,
                text=f"{text(self.dice, 8)}?",
                reference=text(self.dice, 12),
                cluster=f"c{place // 3}" if self.clusters else None,
                weight=weight_of(key) if self.weights else None,
            )
            for place, key in enumerate(ids)
        )
        self.dataset = Dataset(name="farm", questions=made)
        self.store.save_dataset(self.dataset)
        self._save_sweep()
        passages = list(self.index.passages())
        for number, question in enumerate(made):
            self.store.record(self._facts(number, question, passages))

    @property
    def manifest_builder(self) -> ManifestBuilder:
        return ManifestBuilder(
            runs=self.store,
            evaluations=self.store,
            datasets=self.store,
            collections=FakeCollections(*([self.index] if self.collection_is_known else [])),
            templates=FakeTemplates(),
            surroundings=lambda: AROUND,
        )

    def bundle(
        self,
        recorded: Recorded = "nowhere",
        *,
        with_times: bool = False,
        post: Callable[[list[Entry]], Iterable[Receipt]] | None = None,
        texts: bool = True,
    ) -> bytes:
        """The bundle of the run, its entries posted by `post` or as the name says."""
        granularity = "run" if recorded == "chain, run alone" else "question"
        described = self.manifest_builder.described(RUN_ID, granularity, with_times=with_times)
        outbox = self.store.outbox
        if recorded != "nowhere":
            outbox.put_record(RUN_ID, described.record, ledger="local")
            waiting = outbox.entries(RUN_ID, ledger="local", limit=10**6)
            made = post or (local_receipts if recorded == "local" else chain_receipts)
            outbox.posted([item.number for item in waiting], list(made([item.entry for item in waiting])))
        with BundleWriter(self.manifest_builder, outbox, "local").bundle(RUN_ID, texts=texts) as stream:
            return stream.read()

    def _save_sweep(self) -> None:
        base_url = f"http://{self.password}127.0.0.1:11434"
        config = RunConfig(
            dataset="farm",
            collection="books",
            model=Model(provider="ollama", name="mistral:7b", base_url=base_url),
            retrieval=ScorePolicy(min_similarity=0.25),
        )
        run = Run(
            id=RUN_ID,
            sweep_id=SWEEP_ID,
            position=0,
            name="Score >= 0.25",
            config=config,
            state=RunState.FINISHED,
            model_info=ModelInfo(name="mistral:7b", digest="f" * 64, quantization="Q4_0", context_length=32768),
            scored_by={"encoder": "fake", "encoder_digest": "e" * 64, "meteor": "wordnet"},
            created_at=CREATED,
        )
        stored = StoredSweep(
            id=SWEEP_ID,
            sweep=Sweep(name="A sweep", config=config),
            dataset_digest=self.dataset.digest,
            questions=self.questions,
            runs=(run,),
            created_at=CREATED,
        )
        self.store.create_sweep(stored)

    def _facts(self, number: int, question: Question, passages: list[Passage]) -> list[object]:
        dice = self.dice
        near = sorted((dice.uniform(0.25 if self.plausible else -0.1, 1) for _ in passages), reverse=True)
        found = tuple(
            RetrievedPassage(**passage.model_dump(), rank=rank, similarity=similarity)
            for rank, (passage, similarity) in enumerate(zip(passages, near, strict=True), start=1)
        )
        ranking = Ranking(passages=found, embedding_s=dice.random() / 100, retrieval_s=1e-7 * number)
        prompt = Prompt(
            template="default", template_digest="d" * 64, messages=(Message(role="user", content=question.text),)
        )
        evaluation = Evaluation(
            run_id=RUN_ID,
            number=number,
            question_id=question.id,
            kept=(0, number % (len(passages) + 1)),
            prompt_digest=prompt.digest,
        )
        facts: list[object] = [RankingFact(SWEEP_ID, RankedBy("books"), question.id, ranking), PromptFact(prompt)]
        if number % 11 == 7:
            failed = {"state": "failed", "reason": "The model server took too long: raise the time-out."}
            return [*facts, EvaluationFact(evaluation.model_copy(update=failed))]
        answer = self._answer(number)
        moved = evaluation.model_copy(update={"state": "answered", "answer_key": answer.key})
        facts += [AnswerFact(answer), EvaluationFact(moved)]
        if number % 11 == 8:
            return facts
        scored = moved.model_copy(update={"state": "scored", "pair_key": digest_of(number)})
        return [*facts, PairFact(digest_of(number), self._scores(number), 0.01), EvaluationFact(scored)]

    def _answer(self, number: int) -> Answer:
        said = text(self.dice, 30) + ' "quoted"\n\tand a \\ and \x7f'
        timings = ModelTimings(
            total_duration_ns=self.dice.randrange(10**10),
            prompt_eval_count=self.dice.randrange(4000),
            eval_count=self.dice.randrange(500),
            eval_duration_ns=2**60 if number == 3 else self.dice.randrange(10**10),
        )
        return Answer(key=digest_of(["answer", number]), text=said, raw=said, timings=timings, generation_s=1.5)

    def _scores(self, number: int) -> dict[str, Score]:
        odd = {0: 1e-7, 1: 1.0, 2: -0.0, 3: 5e-05, 4: 12345678901234567890.0}
        ranges = RANGES if self.plausible else {}
        scores = {column: Score(value=self.dice.uniform(*ranges.get(column, (-1, 5)))) for column in VECTOR_ORDER}
        scores["BLEU"] = Score(value=0.5)
        if self.odd_numbers and number % 20 in odd:
            column = "Laplace Perplexity" if self.plausible and number % 20 == 4 else "BLEU"
            scores[column] = Score(value=odd[number % 20])
        if number % 5 == 4:
            scores["METEOR"] = Score(value=None, reason="no_tokens")
        if number % 7 == 2:
            scores["B-RT.average"] = Score(value=0.25, note="answer_cut_off")
        return scores


def members_of(bundle: bytes) -> dict[str, bytes]:
    """Contents by name, as the standard library finds them."""
    with zipfile.ZipFile(io.BytesIO(bundle)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def rebuilt(members: dict[str, bytes]) -> bytes:
    """A zip of the bundle's form with these contents, by the tables in docs/bundle.md: what a careful forger makes."""
    body, central = b"", b""
    for name, content in members.items():
        crc_and_sizes = struct.pack("<LLL", zlib.crc32(content), len(content), len(content))
        same = struct.pack("<HHHHH", 20, 0, 0, 0, 0x21) + crc_and_sizes + struct.pack("<HH", len(name), 0)
        where = struct.pack("<HHHLL", 0, 0, 0, 0x81A40000, len(body))
        central += b"PK\x01\x02" + struct.pack("<H", 0x0314) + same + where + name.encode()
        body += b"PK\x03\x04" + same + name.encode() + content
    count = len(members)
    return body + central + b"PK\x05\x06" + struct.pack("<HHHHLLH", 0, 0, count, count, len(central), len(body), 0)


def local_receipts(entries: Iterable[Entry]) -> Iterable[Receipt]:
    """Rows 3, 4, ... of a local ledger, as ledger.md defines their digests."""
    previous = "ab" * 32
    for sequence, entry in enumerate(entries, start=3):
        row = {
            "sequence": sequence,
            "previous": previous,
            "recorded_at": "2026-01-02T03:04:05Z",
            "entry": entry.model_dump(mode="json"),
        }
        place = LocalPlace(sequence=sequence, previous=previous, digest=digest_of(row))
        previous = place.digest
        yield Receipt(entry=entry, recorded_at=CREATED, place=place)


def chain_receipts(entries: list[Entry], *, at_once: int = 20) -> Iterable[Receipt]:
    """In transactions of so many actions, each in a block of its own; nobody signed them."""
    for start in range(0, len(entries), at_once):
        batch, block = entries[start : start + at_once], 1000 + start
        transaction = ChainTransaction(
            expiration=CREATED + timedelta(seconds=60),
            ref_block_num=block - 1,
            ref_block_prefix=7,
            actions=tuple(entry_action(entry, contract="llmtest", creator="researcher1") for entry in batch),
        )
        packed = packed_transaction(transaction)
        for place, entry in enumerate(batch):
            yield Receipt(
                entry=entry,
                recorded_at=CREATED + timedelta(milliseconds=500),
                place=ChainPlace(
                    chain_id="c" * 64,
                    contract="llmtest",
                    creator="researcher1",
                    transaction_id=transaction_id(packed),
                    packed_transaction=packed.hex(),
                    signatures=("SIG_K1_nobody",),
                    action_index=place,
                    block_number=block,
                    block_id=f"{block:08x}" + "b" * 56,
                ),
            )
