"""Drafts questions until the target is reached, also after an earlier process died.

Drafts are stored in the order of their windows. A window that ends early waits in memory for those before it: its
judgements are stored, so that after a kill it is drafted again without asking anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from passer.domain.judging.assessment import Assessment
from passer.domain.questions import tasks
from passer.domain.questions.drafting import NO_REPLY, Decision, Draft, Drafting, Excerpt
from passer.domain.questions.duplicates import Accepted
from passer.domain.questions.form import normal_form
from passer.domain.questions.windows import corpus_digest, excerpts_of, order_of
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError
from passer.ports import Collections, DatasetStore, DraftFact, DraftStore, Embedder, Fact, Vectors
from passer.services.drafting.recipes import Attempt, Surroundings, draft
from passer.services.drafting.window_order import (
    Progress,
    Step,
    judge_context,
    resolved,
    steps_of,
    tasks_of,
    writer_context,
)
from passer.services.judging.driver import Ended, Started
from passer.services.judging.runner import AssessmentReport, Meter, Report, check_unchanged, run_recipes
from passer.services.judging.tools import JudgingTools

SHOWN_EXAMPLES = 5
"""Questions of real users that a model sees."""


@dataclass(frozen=True)
class DraftRunner:
    """Runs one drafting at a time."""

    tools: JudgingTools
    """Its requests in flight are as many as windows are drafted side by side."""
    drafts: DraftStore
    collections: Collections
    datasets: DatasetStore
    embedder: Callable[[], Embedder]

    def run(self, assessment_id: str, report: Report) -> AssessmentReport:
        """Draft what is missing to the target; WorkPaused where the budget is used up or a model keeps failing."""
        assessment = self.tools.judgements.assessment(assessment_id)
        drafting = assessment.spec.drafting
        assert drafting is not None, "only draftings are run here"
        check_unchanged(assessment, tasks_of(drafting))
        excerpts, texts = self._corpus(drafting)
        steps = steps_of(drafting, excerpts)
        embed = self._embed(assessment)
        decisions = {each.key: each for each in self.drafts.decisions(assessment_id)}
        progress = self._progress(assessment_id, drafting, embed, decisions)
        around = self._surroundings(drafting, progress.accepted, embed, decisions)
        meter = Meter(report, progress.count, drafting.target, doing="drafts.drafting")

        def facts(ended: Ended[Step, tuple[Attempt, ...]]) -> Sequence[Fact]:
            made = resolved(progress, steps, ended, texts)
            meter.done = min(progress.count, drafting.target)
            return [DraftFact(assessment_id, each) for each in made]

        with closing(self.tools.engine()) as engine:
            run_recipes(
                assessment,
                replace(self.tools, embed=embed),
                engine,
                judge_context(assessment),
                meter,
                _recipes(progress, steps, around, self.tools.look_ahead),
                facts=facts,
                is_over=lambda: progress.is_over,
            )
        ran = self.tools.judgements.assessment(assessment_id)
        return AssessmentReport.of(ran, [each.refused_at for each in progress.stored], items=progress.next)

    def _corpus(self, drafting: Drafting) -> tuple[list[Excerpt], dict[str, str]]:
        """Return the windows and the texts of passages by id; ConflictError if the documents have changed."""
        passages = list(self.collections.open(drafting.collection).passages())
        if corpus_digest(passages) != drafting.corpus:
            raise ConflictError(sentence("drafts.other-documents", collection=drafting.collection))
        return excerpts_of(passages, drafting.window), {passage.id: passage.text for passage in passages}

    def _embed(self, assessment: Assessment) -> Callable[[Sequence[str]], Vectors]:
        """Vectors by the model that the drafting was created with; ConflictError if it is another one now."""
        wanted = assessment.spec.embedding

        def embed(texts: Sequence[str]) -> Vectors:
            embedder = self.embedder()
            if wanted is not None and embedder.model != wanted:
                raise ConflictError(sentence("judging.other-embedding", before=wanted.name, now=embedder.model.name))
            return embedder.sentence_vectors(texts)

        return embed

    def _progress(
        self,
        assessment_id: str,
        drafting: Drafting,
        embed: Callable[[Sequence[str]], Vectors],
        decisions: Mapping[str, Decision],
    ) -> Progress:
        """Return what is stored; windows from the first without a reply, or a wanted answer, on are drafted again.

        Replies that exist are read again, so that nothing but what lacks is asked, and decisions stay.
        """
        stored = self.drafts.drafts(assessment_id)
        again = next(
            (
                each.place
                for each in stored
                if _has_no_reply(each) or (drafting.answers and _lacks_answer(each, decisions.get(each.key)))
            ),
            None,
        )
        if again is not None:
            self.drafts.delete_drafts(assessment_id, place=again)
            stored = [each for each in stored if each.place < again]
        accepted = Accepted(drafting.limits.similarity)
        kept = [each for each in stored if each.is_accepted]
        compares = drafting.limits.similarity is not None and bool(kept)
        vectors = embed([each.question for each in kept]) if compares else [None] * len(kept)
        for each, vector in zip(kept, vectors, strict=True):
            accepted.add(each, vector)
        first = stored[-1].place + 1 if stored else 0
        return Progress(drafting, accepted, stored, first, decisions=decisions)

    def _surroundings(
        self,
        drafting: Drafting,
        accepted: Accepted,
        embed: Callable[[Sequence[str]], Vectors],
        decisions: Mapping[str, Decision],
    ) -> Surroundings:
        worked = [each.question for each in tasks.examples_of(drafting.language)]
        asked: list[str] = []
        if drafting.examples is not None:
            asked = [question.text for question in self.datasets.load_dataset(drafting.examples).questions]
        shown = [asked[place] for place in order_of(len(asked), drafting.seed)[:SHOWN_EXAMPLES]]
        compares = drafting.limits.similarity is not None
        return Surroundings(
            drafting=drafting,
            shown=tuple(shown),
            example_forms={normal_form(text) for text in (*worked, *asked)},
            example_vectors=embed([*worked, *shown]) if compares else None,
            is_taken=accepted.has,
            decisions=decisions,
        )


def _recipes(
    progress: Progress, steps: Sequence[Step], around: Surroundings, look_ahead: int
) -> Iterator[Started[Step, tuple[Attempt, ...]] | None]:
    """Yield windows while questions are missing; never more at a time than could still be wanted."""
    # Tasks compute their digests once.
    drafting = around.drafting
    writers = {each.judge.model.name: writer_context(drafting, each) for each in drafting.writers}
    begun = progress.next
    while begun < len(steps) and not progress.is_over:
        if not progress.has_room(begun) or progress.given >= look_ahead:
            yield None
            continue
        step = steps[begun]
        begun += 1
        progress.given += 1
        yield Started(step, draft(step.excerpt, around, step.place), writer=writers[step.writer.judge.model.name])


def _lacks_answer(draft: Draft, decision: Decision | None) -> bool:
    """Return True if the draft passed, or a person accepted it, and no model was asked for its answer."""
    if draft.is_accepted:
        return all(check.stage != "answer" for check in draft.checks)
    is_kept = decision is not None and decision.kind in ("accept", "edit")
    return is_kept and not draft.answer and draft.refused_at not in ("answer", "copy", "duplicate")


def _has_no_reply(draft: Draft) -> bool:
    return draft.is_unjudged and draft.checks[-1].note == NO_REPLY
