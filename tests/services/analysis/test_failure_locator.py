"""Where the questions of stored runs failed, on a small study in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from passer.domain.dataset import Dataset
from passer.domain.failures.report import FailureReport, deciders, failure_tables
from passer.domain.judging.judgement import NamedJudge
from passer.domain.models.chat import PromptSource
from passer.domain.models.generation import ABSTENTION
from passer.domain.retrieval.cuts import NoRetrievalPolicy, NormalPolicy
from passer.domain.score import Score
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.errors import ConflictError, GenerationError, InputError, NotFoundError
from passer.metrics.judged.grades import ANSWERABLE, ATTEMPTED
from passer.services.analysis.failure_locator import FailureChoices, FailureLocator
from passer.services.analysis.verdict.judged_column_reader import JudgedScores
from passer.services.runs.run_browser import RunBrowser
from tests.fake_models import FakeChatModel
from tests.services.study import QUESTIONS, Study, dataset


class Located:
    """A study of k = 1 and k = 4 whose model fails, abstains and answers by question."""

    def __init__(self) -> None:
        chat_model = FakeChatModel()
        self._usual = chat_model._script
        chat_model._script = self._answer
        self.study = Study(chat_model=chat_model)
        questions = list(dataset().questions)
        questions[5] = questions[5].model_copy(update={"gold_passages": (), "relevant": (), "group": "tl"})
        questions[4] = questions[4].model_copy(update={"gold_passages": ()})
        changed = Dataset(name="farm", questions=tuple(questions))
        self.study.store.save_dataset(changed)
        config = RunConfig(dataset="farm", collection="books")
        axes = Axes(retrieval=(NormalPolicy(k=1), NormalPolicy(k=4), NoRetrievalPolicy()))
        stored = self.study.planner.create(Sweep(name="Study", config=config, axes=axes))
        self.sweep = self.study.running.run(stored.id)
        store = self.study.store
        browser = RunBrowser(runs=store, evaluations=store, datasets=store)
        self.locator = FailureLocator(run_browser=browser, evaluations=store)

    def _answer(self, source: PromptSource) -> str:
        if source.question == QUESTIONS[0]:
            raise GenerationError("Look into the log.", reason="server_error", retryable=False)
        return ABSTENTION if source.question == QUESTIONS[1] else self._usual(source)


@pytest.fixture(scope="module")
def located() -> Located:
    return Located()


def test_each_question_has_one_label(located: Located) -> None:
    run = next(run for run in located.sweep.runs if run.config.retrieval == NormalPolicy(k=4))
    report = located.locator.of_run(run.id, FailureChoices(below=0.0))
    [found] = report.runs
    labels = {each.question_id: each.label for each in found.questions}
    assert labels == {
        "q0": "failed",
        "q1": "abstained",
        "q2": "fine",
        "q3": "fine",
        "q4": "gold_unknown",
        "q5": "unanswerable",
    }
    assert (found.n, sum(found.counts.values())) == (6, 6)
    assert found.by_group == {"tl": {"unanswerable": 1}}
    assert found.decisions is not None
    assert (found.decisions.over_refusal.n, found.decisions.abstained_unanswerable.of) == (1, 1)
    q2 = next(each for each in found.questions if each.question_id == "q2")
    assert (q2.rank, q2.depth, q2.score is not None) == (1, 4, True)


def test_all_scores_below_a_limit_are_low(located: Located) -> None:
    run = next(run for run in located.sweep.runs if run.config.retrieval == NormalPolicy(k=4))
    [found] = located.locator.of_run(run.id, FailureChoices(below=2.0)).runs
    low = [each for each in found.questions if each.label in ("unused", "used_and_low")]
    assert [each.question_id for each in low] == ["q2", "q3"]
    assert all(each.used is not None for each in low)


def test_correctness_by_a_judge_decides_where_every_answer_has_it(located: Located) -> None:
    run = next(run for run in located.sweep.runs if run.config.retrieval == NormalPolicy(k=4))
    asked: list[tuple[Sequence[str], str]] = []

    def judged(sweep_id: str, run_ids: Sequence[str], column: str) -> JudgedScores | None:
        if column in (ATTEMPTED, ANSWERABLE):
            return None
        asked.append((run_ids, column))
        values = {2: 0.4, 3: 0.5}
        scores = {n: Score(value=values[n]) if n in values else Score(value=None, reason="not_json") for n in range(6)}
        return JudgedScores(NamedJudge("qwen3", 0), column, dict.fromkeys(run_ids, scores))

    locator = replace(located.locator, judged=judged)
    report = locator.of_run(run.id, FailureChoices())
    assert asked == [([run.id], "Answer correctness")]
    assert report.low is not None
    assert (report.low.below, "judged by qwen3 (uncalibrated), is" in report.low.line) == (0.5, True)
    found = {each.question_id: (each.label, each.score) for each in report.runs[0].questions}
    # 0.4 is below 0.5, and 0.5 is not.
    assert found["q2"][0] in ("unused", "used_and_low")
    assert (found["q2"][1], found["q3"]) == (0.4, ("fine", 0.5))
    # Another limit, a text metric, and a judged metric whose lower values are better.
    strict = locator.of_run(run.id, FailureChoices(below=0.6)).runs[0].questions
    assert {each.question_id for each in strict if each.label in ("unused", "used_and_low")} == {"q2", "q3"}
    text = locator.of_run(run.id, FailureChoices(column="F1 Score"))
    assert text.low is not None
    assert (text.low.column, len(asked)) == ("F1 Score", 2)
    with pytest.raises(InputError, match="higher values are better: METEOR"):
        locator.of_run(run.id, FailureChoices(column="Hallucination"))


def test_a_judge_of_attempts_decides_what_is_an_abstention(located: Located) -> None:
    run = next(run for run in located.sweep.runs if run.config.retrieval == NormalPolicy(k=4))
    by_code = located.locator.of_run(run.id, FailureChoices(below=0.0)).runs[0]

    def judged(sweep_id: str, run_ids: Sequence[str], column: str) -> JudgedScores | None:
        # q1 says the fixed sentence and q2 answers: this judge says the opposite. It has no value for q3 and q5.
        given = {1: 1.0, 2: 0.0, 4: 1.0} if column == ATTEMPTED else {4: 1.0}
        if column not in (ATTEMPTED, ANSWERABLE):
            return None
        scores = {n: Score(value=given[n]) if n in given else Score(value=None, reason="not_json") for n in range(6)}
        return JudgedScores(
            NamedJudge("qwen3", 2 if column == ATTEMPTED else 0), column, dict.fromkeys(run_ids, scores)
        )

    found = replace(located.locator, judged=judged).of_run(run.id, FailureChoices(below=0.0)).runs[0]
    assert by_code.decisions is not None
    assert by_code.decided_by is not None
    assert found.decisions is not None
    assert found.decided_by is not None
    # By code: q1 refused; q2 and q3 answered with gold; q5 is unanswerable and answered. q0 failed, q4 has no gold.
    counts = [
        by_code.decisions.over_refusal,
        by_code.decisions.answered_with_gold,
        by_code.decisions.unsupported_answer,
    ]
    assert [(each.n, each.of) for each in counts] == [(1, 4), (2, 4), (1, 4)]
    assert (by_code.decided_by.judge, by_code.decided_by.judged) == (None, 0)
    # By the judge: q2 refused; q1, q3 (by code) and q4 (whose passages it found to be enough) answered with gold.
    counts = [found.decisions.over_refusal, found.decisions.answered_with_gold, found.decisions.unsupported_answer]
    assert [(each.n, each.of) for each in counts] == [(1, 5), (3, 5), (1, 5)]
    assert (found.decided_by.judge, found.decided_by.judged, found.decided_by.passages_judged) == ("qwen3", 3, 1)
    assert "The judge qwen3 decides" in found.decided_by.line
    assert "The judge qwen3 (uncalibrated) decides whether the passages" in found.decided_by.line
    [table] = {
        row[-3:] for row in failure_tables(FailureReport(low=None, best=False, runs=(found,)))["abstention"].rows
    }
    assert table == ("qwen3", 3, "rated by people")
    other = found.model_copy(update={"name": "B"})
    assert deciders([by_code, by_code.model_copy(update={"name": "C"})]) == (by_code.decided_by.line,)
    assert deciders([by_code, other]) == (f"{by_code.name}: {by_code.decided_by.line}", f"B: {other.decided_by.line}")
    # Where a question failed is located by code alone.
    assert found.counts == by_code.counts


def test_a_run_without_retrieval_loses_no_passage(located: Located) -> None:
    run = next(run for run in located.sweep.runs if isinstance(run.config.retrieval, NoRetrievalPolicy))
    [found] = located.locator.of_run(run.id, FailureChoices(below=2.0)).runs
    assert set(found.counts) <= {"failed", "unanswerable", "abstained", "answer_cut", "low", "fine", "unscored"}
    assert found.decisions is None


def test_a_sweep_has_counts_for_each_run_and_tables(located: Located) -> None:
    report = located.locator.of_sweep(located.sweep.id, FailureChoices())
    assert [run.run_id for run in report.runs] == [run.id for run in located.sweep.runs]
    assert all(sum(run.counts.values()) == run.n == 6 and run.questions == () for run in report.runs)
    assert report.low is not None
    assert "first quartile" in report.low.line
    tables = failure_tables(report)
    counts = tables["failures"]
    assert [sum(row[2:-2]) for row in counts.rows] == [6, 6, 6]  # type: ignore[arg-type]
    # Seven shares of each of the two runs that retrieve, with their Wilson intervals.
    decided = tables["abstention"]
    assert [row[0] for row in decided.rows] == [run.name for run in report.runs[:2] for _ in range(7)]
    place = {column: decided.columns.index(column) for column in decided.columns}
    over = [row for row in decided.rows if row[1] == "Abstained with gold passage"]
    assert {(row[place["n"]], row[place["of"]], row[place["judged"]]) for row in over} == {(1, 4, 0)}
    low, high = (over[0][place[end]] for end in ("ci_low", "ci_high"))
    # Wilson's interval of 1 of 4, as in Agresti and Coull (1998), formula 2.
    assert (low, high) == (pytest.approx(0.0456, abs=5e-5), pytest.approx(0.6994, abs=5e-5))


def test_columns_that_cannot_decide_and_unknown_ids_are_refused(located: Located) -> None:
    run = located.sweep.runs[0]
    for column in ("Laplace Perplexity", "none"):
        with pytest.raises(InputError, match="higher values are better: METEOR"):
            located.locator.of_run(run.id, FailureChoices(column=column))
    with pytest.raises(NotFoundError):
        located.locator.of_run("sw-none-01", FailureChoices())


def test_nothing_is_located_before_the_sweep_is_at_rest(located: Located) -> None:
    queued = located.study.create(0.3)
    for locating in (
        lambda: located.locator.of_sweep(queued.id, FailureChoices()),
        lambda: located.locator.of_run(queued.runs[0].id, FailureChoices()),
    ):
        with pytest.raises(ConflictError, match="finished or cancelled"):
            locating()
