"""Key facts: a judge lists them, people choose among them, and answers are judged by the choice."""

from __future__ import annotations

import io
import json

import pytest

from passer.adapters.tables import table_readers, table_writers
from passer.domain.judging.assessment import AssessmentSpec
from passer.domain.judging.key_facts import KeyFact, QuestionFacts, facts_of_rows
from passer.domain.models.chat import ChatRequest
from passer.errors import DatasetError, InputError
from passer.services.judging.key_facts import KeyFactReader
from tests.services.judging.made import QUESTIONS, REFERENCES, Judged

LISTED = {"a_nuggets": [{"a_text": "In August", "b_importance": "vital"}, {"a_text": "Late", "b_importance": "okay"}]}


def reply(request: ChatRequest) -> str:
    instruction, *asked = (message.content for message in request.messages)
    if "List the key facts" in instruction:
        return "no" if "bees" in asked[0] else json.dumps(LISTED)
    return json.dumps({"a_reason": "x", "b_support": ["support"] * asked[0].count("[")})


@pytest.fixture
def reader(judged: Judged) -> KeyFactReader:
    judged.judge.script = reply
    return KeyFactReader(judged.judgements, judged.items, table_readers(), table_writers())


def test_people_choose_before_any_answer_is_judged(judged: Judged, reader: KeyFactReader) -> None:
    listing = judged.create("Nugget vital share")
    judged.run(listing)
    # Three questions of two runs: each is asked once, the one without a readable reply twice.
    assert len(judged.judge.asked) == 4
    found = reader.of(listing)
    assert [each.question for each in found.questions] == list(QUESTIONS[:2])
    assert found.right_answers == REFERENCES[:2]
    assert (found.unlisted, found.by_people) == (1, False)
    assert found.questions[0].facts[1] == KeyFact(text="Late", importance="okay")

    written = io.BytesIO()
    reader.write(listing, written, ".csv")
    edited = written.getvalue().decode().replace("okay,Late", "drop,Late", 1)
    chosen = reader.read(edited.encode(), "facts.csv")
    assert [len(each.facts) for each in chosen] == [1, 2]

    before = len(judged.judge.asked)
    own = judged.create("Nugget all", key_facts=chosen)
    judged.run(own)
    assert reader.of(own).by_people
    assert reader.of(own).questions == chosen
    asked = [each for each in judged.judge.asked[before:] if "List the key facts" in each.messages[0].content]
    assert not asked, "people chose, and that the third question has none is stored"
    values = {(mark.column, mark.value, mark.reason) for mark in judged.judgements.marks(own)}
    assert values == {
        ("Nugget all", 1.0, None), ("Nugget all strict", 1.0, None), ("Nugget vital", 1.0, None),
        ("Nugget vital strict", 1.0, None), ("Nugget weighted", 1.0, None),
        *((column, None, "not_json") for column in judged.judgements.assessment(own).spec.columns),
    }  # fmt: skip


def test_what_cannot_be_used_is_refused(judged: Judged, reader: KeyFactReader) -> None:
    facts = (QuestionFacts(question=QUESTIONS[0], facts=(KeyFact(text="In August", importance="vital"),)),)
    with pytest.raises(InputError, match="No metric uses these key facts"):
        judged.create("Answer correctness", key_facts=facts)
    with pytest.raises(ValueError, match="two lists"):
        judged.create("Nugget all", key_facts=facts * 2)
    with pytest.raises(InputError, match="lists no key facts"):
        reader.of(judged.create("Answer correctness"))
    with pytest.raises(InputError, match=r"Use one of \.json"):
        reader.read(b"", "facts.docx")
    rows = [
        {"question": "Why?", "importance": "vital", "fact": "A"},
        {"question": "Why?", "importance": "okay", "fact": "A"},
        {"question": "Why?", "importance": "maybe", "fact": "B"},
        {"question": "", "importance": "vital", "fact": "C"},
        {"question": "Why?", "importance": "vital", "fact": ""},
        {},
    ]
    with pytest.raises(DatasetError, match="4 rows are wrong") as refused:
        facts_of_rows(rows)
    assert [(each.row, each.field) for each in refused.value.problems] == [
        (2, "fact"), (3, "importance"), (4, "question"), (5, "fact"),
    ]  # fmt: skip
    with pytest.raises(DatasetError, match="no key facts"):
        facts_of_rows([])


def test_an_assessment_without_chosen_facts_is_stored_as_before(judged: Judged) -> None:
    spec = judged.judgements.assessment(judged.create("Nugget all")).spec
    assert "key_facts" not in spec.model_dump(mode="json")
    assert AssessmentSpec.model_validate(spec.model_dump(mode="json")) == spec
