"""Two judges side by side: agreement, differences by run, and which of them is nearer to people."""

from __future__ import annotations

import pytest

from passer.domain.chat import ChatRequest
from passer.domain.judging.marks import Label
from passer.domain.model import Model
from passer.errors import InputError
from passer.services.judging.assessments import AssessmentRequest
from passer.services.judging.comparison import JudgeComparer
from tests.services.judging.made import NOW, Judged, grade

GRADES = {"first": {"rice": 5, "maize": 5, "bees": 10}, "second": {"rice": 6, "maize": 8, "bees": 10}}


def assessed(judged: Judged, name: str, *columns: str) -> str:
    def script(request: ChatRequest) -> str:
        text = request.messages[-1].content
        return grade(next(value for word, value in GRADES[name].items() if word in text))

    judged.judge.script = script
    model = Model(provider="openai", name=name, base_url="http://127.0.0.1:1")
    request = AssessmentRequest(target="sweep", judge=model, columns=columns or ("Answer correctness",))
    created = judged.assessments.create(request).id
    judged.run(created)
    return created


def test_two_judges_are_compared_by_hand(judged: Judged) -> None:
    first, second = assessed(judged, "first"), assessed(judged, "second")
    comparer = JudgeComparer(judged.judgements, judged.items, judged.calibrator)
    found = comparer.of(first, second)
    assert (found.first.judge, found.second.judge) == ("first", "second")
    (column,) = found.columns
    # Rice and maize have two answers each, because the configurations read other passages; bees have one.
    # Values: .5 .5 .5 .5 1 and .6 .6 .8 .8 1.
    assert (column.n, column.only_first, column.only_second) == (5, 0, 0)
    assert (column.first_mean, column.second_mean) == (pytest.approx(0.6), pytest.approx(0.76))
    assert column.limits is not None
    assert column.limits.bias == pytest.approx(0.16)
    assert column.categories is not None
    assert column.categories.same == pytest.approx(0.2)
    # The last question has no answer in the second run: (.1 + .3 + 0) / 3 and (.1 + .3) / 2.
    assert [each.difference.mean_difference for each in column.runs] == [pytest.approx(0.4 / 3), pytest.approx(0.2)]
    assert column.people is None
    items = {each.item.key: each.item.question for each in judged.items.items(("sweep-000", "sweep-001"))}
    people = {"When does rice flower?": 0.5, "When is maize sown?": 0.8}
    judged.labels.add_labels(
        [
            Label(item_key=key, column="Answer correctness", rater="ana", value=people[question], at=NOW)
            for key, question in items.items()
            if question in people
        ]
    )
    nearer = comparer.of(first, second).columns[0].people
    assert nearer is not None
    # Errors: 0 0 .3 .3 and .1 .1 0 0; two questions are too few for an interval.
    assert (nearer.n, nearer.first_error, nearer.second_error) == (4, pytest.approx(0.15), pytest.approx(0.05))
    assert nearer.difference is None


def test_what_cannot_be_compared_is_refused(judged: Judged) -> None:
    first, other = assessed(judged, "first"), assessed(judged, "second", "Stand-alone question")
    comparer = JudgeComparer(judged.judgements, judged.items, judged.calibrator)
    for second in (first, other):
        with pytest.raises(InputError, match="share no run and column"):
            comparer.of(first, second)
