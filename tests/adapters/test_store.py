"""One contract for every store: in memory, SQLite, and PostgreSQL where its binaries are."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, text

from passer.adapters.store.database import Database
from passer.adapters.store.datasets import DatabaseDatasets
from passer.adapters.store.evaluations import DatabaseEvaluations
from passer.adapters.store.imports import DatabaseImports
from passer.adapters.store.runs import DatabaseRuns
from passer.adapters.store.schema import metadata
from passer.domain.answer import Answer, Message, ModelTimings, Prompt
from passer.domain.dataset import Dataset, GoldPassage, Question
from passer.domain.retrieval import Ranking, RetrievedPassage, ScorePolicy
from passer.domain.run import Evaluation, Model, Run, RunConfig, RunState
from passer.domain.score import VECTOR_ORDER, Score
from passer.domain.sheets.auditing import audit_sheets
from passer.domain.sheets.sheet import Sheet, SheetImport, SheetRemarks, UnreadableCell
from passer.domain.sweep import FrozenTemplate, Sweep
from passer.errors import ConflictError, NotFoundError, StoreUnavailable
from passer.ports import (
    AnswerFact,
    Effort,
    EvaluationFact,
    Fact,
    PairFact,
    PromptFact,
    RankingFact,
    RecentFailure,
    RunQuery,
    StoredSweep,
    SweepProgress,
)
from tests.fake_store import MemoryStore
from tests.fakes import FakeClock
from tests.postgres import postgres_url
from tests.result_sheets import sheet as result_sheet

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class SqlStore(DatabaseDatasets, DatabaseRuns, DatabaseEvaluations, DatabaseImports):
    """All tables of one database."""

    def __init__(self, url: str) -> None:
        clock = FakeClock()
        self.database = Database(url)
        DatabaseDatasets.__init__(self, self.database, clock)
        DatabaseRuns.__init__(self, self.database, clock)


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with postgres_url(tmp_path_factory.mktemp("postgres")) as url:
        yield url


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MemoryStore | SqlStore]:
    if request.param == "memory":
        yield MemoryStore(FakeClock())
        return
    url = f"sqlite:///{tmp_path / 'passer.sqlite3'}"
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres")
        engine = create_engine(url)
        with engine.begin() as connection:
            connection.execute(text("DROP SCHEMA public CASCADE"))
            connection.execute(text("CREATE SCHEMA public"))
        engine.dispose()
    opened = SqlStore(url)
    yield opened
    opened.database.close()


def dataset(*texts: str) -> Dataset:
    gold = (GoldPassage(document="book.txt", quote="first"),)
    questions = [
        Question(id=f"q{n}", text=text, reference="yes", gold_passages=gold if n == 0 else ())
        for n, text in enumerate(texts)
    ]
    return Dataset(name="farm", questions=tuple(questions))


def sweep(sweep_id: str = "sweep", runs: int = 2, digest: str = "d" * 64) -> StoredSweep:
    config = RunConfig(dataset="farm", collection="farm-books", retrieval=ScorePolicy(min_similarity=0.5))
    return StoredSweep(
        id=sweep_id,
        sweep=Sweep(name="A sweep", config=config),
        templates=(FrozenTemplate(name="default", digest="e" * 64, text="{% block user %}...{% endblock %}"),),
        dataset_digest=digest,
        questions=3,
        runs=tuple(
            Run(
                id=f"{sweep_id}-{position:03d}",
                sweep_id=sweep_id,
                position=position,
                name=f"run {position}",
                config=config,
                is_baseline=position == 0,
                scored_by={"encoder": "abc"},
                created_at=NOW,
            )
            for position in range(runs)
        ),
        created_at=NOW,
    )


def answer(key: str = "k" * 64, **changes: object) -> Answer:
    given = {"key": key, "text": "said", "raw": "<think>so</think>said", "timings": ModelTimings(eval_count=7)}
    return Answer(**{**given, **changes})


def ranking() -> Ranking:
    first = RetrievedPassage(
        id="p-00000", document="book.txt", number=0, text="first", start=0, end=5, page=2, rank=1, similarity=0.1 + 0.2
    )
    second = first.model_copy(update={"id": "p-00001", "number": 1, "rank": 2, "similarity": -0.25, "page": None})
    return Ranking(passages=(first, second), gold_ids=("p-00000",), embedding_s=0.5, retrieval_s=0.25)


def test_a_dataset_comes_back_as_it_was_and_a_change_is_a_new_version(store):
    first, second = dataset("one?", "two?"), dataset("one?", "two?", "three?")
    store.save_dataset(first)
    store.save_dataset(second)
    assert store.load_dataset("farm") == second
    assert store.load_dataset("farm", first.digest) == first
    [summary] = store.list_datasets()
    assert (summary.questions, summary.with_gold, summary.versions) == (3, 1, 2)
    store.save_dataset(first)
    assert store.load_dataset("farm") == first, "what was saved last is the newest"
    assert store.list_datasets()[0].versions == 2


def test_a_dataset_that_a_sweep_needs_cannot_be_deleted_and_stays_readable_for_finished_ones(store):
    kept = dataset("one?")
    store.save_dataset(kept)
    store.create_sweep(sweep(digest=kept.digest))
    with pytest.raises(ConflictError, match="still needs"):
        store.delete_dataset("farm")
    store.set_state(["sweep-000", "sweep-001"], RunState.CANCELLED)
    store.delete_dataset("farm")
    assert store.list_datasets() == []
    with pytest.raises(NotFoundError):
        store.load_dataset("farm")
    assert store.load_dataset("farm", kept.digest) == kept
    with pytest.raises(NotFoundError):
        store.delete_dataset("farm")


def test_a_sweep_is_kept_whole_and_comes_back_equal(store):
    created = sweep()
    assert store.create_sweep(created) == created
    loaded = store.load_sweep("sweep")
    assert (loaded.sweep, loaded.templates) == (created.sweep, created.templates)
    assert (loaded.created_at, loaded.runs[0].created_at) == (NOW, NOW)
    assert [run.config for run in loaded.runs] == [run.config for run in created.runs]
    assert [run.scored_by for run in loaded.runs] == [{"encoder": "abc"}] * 2
    assert [run.is_baseline for run in loaded.runs] == [True, False]
    assert loaded.runs[0].counts.questions == 3
    assert loaded.state is RunState.QUEUED
    with pytest.raises(ConflictError):
        store.create_sweep(created)
    with pytest.raises(NotFoundError):
        store.load_sweep("other")


def test_an_idempotency_key_gives_the_sweep_that_was_made_with_it(store):
    store.create_sweep(sweep("first"), idempotency_key="abc")
    again = store.create_sweep(sweep("second"), idempotency_key="abc")
    assert again.id == "first"
    other = sweep("second")
    changed = other.sweep.model_copy(update={"name": "Another"})
    with pytest.raises(ConflictError, match="another"):
        store.create_sweep(other.model_copy(update={"sweep": changed}), idempotency_key="abc")
    with pytest.raises(NotFoundError):
        store.load_sweep("second")


def test_sweeps_are_listed_newest_first_and_paged(store):
    for name in ("one", "two", "three"):
        store.create_sweep(sweep(name))
    assert [found.id for found in store.list_sweeps(limit=2)] == ["three", "two"]
    assert [found.id for found in store.list_sweeps(limit=2, before="two")] == ["one"]


def test_states_move_only_from_where_they_may_and_keep_their_times(store):
    store.create_sweep(sweep())
    assert store.set_state(["sweep-000"], RunState.RUNNING, only_from=[RunState.QUEUED]) == 1
    assert store.set_state(["sweep-000"], RunState.CANCELLED, only_from=[RunState.QUEUED]) == 0
    started = store.load_sweep("sweep").runs[0].started_at
    assert started is not None
    store.set_state(["sweep-000"], RunState.PAUSED, reason="Ollama is gone.", held=True)
    paused = store.load_sweep("sweep").runs[0]
    assert (paused.state, paused.reason, paused.held, paused.finished_at) == (
        RunState.PAUSED, "Ollama is gone.", True, None,
    )  # fmt: skip
    store.set_state(["sweep-000"], RunState.RUNNING)
    store.set_state(["sweep-000"], RunState.FINISHED)
    done = store.load_sweep("sweep").runs[0]
    assert done.started_at == started
    assert done.finished_at is not None
    assert (done.reason, done.held) == (None, False)


def test_only_sweeps_with_something_to_do_are_unfinished(store):
    for name in ("done", "held", "paused", "queued"):
        store.create_sweep(sweep(name, runs=1))
    store.set_state(["done-000"], RunState.FINISHED)
    store.set_state(["held-000"], RunState.PAUSED, held=True)
    store.set_state(["paused-000"], RunState.PAUSED, reason="Ollama is gone.")
    assert store.unfinished() == ["paused", "queued"]


def test_one_owner_holds_a_lease_until_it_gives_it_back(store):
    store.create_sweep(sweep())
    assert store.acquire("sweep", "one", ttl_s=60) == "one"
    assert store.acquire("sweep", "two", ttl_s=60) == "one"
    assert store.acquire("sweep", "one", ttl_s=60) == "one"
    store.release("sweep", "two")
    assert store.acquire("sweep", "two", ttl_s=60) == "one"
    store.release("sweep", "one")
    assert store.acquire("sweep", "two", ttl_s=-1) == "two"
    assert store.acquire("sweep", "three", ttl_s=60) == "three", "a lease that ran out is free"
    with pytest.raises(NotFoundError):
        store.acquire("other", "one", ttl_s=60)


def test_progress_is_the_last_one_reported(store):
    store.create_sweep(sweep())
    for done in (1, 2):
        store.report("sweep", SweepProgress(stage="answering", done=done, total=6, updated_at=NOW))
    progress = store.load_sweep("sweep").progress
    assert progress is not None
    assert (progress.done, progress.total, progress.updated_at) == (2, 6, NOW)


def test_failures_that_are_asked_again_leave_the_progress_at_once(store):
    store.create_sweep(sweep())
    told = [RecentFailure(run_id=f"sweep-00{n}", number=0, question_id="q0", reason="Cut.", at=NOW) for n in (0, 1)]
    for failure in told:
        failed = Evaluation(run_id=failure.run_id, number=0, question_id="q0", state="failed", reason="Cut.")
        store.record([EvaluationFact(failed)])
    store.report("sweep", SweepProgress(stage="answering", done=2, total=6, failures=tuple(told), updated_at=NOW))
    assert store.load_sweep("sweep").progress.failures == tuple(told)
    store.reopen(["sweep-000"])
    assert store.load_sweep("sweep").progress.failures == (told[1],)


def test_facts_come_back_to_the_last_bit(store):
    store.create_sweep(sweep())
    prompt = Prompt(
        template="default", template_digest="t" * 64, messages=(Message(role="user", content="Who? \u2014 \U0001f33e"),)
    )
    scores = {
        "METEOR": Score(value=1 / 3),
        "BLEU": Score(value=None, reason="empty_answer"),
        "F1 Score": Score(value=0, note="answer_cut_off"),
    }
    said = answer()
    evaluation = Evaluation(
        run_id="sweep-000", number=0, question_id="q0", state="scored", kept=(0, 2), prompt_digest=prompt.digest,
        answer_key=said.key, pair_key="s" * 64,
    )  # fmt: skip
    facts = [
        RankingFact("sweep", "farm-books", "q0", ranking()),
        PromptFact(prompt),
        AnswerFact(said),
        PairFact("s" * 64, scores, 0.01),
        EvaluationFact(evaluation),
    ]
    store.record(facts)
    store.record(facts)
    assert store.rankings("sweep", "farm-books") == {"q0": ranking()}
    assert store.rankings("sweep", "farm-books", question_id="q1") == {}
    assert store.prompt(prompt.digest) == prompt
    assert store.prompt("none") is None
    assert store.answers([said.key, "none"]) == {said.key: said}
    assert store.pairs(["s" * 64]) == {"s" * 64: scores}
    assert store.evaluations("sweep-000") == [evaluation.model_copy(update={"scores": scores})]
    assert store.evaluations("sweep-000", with_scores=False) == [evaluation]


def test_an_evaluation_moves_on_and_what_is_content_addressed_never_changes(store):
    store.create_sweep(sweep())
    evaluation = Evaluation(run_id="sweep-000", number=1, question_id="q1", state="answered", answer_key="k" * 64)
    store.record([AnswerFact(answer()), EvaluationFact(evaluation)])
    moved = evaluation.model_copy(update={"state": "failed", "reason": "It broke."})
    store.record([AnswerFact(answer(text="another")), EvaluationFact(moved)])
    assert store.evaluations("sweep-000", with_scores=False) == [moved]
    assert store.answers(["k" * 64])["k" * 64].text == "said"


def test_evaluations_are_paged_in_dataset_order(store):
    store.create_sweep(sweep())
    for number in (2, 0, 1):
        store.record([EvaluationFact(Evaluation(run_id="sweep-000", number=number, question_id=f"q{number}"))])
    assert [e.number for e in store.evaluations("sweep-000")] == [0, 1, 2]
    assert [e.number for e in store.evaluations("sweep-000", after=0, limit=1)] == [1]


def test_counts_are_those_of_the_evaluations(store):
    store.create_sweep(sweep())
    store.record(
        [
            AnswerFact(answer("a" * 64, abstained=True)),
            AnswerFact(answer("b" * 64, truncated="answer")),
            EvaluationFact(
                Evaluation(run_id="sweep-000", number=0, question_id="q0", state="scored", answer_key="a" * 64)
            ),
            EvaluationFact(
                Evaluation(
                    run_id="sweep-000", number=1, question_id="q1", state="answered", answer_key="b" * 64,
                    kept=(0, 3), reused=True,
                )
            ),
            EvaluationFact(Evaluation(run_id="sweep-000", number=2, question_id="q2", state="failed", kept=(0, 1))),
        ]
    )  # fmt: skip
    counts = store.load_sweep("sweep").runs[0].counts
    assert counts.model_dump() == {
        "questions": 3, "answered": 2, "scored": 1, "failed": 1, "uncovered": 1, "abstained": 1, "truncated": 1,
        "reused": 1,
    }  # fmt: skip


def evaluation(number: int, **given: object) -> EvaluationFact:
    return EvaluationFact(Evaluation(run_id="sweep-000", number=number, question_id=f"q{number}", **given))


def test_the_speed_of_a_model_is_that_of_the_answers_it_was_asked_for(store):
    store.create_sweep(sweep())
    asked = {"state": "scored", "prompt_digest": "p" * 64}
    store.record(
        [
            *(AnswerFact(answer(name * 64, generation_s=s)) for name, s in (("a", 2.0), ("b", 8.0), ("c", 50.0))),
            evaluation(0, **asked, answer_key="a" * 64),
            evaluation(1, **asked, answer_key="b" * 64),
            evaluation(2, **asked, answer_key="b" * 64, reused=True),
            evaluation(3, state="scored", answer_key="c" * 64),
        ]
    )
    assert store.generation_times(Model()) == [], "no run has begun"
    store.set_state(["sweep-000"], RunState.RUNNING)
    assert sorted(store.generation_times(Model())) == [2.0, 8.0]
    assert store.generation_times(Model(base_url="http://elsewhere")) == []
    assert store.generation_times(Model(name="another")) == []


def test_the_effort_of_a_sweep_is_counted_apart_from_others(store):
    store.create_sweep(sweep())
    store.create_sweep(sweep("other"))
    asked = {"prompt_digest": "p" * 64, "answer_key": "a" * 64}
    store.record(
        [
            AnswerFact(answer("a" * 64)),
            *(PairFact(name * 64, {"METEOR": Score(value=0.5)}, 0.1) for name in "xy"),
            RankingFact("sweep", "farm-books", "q0", ranking()),
            RankingFact("sweep", "farm-books", "q1", ranking()),
            RankingFact("other", "farm-books", "q0", ranking()),
            evaluation(0, state="scored", pair_key="x" * 64, **asked),
            evaluation(1, state="scored", pair_key="x" * 64, reused=True, **asked),
            evaluation(2, state="answered", reused=True, **asked),
            evaluation(3, state="failed", prompt_digest="q" * 64),
            evaluation(4, state="scored", pair_key="y" * 64, answer_key="a" * 64),
        ]
    )
    assert store.effort("sweep") == Effort(rankings=2, prompted=3, generated=1, scored=3, pairs=2)
    assert store.effort("other") == Effort(rankings=1, prompted=0, generated=0, scored=0, pairs=0)


def test_reopening_forgets_failures_alone(store):
    store.create_sweep(sweep())
    for number, state in enumerate(("failed", "scored", "failed")):
        store.record(
            [EvaluationFact(Evaluation(run_id="sweep-000", number=number, question_id=f"q{number}", state=state))]
        )
    store.set_state(["sweep-000"], RunState.FINISHED)
    assert store.reopen(["sweep-000"]) == 2
    assert [e.number for e in store.evaluations("sweep-000")] == [1]
    reopened = store.load_sweep("sweep").runs[0]
    assert (reopened.state, reopened.finished_at) == (RunState.QUEUED, None)


def test_a_scored_evaluation_is_final(store):
    store.create_sweep(sweep())
    scored = Evaluation(run_id="sweep-000", number=0, question_id="q0", state="scored", pair_key="s" * 64)
    late = scored.model_copy(update={"state": "answered", "pair_key": None})
    store.record([EvaluationFact(scored)])
    store.record([EvaluationFact(late)])
    assert store.evaluations("sweep-000", with_scores=False) == [scored]


def test_moves_that_nobody_asked_for_leave_alone_what_a_person_paused(store):
    store.create_sweep(sweep())
    store.set_state(["sweep-000"], RunState.PAUSED, held=True)
    runs = ["sweep-000", "sweep-001"]
    assert store.set_state(runs, RunState.RUNNING, unless_held=True) == 1
    assert [run.state for run in store.load_sweep("sweep").runs] == [RunState.PAUSED, RunState.RUNNING]


def imported(*models: str, import_id: str = "sheets-a") -> SheetImport:
    remarks = SheetRemarks(footer_rows=(5,), unreadable=(UnreadableCell(row=3, column="BLEU", text="n/a"),))
    sheets = [result_sheet(model, None, {"one?": 1 / 3, "two – ü?": 0.2}, remarks=remarks) for model in models]
    sheets.append(result_sheet(models[0], 0.55, {"one?": 0.1 + 0.2}))
    sheets[0].present[1, 1] = False
    sheets[0].values[1, 1] = 0.0
    audit = audit_sheets(sheets, ignored_files=["odd.xlsx"])
    return SheetImport(id=import_id, name="study", created_at=NOW, sheets=tuple(sheets), audit=audit)


def parts(sheet: Sheet) -> dict[str, object]:
    lists = {"values": sheet.values.tolist(), "present": sheet.present.tolist()}
    return {**{name: value for name, value in vars(sheet).items() if name != "keys"}, **lists}


def test_an_import_comes_back_to_the_last_bit(store):
    kept = imported("mistral", "orca")
    store.save_import(kept)
    found = store.load_import("sheets-a")
    assert [parts(sheet) for sheet in found.sheets] == [parts(sheet) for sheet in kept.sheets]
    assert (found.audit, found.name, found.created_at, found.dataset) == (kept.audit, "study", NOW, None)
    light = store.load_import("sheets-a", with_answers=False)
    assert {sheet.answers for sheet in light.sheets} == {()}
    assert [sheet.questions for sheet in light.sheets] == [sheet.questions for sheet in kept.sheets]


def test_the_same_import_again_takes_the_new_audit_and_stays_one(store):
    kept = imported("mistral")
    store.save_import(kept)
    store.save_import(imported("deepseek", import_id="sheets-b"))
    checked = replace(kept, audit=audit_sheets(kept.sheets), dataset="farm", dataset_digest="d" * 64)
    store.save_import(checked)
    found = store.load_import("sheets-a")
    assert (found.audit, found.dataset, found.dataset_digest) == (checked.audit, "farm", "d" * 64)
    newest, first = store.list_imports()
    assert (newest.id, first.id) == ("sheets-b", "sheets-a")
    assert (first.models, first.sheets, first.rows) == (("mistral",), 2, 3)
    assert first.defects == len([f for f in checked.audit.findings if f.severity == "defect"]) > 0


def test_an_import_is_deleted_with_its_sheets(store):
    store.save_import(imported("mistral"))
    store.delete_import("sheets-a")
    assert store.list_imports() == []
    for act in (store.load_import, store.delete_import):
        with pytest.raises(NotFoundError, match="sheets-a"):
            act("sheets-a")
    store.save_import(imported("mistral"))
    assert len(store.load_import("sheets-a").sheets) == 2


def test_the_migrations_make_the_schema(tmp_path):
    opened = Database(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    with opened.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 1
    opened.close()


def test_a_transaction_is_whole_or_not_at_all(tmp_path):
    opened = SqlStore(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    wrong = EvaluationFact(Evaluation(run_id="no such run", number=0, question_id="q0"))
    with pytest.raises(ConflictError):
        opened.record([AnswerFact(answer()), wrong])
    assert opened.answers(["k" * 64]) == {}
    opened.database.close()


def test_two_processes_worth_of_writers_wait_for_each_other(tmp_path):
    url = f"sqlite:///{tmp_path / 'a.sqlite3'}"
    stores = [SqlStore(url), SqlStore(url)]
    problems: list[Exception] = []

    def write(store: SqlStore, mark: str) -> None:
        try:
            for number in range(50):
                store.record([AnswerFact(answer(f"{mark}{number}".ljust(64, "x")))])
        except Exception as exc:
            problems.append(exc)

    threads = [threading.Thread(target=write, args=pair) for pair in zip(stores, "ab", strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert problems == []
    keys = [f"{mark}{number}".ljust(64, "x") for mark in "ab" for number in range(50)]
    assert len(stores[0].answers(keys)) == 100
    for opened in stores:
        opened.database.close()


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path):
    with pytest.raises(StoreUnavailable, match="cannot be opened"):
        Database(f"sqlite:///{tmp_path / 'missing' / 'a.sqlite3'}")


def test_runs_of_all_sweeps_are_found_and_paged_newest_sweep_first(store):
    store.create_sweep(sweep("first", runs=2))
    store.create_sweep(sweep("second", runs=3))
    store.set_state(["second-001"], RunState.RUNNING)
    page = store.find_runs(RunQuery(limit=4))
    assert [item.run.id for item in page.items] == ["second-000", "second-001", "second-002", "first-000"]
    assert (page.total, page.models, page.datasets) == (5, ("extractive",), ("farm",))
    assert [item.run.id for item in store.find_runs(RunQuery(after=4)).items] == ["first-001"]
    assert [item.run.id for item in store.find_runs(RunQuery(states=(RunState.RUNNING,))).items] == ["second-001"]
    assert {item.sweep_runs for item in page.items} == {2, 3}
    assert store.find_runs(RunQuery(find="RUN 2")).total == 1
    assert store.find_runs(RunQuery(models=("mistral",))).total == 0


def test_scores_of_a_run_come_as_arrays_with_their_reasons(store):
    store.create_sweep(sweep())
    found = {"METEOR": Score(value=0.5), "BLEU": Score(value=None, reason="no_tokens")}
    cut = {"F1 Score": Score(value=0.25, note="answer_cut_off")}
    store.record(
        [
            PairFact("p" * 64, found | cut, scoring_s=0.0),
            evaluation(2, state="scored", pair_key="p" * 64),
            evaluation(0, state="failed", reason="gone"),
            evaluation(1, state="answered"),
        ]
    )
    scores = store.run_scores("sweep-000")
    assert scores.numbers == (0, 2)
    columns = scores.table.columns
    failed, scored = (dict(zip(columns, row, strict=True)) for row in scores.table.reasons)
    assert set(failed.values()) == {"generation_failed"}
    assert (scored["METEOR"], scored["BLEU"], scored["F1 Score"], scored["Rouge-1.f"]) == (
        None,
        "no_tokens",
        None,
        "not_requested",
    )
    values = dict(zip(columns, scores.table.values[1], strict=True))
    assert (values["METEOR"], values["F1 Score"], values["BLEU"]) == (0.5, 0.25, 0.0)
    assert store.run_scores("sweep-001").numbers == ()


def test_failed_evaluations_are_listed_alone_and_paged(store):
    store.create_sweep(sweep())
    store.record(
        [
            evaluation(0, state="failed", reason="gone"),
            evaluation(1, state="scored"),
            evaluation(2, state="answered"),
            evaluation(3, state="failed", reason="too hot"),
            evaluation(4, state="failed", reason="gone"),
        ]
    )
    found = store.evaluations("sweep-000", failed_only=True)
    assert [(item.number, item.reason) for item in found] == [(0, "gone"), (3, "too hot"), (4, "gone")]
    assert [item.number for item in store.evaluations("sweep-000", after=0, limit=1, failed_only=True)] == [3]


def test_scores_of_a_long_run_are_what_was_recorded_to_the_last_bit(store):
    store.create_sweep(sweep())
    expected = np.random.default_rng(7).normal(0, 3, (2100, 24))
    facts: list[Fact] = []
    for number, row in enumerate(expected):
        # Two columns change places, as they would in what an older version kept.
        names = VECTOR_ORDER if number != 1500 else (*VECTOR_ORDER[1::-1], *VECTOR_ORDER[2:])
        values = dict(zip(VECTOR_ORDER, map(float, row), strict=True))
        key = f"{number:064d}"
        facts.append(PairFact(key, {name: Score(value=values[name]) for name in names}, scoring_s=0.0))
        facts.append(evaluation(number, state="scored", pair_key=key))
    store.record(facts)
    scores = store.run_scores("sweep-000")
    assert np.array_equal(scores.table.values, expected)
    assert scores.table.present.all()
    assert scores.numbers == tuple(range(2100))


def test_scores_of_a_finished_run_that_is_opened_again_are_those_of_now(store):
    store.create_sweep(sweep())
    scores = {name: Score(value=0.5) for name in VECTOR_ORDER}
    store.record(
        [
            PairFact("p" * 64, scores, scoring_s=0.0),
            evaluation(0, state="scored", pair_key="p" * 64),
            evaluation(1, state="failed", reason="gone"),
        ]
    )
    store.set_state(["sweep-000"], RunState.FINISHED)
    assert store.run_scores("sweep-000").numbers == (0, 1)
    assert store.run_scores("sweep-000").table.present.all(axis=1).tolist() == [True, False]
    store.reopen(["sweep-000"])
    assert store.run_scores("sweep-000").numbers == (0,)
    store.record([evaluation(1, state="scored", pair_key="p" * 64)])
    store.set_state(["sweep-000"], RunState.FINISHED)
    assert store.run_scores("sweep-000").table.present.all()


def test_versions_of_a_dataset_say_which_sweeps_ask_them(store):
    old, new = dataset("one"), dataset("one", "two")
    store.save_dataset(old)
    store.create_sweep(sweep(digest=old.digest))
    store.save_dataset(new)
    versions = store.list_versions("farm")
    assert [(item.digest, item.questions, item.with_gold, item.sweeps) for item in versions] == [
        (new.digest, 2, 1, 0),
        (old.digest, 1, 1, 1),
    ]
    with pytest.raises(NotFoundError):
        store.list_versions("none")
