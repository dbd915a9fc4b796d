"""Rankings are found once for each version of a collection, and while other questions are asked already."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event

from passer.domain.dataset import Dataset, GoldPassage, Question
from passer.domain.retrieval.cuts import NormalPolicy
from passer.domain.retrieval.retriever import RankedBy
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.domain.timing.times import TimingPlan
from passer.ports import DocumentSummary, StoredSweep
from tests.fakes import passages_of
from tests.services.study import QUESTIONS, TEXTS, Study

BOOKS = RankedBy("books")


def run(study: Study, *, k: int, name: str = "farm") -> StoredSweep:
    config = RunConfig(dataset=name, collection="books", retrieval=NormalPolicy(k=k))
    return study.running.run(study.planner.create(Sweep(name=f"k={k}", config=config)).id)


def depths_of(study: Study, sweep: StoredSweep) -> set[int]:
    return {len(ranking.passages) for ranking in study.store.rankings(sweep.id, BOOKS).values()}


def test_a_second_sweep_searches_nothing_that_the_first_has_found():
    study = Study()
    first = run(study, k=3)
    assert study.index.searched == [(list(QUESTIONS), 3)]
    second = study.running.run(study.create(0.1, retrieval=NormalPolicy(k=3)).id)
    assert len(study.index.searched) == 2, "a deeper cut needs a deeper search"
    third = run(study, k=3)
    assert len(study.index.searched) == 2
    assert study.store.rankings(third.id, BOOKS) == study.store.rankings(first.id, BOOKS)
    assert [study.store.effort(each.id).rankings for each in (first, second, third)] == [6, 6, 0]


def test_a_deeper_search_of_another_sweep_is_cut_and_changes_nothing_that_was_stored():
    study = Study()
    shallow = run(study, k=1)
    before = study.store.rankings(shallow.id, BOOKS)
    deep = run(study, k=4)
    again = run(study, k=2)
    assert [depths_of(study, each) for each in (shallow, deep, again)] == [{1}, {4}, {2}]
    assert [depth for _, depth in study.index.searched] == [1, 4], "two passages are the first two of four"
    assert study.store.rankings(shallow.id, BOOKS) == before
    for key, ranking in study.store.rankings(again.id, BOOKS).items():
        assert ranking.passages == study.store.rankings(deep.id, BOOKS)[key].passages[:2]


def test_questions_of_another_dataset_that_read_the_same_are_found_and_have_gold_passages_of_their_own():
    study = Study()
    run(study, k=3)
    gold = (GoldPassage(document="book.txt", quote=TEXTS[1]),)
    asked = (
        Question(id="same", text=QUESTIONS[0], reference=TEXTS[0], gold_passages=gold),
        Question(id="new", text="Who keeps bees?", reference=TEXTS[2]),
    )
    study.store.save_dataset(Dataset(name="other", questions=asked))
    sweep = run(study, k=3, name="other")
    assert study.index.searched[1:] == [(["Who keeps bees?"], 3)]
    found = study.store.rankings(sweep.id, BOOKS)
    passages = list(study.index.passages())
    assert found["same"].gold_ids == (passages[1].id,)
    assert found["new"].gold_ids is None
    assert study.store.rankings(study.store.list_sweeps(limit=2)[1].id, BOOKS)["q0"].gold_ids == (passages[0].id,)


def test_a_collection_that_has_grown_is_searched_again():
    study = Study()
    first = run(study, k=3)
    before = study.store.rankings(first.id, BOOKS)
    new = passages_of(QUESTIONS[0], document="new.txt")
    study.index._passages.extend(new)
    study.collections._documents["books"] = {"d": DocumentSummary(name="new.txt", digest="d", passages=1)}
    second = run(study, k=3)
    assert len(study.index.searched) == 2
    assert study.store.rankings(second.id, BOOKS)["q0"].passages[0].id == new[0].id
    assert study.store.rankings(first.id, BOOKS) == before


def test_what_was_found_while_the_collection_grew_is_not_shared():
    study = Study()
    places = study.index.places

    def grows(*asked):
        found = places(*asked)
        study.collections._documents["books"] = {"d": DocumentSummary(name="n", digest="d", passages=0)}
        return found

    study.index.places = grows
    first = run(study, k=3)
    study.index.places = places
    assert depths_of(study, first) == {3}
    run(study, k=3)
    assert len(study.index.searched) == 2, "the first sweep's rankings are of neither version"


def test_a_timing_run_looks_everything_up_by_itself_one_by_one_before_it_asks():
    study = Study()
    study.running.run(study.create(0.1).id)
    shared, asked = len(study.index.searched), len(study.chat_model.asked)
    order: list[str] = []
    places, script = study.index.places, study.chat_model._script
    study.index.places = lambda *asked: order.append("search") or places(*asked)
    study.chat_model._script = lambda source: order.append("ask") or script(source)
    timed = study.running.run(study.create(0.1, timing=TimingPlan(warm_up=1)).id)
    searched = [questions for questions, _ in study.index.searched[shared:]]
    assert searched == [[QUESTIONS[0]], *([text] for text in QUESTIONS)], "one to warm up, then each alone"
    assert order[: len(searched)] == ["search"] * len(searched)
    assert "search" not in order[len(searched) :]
    assert len(study.chat_model.asked) > asked
    study.running.run(study.create(0.1).id)
    assert len(study.index.searched) == shared + len(searched), "the first sweep's rankings are still found"
    assert study.store.effort(timed.id).rankings == len(QUESTIONS)


def test_the_first_questions_are_asked_while_the_last_are_still_searched(monkeypatch):
    monkeypatch.setattr("passer.services.sweeps.ranking_batcher.QUESTIONS_PER_SEARCH", 1)
    study = Study()
    order: list[str] = []
    places, script = study.index.places, study.chat_model._script
    study.index.places = lambda *asked: order.append(f"search {asked[0][0]}") or places(*asked)
    study.chat_model._script = lambda source: order.append(f"ask {source.question}") or script(source)
    done = study.running.run(study.create(0.1).id)
    assert [run.counts.scored for run in done.runs] == [6, 6]
    assert order.index(f"ask {QUESTIONS[0]}") < order.index(f"search {QUESTIONS[5]}")
    assert [each for each in order if each.startswith("search")] == [f"search {text}" for text in QUESTIONS]


def test_a_sweep_reads_the_rankings_of_the_questions_that_it_begins_and_keeps_none(monkeypatch):
    monkeypatch.setattr("passer.services.sweeps.scheduler.TASKS_AT_ONCE", 2)
    monkeypatch.setattr("passer.services.provenance.manifest_builder.PAGE", 2)
    study = Study()
    asked: list[Sequence[str]] = []
    rankings = study.store.rankings

    def read(sweep_id, ranked_by, question_ids):
        asked.append(question_ids)
        return rankings(sweep_id, ranked_by, question_ids)

    study.store.rankings = read
    sweep = study.create(0.1)
    stop = Event()
    study.chat_model._script = lambda source: stop.set() or source.passages[0].text
    study.running.run(sweep.id, stop=stop)
    assert all(run.counts.scored < 6 for run in study.store.load_sweep(sweep.id).runs)
    study.running.run(sweep.id)
    assert [run.counts.scored for run in study.store.load_sweep(sweep.id).runs] == [6, 6]
    assert asked
    assert max(map(len, asked)) <= 2, "one read has the questions of one batch of tasks"


def test_a_resumed_sweep_reads_what_was_done_a_few_questions_at_a_time(monkeypatch):
    monkeypatch.setattr("passer.services.sweeps.tasks.AT_ONCE", 2)
    study = Study()
    sweep = study.create(0.1)
    stop, read = Event(), study.store.evaluations
    study.chat_model._script = lambda source: stop.set() or source.passages[0].text
    study.running.run(sweep.id, stop=stop)
    answered = {e.number: e.answer_key for e in read(sweep.runs[0].id, with_scores=False)}
    asked: list[int] = []

    def counted(run_id, *, after=-1, limit=None, with_scores=True):
        found = read(run_id, after=after, limit=limit, with_scores=with_scores)
        asked.append(0 if with_scores else len(found))
        return found

    monkeypatch.setattr(study.running.evaluations, "evaluations", counted)
    done = study.running.run(sweep.id)
    assert [run.counts.scored for run in done.runs] == [6, 6]
    assert 0 < max(asked) <= 2
    assert answered.items() <= {e.number: e.answer_key for e in read(sweep.runs[0].id, with_scores=False)}.items()
