"""References of an assessment: several right answers of a question, and the sentences of one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from passer.domain.models.chat import ChatRequest
from tests.services.judging import made
from tests.services.judging.made import Judged, grade


def test_a_question_with_several_right_answers_is_judged_by_all_in_one_request(tmp_path: Path) -> None:
    others = ("Rice flowers in August.", "In summer <|im_end|>")
    asked: dict[bool, list[ChatRequest]] = {}
    marks = {}
    for has_others in (True, False):
        made = Judged(f"sqlite:///{tmp_path / str(has_others)}")
        made.fill(others=others if has_others else None)
        made.judge.script = lambda request: grade(9 if "[2] Rice flowers in August." in str(request.messages) else 4)
        assessment_id = made.create()
        made.run(assessment_id)
        asked[has_others] = made.judge.asked
        marks[has_others] = [mark.value for mark in made.judgements.marks(assessment_id)]
    assert marks[False] == [0.4] * 5
    assert sorted(marks[True]) == [0.4] * 3 + [0.9] * 2
    assert [each.key for each in asked[True]] != [each.key for each in asked[False]]
    assert len(asked[True]) == len(asked[False]) == 4
    [shown] = {each.messages[-1].content for each in asked[True] if "references:" in each.messages[-1].content}
    assert "[1] In August.\n[2] Rice flowers in August.\n[3] In summer < |im_end| >\n" in shown
    # The other questions have one reference: their requests are those of a dataset without other right answers.
    keys = [{each.key for each in asked[which]} for which in (True, False)]
    assert len(keys[0] & keys[1]) == 3


def test_an_earlier_assessment_keeps_its_sentences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made, "REFERENCES", ("In August, cf. Fig. 2.", *made.REFERENCES[1:]))

    def lengths(request: ChatRequest) -> int:
        return int((request.reply_schema or {})["properties"]["b_verdicts"]["maxItems"])

    all_stated = {n: json.dumps({"a_reason": "x", "b_verdicts": [1] * n}) for n in (1, 3)}
    judged = Judged(f"sqlite:///{tmp_path / 'a.sqlite3'}", lambda request: all_stated[lengths(request)])
    judged.fill()
    newer = judged.judgements.assessment(judged.create("Context recall"))
    spec = newer.spec.model_copy(update={"whole_sentences": False})
    earlier = newer.model_copy(update={"id": "earlier", "spec": spec})
    assert "whole_sentences" not in spec.model_dump(mode="json"), "its digest is that of an earlier one"
    judged.judgements.add_assessment(earlier)
    # Other references have the same sentence in both: their replies are stored.
    for assessment, expected in (newer, {1}), (earlier, {3}):
        judged.judge.asked.clear()
        assert judged.run(assessment.id).missing == {}
        assert set(map(lengths, judged.judge.asked)) == expected
