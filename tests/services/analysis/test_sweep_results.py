"""An analysis of a finished sweep is made once; of one that is opened again, anew."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from passer.domain.analysis.choices import SweepChoices
from passer.domain.analysis.question_across import KeptRanks
from passer.domain.models.chat import PromptSource
from passer.domain.retrieval.quality import QuestionRetrieval
from passer.domain.retrieval.retriever import RankedBy
from passer.domain.score import VECTOR_ORDER
from passer.errors import ConflictError, GenerationError, InputError
from passer.services.analysis.cps_check import CpsCheck
from passer.services.analysis.run_evidence import evidence_of_runs
from passer.services.analysis.sweep_analysis import analyse
from passer.services.analysis.sweep_results import SweepResults
from passer.services.runs.run_browser import RunBrowser
from tests.analysis_rows import noisy, sweep
from tests.fake_judged import NeverJudged
from tests.fake_models import FakeChatModel
from tests.services.study import QUESTIONS, Study


class Reading:
    """Comparing over a study whose first question finds its model dead until it is mended."""

    def __init__(self) -> None:
        chat_model = FakeChatModel()
        self._answers: Callable[[PromptSource], str] = chat_model._script
        chat_model._script = self._script
        self.dead = True
        self.study = Study(chat_model=chat_model)
        self.sweep = self.study.running.run(self.study.create(0.3).id)
        self.sweep_results = self.results_of(self.study)

    def results_of(self, study: Study) -> SweepResults:
        store = study.store
        browser = RunBrowser(runs=store, evaluations=store, datasets=store)
        return SweepResults(run_browser=browser, runs=store, evaluations=store, judged_columns=NeverJudged())

    def _script(self, source: PromptSource) -> str:
        if self.dead and source.question == QUESTIONS[0]:
            raise GenerationError("Look into the log.", reason="server_error", retryable=False)
        return self._answers(source)


def test_a_finished_sweep_is_analysed_once_for_each_choice() -> None:
    reading = Reading()
    first = reading.sweep_results.analyse(reading.sweep.id)
    assert reading.sweep_results.analyse(reading.sweep.id) is first
    dropped = reading.sweep_results.analyse(reading.sweep.id, SweepChoices(missing="drop"))
    assert dropped is not first
    assert (first.missing, dropped.missing) == ("worst", "drop")


def test_figures_of_pairs_are_made_once_for_a_finished_sweep_and_again_once_a_run_is_opened_again() -> None:
    reading = Reading()
    results, compared = reading.sweep_results, reading.sweep.runs[1].id
    first = results.pairs(reading.sweep.id, compared)
    assert results.pairs(reading.sweep.id, compared) is first
    assert results.pairs(reading.sweep.id, compared, "METEOR") is not first
    reading.study.control.retry(reading.sweep.id)
    with pytest.raises(ConflictError, match="Results are shown when the sweep is finished"):
        results.pairs(reading.sweep.id, compared)


def test_nothing_that_shows_gains_is_read_before_the_end() -> None:
    reading = Reading()
    waiting = reading.study.create(0.3).id
    results = reading.sweep_results
    for read in (results.analyse, results.matrix, CpsCheck(results).pairs):
        with pytest.raises(ConflictError, match="Results are shown when the sweep is finished"):
            read(waiting)
    assert results.matrix(reading.sweep.id).scores.shape[1] == len(reading.sweep.runs)


def test_a_question_keeps_its_scores_and_no_gain_or_mean_while_its_sweep_is_open_again() -> None:
    reading = Reading()
    before = reading.sweep_results.question(reading.sweep.id, 1)
    assert before.withheld is None
    assert before.means is not None
    assert before.items[1].cell.gain is not None
    reading.study.control.retry(reading.sweep.id)
    after = reading.sweep_results.question(reading.sweep.id, 1)
    assert after.means is None
    assert {(item.cell.gain, item.column.mean) for item in after.items} == {(None, None)}
    assert all(item.cell.score is not None for item in after.items)
    assert after.withheld is not None
    assert after.withheld.startswith("Results are shown when the sweep is finished or cancelled")


def test_the_ranks_of_a_question_are_those_of_the_stored_ranking_and_cut() -> None:
    reading = Reading()
    store, sweep = reading.study.store, reading.sweep
    ranking = store.rankings(sweep.id, RankedBy("books"))["q1"]
    golden = tuple(passage.rank for passage in ranking.passages if passage.id in (ranking.gold_ids or ()))
    for item in reading.sweep_results.question(sweep.id, 1).items:
        [evaluation] = store.evaluations(item.column.run_id, after=0, limit=1)
        assert item.ranks == KeptRanks(retrieved=len(ranking.passages), kept=evaluation.kept, gold=golden)


def test_rows_hold_what_the_store_holds_of_each_question() -> None:
    reading = Reading()
    store, rankings = reading.study.store, reading.study.store.rankings(reading.sweep.id, RankedBy("books"))
    failed: list[str] = []
    for run, rows in zip(reading.sweep.runs, reading.sweep_results.rows(reading.sweep.id), strict=True):
        for evaluation, row in zip(store.evaluations(run.id), rows.questions, strict=True):
            answer = store.answers([evaluation.answer_key or ""]).get(evaluation.answer_key or "")
            ranking, (first, last) = rankings[evaluation.question_id], evaluation.kept
            kept = [passage.id for passage in ranking.passages[first:last]]
            same = ("question_id", "state", "prompt_digest")
            assert [getattr(row, name) for name in same] == [getattr(evaluation, name) for name in same]
            expected = QuestionRetrieval.of(kept, ranking.gold_ids, abstained=answer.abstained if answer else None)
            golden = [passage.rank for passage in ranking.passages if passage.id in (ranking.gold_ids or ())]
            assert row.retrieval == replace(expected, first_gold=min(golden, default=None))
            assert (row.scores is None) is (evaluation.scores is None) is (answer is None)
            if row.scores and evaluation.scores and answer:
                scores = [evaluation.scores[column] for column in VECTOR_ORDER]
                assert row.scores.values.tolist() == [score.value or 0.0 for score in scores]
                assert row.scores.reasons == tuple(score.reason for score in scores)
                assert row.truncated == answer.truncated
                assert (row.effort and row.effort.generation_s) == (answer.generation_s or None)
        failed += [row.question_id for row in rows.questions if row.state == "failed"]
    assert "q0" in failed


def test_a_run_that_was_opened_again_is_analysed_anew() -> None:
    reading = Reading()
    before = reading.sweep_results.analyse(reading.sweep.id)
    reading.dead = False
    reading.study.control.retry(reading.sweep.id)
    reading.study.running.run(reading.sweep.id)
    after = reading.sweep_results.analyse(reading.sweep.id)
    assert (before.configurations[0].n_failed, after.configurations[0].n_failed) == (1, 0)


def test_truncated_questions_leave_analysis_and_evidence_alike() -> None:
    base, other = sweep(base=noisy(0.4, 20), other=noisy(0.5, 20, seed=2))
    cut = [replace(item, **({"truncated": "answer"} if n < 5 else {})) for n, item in enumerate(other.questions)]
    runs = [base, other.model_copy(update={"questions": tuple(cut)})]
    for choices, left in ((SweepChoices(), 20), (SweepChoices(truncated="exclude"), 15)):
        analysis, evidence = analyse(runs, choices), evidence_of_runs(runs, choices)
        assert (analysis.truncated, analysis.configurations[1].n) == (choices.truncated, left)
        assert evidence is not None
        [tested] = evidence.comparisons
        assert tested.n_pairs == left
        assert tested.gain == pytest.approx(analysis.configurations[1].comparison.gain)


def test_truncations_of_all_configurations_are_one_warning() -> None:
    runs = [
        each.model_copy(update={"questions": tuple(replace(q, truncated="answer") for q in each.questions[:20])})
        for each in sweep(base=noisy(0.4, 20), other=noisy(0.5, 20, seed=2))
    ]
    said = [line.partition(". ")[0] for line in analyse(runs).warnings]
    assert [line for line in said if "truncated" in line] == [
        "40 prompts or answers were truncated (base: 20, other: 20)",
        "With truncated answers excluded, no questions would be left to compare.",
    ]


@pytest.mark.parametrize(("scope", "pools"), [("model", 1), ("run", 2)])
def test_pools_of_their_own_have_no_evidence_and_say_so(scope: str, pools: int) -> None:
    reading = Reading()
    choices = SweepChoices.model_validate({"scope": scope})
    analysis = reading.sweep_results.analyse(reading.sweep.id, choices)
    assert (analysis.scope, len(analysis.pools)) == (scope, pools)
    assert any(line.startswith(f"Each {scope} has its own constants") for line in analysis.warnings)
    assert evidence_of_runs(reading.sweep_results.rows(reading.sweep.id), choices) is None
    with pytest.raises(InputError, match="Choose the scope all, or fixed constants") as refused:
        reading.sweep_results.evidence(reading.sweep.id, choices)
    assert refused.value.field == "scope"


def test_tests_that_know_no_clusters_say_so() -> None:
    reading = Reading()
    said = "These tests treat questions as independent"
    for clusters, times in (("documents", 1), ("none", 0)):
        evidence = reading.sweep_results.evidence(reading.sweep.id, SweepChoices(clusters=clusters))
        assert sum(statement.startswith(said) for statement in evidence.statements) == times


def test_a_question_says_why_an_abstention_has_a_higher_score_than_an_answer() -> None:
    # The abstention shares "the" with the reference of this question, the answer shares nothing. Nothing is as near
    # as .99, so the threshold abstains everywhere.
    study = Study(chat_model=FakeChatModel(lambda _: "No"))
    sweep = study.running.run(study.create(0.99).id)
    results = Reading().results_of(study)
    found = results.question(sweep.id, 2)
    assert found.leading_abstention is not None
    abstained, answered = found.leading_abstention
    assert (abstained.column.name, answered.column.name) == ("Similarity ≥ 0.99", "Top-k 2")
    assert found.abstention is not None
    points = re.findall(r"([\w-][\w .-]*?) (\d+\.\d) / (\d+\.\d)", found.abstention.rpartition("): ")[2])
    analysis = results.analyse(sweep.id)
    assert {name for name, _, _ in points} == {each.metric for each in analysis.pools[0].metrics}
    for item, place in ((abstained, 1), (answered, 2)):
        assert sum(float(each[place]) for each in points) == pytest.approx(100 * (item.cell.score or 0), abs=0.5)
