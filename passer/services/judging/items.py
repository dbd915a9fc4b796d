"""Builds the items of runs: one for each stored answer, with the passages of its prompt."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from passer.domain.dataset import Dataset, Question, weights_of
from passer.domain.judging.assessment import AssessmentSpec
from passer.domain.judging.item import Item, answer_item, item_key
from passer.domain.models.answer import Answer
from passer.domain.models.model import ModelInfo
from passer.domain.sweeps.run import Evaluation, Run, sweep_id_of
from passer.domain.wording.sentence import sentence
from passer.errors import InputError, NotFoundError
from passer.ports import Collections, DatasetStore, EvaluationStore, PromptTemplates, RunStore, StoredSweep
from passer.services.judging.dataset_items import PooledKey, dataset_items, pooled_items, pooled_keys

AT_ONCE = 500
"""Questions whose answers and rankings are read at once."""


class Place(NamedTuple):
    """The run or dataset and the question that an item belongs to."""

    run_id: str
    """Id of the run, or name of the dataset."""
    number: int
    """Place of the question in the dataset, counted from 0."""
    question_id: str


class FoundItem(NamedTuple):
    """An item with the run and question that it belongs to."""

    place: Place
    item: Item


class ItemKey(NamedTuple):
    """Key of the item of one question of a run; None if the question has no answer."""

    place: Place
    key: str | None
    answer: str = ""
    """Text of the answer of a run."""
    references: tuple[str, ...] = ("",)
    """Right answers to the question of a run, the reference first."""


@dataclass(frozen=True)
class ItemSource:
    """Builds items from the stored answers of runs."""

    runs: RunStore
    evaluations: EvaluationStore
    datasets: DatasetStore
    templates: PromptTemplates | None = None
    """Says which prompts ask for citations; None where no metric needs that."""
    collections: Collections | None = None
    """Source of the texts of pooled passages; None if no passages are graded."""

    def sweep_of(self, run_ids: Sequence[str]) -> StoredSweep:
        """Return the sweep of some runs; InputError if they belong to several, NotFoundError if one is unknown."""
        if not run_ids:
            raise InputError(sentence("judging.no-runs"), field="runs")
        sweep, *others = self.sweeps_of(run_ids)
        if others:
            raise InputError(sentence("judging.one-sweep"), field="runs")
        return sweep

    def sweeps_of(self, run_ids: Sequence[str]) -> list[StoredSweep]:
        """Return the sweeps of some runs, in the order of the runs; NotFoundError if a run is unknown.

        InputError unless all of them ask the same questions, so that answers of different sweeps can be compared.
        """
        ids = dict.fromkeys(sweep_id_of(run_id) for run_id in run_ids)
        sweeps = [self.runs.load_sweep(some_id, counted=False) for some_id in ids]
        known = {run.id for sweep in sweeps for run in sweep.runs}
        for run_id in run_ids:
            if run_id not in known:
                raise NotFoundError(sentence("problem.no-run", run=run_id))
        first, *others = sweeps
        for other in others:
            if self._asked(first) != self._asked(other):
                raise InputError(sentence("arena.other-questions", first=first.name, other=other.name), field="runs")
        return sweeps

    def _asked(self, sweep: StoredSweep) -> list[tuple[str, str, tuple[str, ...]]]:
        dataset = self.datasets.load_dataset(sweep.sweep.config.dataset, sweep.dataset_digest)
        return [(each.id, each.text, each.references) for each in dataset.questions[: sweep.questions]]

    def of_spec(self, spec: AssessmentSpec) -> Iterator[FoundItem]:
        """Yield the items that an assessment judges, those of its runs or of its datasets; equal items repeat."""
        facts = {each.question: each.facts for each in spec.key_facts}
        for place, item in self.items(spec.runs) if spec.runs else ():
            given: dict[str, object] = {"criteria": spec.criteria, "whole_sentences": spec.whole_sentences}
            given |= {"key_facts": facts[item.question]} if item.question in facts else {}
            yield FoundItem(place, item.model_copy(update=given))
        for dataset in self._datasets(spec):
            pooled = None if spec.pool is None else pooled_items(dataset, spec.pool, self.collections)
            for number, item in enumerate(dataset_items(dataset)) if pooled is None else pooled:
                yield FoundItem(Place(dataset.name, number, item.question_id), item)

    def keys_of_spec(self, spec: AssessmentSpec) -> list[ItemKey]:
        """Return the key of each item that an assessment judges, row by row; no passage's text of a run is read."""
        if spec.runs:
            return self.keys(spec.runs)
        if spec.pool is not None:
            name = spec.datasets[0].name
            return [ItemKey(Place(name, each.number, each.question_id), each.key) for each in self.pooled(spec)]
        return [ItemKey(found.place, found.item.key) for found in self.of_spec(spec)]

    def weights_of_spec(self, spec: AssessmentSpec) -> dict[str, dict[str, float]]:
        """Return the weights of questions by id, for each run or dataset of an assessment; empty if all are equal."""
        if spec.runs:
            return dict.fromkeys(spec.runs, self.weights(spec.runs))
        return {dataset.name: weights_of(dataset.questions) for dataset in self._datasets(spec)}

    def answerers_of_spec(self, spec: AssessmentSpec) -> dict[str, ModelInfo | None]:
        """Return the models that gave the judged answers, or drafted the judged questions, by name."""
        if spec.runs:
            return self.answerers(spec.runs)
        if spec.pool:
            return {}
        origins = (each.origin for dataset in self._datasets(spec) for each in dataset.questions)
        return {each.model: ModelInfo(name=each.model, digest=each.model_digest) for each in origins if each}

    def pooled(self, spec: AssessmentSpec) -> list[PooledKey]:
        """Return the pooled passages that an assessment grades; empty for one that grades none."""
        if spec.pool is None:
            return []
        return [found for dataset in self._datasets(spec) for found in pooled_keys(dataset, spec.pool)]

    def _datasets(self, spec: AssessmentSpec) -> Iterator[Dataset]:
        return (self.datasets.load_dataset(each.name, each.digest) for each in spec.datasets)

    def answerers(self, run_ids: Sequence[str]) -> dict[str, ModelInfo | None]:
        """Return the models of some runs with their descriptions, by name."""
        runs = _chosen(self.sweeps_of(run_ids), run_ids)
        return {run.config.model.name: run.model_info for run in runs}

    def weights(self, run_ids: Sequence[str]) -> dict[str, float]:
        """Return the weights of the questions of some runs, by id; empty if all are equal."""
        return weights_of(self.questions(run_ids))

    def questions(self, run_ids: Sequence[str]) -> tuple[Question, ...]:
        """Return the questions that some runs of one sweep asked, in order."""
        sweep = self.sweep_of(run_ids)
        dataset = self.datasets.load_dataset(sweep.sweep.config.dataset, sweep.dataset_digest)
        return dataset.questions[: sweep.questions]

    def items(self, run_ids: Sequence[str], *, only: Collection[str] | None = None) -> Iterator[FoundItem]:
        """Yield the item of each answered question, question by question across the runs; equal items repeat.

        `only` limits them to the questions with these ids. Passages of a question are read once for all runs that cut
        the same ranking.
        """
        sweeps = self.sweeps_of(run_ids)
        sweep, runs = sweeps[0], _chosen(sweeps, run_ids)
        dataset = self.datasets.load_dataset(sweep.sweep.config.dataset, sweep.dataset_digest)
        stored = {run.id: self._evaluations(run) for run in runs}
        for number, question in enumerate(dataset.questions[: sweep.questions]):
            if only is not None and question.id not in only:
                continue
            answered = [(run, stored[run.id][number]) for run in runs if number in stored[run.id]]
            answers = self.evaluations.answers([evaluation.answer_key or "" for _, evaluation in answered])
            rankings = {
                ranked: self.evaluations.rankings(*ranked, [question.id]).get(question.id)
                for ranked in dict.fromkeys((run.sweep_id, run.config.ranked_by) for run, _ in answered)
            }
            for run, evaluation in answered:
                found = rankings[run.sweep_id, run.config.ranked_by]
                first, last = evaluation.kept
                answer = answers.get(evaluation.answer_key or "")
                if answer is not None:
                    kept = run.config.in_prompt(found.passages[first:last]) if found else ()
                    gold = found.gold_ids if found else None
                    item = answer_item(
                        question, answer, answer.outside_passages or kept, dataset.language,
                        gold_ids=gold, cites=self._cites(run.config.prompt),
                    )  # fmt: skip
                    yield FoundItem(Place(run.id, number, question.id), item)

    def keys(self, run_ids: Sequence[str], *, number: int | None = None) -> list[ItemKey]:
        """Return the key of each question's item, run by run, or of one question; no passage's text is read.

        NotFoundError for a number (from 0) that is not in the runs.
        """
        sweeps = self.sweeps_of(run_ids)
        sweep = sweeps[0]
        dataset = self.datasets.load_dataset(sweep.sweep.config.dataset, sweep.dataset_digest)
        questions = list(enumerate(dataset.questions[: sweep.questions]))
        if number is not None:
            questions = questions[number : number + 1]
            if not questions:
                raise NotFoundError(sentence("problem.no-question", run=run_ids[0], n=sweep.questions))
        found: list[ItemKey] = []
        for run in _chosen(sweeps, run_ids):
            stored = self._evaluations(run, number=number)
            for start in range(0, len(questions), AT_ONCE):
                found += self._keys(run, stored, questions[start : start + AT_ONCE], dataset.language)
        return found

    def _keys(
        self, run: Run, stored: Mapping[int, Evaluation], questions: Sequence[tuple[int, Question]], language: str
    ) -> Iterator[ItemKey]:
        """Yield the keys of a few questions, given with their numbers."""
        answers = self.evaluations.answers([stored[at].answer_key or "" for at, _ in questions if at in stored])
        ids = self._ids_in_prompt(run, [question.id for _, question in questions])
        for position, question in questions:
            place = Place(run.id, position, question.id)
            evaluation = stored.get(position)
            answer = answers.get(evaluation.answer_key or "") if evaluation else None
            if evaluation is None or answer is None:
                yield ItemKey(place, None)
                continue
            kept = tuple(each.id for each in answer.outside_passages) or ids(question.id, evaluation.kept)
            yield ItemKey(place, _key(question, answer, kept, language), answer.text, question.references)

    def _ids_in_prompt(self, run: Run, asked: Sequence[str]) -> Callable[[str, tuple[int, int]], tuple[str, ...]]:
        """Return a function of a question's id and what was kept of its ranking, to ids in the order of the prompt."""
        if run.config.passage_order == "rank":
            bare = self.evaluations.bare_rankings(run.sweep_id, run.config.ranked_by, asked)
            return lambda question, kept: bare[question].ids[slice(*kept)] if question in bare else ()
        # Another order depends on the place of a passage in its document, which bare rankings do not have.
        whole = self.evaluations.rankings(run.sweep_id, run.config.ranked_by, asked)

        def ordered(question: str, kept: tuple[int, int]) -> tuple[str, ...]:
            passages = whole[question].passages[slice(*kept)] if question in whole else ()
            return tuple(each.id for each in run.config.in_prompt(passages))

        return ordered

    def _cites(self, prompt: str) -> bool:
        return self.templates is not None and self.templates.cites(prompt)

    def _evaluations(self, run: Run, *, number: int | None = None) -> dict[int, Evaluation]:
        """Return the evaluations that have an answer, by number; with a number only that one."""
        if number is None:
            stored = self.evaluations.evaluations(run.id, with_scores=False)
        else:
            stored = self.evaluations.evaluations(run.id, after=number - 1, limit=1, with_scores=False)
        return {each.number: each for each in stored if each.answer_key and each.state in ("answered", "scored")}


def _chosen(sweeps: Sequence[StoredSweep], run_ids: Sequence[str]) -> list[Run]:
    wanted = set(run_ids)
    return [run for sweep in sweeps for run in sweep.runs if run.id in wanted]


def _key(question: Question, answer: Answer, passage_ids: Sequence[str], language: str) -> str:
    return item_key(
        question=question.text,
        reference=question.reference,
        answer=answer.text,
        passage_ids=passage_ids,
        language=language,
    )
