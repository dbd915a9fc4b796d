"""Ratings of passages where a collection is deleted and its documents are read anew."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from passer.adapters.splitter import RecursiveSplitter
from passer.adapters.store.retrieval_inputs import DatabaseRetrievalInputs
from passer.domain.dataset import Dataset, Question
from passer.domain.retrieval.inputs import StoredQrels, StoredRun
from passer.domain.retrieval.passages import Chunking, Document
from passer.domain.retrieval.report import QuestionRequest, RetrievalRequest
from passer.services.judging.passage_ratings import PassageRating, PassageRatings
from passer.services.pipeline.retrieval_evaluation import RetrievalEvaluation
from tests.fakes import FakeClock, FakeCollections, FakeIndex
from tests.services.judging.made import Judged

TEXTS = ("Clover covers 10 m2 of soil.", "Bees need nectar and pollen.", "Hens need grit and water.")
GRADES = "farm by people"


class Desk:
    """A dataset of one question, a collection of one document, and their ratings."""

    def __init__(self, database: str) -> None:
        stores = Judged(database)
        question = Question(id="q", text="What do bees need?", reference="Nectar.")
        stores.store.save_dataset(Dataset(name="farm", questions=(question,)))
        self.collections = FakeCollections()
        self.inputs = DatabaseRetrievalInputs(stores.store.database)
        self.ratings = PassageRatings(
            datasets=stores.store,
            collections=self.collections,
            labels=stores.labels,
            inputs=self.inputs,
            clock=FakeClock(),
        )
        self.evaluation = RetrievalEvaluation(stores.store, self.collections, self.inputs, lambda _: {})

    def read(self, *texts: str, reader: str | None, collection: str = "farm") -> list[str]:
        """Read the document as these paragraphs into a collection, and return the ids of its passages."""
        digest = hashlib.sha256(b"%PDF").hexdigest()
        document = Document(name="farm.pdf", digest=digest, text="\n\n".join(texts), reader=reader)
        passages = RecursiveSplitter().split(document, Chunking(chunk_size=30, chunk_overlap=0))
        binding = FakeIndex(collection, []).collection
        self.collections.add(binding, document, passages, np.ones((len(passages), 4), dtype=np.float32))
        return [each.id for each in passages]

    def deleted(self) -> None:
        self.ratings.keep_graded("farm")
        self.collections.delete("farm")

    def rate(self, passage: str, grade: int, rater: str = "ana", collection: str = "farm") -> None:
        given = {"dataset": "farm", "question_id": "q", "collection": collection, "passage_id": passage}
        self.ratings.rate(PassageRating(**given, grade=grade, rater=rater))

    def grades(self, collection: str = "farm") -> dict[str, int]:
        return self.ratings.of_question("farm", "q", collection).grades


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(f"sqlite:///{tmp_path / 'a.sqlite3'}")


def test_ratings_apply_to_the_same_texts_of_a_document_that_is_read_anew(desk: Desk) -> None:
    soil, bees, hens = desk.read(*TEXTS, reader=None)
    for passage, grade in ((soil, 2), (bees, 3), (hens, 0)):
        desk.rate(passage, grade)
    desk.deleted()
    changed, same, also = desk.read("Clover covers 10 m\u00b2 of soil.", *TEXTS[1:], reader="pdf-2")
    assert not {soil, bees, hens} & {changed, same, also}
    assert desk.grades() == {same: 3, also: 0}
    request = RetrievalRequest(dataset="farm", collection="farm", ks=(3,), qrels=GRADES)
    report = desk.evaluation.evaluate(request)
    assert report.grades == {"q": {same: 3, also: 0}}
    assert {each.name: each.mean for each in report.rankings[0].figures}["R@3"] == 1.0
    [warning] = [each for each in report.warnings if "no passage of collection" in each]
    assert warning.startswith("1 relevance grade in farm by people applies to no passage of collection farm")
    asked = QuestionRequest(dataset="farm", collection="farm", ks=(3,), qrels=GRADES, question_id="q")
    [ranking] = desk.evaluation.side_by_side(asked)
    assert {each.passage.id: each.grade for each in ranking.passages} == {changed: 0, same: 3, also: 0}


def test_a_text_that_is_rated_again_has_the_ratings_of_both_ids(desk: Desk) -> None:
    before = desk.read(*TEXTS, reader=None)[1]
    desk.rate(before, 3, "ana")
    desk.rate(before, 3, "eva")
    desk.deleted()
    now = desk.read(*TEXTS, "More.", reader="pdf-2")[1]
    desk.rate(now, 0, "ivo")
    # The lower median of 0, 3 and 3; that of the new rating alone is 0.
    assert desk.grades() == {now: 3}
    desk.rate(now, 1, "ana")
    desk.rate(now, 1, "eva")
    assert desk.grades() == {now: 1}, "a rater's newest rating counts, also of another id"


def test_ratings_apply_to_the_same_texts_in_a_new_collection_beside_the_old_one(desk: Desk) -> None:
    before = desk.read(*TEXTS, reader=None)[1]
    desk.rate(before, 3)
    now = desk.read(*TEXTS, "More.", reader="pdf-2", collection="farm-2")[1]
    assert (desk.grades(), desk.grades("farm-2")) == ({before: 3}, {now: 3})
    desk.rate(now, 1, "eva", collection="farm-2")
    assert (desk.grades(), desk.grades("farm-2")) == ({before: 1}, {now: 1})


def test_an_imported_ranking_of_before_is_measured_by_the_same_texts(desk: Desk) -> None:
    soil, bees, hens = desk.read(*TEXTS, reader=None)
    desk.rate(bees, 3)
    desk.inputs.keep_passages(list(desk.collections.open("farm").passages()))
    desk.inputs.save(StoredRun(name="theirs", content={"q": [bees, soil, "doc-1", hens]}))
    desk.deleted()
    now = desk.read(*TEXTS[:2], "Goats need grit.", reader="pdf-2")[1]
    request = RetrievalRequest(dataset="farm", collection="farm", ks=(3,), qrels=GRADES, runs=("theirs",))
    report = desk.evaluation.evaluate(request)
    assert report.grades == {"q": {now: 3}}
    own, theirs = ({each.name: each.mean for each in one.figures}["R@3"] for one in report.rankings)
    assert (own, theirs) == (1.0, 1.0), "both found the rated text among three"
    assert {each.name: each.digest for each in report.inputs}["theirs"] == desk.inputs.list_inputs("run")[0].digest


def test_ratings_of_before_are_kept_when_a_collection_is_deleted(desk: Desk) -> None:
    before = desk.read(*TEXTS, reader=None)[1]
    desk.inputs.save(StoredQrels(name="a judge", content={"q": {before: 2}}))
    desk.deleted()
    now = desk.read(*TEXTS, "More.", reader="pdf-2")[1]
    request = RetrievalRequest(dataset="farm", collection="farm", ks=(3,), qrels="a judge")
    assert desk.evaluation.evaluate(request).grades == {"q": {now: 2}}


def test_names_of_other_systems_stay_and_are_not_counted_as_lost(desk: Desk) -> None:
    desk.read(*TEXTS, reader=None)
    desk.inputs.save(StoredQrels(name="theirs", content={"q": {"doc-1": 2}}))
    report = desk.evaluation.evaluate(RetrievalRequest(dataset="farm", collection="farm", ks=(3,), qrels="theirs"))
    assert report.grades == {"q": {"doc-1": 2}}
    assert not [each for each in report.warnings if "no passage of collection" in each]
    desk.deleted()


def test_a_repeated_text_keeps_the_grade_at_the_nearest_place(desk: Desk) -> None:
    texts = ("Rest the field this year.", TEXTS[1], "Rest the field this year.")
    last = desk.read(*texts, reader=None)[2]
    desk.rate(last, 2)
    desk.deleted()
    now = desk.read(*texts, "More.", reader="pdf-2")
    assert desk.grades() == {now[2]: 2}
