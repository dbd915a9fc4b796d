"""A run of 40 answers, all rated by a person, by which the task of a judge can be tuned."""

from __future__ import annotations

from passer.domain.dataset import Dataset, Question
from passer.domain.judging.marks import Label
from passer.domain.retrieval import Ranking
from passer.domain.run import Evaluation
from passer.ports import AnswerFact, EvaluationFact, PairFact, RankingFact
from tests.services.judging.made import NOW, Answer, Judged, a_sweep, passages

COLUMN, QUESTIONS = "Answer correctness", 40


def fill_rated(made: Judged) -> None:
    """Store the run `sweep-000` with its labels; answer n is worth n modulo 11 of 10."""
    questions = tuple(Question(id=f"q{n}", text=f"What is fact {n}?", reference="So.") for n in range(QUESTIONS))
    dataset = Dataset(name="farm", questions=questions)
    made.store.save_dataset(dataset)
    stored = a_sweep(dataset.digest).model_copy(update={"questions": QUESTIONS})
    made.store.create_sweep(stored)
    for n, question in enumerate(questions):
        key = f"{n:02d}".ljust(64, "a")
        found = Evaluation(
            run_id="sweep-000", number=n, question_id=question.id, kept=(0, 1),
            state="scored", answer_key=key, pair_key=key,
        )  # fmt: skip
        said = f"Fact {n}, worth {n % 11}."
        made.store.record([
            RankingFact("sweep", stored.runs[0].config.ranked_by, question.id, Ranking(passages=passages())),
            AnswerFact(Answer(key=key, text=said, raw=said)), PairFact(key, {}, 0.0), EvaluationFact(found),
        ])  # fmt: skip
    for key in made.items.keys(("sweep-000",)):
        value = key.place.number % 11 / 10
        made.labels.add_labels([Label(item_key=key.key or "", column=COLUMN, rater="ana", value=value, at=NOW)])
