"""Shows drafts with their state, and saves decisions of people about them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from pydantic import Field

from passer.domain.base import Frozen, storable
from passer.domain.judging.assessment import Assessment
from passer.domain.judging.judgement import NamedJudge
from passer.domain.questions.drafting import (
    DRAWN,
    UNJUDGED,
    Decision,
    DecisionKind,
    Draft,
    Drafting,
    DraftState,
    PersonReason,
)
from passer.domain.statistics import Interval, wilson_interval
from passer.domain.sweeps.run import RunState
from passer.domain.wording.sentence import LocalizedText, Sentence, code_of, sentence
from passer.errors import ConflictError, InputError, NotFoundError
from passer.ports import Clock, DraftStore, JudgementStore, WorkStore
from passer.services.drafting.drafts import drafting_of
from passer.services.drafting.readme import Quality

PERSON = "person"


class ShownDraft(Frozen):
    """A draft as a person sees it."""

    draft: Draft
    """Draft of the model, with its checks."""
    state: DraftState
    """State, by its checks and by the decisions of people."""
    refused_at: str | None
    """Check that refused it, `person` if a person did; None if it is not refused."""
    question: str
    """The question as it is now."""
    answer: str
    """The answer as it is now."""
    version: int
    """Number of decisions about it; a decision names the version that its author saw."""
    reason: PersonReason | None
    """Reason of a person for refusing it."""
    is_drawn: bool
    """True if it is one of the drafts that a person is asked to look at in any case."""
    is_decided: bool
    """True if a person has decided about it."""


class DraftTable(Frozen):
    """A drafting job with its progress, refusals by check, and cost."""

    assessment: Assessment
    """Specification of the drafting job, with its models."""
    windows: int
    """Windows that were read so far; one for each model that read it."""
    drafts: int
    """Drafts so far; at least one for each window."""
    states: dict[str, int]
    """Drafts by state."""
    refused: dict[str, int]
    """Refused drafts by check; `unjudged` counts those whose model gave no usable reply, apart from the checks."""
    by_model: dict[str, int]
    """Accepted and edited questions by the model that wrote them."""
    asks_each: float | None
    """Requests for each accepted question; None without any."""
    tokens_each: float | None
    """Tokens for each accepted question; None without any."""
    cost: float | None
    """Cost so far; None without a price."""
    cost_each: float | None
    """Cost of each accepted question; None without a price or question."""
    passed_share: float | None
    """Share of the drafts that passed all checks; None without drafts."""
    drafts_per_minute: float | None
    """Drafts in a minute of work; pauses do not count. None where no model was asked."""
    outcome: LocalizedText | None
    """End of the drafting job, if it did not reach its target."""
    is_exhausted: bool
    """True if the same models would draft nothing more: all passages are used, or no question was usable."""
    quality: Quality
    """Decisions of people about the drafts that were drawn."""
    judge: LocalizedText | None
    """Name of the model that checks the drafts, `uncalibrated` until a person has decided about a drawn one; None if
    none checks."""


class DecisionRequest(Frozen):
    """Decision of a person about a draft."""

    kind: DecisionKind
    """Accept, edit, refuse, or undo the decisions before."""
    version: int = Field(ge=0)
    """Version of the draft that the person saw."""
    question: str | None = Field(default=None, max_length=2000)
    """The edited question."""
    answer: str | None = Field(default=None, max_length=20_000)
    """The edited answer."""
    reason: PersonReason | None = None
    """Reason of the refusal."""


@dataclass(frozen=True)
class DraftReview:
    """Reads drafts and decides about them."""

    judgements: JudgementStore
    drafts: DraftStore
    work: WorkStore
    clock: Clock

    def table(self, assessment_id: str) -> DraftTable:
        """Return the progress of a drafting.

        Raises NotFoundError if it does not exist, and ConflictError if it is no drafting.
        """
        assessment = self.judgements.assessment(assessment_id)
        drafting = drafting_of(assessment)
        shown = self.shown(assessment_id)
        states = Counter(each.state for each in shown)
        kept = [each for each in shown if each.state in ("accepted", "edited")]
        spent, price = assessment.spent, assessment.spec.judge.price
        windows = len({each.draft.place for each in shown})
        tokens = spent.input_tokens + spent.output_tokens
        cost = price.of(spent.input_tokens, spent.output_tokens) if price else None
        quality, outcome = _quality(shown), self._outcome(assessment_id, drafting, shown, windows)
        return DraftTable(
            assessment=assessment,
            windows=windows,
            drafts=len(shown),
            states=dict(states),
            refused=dict(Counter(_refusal(each) for each in shown if each.state == "refused")),
            by_model=dict(Counter(each.draft.model for each in kept)),
            asks_each=spent.asks / len(kept) if kept else None,
            tokens_each=tokens / len(kept) if kept else None,
            cost=cost,
            cost_each=cost / len(kept) if cost is not None and kept else None,
            passed_share=sum(each.draft.is_accepted for each in shown) / len(shown) if shown else None,
            drafts_per_minute=60 * len(shown) / spent.running_s if spent.asks and spent.running_s > 0 else None,
            outcome=outcome,
            is_exhausted=code_of(outcome or "") in ("drafts.all-used", "drafts.none-usable", "drafts.none-judged"),
            quality=quality,
            judge=NamedJudge(assessment.spec.judge.model.name, quality.decided).label if drafting.is_judged else None,
        )

    def shown(self, assessment_id: str, state: DraftState | None = None) -> list[ShownDraft]:
        """Return the drafts in order, or those of a state."""
        drafting = drafting_of(self.judgements.assessment(assessment_id))
        drafts = self.drafts.drafts(assessment_id)
        decided: dict[str, list[Decision]] = {}
        for decision in self.drafts.decisions(assessment_id):
            decided.setdefault(decision.key, []).append(decision)
        passed = [each for each in drafts if each.is_accepted]
        drawn = {each.key for each in sorted(passed, key=lambda each: _drawn(drafting, each.key))[:DRAWN]}
        found = [_shown(each, decided.get(each.key, ()), drafting, each.key in drawn) for each in drafts]
        return [each for each in found if state is None or each.state == state]

    def decide(self, assessment_id: str, key: str, request: DecisionRequest, *, by: str = "") -> ShownDraft:
        """Save a decision.

        Raises NotFoundError if the draft does not exist, InputError for an edit that is not allowed, and ConflictError
        if somebody else has decided meanwhile.
        """
        before = self.one(assessment_id, key)
        if request.version != before.version:
            raise ConflictError(sentence("drafts.stale"))
        question, answer = request.question, request.answer
        if request.kind == "edit" and not (question or before.question).strip():
            raise InputError(sentence("drafts.blank-question"), field="question")
        if request.kind == "accept" and not before.question.strip():
            raise InputError(sentence("drafts.blank-question"), field="question")
        if request.kind == "refuse" and request.reason is None:
            raise InputError(sentence("drafts.no-reason"), field="reason")
        is_edit = request.kind == "edit"
        edited = storable(before.answer if answer is None else answer).strip()
        decision = Decision(
            key=key,
            revision=before.version + 1,
            kind=request.kind,
            question=storable(question or before.question).strip() if is_edit else None,
            # Where it is the model's own, one that is drafted afterwards takes its place.
            answer=edited if is_edit and edited != before.draft.answer.strip() else None,
            reason=request.reason if request.kind == "refuse" else None,
            by=by[:100],
            at=self.clock.now(),
        )
        self.drafts.add_decision(assessment_id, decision)
        return self.one(assessment_id, key)

    def one(self, assessment_id: str, key: str) -> ShownDraft:
        """Return a draft. Raises NotFoundError if it does not exist."""
        found = next((each for each in self.shown(assessment_id) if each.draft.key == key), None)
        if found is None:
            raise NotFoundError(sentence("drafts.no-draft", draft=key))
        return found

    def _outcome(
        self, assessment_id: str, drafting: Drafting, shown: Sequence[ShownDraft], windows: int
    ) -> LocalizedText | None:
        ended_at: datetime | None = None
        with suppress(NotFoundError):
            work = self.work.find(assessment_id)
            ended_at = work.ended_at
            if work.state != RunState.FINISHED:
                return None
        accepted = sum(each.state != "refused" for each in shown)
        if accepted >= drafting.target:
            return None
        read = windows // len(drafting.writers)
        if not any(each.draft.is_accepted for each in shown) and shown:
            return self._none_accepted(assessment_id, drafting, shown, read)
        if self._counted(assessment_id, shown, ended_at) >= drafting.target:
            return sentence("drafts.refused-since", n=accepted, target=drafting.target)
        return sentence("drafts.all-used", n=accepted, target=drafting.target)

    def _none_accepted(
        self, assessment_id: str, drafting: Drafting, shown: Sequence[ShownDraft], read: int
    ) -> Sentence:
        unjudged = sum(_refusal(each) == "unjudged" for each in shown)
        if 2 * unjudged >= len(shown):
            judge = self.judgements.assessment(assessment_id).spec.judge.model.name
            return sentence("drafts.none-judged", judge=judge, n=unjudged, total=len(shown))
        names = tuple(each.judge.model.name for each in drafting.writers)
        return sentence("drafts.none-usable", models=names, n=read)

    def _counted(self, assessment_id: str, shown: Sequence[ShownDraft], ended_at: datetime | None) -> int:
        """Return how many questions there were when drafting ended: people may have refused some since."""
        last = {each.key: each for each in self.drafts.decisions(assessment_id)}
        refused = {
            key for key, each in last.items() if each.kind == "refuse" and (ended_at is None or each.at <= ended_at)
        }
        return sum(each.draft.is_accepted and each.draft.key not in refused for each in shown)


def _shown(draft: Draft, decisions: Sequence[Decision], drafting: Drafting, is_drawn: bool) -> ShownDraft:
    last = decisions[-1] if decisions and decisions[-1].kind != "undo" else None
    state: DraftState = "refused"
    if last is not None:
        states: dict[str, DraftState] = {"accept": "accepted", "edit": "edited", "refuse": "refused"}
        state = states[last.kind]
    elif draft.is_accepted:
        state = "waiting" if _drawn(drafting, draft.key) < drafting.review else "accepted"
    refused_at = (PERSON if last is not None else draft.refused_at) if state == "refused" else None
    edited = last if last is not None and last.kind == "edit" else None
    return ShownDraft(
        draft=draft,
        state=state,
        refused_at=refused_at,
        question=draft.question if edited is None else edited.question or "",
        answer=draft.answer if edited is None or edited.answer is None else edited.answer,
        version=len(decisions),
        reason=None if last is None else last.reason,
        is_drawn=is_drawn,
        is_decided=last is not None,
    )


def _drawn(drafting: Drafting, key: str) -> float:
    """Return a number in [0, 1) that is drawn for a draft by the seed; it never depends on other drafts."""
    digest = hashlib.sha256(f"{drafting.seed}:{key}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def _refusal(shown: ShownDraft) -> str:
    is_unjudged = shown.refused_at != PERSON and shown.draft.is_unjudged
    return UNJUDGED if is_unjudged else str(shown.refused_at)


def _quality(shown: Sequence[ShownDraft]) -> Quality:
    drawn = [each for each in shown if each.is_drawn]
    decided = [each for each in drawn if each.is_decided]
    good = sum(each.state == "accepted" for each in decided)
    interval: Interval | None = wilson_interval(good, len(decided))
    return Quality(drawn=len(drawn), decided=len(decided), good=good, interval=interval)
