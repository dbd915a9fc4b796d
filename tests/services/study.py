"""A small study on fakes: four passages, six questions, everything in memory."""

from __future__ import annotations

from dataclasses import dataclass, field

from passer.domain.dataset import Dataset, GoldPassage, Question
from passer.domain.ledger.of_run import Granularity
from passer.domain.manifest import DescribedMachine, Surroundings
from passer.domain.retrieval import NormalPolicy
from passer.domain.run import RunConfig
from passer.domain.sweep import Axes, Sweep
from passer.domain.timing.times import TimingPlan
from passer.ports import StoredSweep
from passer.services.answering import Answering
from passer.services.describing import Describing
from passer.services.recording import Recording
from passer.services.running import Running
from passer.services.steering import Steering
from passer.services.sweeping import Sweeping
from tests.fake_store import MemoryStore
from tests.fakes import (
    FakeClock,
    FakeCollections,
    FakeEngine,
    FakeGenerator,
    FakeIndex,
    FakeScorer,
    FakeTemplates,
    passages_of,
)

TEXTS = (
    "clover fixes nitrogen from the air",
    "copper is limited to 28 kilograms in seven years",
    "bees fly three kilometres from the hive",
    "hens go outside for a third of their life",
)
QUESTIONS = (
    "what fixes nitrogen",
    "how much copper is allowed",
    "how far do bees fly",
    "when do hens go outside",
    "what fixes nitrogen from the air",
    "zzz qqq",
)
SURROUNDINGS = Surroundings(
    software={"python": "3.11"},
    code_commit=None,
    machine=DescribedMachine(system="Linux", architecture="x86_64", processor=None, cpu_count=2),
)


@dataclass
class Study:
    """Services over fakes."""

    generator: FakeGenerator = field(default_factory=FakeGenerator)
    scorer: FakeScorer = field(default_factory=FakeScorer)
    tick_s: float = 0.001
    granularity: Granularity = "question"

    def __post_init__(self) -> None:
        self.clock = FakeClock(self.tick_s)
        self.store = MemoryStore(self.clock)
        self.index = FakeIndex("books", passages_of(*TEXTS))
        self.collections = FakeCollections(self.index)
        self.engines: list[FakeEngine] = []
        self.store.save_dataset(dataset())
        self.templates = FakeTemplates()
        self.answering = Answering(generator=lambda model: self.generator, templates=self.templates)
        self.sweeping = Sweeping(
            runs=self.store,
            evaluations=self.store,
            datasets=self.store,
            collections=self.collections,
            describe=self.answering.describe,
            templates=self.templates,
            scored_by=lambda: self.scorer.identity,
            clock=self.clock,
        )
        self.steering = Steering(runs=self.store, evaluations=self.store)
        self.describing = Describing(
            runs=self.store,
            evaluations=self.store,
            datasets=self.store,
            collections=self.collections,
            templates=FakeTemplates(),
            surroundings=lambda: SURROUNDINGS,
        )
        self.recording = Recording(
            runs=self.store,
            outbox=self.store.outbox,
            describing=self.describing,
            ledger="local",
            granularity=self.granularity,
        )
        self.running = Running(
            runs=self.store,
            leases=self.store,
            evaluations=self.store,
            datasets=self.store,
            collections=self.collections,
            answering=self.answering,
            scorer=self.scorer,
            engine=self._engine,
            recording=self.recording,
            clock=self.clock,
        )

    def _engine(self) -> FakeEngine:
        self.engines.append(FakeEngine(self.generator, self.scorer))
        return self.engines[-1]

    def create(self, *thresholds: float, timing: TimingPlan | None = None, **changes: object) -> StoredSweep:
        config = RunConfig(dataset="farm", collection="books", **changes)
        return self.sweeping.create(
            Sweep(
                name="Study",
                config=config,
                axes=Axes(min_similarity=thresholds),
                baseline=NormalPolicy(k=2),
                timing=timing,
            )
        )


def dataset() -> Dataset:
    """Six questions; the last is near nothing."""
    return Dataset(
        name="farm",
        questions=tuple(
            Question(
                id=f"q{number}",
                text=text,
                reference=TEXTS[number % 4],
                gold_passages=(GoldPassage(document="book.txt", quote=TEXTS[number % 4]),) if number < 5 else (),
            )
            for number, text in enumerate(QUESTIONS)
        ),
    )
