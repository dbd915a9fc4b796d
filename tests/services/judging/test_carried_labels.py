"""Labels of another sweep correct the shares of a judge that nobody has checked here, and are named as such."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from passer.domain.judging.marks import Label
from passer.services.judging.assessments import AssessmentRequest
from tests.services.judging.made import JUDGE, NOW, Judged
from tests.services.judging.rated import fill_run

COLUMN = "Answerability"


def decides(request: Any) -> str:
    """Yes of even facts but those that end in 8, and of those that end in 9; of later ones from 130."""
    n = int(re.findall(r"What is fact (\d+)", request.messages[-1].content)[-1])
    is_yes = n >= 130 if n >= 100 else n % 10 == 9 or (n % 2 == 0 and n % 10 != 8)
    return json.dumps({"a_reason": "So.", "b_decision": int(is_yes)})


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Judged]:
    made = Judged(f"sqlite:///{tmp_path / 'passer.db'}", decides)
    fill_run(made)
    fill_run(made, "later", first=100)
    yield made
    made.close()


def assess(made: Judged, sweep: str, column: str = COLUMN, **given: Any) -> str:
    created = made.create(column, target=f"{sweep}-000", **given)
    made.run(created)
    return created


def rate(made: Judged, run_id: str, inclusion: Callable[[int], float | None] = lambda n: None) -> None:
    """People say yes of even facts; each was drawn with its probability."""
    for key in made.items.keys((run_id,)):
        value, drawn = float(key.place.number % 2 == 0), inclusion(key.place.number)
        made.labels.add_labels([
            Label(item_key=key.key or "", column=COLUMN, rater="ana", value=value, inclusion=drawn, at=NOW)
        ])  # fmt: skip


def test_a_share_is_corrected_by_the_labels_of_another_sweep(two: Judged) -> None:
    earlier, later = assess(two, "sweep"), assess(two, "later")
    assert two.calibrator.of(later).columns[0].elsewhere is None, "nobody has labelled anything"
    rate(two, "sweep-000")
    [column] = two.calibrator.of(later).columns
    found = column.elsewhere
    assert (column.agreement, column.runs[0].corrected) == (None, None)
    assert found is not None
    assert (found.assessment_id, found.source) == (earlier, "Sweep")
    # Of 20 facts that are no, the judge says yes to 9, 19, 29 and 39; of 20 that are yes it misses 8, 18, 28 and 38.
    alike = {"n": 20, "right": 16, "share": 0.8, "size": pytest.approx(20)}
    assert found.errors.model_dump() == {"no": alike, "yes": alike}
    [run] = found.runs
    assert (run.run_id, run.n, run.judge_mean) == ("later-000", 40, 0.25)
    # p~ = 11.9207/43.8415 = .271905, q0~ = q1~ = 17/22 = .772727, J = .545455.
    assert run.corrected is not None
    assert run.corrected.value == pytest.approx(0.0818, abs=1e-4)
    assert run.corrected.error == pytest.approx(0.1949, abs=1e-4)
    assert "40 ratings of Sweep (Rogan-Gladen)" in str(found.warnings[0])
    # Where people have rated the sweep itself, its own labels count.
    assert two.calibrator.of(earlier).columns[0].elsewhere is None
    rate(two, "later-000")
    assert two.calibrator.of(later).columns[0].elsewhere is None


def test_the_probabilities_of_the_draw_weigh_the_labels_of_another_sweep(two: Judged) -> None:
    assess(two, "sweep")
    later = assess(two, "later")
    # Facts that end in 8 or 9, on which the judge errs, were four times as likely to be drawn as the others.
    rate(two, "sweep-000", lambda n: 0.8 if n % 10 > 7 else 0.2)
    found = two.calibrator.of(later).columns[0].elsewhere
    assert found is not None
    # 16 right ones weigh 5 each, 4 wrong ones 1.25: q = 80/85. Variance (16 * 25 (1/17)^2 + 4 * 1.5625 (16/17)^2)/85^2
    # = (400 + 1600)/289/7225; size (16/289)/(that) = 57.8, which is more than the 20 labels that there are.
    weighted = {"n": 20, "right": 16, "share": pytest.approx(16 / 17), "size": 20}
    assert found.errors.model_dump() == {"no": weighted, "yes": weighted}
    # q~ = (20 * 16/17 + 1)/22 = .901070, J = .802139, p~ = .271905: (.271905 + .901070 - 1)/.802139 = .215642.
    # Variance: (.271905 * .728095/43.8415 + (.615218 + .046501) * .901070 * .098930/22)/.643427 = .0111853.
    run = found.runs[0].corrected
    assert run is not None
    assert run.value == pytest.approx(0.215642, abs=1e-5)
    assert run.error == pytest.approx(0.105760, abs=1e-5)
    # A label of an answer that a person chose has no probability: then all count alike.
    [other, *_] = two.items.keys(("sweep-000",))
    made = Label(item_key=other.key or "", column=COLUMN, rater="ben", value=1, at=NOW)
    two.labels.add_labels([made])
    found = two.calibrator.of(later).columns[0].elsewhere
    assert found is not None
    assert found.errors.yes.share == 0.8


def test_labels_of_another_judge_and_grades_correct_nothing(two: Judged) -> None:
    other = JUDGE.model_copy(update={"name": "phi4"})
    assess(two, "sweep")
    rate(two, "sweep-000")
    two.judge.script = decides
    by_other = two.assessments.create(AssessmentRequest(target="later-000", judge=other, columns=(COLUMN,))).id
    two.run(by_other)
    assert two.calibrator.of(by_other).columns[0].elsewhere is None
    two.judge.script = lambda _: json.dumps({"a_reason": "So.", "b_grade": 5})
    graded = assess(two, "later", "Answer correctness")
    assert two.calibrator.of(graded).columns[0].elsewhere is None
