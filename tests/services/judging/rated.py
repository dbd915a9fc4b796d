"""A run of 40 answers, all rated by a person, by which the task of a judge can be tuned."""

from __future__ import annotations

from passer.domain.dataset import Dataset, Question
from passer.domain.judging.marks import Label
from passer.domain.retrieval.passages import Ranking
from passer.domain.sweeps.run import Evaluation
from passer.ports import AnswerFact, EvaluationFact, PairFact, RankingFact
from tests.services.judging.made import NOW, Answer, Judged, a_sweep, passages

COLUMN, QUESTIONS = "Answer correctness", 40


def fill_run(made: Judged, sweep: str = "sweep", *, first: int = 0, small: int = 0) -> None:
    """Store a sweep whose first run has answers to 40 questions about the facts from `first`.

    The first `small` questions are of the group "small", the others of none.
    """
    numbers = range(first, first + QUESTIONS)
    groups = dict.fromkeys(numbers[:small], "small")
    questions = tuple(
        Question(id=f"q{n}", text=f"What is fact {n}?", reference="So.", group=groups.get(n)) for n in numbers
    )
    dataset = Dataset(name="farm", questions=questions)
    made.store.save_dataset(dataset)
    plain = a_sweep(dataset.digest)
    runs = tuple(
        run.model_copy(update={"id": run.id.replace("sweep", sweep), "sweep_id": sweep, "name": f"{sweep} {run.name}"})
        for run in plain.runs
    )
    named = plain.sweep.model_copy(update={"name": sweep.capitalize()})
    stored = plain.model_copy(update={"id": sweep, "sweep": named, "questions": QUESTIONS, "runs": runs})
    made.store.create_sweep(stored)
    for place, (n, question) in enumerate(zip(numbers, questions, strict=True)):
        key = f"{n:02d}".ljust(64, "a")
        found = Evaluation(
            run_id=f"{sweep}-000", number=place, question_id=question.id, kept=(0, 1),
            state="scored", answer_key=key, pair_key=key,
        )  # fmt: skip
        said = f"Fact {n}, worth {n % 11}."
        made.store.record([
            RankingFact(sweep, stored.runs[0].config.ranked_by, question.id, Ranking(passages=passages())),
            AnswerFact(Answer(key=key, text=said, raw=said)), PairFact(key, {}, 0.0), EvaluationFact(found),
        ])  # fmt: skip


def fill_rated(made: Judged) -> None:
    """Store the run `sweep-000` with its labels; answer n is worth n modulo 11 of 10."""
    fill_run(made)
    for key in made.items.keys(("sweep-000",)):
        value = key.place.number % 11 / 10
        made.labels.add_labels([Label(item_key=key.key or "", column=COLUMN, rater="ana", value=value, at=NOW)])
