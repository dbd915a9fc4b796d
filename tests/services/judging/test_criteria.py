"""Criteria of a person: a column for each list of them, judged, rated and told apart."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from pydantic import ValidationError

from passer.domain.judging.criteria import Criterion, column_of, is_criteria, share_met
from passer.domain.models.model import Model
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.errors import ConfigError
from passer.metrics.judged import decides, families_of
from passer.services.judging.assessments import AssessmentRequest
from passer.services.judging.labelling import LabelDrawRequest
from passer.services.judging.rating import RatingRequest
from passer.services.sweeps.requirements import check_judge
from tests.metrics.judged.driven import driven
from tests.services.judging.made import JUDGE, Judged

OWN = (Criterion(text="Names a month", weight=3), Criterion(text="Is one sentence"))


def verdicts(*said: str) -> str:
    return json.dumps({"a_reason": "Because.", "b_verdicts": said})


def test_the_value_is_the_weighted_share_of_those_that_apply() -> None:
    three = (*OWN, Criterion(text="Cites a law", weight=2))
    assert share_met(three, ["yes", "no", "does not apply"]) == 3 / 4
    assert share_met(three, ["yes", "no", "no"]) == 3 / 6
    assert share_met(three, ["does not apply"] * 3) is None


def test_a_recipe_asks_once_and_lists_the_criteria() -> None:
    found = driven("Criteria", {"a_reason": "x", "b_verdicts": ["no", "yes"]}, criteria=OWN)
    [ask] = found.asked
    assert ask.given["criteria"] == ["Names a month", "Is one sentence"]
    assert ask.lengths == {"b_verdicts": 2}
    [finding] = found.findings
    assert (finding.value, finding.note) == (1 / 4, "no, yes")
    [none] = driven("Criteria", {"a_reason": "x", "b_verdicts": ["does not apply"] * 2}, criteria=OWN).findings
    assert (none.value, none.reason) == (None, "none_applies")
    [cut] = driven("Criteria", "cut_off", criteria=OWN).findings
    assert (cut.value, cut.reason) == (None, "cut_off")
    assert driven("Criteria", criteria=OWN, answer=" ").findings[0].reason == "empty_answer"


def test_each_list_of_criteria_is_a_column_of_its_own() -> None:
    name = column_of(OWN)
    assert is_criteria(name)
    assert name != column_of(OWN[:1])
    assert not is_criteria("Criteria of others")
    [family] = families_of((name,))
    assert (family.columns, decides(name), decides("Criteria")) == ((name,), True, False)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"columns": ("Criteria",)}, "and 1 to 8 criteria"),
        ({"criteria": ("Names a month",)}, "and 1 to 8 criteria"),
        ({"columns": ("Criteria",), "criteria": ("A", "2: A")}, "given twice"),
        ({"columns": ("Criteria",), "criteria": tuple("ABCDEFGHI")}, "at most 8"),
        ({"columns": ("Criteria",), "criteria": ("0: A",)}, "greater than 0"),
        ({"columns": ("Criteria",), "criteria": (" ",)}, "at least 1 character"),
    ],
)
def test_what_is_no_list_of_criteria_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        AssessmentRequest(target="sweep", judge=JUDGE, **given)


def test_criteria_are_judged_and_rated_apart_from_other_criteria(judged: Judged) -> None:
    judged.judge.script = lambda request: verdicts("yes", "no") if "month" in str(request.messages) else verdicts("no")
    # A weight may be written before the text.
    first = judged.create("Criteria", "Answer correctness", criteria=("3: Names a month", "Is one sentence"))
    spec = judged.judgements.assessment(first).spec
    assert spec.criteria == OWN
    assert set(spec.columns) == {column_of(OWN), "Answer correctness"}
    other = judged.create("Criteria", criteria=("Is polite",))
    for each in (first, other):
        judged.run(each)
    mine, theirs = column_of(OWN), judged.judgements.assessment(other).spec.columns[0]
    cells = {cell.column: cell.mean for cell in judged.results.table(first).cells if cell.run_id == "sweep-000"}
    assert cells[mine] == 3 / 4
    assert {cell.mean for cell in judged.results.table(other).cells} == {0.0}
    # A person rates by the first list: nothing of it is a label of the other one.
    draw = judged.labelling.draw(LabelDrawRequest(assessment=first, column=mine))
    sheet = io.BytesIO()
    judged.labelling.write_sheet(draw.id, sheet, ".csv")
    rows = list(csv.DictReader(io.StringIO(sheet.getvalue().decode("utf-8-sig"))))
    assert {row["column"] for row in rows} == {f"{mine}: (1) Names a month (2) Is one sentence"}
    queue = judged.rating_desk.queue(draw.id, "ana")
    assert queue.summary.endswith("(1) Names a month (2) Is one sentence")
    for place in queue.places:
        judged.rating_desk.rate(draw.id, place.item, RatingRequest(rater="ana", value=0.5))
    labelled = {
        each: {column.column: column.labels for column in judged.results.table(each).columns} for each in (first, other)
    }
    assert (labelled[first][mine], labelled[other][theirs]) == (len(queue.places), 0)
    calibration = next(each for each in judged.calibrator.of(first).columns if each.column == mine)
    assert calibration.agreement is not None
    assert calibration.agreement.limits.bias == pytest.approx(0.25)


def test_a_sweep_cannot_record_criteria_as_its_primary_metric() -> None:
    config = RunConfig(dataset="d", collection="c")
    for primary in ("Criteria", column_of(OWN)):
        with pytest.raises(ConfigError, match="Criteria are judged after a sweep"):
            check_judge(Sweep(name="S", config=config, primary=primary, judge=Model(provider="openai", name="J")))
