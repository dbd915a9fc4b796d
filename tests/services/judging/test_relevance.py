"""Graded passages become relevance judgements that measures of retrieval can read."""

from __future__ import annotations

import pytest

from passer.adapters.trec import qrel_lines, read_qrels
from passer.domain.judging.marks import Label
from passer.domain.models.chat import ChatRequest
from passer.domain.retrieval.inputs import StoredQrels
from passer.errors import InputError
from passer.services.judging.relevance import QrelsRequest, RelevanceGrades, RelevanceReader
from tests.fake_retrieval_inputs import FakeRetrievalInputs
from tests.services.judging.made import NOW, Judged, grade

GRADES = {"Rice flowers": 2, "Maize is sown": 1, "Bees fly": 0}


def test_grades_of_passages_are_qrels(judged: Judged) -> None:
    def script(request: ChatRequest) -> str:
        text = request.messages[-1].content
        # The question comes first and the passage last.
        return grade(next(value for words, value in GRADES.items() if words in text.rpartition("passage")[2]))

    judged.judge.script = script
    created = judged.create("Passage relevance")
    judged.run(created)
    reader = RelevanceReader(judged.judgements, judged.items)
    found = reader.grades(created)
    # The first run reads one passage and the second one two; the last question has no answer in the second run.
    both = {"p0": 2, "p1": 1}
    assert found == {"q0": both, "q1": both, "q2": {"p0": 2}}
    assert read_qrels("".join(qrel_lines(found)).encode(), "judged.qrels") == found
    means = {cell.run_id: cell.mean for cell in judged.results.table(created).cells}
    assert means == {"sweep-000": 1.0, "sweep-001": pytest.approx(0.75)}


def test_an_assessment_without_grades_of_passages_is_refused(judged: Judged) -> None:
    created = judged.create()
    with pytest.raises(InputError, match="Judge with one of Passage relevance"):
        RelevanceReader(judged.judgements, judged.items).grades(created)


def rate(judged: Judged, run: str, number: int, *values: float) -> None:
    """Have a person for each value rate the passages of one answer."""
    [found] = judged.items.keys([run], number=number)
    judged.labels.add_labels(
        [
            Label(item_key=found.key, column="Passage relevance", rater=f"rater {n}", value=value, at=NOW)
            for n, value in enumerate(values)
        ]
    )


def test_ratings_of_people_are_grades_as_far_as_they_determine_them(judged: Judged) -> None:
    created = judged.create("Passage relevance")
    inputs = FakeRetrievalInputs()
    made = RelevanceGrades(RelevanceReader(judged.judgements, judged.items), judged.labels, inputs)
    with pytest.raises(InputError, match=r"No rating of assessment .* determines the grade of a passage"):
        made.of(created, by="people")
    # One passage: 0.5 of grade 2 is grade 1; the lower median of three people counts.
    rate(judged, "sweep-000", 0, 0.5, 1.0, 0.0)
    # Two passages: 0.5 may be 1 and 1, or 2 and 0; 1 is 2 and 2, but the passage that was rated alone keeps its grade.
    rate(judged, "sweep-001", 0, 1.0)
    rate(judged, "sweep-001", 1, 0.5)
    assert made.of(created, by="people") == {"q0": {"p0": 1, "p1": 2}}
    saved = made.save(created, QrelsRequest(by="people"))
    assert (saved.kind, saved.name, saved.entries) == ("qrels", "Passage relevance by people", 1)
    assert inputs.find(StoredQrels, saved.name).content == {"q0": {"p0": 1, "p1": 2}}


def test_grades_of_a_judge_are_saved_under_its_name(judged: Judged) -> None:
    judged.judge.script = lambda _: grade(2)
    created = judged.create("Passage relevance")
    made = RelevanceGrades(
        RelevanceReader(judged.judgements, judged.items), judged.labels, inputs := FakeRetrievalInputs()
    )
    with pytest.raises(InputError, match="has no grades of passages yet"):
        made.save(created, QrelsRequest())
    judged.run(created)
    assert made.save(created, QrelsRequest()).name == "Passage relevance by judge"
    assert made.save(created, QrelsRequest(name="mine")).name == "mine"
    assert [(each.name, each.judge) for each in made.listed("qrels")] == [
        ("Passage relevance by judge", "judge (uncalibrated)"),
        ("mine", "judge (uncalibrated)"),
    ]
    # What people say of an answer in another column says nothing about this one.
    [found] = judged.items.keys(["sweep-000"], number=0)
    rating = Label(item_key=found.key, column="Faithfulness", rater="Ana", value=0.5, at=NOW)
    judged.labels.add_labels([rating])
    assert {each.rated for each in made.listed("qrels")} == {0}
    rate(judged, "sweep-000", 0, 0.5, 1.0)
    assert [(each.rated, each.judge) for each in made.listed("qrels")] == [(1, "judge"), (1, "judge")]
    both = {"p0": 2, "p1": 2}
    assert inputs.find(StoredQrels, "mine").content == {"q0": both, "q1": both, "q2": {"p0": 2}}
