"""Makes a dataset of the accepted drafts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import Field

from passer.domain.base import Frozen
from passer.domain.dataset import NAME_PATTERN, Dataset, Origin, Question
from passer.domain.questions.drafting import Drafting
from passer.domain.questions.gold import gold_of
from passer.domain.questions.mixing import mixed
from passer.domain.wording.sentence import LocalizedText, sentence
from passer.errors import InputError
from passer.ports import DatasetStore
from passer.services.drafting.drafts import drafting_of
from passer.services.drafting.readme import Counts, readme_of
from passer.services.drafting.review import DraftReview, ShownDraft


class FinishRequest(Frozen):
    """A request to make a dataset of the accepted drafts."""

    name: str = Field(min_length=1, max_length=100, pattern=NAME_PATTERN)
    """Name of the dataset; an existing one gets a new version."""
    mix: dict[str, int] = Field(default_factory=dict)
    """Number of questions that are drawn of each model; empty takes all."""


class FinishedDraft(Frozen):
    """The dataset that a drafting job produced."""

    name: str
    """Its name."""
    collection: str
    """Name of the collection whose documents the questions are about."""
    digest: str
    """Its digest."""
    questions: int
    """Number of questions."""
    readme: str
    """Origin: way, models, digests, limits, counts, seed."""
    notes: tuple[LocalizedText, ...]
    """Remarks about the dataset, such as a model with fewer questions than were wanted."""


@dataclass(frozen=True)
class DraftFinisher:
    """Makes datasets of draftings."""

    review: DraftReview
    datasets: DatasetStore

    def finish(self, assessment_id: str, request: FinishRequest) -> FinishedDraft:
        """Save the accepted and edited drafts as a version of a dataset. InputError if there are none."""
        assessment = self.review.judgements.assessment(assessment_id)
        drafting = drafting_of(assessment)
        shown = self.review.shown(assessment_id)
        kept = [each for each in shown if each.state in ("accepted", "edited")]
        notes: list[LocalizedText] = []
        if request.mix:
            kept, notes = _mixed(kept, drafting, request.mix)
        if not kept:
            raise InputError(sentence("drafts.nothing-accepted"), field="name")
        waiting = sum(each.state == "waiting" for each in shown)
        if waiting:
            notes.append(sentence("drafts.left-waiting", n=waiting))
        unanswered = sum(not each.answer.strip() for each in kept)
        if unanswered:
            notes.append(sentence("dataset.no-reference", n=unanswered))
        questions = tuple(_question(each, drafting) for each in kept)
        dataset = Dataset(name=request.name, language=drafting.language, questions=questions)
        lost = self._left_out(dataset)
        if lost:
            notes.append(sentence("drafts.left-out", name=dataset.name, lost=lost, n=len(questions)))
        self.datasets.save_dataset(dataset)
        table = self.review.table(assessment_id)
        counts = Counts(
            windows=table.windows,
            refused=table.refused,
            edited=sum(each.state == "edited" for each in kept),
            models=dict(Counter(each.draft.model for each in kept)),
        )
        return FinishedDraft(
            name=dataset.name,
            collection=drafting.collection,
            digest=dataset.digest,
            questions=len(questions),
            readme=readme_of(assessment, dataset, counts, table.quality, table.judge),
            notes=tuple(notes),
        )

    def _left_out(self, dataset: Dataset) -> int:
        """Return the number of questions of the newest version of this name that are not in the new one."""
        if not any(each.name == dataset.name for each in self.datasets.list_datasets()):
            return 0
        known = {question.id for question in dataset.questions}
        return sum(question.id not in known for question in self.datasets.load_dataset(dataset.name).questions)


def _mixed(
    kept: list[ShownDraft], drafting: Drafting, mix: Mapping[str, int]
) -> tuple[list[ShownDraft], list[LocalizedText]]:
    names = {each.judge.model.name for each in drafting.writers}
    for model in mix:
        if model not in names:
            raise InputError(sentence("drafts.no-such-model", model=model), field="mix")
    places, given = mixed([each.draft.model for each in kept], mix, seed=drafting.seed)
    few = [model for model, wanted in mix.items() if given[model] < wanted]
    notes: list[LocalizedText] = [sentence("drafts.few-of-model", model=m, n=given[m], wanted=mix[m]) for m in few]
    return [kept[place] for place in places], notes


def _question(shown: ShownDraft, drafting: Drafting) -> Question:
    draft = shown.draft
    info = next(each.info for each in drafting.writers if each.judge.model.name == draft.model)
    origin = Origin(
        model=draft.model,
        model_digest=info.digest,
        drafting=drafting.digest,
        way=drafting.way,
        edited=shown.state == "edited",
    )
    # Another answer may be in another part of the passage.
    gold = gold_of(draft.excerpt, shown.answer or shown.question) if origin.edited else draft.gold
    return Question(id=f"d-{draft.key}", text=shown.question, reference=shown.answer, gold_passages=gold, origin=origin)
