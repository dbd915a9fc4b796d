"""Reference perplexity as a column of an assessment: what is measured, what is shared, and why a value is missing."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from passer.domain.judging.item import Item
from passer.domain.judging.recipe import Finding, Findings, Recipe
from passer.domain.models.chat import ChatRequest, LogProbabilities
from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import GenerationError, InputError
from passer.metrics.judged import families_of
from passer.services.judging import assessments
from passer.services.judging.assessments import AssessmentRequest
from passer.services.judging.labelling import LabelDrawRequest
from tests.services.judging.made import JUDGE, REFERENCES, Judged

COLUMN = "Reference perplexity"


def measured(request: ChatRequest) -> str:
    """Each token has the probability 1/2; 1/8 where two passages are read, so that the runs differ."""
    passages = request.messages[1].content.count("[")
    return LogProbabilities(values=(math.log(1 / (8 if passages > 1 else 2)),) * 3, prompt="chat").model_dump_json()


def test_the_reference_is_measured_after_question_and_passages(judged: Judged) -> None:
    judged.judge.script = measured
    report = judged.run(judged.create(COLUMN))
    assert report.missing == {}
    for request in judged.judge.asked:
        system, user, reply = request.messages
        assert (system.role, user.role, reply.role) == ("system", "user", "assistant")
        assert reply.content in REFERENCES
        assert "\n\npassages:\n<<<" in user.content
        assert "\n\nquestion:\n<<<" in user.content
        assert (request.measures, request.reply_schema) == (True, None)
    (assessment,) = judged.judgements.assessments()
    values = {round(mark.value or 0, 9) for mark in judged.judgements.marks(assessment.id)}
    assert values == {2, 8}
    # It was measured once for each question and set of passages, and a second assessment measures nothing.
    assert len({(*request.messages,) for request in judged.judge.asked}) == len(judged.judge.asked)
    asked = len(judged.judge.asked)
    judged.run(judged.create(COLUMN))
    assert len(judged.judge.asked) == asked


def test_a_server_without_log_probabilities_costs_values_and_stops_nothing(judged: Judged) -> None:
    said = sentence("server.no-logprobs", server="http://x", model="judge")
    judged.judge.script = lambda _: GenerationError(said, reason="rejected")
    report = judged.run(judged.create(COLUMN))
    assert (report.marks, report.missing) == (report.marks, {"no_logprobs": report.marks})
    assert report.marks == 5
    # Nothing of it is kept: on another server of the same name the values are measured.
    judged.judge.script = measured
    assert judged.run(judged.create(COLUMN)).missing == {}


def test_a_recipe_that_asks_nobody_is_warned_of_nothing(judged: Judged, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = JUDGE.model_copy(update={"provider": "ollama", "name": "mistral:7b"})
    request = AssessmentRequest(target="sweep", judge=judge, columns=("Answer correctness",))
    assert len(judged.assessments.plan(request).warnings) == 1, "it would judge its own answers"

    def asking_nobody(item: Item) -> Recipe[Findings]:
        return (Finding(value=float(len(item.answer))),)
        yield

    silent = tuple(replace(each, tasks=(), make=asking_nobody) for each in families_of(request.columns))
    monkeypatch.setattr(assessments, "families_of", lambda *_, **__: silent)
    assert judged.assessments.plan(request).warnings == ()


def test_the_plan_warns_of_ollama_and_not_of_a_model_that_measures_its_own_answers(judged: Judged) -> None:
    def warnings(provider: str, *columns: str) -> list[str]:
        judge = JUDGE.model_copy(update={"provider": provider, "name": "mistral:7b"})
        request = AssessmentRequest(target="sweep", judge=judge, columns=columns)
        found = judged.assessments.plan(request).warnings
        return [said.message.code for said in found if isinstance(said, Sentence) and said.message]

    assert warnings("openai", COLUMN) == []
    assert warnings("ollama", COLUMN) == ["judging.no-logprobs"]
    assert "judging.same-model" in warnings("openai", COLUMN, "Answer correctness")
    # Nor do the results of one that only measures: nobody judged.
    judged.judge.script = measured
    for columns, count in (((COLUMN,), 0), ((COLUMN, "Answer correctness"), 1)):
        made = judged.judgements.assessment(judged.create(*columns))
        weak = made.spec.judge_info.model_copy(update={"for_trials": True})
        spec = made.spec.model_copy(update={"judge_info": weak})
        judged.judgements.add_assessment(made.model_copy(update={"id": f"weak-{count}", "spec": spec}))
        found = [each.message.code for each in judged.results.table(f"weak-{count}").warnings if each.message]
        assert found.count("judging.trial-judge") == count


def test_people_cannot_rate_it_and_datasets_have_none(judged: Judged) -> None:
    judged.judge.script = measured
    assessment_id = judged.create(COLUMN)
    judged.run(assessment_id)
    with pytest.raises(InputError, match="no scale on which people could rate"):
        judged.labelling.draw(LabelDrawRequest(assessment=assessment_id, column=COLUMN, questions=2))
    with pytest.raises(InputError, match="compare"):
        judged.create(COLUMN, target=None, datasets=("farm",))
