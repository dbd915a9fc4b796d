"""Studies of a sweep on fakes, and a forger who makes everything in one fit again."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator
from typing import Any

from passer.antelope.format.entries import recorded_actions
from passer.domain.base import canonical_json, digest_of
from passer.domain.bundle.members import seals_of
from passer.domain.bundle.verification import Verification
from passer.domain.canonical import read_canonical
from passer.domain.dataset import Dataset, GoldPassage, Question
from passer.domain.ledger.entry import Entry, Receipt
from passer.domain.models.chat import PromptSource
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.score import VECTOR_ORDER, Score, Scores
from passer.domain.study.document import digests_of
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.errors import GenerationError
from passer.ports import StoredSweep
from passer.services.analysis.sweep_results import SweepResults
from passer.services.provenance.bundle_verifier import BundleVerifier, Rescoring
from passer.services.provenance.bundle_writer import BundleWriter
from passer.services.provenance.published_study import Publication, StudyPublisher
from passer.services.provenance.study_composer import StudyComposer
from passer.services.provenance.verifier import Verifier
from passer.services.runs.run_browser import RunBrowser
from tests.browser_verifier import step_of
from tests.bundles import RANGES, local_receipts, members_of, rebuilt
from tests.fake_judged import ScriptedColumns
from tests.fake_models import FakeChatModel
from tests.fakes import FakeScorer
from tests.services.study import TEXTS, Study

Json = dict[str, Any]
QUESTIONS = 24
PUBLICATION = Publication(title='A "study"', authors=("Ada Lovelace",), licence="CC-BY-4.0")


class PlausibleScorer(FakeScorer):
    """Scores in the ranges of their columns, by the texts; some answers lack METEOR."""

    def _scores(self, reference: str, answer: str) -> Scores:
        dice = random.Random(f"{reference} {answer}")
        scores = {column: Score(value=dice.uniform(*RANGES[column])) for column in VECTOR_ORDER}
        if dice.random() < 0.1:
            scores["METEOR"] = Score(value=None, reason="no_tokens")
        return scores


class StubRecorder:
    """A local ledger that has each entry once."""

    def __init__(self) -> None:
        self.recorded: list[Entry] = []

    def record(self, entry: Entry) -> Receipt:
        self.recorded.append(entry)
        return next(iter(local_receipts([entry])))

    def receipt(self, entry: Entry) -> Receipt | None:
        return next(iter(local_receipts([entry]))) if entry in self.recorded else None


class PublishedSweep:
    """A finished sweep in memory and what publishes it."""

    def __init__(
        self,
        *thresholds: float,
        repeat: int = 1,
        fails: bool = False,
        reads_at_most: int | None = None,
        is_declared: bool = False,
        unanswered: int = 0,
        others: tuple[str, ...] = (),
        prepare: Callable[[Study], None] = lambda _: None,
        before: bool = False,
        questions: int = QUESTIONS,
        rated: int = 0,
        alike: bool = False,
        **changes: Any,
    ) -> None:
        def reply(source: PromptSource) -> str:
            if fails and source.question.endswith(" 7"):
                raise GenerationError("The prompt is too long.", reason="prompt_too_long")
            if reads_at_most is not None and len(source.passages) > reads_at_most:
                raise GenerationError("The prompt is too long.", reason="prompt_too_long")
            return f"{source.question} {' '.join(passage.text for passage in source.passages)}"

        self.study = Study(chat_model=FakeChatModel(reply), scorer=PlausibleScorer())
        store = self.study.store
        store.save_dataset(
            Dataset(name="farm", questions=tuple(_questions(questions, is_declared, unanswered, others)))
        )
        plain = Sweep(
            name="Study",
            config=RunConfig(dataset="farm", collection="books", questions=questions),
            axes=Axes(min_similarity=thresholds or (0.2, 0.4), repeat=repeat),
            baseline=NormalPolicy(k=2),
        )
        if before:
            self.study.running.run(self.study.planner.create(plain).id)
        prepare(self.study)
        self.sweep = self.study.planner.create(Sweep.model_validate({**plain.model_dump(), **changes}))
        self.study.running.run(self.sweep.id)
        browser = RunBrowser(runs=store, evaluations=store, datasets=store)
        columns = ScriptedColumns(store, store.load_dataset("farm").questions, rated=rated, alike=alike)
        self.recorder = StubRecorder()
        self.publisher = StudyPublisher(self.recorder)
        self.composer = StudyComposer(
            runs=store,
            sweep_results=SweepResults(browser, store, store, columns),
            bundle_writer=BundleWriter(self.study.manifest_builder, store.outbox, "local"),
            published_by="PaSSER test",
        )

    @property
    def stored(self) -> StoredSweep:
        """The sweep as it is now."""
        return self.study.store.load_sweep(self.sweep.id)

    def publish(self, *, record: bool = True, publication: Publication = PUBLICATION) -> bytes:
        with self.publisher.study(self.composer.compose(self.sweep.id, publication), record=record) as stream:
            return stream.read()


def _questions(count: int, is_declared: bool, unanswered: int, others: tuple[str, ...]) -> Iterator[Question]:
    """Questions, with clusters of some and weights of all if these are declared; the first ones have no reference.

    Each second one has `others` as other right answers.
    """
    words, dice = " ".join(TEXTS).split(), random.Random(1)
    for number in range(count):
        text = f"{' '.join(dice.sample(words, 5))} {number}"
        more = (
            {"cluster": f"c{number // 3}" if number < 12 else None, "weight": number % 3 + 0.5} if is_declared else {}
        )
        found = Question(id=f"q{number}", text=text, reference=TEXTS[number % 4], **more)
        found = found.model_copy(update={"other_references": others if number % 2 and others else None})
        gold = (GoldPassage(document="bees.txt", quote=found.reference),)
        yield found if number >= unanswered else found.model_copy(update={"reference": "", "gold_passages": gold})


def value_of(members: dict[str, bytes], name: str) -> Json:
    value: Json = read_canonical(members[name])
    return value


def resealed(members: dict[str, bytes], change: Callable[[Json], object] = lambda _: None) -> bytes:
    """The study with a change in study.json, digests of files and seals put right; nothing is recorded any more."""
    document = value_of(members, "study.json")
    document["files"] = digests_of({name: members[name] for name in document["files"]})
    change(document)
    document["design_digest"] = digest_of(document["design"])
    seals = seals_of(document)
    entry = {
        **value_of(members, "entry.json"),
        "manifest": seals,
        "run": "not recorded",
        "transactions": [],
        "seals": {"manifest": digest_of(seals)[:16]},
    }
    changed = {"study.json": canonical_json(document), "entry.json": canonical_json(entry)}
    return rebuilt({name: changed.get(name, content) for name, content in members.items()})


def without_entry(study: bytes) -> dict[str, bytes]:
    """The members that a forgery is about: `resealed` changes entry.json in any case."""
    return {name: content for name, content in members_of(study).items() if name != "entry.json"}


def with_verdict_changed(study: bytes, change: Callable[[Json], object]) -> bytes:
    """The study with another verdict.json, whose own digest is right."""
    members = members_of(study)
    document = value_of(members, "verdict.json")
    del document["digest"]
    change(document)
    members["verdict.json"] = canonical_json({**document, "digest": digest_of(document)})
    return resealed(members)


def with_run_forged(study: bytes, place: int, forge: Callable[[bytes], bytes]) -> bytes:
    """The study with the bundle of one of its runs made anew, and study.json made to fit."""
    members = members_of(study)
    name = [name for name in members if name.startswith("runs/")][place]
    members[name] = forge(members[name])
    digest = hashlib.sha256(members_of(members[name])["manifest.json"]).hexdigest()
    document = value_of(members, "verdict.json")
    run_id = name.removeprefix("runs/").removesuffix(".zip")
    for configuration in document["configurations"]:
        for run in configuration["runs"]:
            run["run_digest"] = digest if run["id"] == run_id else run["run_digest"]
    del document["digest"]
    members["verdict.json"] = canonical_json({**document, "digest": digest_of(document)})

    def renamed(value: Json) -> None:
        for run in value["runs"]:
            run["run_digest"] = digest if run["id"] == run_id else run["run_digest"]

    return resealed(members, renamed)


def verify_study(study: bytes, *, rescore: bool = False) -> Verification:
    """Verify a study as `passer verify` does; with plausible scores recomputed on wish."""
    again = Rescoring(PlausibleScorer()) if rescore else None
    return Verifier(BundleVerifier(recorded_actions, rescore=again)).verify(memoryview(study))


def told(found: Verification) -> dict[str, Any]:
    """Return what the page's verifier says in the same words."""
    return found.model_dump(mode="json", exclude={"steps"}) | {"steps": [step_of(step) for step in found.steps]}


def failed_steps(study: bytes, *, rescore: bool = False) -> list[str]:
    """Return the names of the checks that failed."""
    return [step.name for step in verify_study(study, rescore=rescore).failed]
