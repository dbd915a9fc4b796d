"""A small study on fakes: four passages, six questions, everything in memory."""

from __future__ import annotations

from dataclasses import dataclass, field

from passer.domain.bundle.manifest import DescribedMachine, Surroundings
from passer.domain.dataset import Dataset, GoldPassage, Question
from passer.domain.ledger.of_run import Granularity
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.domain.timing.times import TimingPlan
from passer.ports import StoredSweep
from passer.services.pipeline.answerer import Answerer
from passer.services.provenance.manifest_builder import ManifestBuilder
from passer.services.provenance.run_recorder import RunRecorder
from passer.services.sweeps.control import SweepControl
from passer.services.sweeps.planner import SweepPlanner
from passer.services.sweeps.runner import SweepRunner
from tests.fake_models import FakeChatModel
from tests.fake_store import MemoryStore
from tests.fakes import FakeClock, FakeCollections, FakeEngine, FakeIndex, FakeScorer, FakeTemplates, passages_of

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

    chat_model: FakeChatModel = field(default_factory=FakeChatModel)
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
        self.answerer = Answerer(chat_model=lambda model: self.chat_model, templates=self.templates)
        self.planner = SweepPlanner(
            runs=self.store,
            evaluations=self.store,
            datasets=self.store,
            collections=self.collections,
            describe=self.answerer.describe,
            templates=self.templates,
            scored_by=lambda: self.scorer.identity,
            clock=self.clock,
        )
        self.control = SweepControl(runs=self.store, evaluations=self.store)
        self.manifest_builder = ManifestBuilder(
            runs=self.store,
            evaluations=self.store,
            datasets=self.store,
            collections=self.collections,
            templates=FakeTemplates(),
            surroundings=lambda: SURROUNDINGS,
        )
        self.run_recorder = RunRecorder(
            runs=self.store,
            outbox=self.store.outbox,
            manifest_builder=self.manifest_builder,
            ledger="local",
            granularity=lambda: self.granularity,
        )
        self.running = SweepRunner(
            runs=self.store,
            work=self.store.work,
            evaluations=self.store,
            datasets=self.store,
            collections=self.collections,
            answerer=self.answerer,
            scorer=self.scorer,
            engine=self._engine,
            run_recorder=self.run_recorder,
            clock=self.clock,
            previewed=self.planner.rankings,
        )

    def unfinished(self) -> list[str]:
        """Sweeps that go on by themselves."""
        return [work.id for work in self.store.work.waiting() if work.kind == "sweep"]

    def _engine(self) -> FakeEngine:
        self.engines.append(FakeEngine(self.chat_model, self.scorer))
        return self.engines[-1]

    def create(self, *thresholds: float, timing: TimingPlan | None = None, **changes: object) -> StoredSweep:
        config = RunConfig(dataset="farm", collection="books", **changes)
        return self.planner.create(
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
