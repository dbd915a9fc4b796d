"""The free preview of a sweep: everything is retrieved, nothing is generated, and nothing is kept.

The rankings stay in the memory of this process: a sweep that is created here and looks up exactly the same takes them
over (`Sweeping.create`), so that a preview costs nothing twice. They are not stored, because a preview is typed over
many times, and what belongs to no sweep would never be deleted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from passer.domain.answer import Prompt, answer_key
from passer.domain.cautions import cautions_of_preview, shorter_window
from passer.domain.dataset import Question
from passer.domain.generation import estimate_tokens, window_of
from passer.domain.preview import (
    TENTH,
    CollectionPreview,
    PolicyPreview,
    SweepPreview,
    prompt_tokens,
    proposed_range,
    quantiles,
)
from passer.domain.retrieval import Ranking, RetrievalPolicy
from passer.domain.retrieval_quality import QuestionRetrieval, retrieval_quality
from passer.domain.run import GenerationOptions, Model, ModelInfo, RunConfig
from passer.domain.sweep import Missing, ModelPlan, Sweep, SweepPlan
from passer.domain.wording.sentence import sentence
from passer.errors import NotFoundError, PasserError
from passer.ports import Progress
from passer.services.answering import Answering, build_prompt, kept
from passer.services.retrieving import Looked, ranked, version_of
from passer.services.sweeping import Sweeping, depths

KEYS_PER_LOOKUP = 500

Asker = tuple[Model, GenerationOptions, int]
"""Who is asked a prompt: model, options, repetition."""


@dataclass
class _Arm:
    """One policy in one collection and one prompt template, and all who are asked what it keeps."""

    config: RunConfig
    is_baseline: bool
    askers: list[Asker]
    retrieval: list[QuestionRetrieval] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)


@dataclass
class _Counts:
    """What all arms together will ask."""

    infos: Mapping[Model, ModelInfo]
    """Of the models whose server answers."""
    keys: dict[Model, set[str]] = field(default_factory=dict)
    fixed: int = 0


@dataclass(frozen=True)
class Planning:
    """Looks ahead, for nothing."""

    sweeping: Sweeping
    answering: Answering

    def preview(self, sweep: Sweep, *, progress: Progress | None = None) -> SweepPreview:
        """A sweep's plan with all counts; NotFoundError names what is missing and what makes it."""
        report = progress or _silent
        plan = self.sweeping.plan(sweep)
        _require(plan.missing)
        questions, rankings = self._look_up(sweep, report)
        infos, unknown = self._describe(plan.models)
        counts, arms = _Counts(infos), _arms(sweep)
        for number, question in enumerate(questions):
            report("prompts", number, len(questions))
            self._count(question, arms, {name: found[question.id] for name, found in rankings.items()}, counts)
        report("prompts", len(questions), len(questions))
        policies = tuple(_policy_preview(arm, infos) for arm in arms)
        windows = [shorter_window(sweep.config, info) for info in infos.values()]
        warnings = (*plan.warnings, *(each for each in windows if each), *cautions_of_preview(policies), *unknown)
        return SweepPreview(
            plan=self._counted(plan, counts).model_copy(update={"warnings": tuple(dict.fromkeys(warnings))}),
            collections=tuple(
                _collection_preview(name, depth, rankings[name]) for name, depth in depths(sweep).items()
            ),
            policies=policies,
        )

    def _look_up(self, sweep: Sweep, report: Progress) -> tuple[Sequence[Question], dict[str, Mapping[str, Ranking]]]:
        """The questions, and their rankings by collection: remembered ones, or found and remembered now."""
        dataset = self.sweeping.datasets.load_dataset(sweep.config.dataset)
        questions = dataset.questions[: sweep.config.questions]
        collections, memory = self.sweeping.collections, self.sweeping.remembered
        found: dict[str, Mapping[str, Ranking]] = {}
        for name, depth in depths(sweep).items():
            if not depth:
                found[name] = {question.id: Ranking(passages=()) for question in questions}
                continue
            looked = Looked(name, version_of(collections, name), dataset.digest, len(questions), depth)
            remembered = memory.get(looked)
            if remembered is None:
                remembered = {}
                for batch in ranked(collections.open(name), questions, depth):
                    remembered.update(batch)
                    report("questions", len(remembered), len(questions))
                memory.keep(looked, remembered)
            found[name] = remembered
        return questions, found

    def _describe(self, models: Sequence[ModelPlan]) -> tuple[dict[Model, ModelInfo], list[str]]:
        """What servers say of their models, and a sentence for each that does not answer."""
        infos: dict[Model, ModelInfo] = {}
        unknown: list[str] = []
        for model in (plan.model for plan in models):
            try:
                infos[model] = self.answering.describe(model)
            except PasserError as exc:
                unknown.append(sentence("caution.cache-unknown", model=model.name, reason=exc.message))
        return infos, unknown

    def _count(
        self, question: Question, arms: Sequence[_Arm], rankings: Mapping[str, Ranking], counts: _Counts
    ) -> None:
        """One question in every arm. Prompts are long, so none is held longer than its question."""
        prompts: dict[tuple[str, str, tuple[str, ...]], tuple[int, dict[Asker, str]]] = {}
        for arm in arms:
            config, ranking = arm.config, rankings[arm.config.collection]
            passages = kept(ranking, config.retrieval)
            ids = tuple(passage.id for passage in passages)
            arm.retrieval.append(QuestionRetrieval.of(ids, ranking.gold_ids))
            if self.answering.fixed_answer(config, passages) is not None:
                counts.fixed += len(arm.askers)
                continue
            same = (config.collection, config.prompt, ids)
            if same not in prompts:
                template = self.answering.templates.load(config.prompt)
                prompt = build_prompt(question=question.text, passages=passages, template=template)
                keys = {asker: self._key(asker, counts.infos, prompt) for asker in arm.askers}
                prompts[same] = (estimate_tokens(prompt.messages), keys)
            tokens, keys = prompts[same]
            arm.tokens.append(tokens)
            for asker, key in keys.items():
                counts.keys.setdefault(asker[0], set()).add(key)

    def _key(self, asker: Asker, infos: Mapping[Model, ModelInfo], prompt: Prompt) -> str:
        """Content address of the answer, as the run will make it."""
        model, options, repeat = asker
        digest = infos[model].digest if model in infos else "unknown"
        located = self.answering.located(model)
        return answer_key(model=located, model_digest=digest, options=options, prompt=prompt, repeat=repeat)

    def _counted(self, plan: SweepPlan, counts: _Counts) -> SweepPlan:
        """The plan with what was counted."""
        models = tuple(self._model(model, counts) for model in plan.models)
        cached = [model.cached for model in models if model.cached is not None]
        expected = [model.expected_s for model in models if model.expected_s is not None]
        return plan.model_copy(
            update={
                "models": models,
                "distinct_prompts": sum(model.generations or 0 for model in models),
                "cached": sum(cached) if len(cached) == len(models) else None,
                "fixed": counts.fixed,
                "expected_s": sum(expected) if len(expected) == len(models) else None,
            }
        )

    def _model(self, plan: ModelPlan, counts: _Counts) -> ModelPlan:
        keys = sorted(counts.keys.get(plan.model, ()))
        cached = None
        if plan.model in counts.infos:
            batches = (keys[start : start + KEYS_PER_LOOKUP] for start in range(0, len(keys), KEYS_PER_LOOKUP))
            cached = sum(len(self.sweeping.evaluations.answers(batch)) for batch in batches)
        expected = self.sweeping.expected_s(plan, len(keys) - (cached or 0))
        return plan.model_copy(update={"generations": len(keys), "cached": cached, "expected_s": expected})


def _arms(sweep: Sweep) -> list[_Arm]:
    """Configurations that show a model the same, together: collection by collection, in the sweep's order."""
    arms: dict[tuple[str, str, RetrievalPolicy, bool], _Arm] = {}
    for config, is_baseline in sweep.configurations():
        same = (config.collection, config.prompt, config.retrieval, is_baseline)
        arm = arms.setdefault(same, _Arm(config, is_baseline, []))
        arm.askers.append((config.model, config.options, config.repeat))
    return list(arms.values())


def _policy_preview(arm: _Arm, infos: Mapping[Model, ModelInfo]) -> PolicyPreview:
    return PolicyPreview(
        collection=arm.config.collection,
        prompt=arm.config.prompt,
        policy=arm.config.retrieval,
        name=arm.config.retrieval.label,
        is_baseline=arm.is_baseline,
        retrieval=retrieval_quality(arm.retrieval),
        most_passages=max((each.kept for each in arm.retrieval), default=0),
        tokens=prompt_tokens(arm.tokens, room=_room(arm.askers, infos)),
    )


def _room(askers: Sequence[Asker], infos: Mapping[Model, ModelInfo]) -> int | None:
    """Tokens that the smallest window leaves for a prompt; None for the extractive reader, which has no window."""
    rooms = [
        window_of(options, infos[model].context_length if model in infos else None) - options.num_predict
        for model, options, _ in askers
        if model.provider != "extractive"
    ]
    return min(rooms, default=None)


def _collection_preview(name: str, depth: int, rankings: Mapping[str, Ranking]) -> CollectionPreview:
    found = [ranking.passages for ranking in rankings.values() if ranking.passages]
    nearest = quantiles([passages[0].similarity for passages in found])
    tenth = quantiles([passages[min(TENTH, len(passages)) - 1].similarity for passages in found])
    return CollectionPreview(
        collection=name,
        questions=len(rankings),
        depth=depth,
        nearest=nearest,
        tenth=tenth,
        farthest=quantiles([passages[-1].similarity for passages in found]),
        proposed=proposed_range(nearest=nearest, tenth=tenth),
    )


def _require(missing: Sequence[Missing]) -> None:
    if missing:
        names = " and ".join(each.name for each in missing)
        raise NotFoundError(f"A preview needs {names}: run `{missing[0].command}` first.")


def _silent(what: str, done: int, total: int) -> None:
    """Progress that nobody watches."""
