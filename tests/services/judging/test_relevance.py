"""Graded passages become relevance judgements that measures of retrieval can read."""

from __future__ import annotations

import pytest

from passer.adapters.trec import qrel_lines, read_qrels
from passer.domain.chat import ChatRequest
from passer.errors import InputError
from passer.services.judging.relevance import RelevanceReader
from tests.services.judging.made import Judged, grade

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
