"""Citations and grounding of stored runs beside chance, on a small study in memory."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from random import Random

import pytest

from passer.domain.judging.judgement import NamedJudge
from passer.domain.judging.recipe import Finding
from passer.domain.models.chat import PromptSource
from passer.domain.retrieval.cuts import NoRetrievalPolicy, NormalPolicy
from passer.domain.retrieval.passages import Passage, Ranking
from passer.domain.retrieval.retriever import RankedBy
from passer.domain.score import Score
from passer.domain.sweeps.axes import Axes
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.domain.texts.keywords import STOP_WORDS
from passer.errors import ConflictError, GenerationError, NotFoundError
from passer.metrics.grounded.checks import GroundingLimits
from passer.services.analysis.grounding_reader import GroundingReader, Pool
from passer.services.analysis.grounding_report import (
    BY_CHANCE,
    COLUMNS,
    AgainstJudged,
    GroundedColumn,
    GroundedQuestion,
    RunGrounding,
    grounding_table,
    run_columns,
    warnings_of,
)
from passer.services.analysis.verdict.judged_column_reader import JudgedScores
from passer.services.runs.run_browser import RunBrowser
from tests.fake_models import FakeChatModel
from tests.services.study import QUESTIONS, Study

LIMITS = GroundingLimits()


class Grounded:
    """A study with a template that cites and one that does not; the model answers with its first passage, cited."""

    def __init__(self) -> None:
        chat_model = FakeChatModel()
        usual = chat_model._script

        def answer(source: PromptSource) -> str:
            if source.question == QUESTIONS[0]:
                raise GenerationError("Look into the log.", reason="server_error", retryable=False)
            return f"{usual(source)} [1]." if source.passages else "Clover and copper."

        chat_model._script = answer
        self.study = Study(chat_model=chat_model)
        self.study.templates.edit("cited", "cited")
        config = RunConfig(dataset="farm", collection="books", prompt="cited")
        axes = Axes(retrieval=(NormalPolicy(k=1), NoRetrievalPolicy()), prompt=("cited", "brief"))
        stored = self.study.planner.create(Sweep(name="Study", config=config, axes=axes))
        self.sweep = self.study.running.run(stored.id)
        store = self.study.store
        browser = RunBrowser(runs=store, evaluations=store, datasets=store)
        self.reader = GroundingReader(run_browser=browser, evaluations=store, templates=self.study.templates)

    def run_id(self, policy: object, prompt: str) -> str:
        return next(run.id for run in self.sweep.runs if run.config.retrieval == policy and run.config.prompt == prompt)

    def run(self, policy: object, prompt: str = "cited") -> RunGrounding:
        [found] = self.reader.of_run(self.run_id(policy, prompt), LIMITS).runs
        return found


@pytest.fixture(scope="module")
def grounded() -> Grounded:
    return Grounded()


def columns(run: RunGrounding) -> dict[str, GroundedColumn]:
    return {column.name: column for column in run.columns}


def test_columns_stand_beside_those_of_a_judge(grounded: Grounded) -> None:
    def judged(sweep_id: str, run_ids: Sequence[str], column: str) -> dict[str, JudgedScores]:
        values = dict(enumerate((0.1, 0.2, 0.3, 0.4, 0.5, 0.6)))
        scores = {number: Score(value=value) for number, value in values.items()}
        found = JudgedScores(NamedJudge("qwen3", 3), column, dict.fromkeys(run_ids, scores))
        return dict.fromkeys(run_ids, found) if column == "Faithfulness" else {}

    reader = replace(grounded.reader, judged=judged)
    [run] = reader.of_run(grounded.run_id(NoRetrievalPolicy(), "brief"), LIMITS).runs
    assert all(column.judged is None for column in run.columns), "no answer has both values"
    [run] = reader.of_run(grounded.run_id(NormalPolicy(k=1), "cited"), LIMITS).runs
    found = columns(run)
    assert found["Citation rate"].judged is None
    # Five answers, all grounded alike: a constant has no rank correlation.
    against = AgainstJudged(column="Faithfulness", judge="qwen3", rated=3, tau=None, n=5)
    assert found["Grounded share"].judged == against
    questions = [
        each.model_copy(update={"columns": {**each.columns, "Grounded share": Finding(value=value)}})
        for each, value in zip(run.questions[1:], (0.2, 0.1, 0.3, 0.4, 0.5), strict=True)
    ]
    numbered = {each.number: place / 10 for place, each in enumerate(questions)}
    again = {each.name: each for each in run_columns(questions, {"Faithfulness": (NamedJudge("qwen3", 3), numbered)})}
    # One of ten pairs is in the other order: (9 - 1) / 10.
    assert again["Grounded share"].judged is not None
    assert again["Grounded share"].judged.tau == pytest.approx(0.8)


def test_answers_copied_from_the_passage_are_grounded_and_those_of_chance_are_not(grounded: Grounded) -> None:
    run = grounded.run(NormalPolicy(k=1))
    found = columns(run)
    assert (run.n, found["Citations"].n, found["Citations"].mean) == (6, 5, 1.0)
    assert found["Citations"].missing == {"generation_failed": 1}
    for name in ("Citation rate", "Grounded share"):
        assert (found[name].mean, found[name].micro) == (1.0, 1.0)
        assert found[name].chance is not None
        assert found[name].chance < 0.5
        assert found[name].above_chance is not None
    assert run.warnings == ()


def test_languages_without_stop_words_are_named_and_the_lists_have_a_digest(grounded: Grounded) -> None:
    assert warnings_of((), ("en", "bg", "fil", "en-GB")) == ()
    [said] = warnings_of((), ("en", "sw", "de"))
    assert "no list of stop words for de, sw" in said
    report = grounded.reader.of_sweep(grounded.sweep.id, LIMITS)
    lists = {language: sorted(words) for language, words in STOP_WORDS.items()}
    canonical = json.dumps(lists, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert report.stop_words == sha256(canonical.encode()).hexdigest()


def test_the_same_seed_gives_the_same_chance(grounded: Grounded) -> None:
    assert grounded.run(NormalPolicy(k=1)) == grounded.run(NormalPolicy(k=1))


def test_citations_are_measured_only_where_they_were_asked_for(grounded: Grounded) -> None:
    found = columns(grounded.run(NormalPolicy(k=1), "brief"))
    assert (found["Citation rate"].mean, found["Citation rate"].missing["not_requested"]) == (None, 5)
    assert found["Grounded share"].mean == 1.0


def test_answers_without_passages_have_no_grounding(grounded: Grounded) -> None:
    found = columns(grounded.run(NoRetrievalPolicy()))
    assert (found["Grounded share"].mean, found["Grounded share"].missing["no_passages"]) == (None, 5)
    assert found["Grounded share"].chance is None


def test_a_sweep_has_all_runs_and_a_table(grounded: Grounded) -> None:
    report = grounded.reader.of_sweep(grounded.sweep.id, LIMITS)
    assert [run.run_id for run in report.runs] == [run.id for run in grounded.sweep.runs]
    assert all(run.questions == () for run in report.runs)
    table = grounding_table(report)
    named = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    first = next(row for row in named if row["grounded_column"] == "Grounded share")
    assert (first["mean"], first["micro"], first["n"]) == (1.0, 1.0, 5)
    assert {row["grounded_column"]: row["above_chance"] for row in named[:5]} == {
        "Citations": None, "Citation rate": "yes", "Cited share": None, "Grounded share": "yes", "Mean grounding": None,
    }  # fmt: skip


def test_one_answer_has_its_sentences(grounded: Grounded) -> None:
    run = grounded.run_id(NormalPolicy(k=1), "cited")
    found = grounded.reader.of_answer(run, 1, LIMITS)
    assert [each.number for each in found.checked.citations] == [1]
    assert [each.share for each in found.checked.sentences] == [1.0]
    assert found.columns["Grounded share"].value == 1.0
    with pytest.raises(NotFoundError, match="has no answer"):
        grounded.reader.of_answer(run, 0, LIMITS)


def test_stricter_limits_change_what_is_grounded(grounded: Grounded) -> None:
    strict = GroundingLimits(citation=1.0, grounding=1.0)
    [run] = grounded.reader.of_run(grounded.run_id(NormalPolicy(k=1), "cited"), strict).runs
    assert (columns(run)["Grounded share"].mean, columns(run)["Grounded share"].chance) == (1.0, 0.0)


def answer(number: int, share: float, chance: float) -> GroundedQuestion:
    values = dict.fromkeys(COLUMNS, Finding(value=share))
    by_chance = dict.fromkeys(BY_CHANCE, Finding(value=chance))
    counts = dict.fromkeys(("verified", "citations", "cited", "sentences", "grounded", "with_keywords"), 1)
    return GroundedQuestion(
        number=number, question_id=str(number), question="?", columns=values, chance=by_chance, **counts
    )


def test_shares_that_passages_of_other_questions_reach_too_are_not_above_chance() -> None:
    shares = [0.2, 0.8, 0.5, 0.9, 0.4, 0.6]
    swapped = run_columns([answer(n, share, shares[::-1][n]) for n, share in enumerate(shares)], {})
    assert [str(line) for line in warnings_of(swapped)] == [
        f"{name} is not above chance: passages of other questions give about the same value."
        for name in ("Citation rate", "Grounded share")
    ]
    better = run_columns([answer(n, share, share - 0.1 - n / 100) for n, share in enumerate(shares)], {})
    assert warnings_of(better) == ()


def test_the_interval_of_a_count_contains_its_mean_though_it_is_no_share() -> None:
    """By hand: 0, 2, 3, 5, 10 have mean 4, SD 3.808 and half width 2.776 * 3.808 / sqrt(5); none is below 0."""
    counts = [0.0, 2.0, 3.0, 5.0, 10.0]
    [found] = [
        each
        for each in run_columns([answer(n, each, 0.0) for n, each in enumerate(counts)], {})
        if each.name == "Citations"
    ]
    assert (found.mean, found.interval and found.interval.low) == (4.0, 0.0)
    assert found.interval is not None
    assert found.interval.high == pytest.approx(8.728, abs=0.001)
    [equal] = [each for each in run_columns([answer(n, 2.0, 0.0) for n in range(5)], {}) if each.name == "Citations"]
    assert (equal.mean, equal.interval) == (2.0, None)


def test_no_means_are_given_before_the_sweep_is_at_rest(grounded: Grounded) -> None:
    queued = grounded.study.create(0.3)
    with pytest.raises(ConflictError, match="finished or cancelled"):
        grounded.reader.of_sweep(queued.id, LIMITS)
    with pytest.raises(ConflictError, match="finished or cancelled"):
        grounded.reader.of_run(queued.runs[0].id, LIMITS)


def test_rankings_are_read_in_parts_and_passages_of_chance_are_drawn_from_those_of_all(
    grounded: Grounded, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = grounded.run(NormalPolicy(k=1))
    asked: list[Sequence[str]] = []
    rankings = grounded.study.store.rankings

    def read(sweep_id: str, ranked_by: RankedBy, question_ids: Sequence[str]) -> dict[str, Ranking]:
        asked.append(question_ids)
        return rankings(sweep_id, ranked_by, question_ids)

    monkeypatch.setattr(grounded.study.store, "rankings", read)
    monkeypatch.setattr("passer.services.analysis.grounding_reader.AT_ONCE", 2)
    assert grounded.run(NormalPolicy(k=1)) == whole
    assert [list(each) for each in asked] == [["q0", "q1"], ["q2", "q3"], ["q4", "q5"]]


@pytest.mark.parametrize("kept", [(), ("b",), ("e", "a"), ("c", "b", "d"), ("a", "b", "c", "d", "e")])
def test_chance_is_a_sample_of_the_sorted_passages_that_were_not_kept(kept: Sequence[str]) -> None:
    """The draw of every earlier report, written down without a shortcut."""
    passages = {each: Passage(id=each, document="d", number=0, text=each, start=0, end=1) for each in "edbac"}
    pool = Pool(passages)
    for question in ("q0", "q1", "q2"):
        others = sorted(set(passages) - set(kept))
        drawn = Random(f"20260101/{question}").sample(others, min(len(kept), len(others)))
        found = pool.others(question, [passages[each] for each in kept])
        assert [each.id for each in found] == drawn
