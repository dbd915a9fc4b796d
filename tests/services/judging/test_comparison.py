"""Two judges side by side: agreement, differences by run, and which of them is nearer to people."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import scipy.stats

from passer.domain.judging.marks import Label
from passer.domain.models.chat import ChatRequest
from passer.domain.models.model import Model
from passer.errors import InputError
from passer.services.judging.assessments import AssessmentRequest
from passer.services.judging.column_pairs import ColumnPairs
from passer.services.judging.comparison import JudgeComparer
from tests.services.judging.made import NOW, Judged, grade
from tests.services.judging.rated import fill_run

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
        with pytest.raises(InputError, match="have no run and column in common"):
            comparer.of(first, second)


def test_two_columns_of_the_same_answers_by_hand(tmp_path: Path) -> None:
    """Answer n of 40 is worth n modulo 11 of 10 in correctness; the judge calls even facts answerable."""

    def script(request: ChatRequest) -> str:
        text = request.messages[-1].content
        if request.purpose == "answerability":
            n = int(re.findall(r"What is fact (\d+)", text)[-1])
            return json.dumps({"a_reason": "So.", "b_decision": int(n % 2 == 0)})
        return grade(int(re.findall(r"worth (\d+)", text)[-1]))

    made = Judged(f"sqlite:///{tmp_path / 'pairs.sqlite3'}", script)
    fill_run(made)
    assessment = made.create("Answer correctness", "Answerability", target="sweep-000")
    made.run(assessment)
    pairs = ColumnPairs(made.judgements, made.labels, made.store, made.items)
    found = pairs.of(assessment, "Answer correctness", "Answerability")
    x = [n % 11 / 10 for n in range(40)]
    y = [float(n % 2 == 0) for n in range(40)]
    assert (found.n, found.first and found.first.column, found.second and found.second.column) == (
        40, "Answer correctness", "Answerability",
    )  # fmt: skip
    # 3 x 0..10 and 0..6: (3 * 55 + 21)/400; half of the facts are even, sd of 20 ones and 20 zeros sqrt(10/39).
    assert found.first is not None
    assert found.second is not None
    assert (found.first.mean, found.second.mean) == (pytest.approx(186 / 400), 0.5)
    assert found.second.sd == pytest.approx((10 / 39) ** 0.5)
    # Above .6 are the worths 7 to 10 in 3 rounds: facts 7-10, 18-21, 29-32, two even ones in each.
    assert found.high.model_dump() == {"n": 12, "mean": 0.5}
    # Below .4 the worths 0 to 3 in 4 rounds: facts 0-3, 11-14, 22-25, 33-36.
    assert found.low.model_dump() == {"n": 16, "mean": 0.5}
    expected = scipy.stats.spearmanr(x, y)
    assert (found.rho, found.p) == (pytest.approx(expected.statistic), pytest.approx(expected.pvalue))
    # The pairs of this run have no scores, so that nothing can be compared.
    nothing = pairs.of(assessment, "Answer correctness", "F1 Score")
    assert (nothing.n, nothing.first, nothing.rho, nothing.high.mean) == (0, None, None, None)
    for names in (("Faithfulness", "F1 Score"), ("Answerability", "Faithfulness")):
        with pytest.raises(InputError, match="has no column"):
            pairs.of(assessment, *names)
    made.close()
