"""The preview of a sweep: everything is retrieved, nothing is generated or stored.

The rankings stay in the memory of this process: a sweep that it runs and that retrieves exactly the same reuses them,
so that nothing is retrieved twice. They are not stored, because a preview changes with each input, and what belongs to
no sweep would never be deleted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from passer.domain.dataset import Question
from passer.domain.figures.figure import Figure
from passer.domain.figures.of_similarity import similarity_figure
from passer.domain.models.generation import window_of
from passer.domain.models.model import Model, ModelInfo
from passer.domain.retrieval.cuts import RetrievalPolicy, ScorePolicy
from passer.domain.retrieval.passages import Passage, Ranking
from passer.domain.retrieval.quality import QuestionRetrieval, retrieval_quality
from passer.domain.retrieval.retriever import RankedBy
from passer.domain.sweeps.cautions import cautions_of_preview, old_server, shorter_window
from passer.domain.sweeps.plan import Missing, ModelPlan, SweepPlan
from passer.domain.sweeps.preview import CollectionPreview, PolicyPreview, SweepPreview, prompt_tokens
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.domain.wording.sentence import sentence
from passer.errors import NotFoundError, PasserError
from passer.ports import Progress
from passer.services.judging.first_asks import PLANNED_ITEMS, judging_plan, planned_item
from passer.services.pipeline.answerer import Answerer, PreparedQuestion
from passer.services.pipeline.ranker import QUESTIONS_PER_SEARCH, QuestionSearch, RetrievalKey
from passer.services.pipeline.retrieval_search import planned_searches, source_of
from passer.services.sweeps.planner import SweepPlanner

KEYS_PER_LOOKUP = 500

Rankings = Mapping[str, Ranking]
"""Rankings by question id."""


@dataclass
class _Arm:
    """Configurations with the same prompts: one policy in one collection and one prompt template."""

    is_baseline: bool
    configs: list[RunConfig]
    """They differ in model, options and repetition only."""
    retrieval: list[QuestionRetrieval] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)

    @property
    def config(self) -> RunConfig:
        """Return the first configuration, for settings that all share."""
        return self.configs[0]


@dataclass
class _Counts:
    """Counts of requests of all configurations together."""

    infos: Mapping[Model, ModelInfo]
    """Descriptions of the models whose server answers."""
    answerer: Answerer
    keys: dict[Model, set[str]] = field(default_factory=dict)
    fixed: int = 0
    prompt_tokens: Counter[Model] = field(default_factory=Counter)
    """Tokens of all prompts to answer."""
    read_tokens: Counter[Model] = field(default_factory=Counter)
    """Tokens of the longest prompt of each chain; of all prompts where nothing is shared."""
    shown: list[tuple[Question, Sequence[Passage]]] = field(default_factory=list)
    """Questions with the passages of their prompts, as far as a plan of the judge needs them."""

    def add(self, prepared: PreparedQuestion, configs: Sequence[RunConfig]) -> None:
        """Count the content addresses of the answers that the run will ask for."""
        for config in configs:
            info = self.infos.get(config.model, ModelInfo(name=config.model.name))
            key = self.answerer.key(prepared.prompt, config=config, model_info=info)
            known = self.keys.setdefault(config.model, set())
            if key not in known and config.model.reads_prompts:
                self.prompt_tokens[config.model] += prepared.tokens
                self.read_tokens[config.model] += 0 if shares(config) else prepared.tokens
            known.add(key)


@dataclass(frozen=True)
class RetrievalPreview:
    """Previews sweeps without asking a model."""

    planner: SweepPlanner
    answerer: Answerer

    def preview(self, sweep: Sweep, *, progress: Progress | None = None) -> SweepPreview:
        """Return a sweep's plan with all counts; NotFoundError names a missing part and the command that creates it."""
        report = progress or _silent
        plan = self.planner.plan(sweep)
        _require(plan.missing)
        sweep = self.planner.pinned(sweep)
        questions, rankings = self._retrieved(sweep, report)
        infos, unknown = self._describe(plan.models)
        counts, arms = _Counts(infos, self.answerer.for_sweep()), _arms(sweep)
        for number, question in enumerate(questions):
            if number % QUESTIONS_PER_SEARCH == 0:
                report("prompts", number, len(questions))
            self._count(question, arms, {each: found[question.id] for each, found in rankings.items()}, counts)
        report("prompts", len(questions), len(questions))
        policies = tuple(_policy_preview(arm, infos) for arm in arms if not arm.config.model.is_outside)
        servers = [old_server(model, info) for model, info in infos.items()]
        servers += [shorter_window(sweep.options_of(model), info) for model, info in infos.items()]
        warnings = (*plan.warnings, *(each for each in servers if each), *cautions_of_preview(policies), *unknown)
        return SweepPreview(
            plan=self._counted(plan, counts, sweep).model_copy(update={"warnings": tuple(dict.fromkeys(warnings))}),
            collections=tuple(
                # Ranges of thresholds are proposed from similarities, so only by what ranks by them.
                CollectionPreview.of(each.ranked_by.collection, rankings[each.ranked_by].values(), depth=each.depth)
                for each in planned_searches(sweep)
                if each.retriever.is_by_similarity
            ),
            policies=policies,
            figures=_figures(sweep, rankings),
        )

    def _retrieved(self, sweep: Sweep, report: Progress) -> tuple[Sequence[Question], dict[RankedBy, Rankings]]:
        """Return the questions and their rankings: those of an earlier preview, or searched and remembered now."""
        dataset = self.planner.datasets.load_dataset(sweep.config.dataset)
        questions = dataset.questions[: sweep.config.questions]
        collections, memory = self.planner.collections, self.planner.rankings
        found: dict[RankedBy, Rankings] = {}
        for ranked_by, retriever, depth in planned_searches(sweep):
            if not depth:
                found[ranked_by] = {question.id: Ranking(passages=()) for question in questions}
                continue
            source = source_of(collections, ranked_by.collection, retriever).digest
            key = RetrievalKey(source, dataset.digest, len(questions), depth)
            remembered = memory.get(key)
            if remembered is None:
                search = QuestionSearch(
                    collections, ranked_by.collection, ranker=self.answerer.ranker, retriever=retriever, depth=depth
                )
                remembered = self._search(search, questions, report)
                memory.put(key, remembered)
            found[ranked_by] = remembered
        return questions, found

    def _search(self, search: QuestionSearch, questions: Sequence[Question], report: Progress) -> Rankings:
        found: dict[str, Ranking] = {}
        for start in range(0, len(questions), QUESTIONS_PER_SEARCH):
            batch = questions[start : start + QUESTIONS_PER_SEARCH]
            found.update(zip((question.id for question in batch), search.rank(batch), strict=True))
            report("questions", len(found), len(questions))
        return found

    def _describe(self, models: Sequence[ModelPlan]) -> tuple[dict[Model, ModelInfo], list[str]]:
        """Describe the models by their servers, with a sentence for each server that does not respond."""
        infos: dict[Model, ModelInfo] = {}
        unknown: list[str] = []
        for model in (plan.model for plan in models):
            try:
                # What retrieval keeps depends on no model, so a server that is away costs the plan a few counts only.
                infos[model] = self.answerer.describe(model)
            except PasserError as exc:
                unknown.append(sentence("caution.cache-unknown", model=model.name, reason=exc.message))
        return infos, unknown

    def _count(
        self, question: Question, arms: Sequence[_Arm], rankings: Mapping[RankedBy, Ranking], counts: _Counts
    ) -> None:
        """Count one question in every configuration."""
        # Prompts are long, so none is held longer than its question.
        # Neighbouring thresholds mostly keep the same passages: each prompt is rendered and addressed once.
        tokens: dict[tuple[str, str, tuple[str, ...]], int] = {}
        chains: dict[tuple[Model, str, RankedBy], int] = {}
        for arm in arms:
            # An external system does its own retrieval.
            config, ranking = arm.config, rankings.get(arm.config.ranked_by, Ranking(passages=()))
            prepared = counts.answerer.prepare(
                question=question.text, config=config, ranking=ranking, metadata=question.metadata
            )
            ids = tuple(passage.id for passage in prepared.passages)
            arm.retrieval.append(QuestionRetrieval.of(ids, ranking.gold_ids))
            if prepared.fixed_answer is not None:
                counts.fixed += len(arm.configs)
                continue
            same = (config.collection, config.prompt, ids)
            if same not in tokens:
                tokens[same] = prepared.tokens
                if len(counts.shown) < PLANNED_ITEMS:
                    counts.shown.append((question, prepared.passages))
                counts.add(prepared, arm.configs)
                # A prompt that an earlier retriever has made is answered once, so the server does not read it again.
                for chain in ((each.model, each.prompt, each.ranked_by) for each in arm.configs if shares(each)):
                    chains[chain] = max(chains.get(chain, 0), tokens[same])
            arm.tokens.append(tokens[same])
        for (model, _, _), longest in chains.items():
            counts.read_tokens[model] += longest

    def _counted(self, plan: SweepPlan, counts: _Counts, sweep: Sweep) -> SweepPlan:
        """Return the plan with the counts of retrieval; a timing run reuses no stored answers."""
        models = tuple(self._model(model, counts, sweep) for model in plan.models)
        cached = [model.cached for model in models if model.cached is not None]
        expected = [model.expected_s for model in models if model.expected_s is not None]
        language = self.planner.datasets.load_dataset(sweep.config.dataset).language
        items = [planned_item(*each, language=language) for each in (counts.shown if sweep.judge else ())]
        answers = sum(model.generations or 0 for model in models) + counts.fixed
        return plan.model_copy(
            update={
                "judging": judging_plan(sweep, items, answers, self.planner.describe, has_passages=True),
                "models": models,
                "distinct_prompts": sum(model.generations or 0 for model in models),
                "cached": sum(cached) if len(cached) == len(models) else None,
                "fixed": counts.fixed,
                "expected_s": sum(expected) if len(expected) == len(models) else None,
            }
        )

    def _model(self, plan: ModelPlan, counts: _Counts, sweep: Sweep) -> ModelPlan:
        keys = sorted(counts.keys.get(plan.model, ()))
        cached = None if sweep.timing is None else 0
        if plan.model in counts.infos and cached is None:
            batches = (keys[start : start + KEYS_PER_LOOKUP] for start in range(0, len(keys), KEYS_PER_LOOKUP))
            cached = sum(len(self.planner.evaluations.answers(batch)) for batch in batches)
        left = len(keys) - (cached or 0)
        # Only the number of stored answers is used, so the remaining prompts are assumed to have the mean length.
        read = counts.read_tokens[plan.model] * left / len(keys) if keys else 0.0
        at_once = self.planner.at_once(plan.model, is_alone=sweep.is_alone)
        expected = plan.seconds(left, read_tokens=read, at_once=at_once)
        update = {"generations": len(keys), "cached": cached, "expected_s": expected}
        if plan.model.reads_prompts:
            update |= {"prompt_tokens": counts.prompt_tokens[plan.model], "read_tokens": counts.read_tokens[plan.model]}
        return plan.model_copy(update=update)


def shares(config: RunConfig) -> bool:
    """Return whether prompts of a configuration with the same beginning are read once."""
    return config.answers == "fast" and config.model.reads_prompts


def _arms(sweep: Sweep) -> list[_Arm]:
    """Group configurations with the same prompts: collection by collection, in the sweep's order."""
    arms: dict[tuple[RankedBy, str, RetrievalPolicy, bool], _Arm] = {}
    for config, is_baseline in sweep.configurations():
        same = (config.ranked_by, config.prompt, config.retrieval, is_baseline)
        arms.setdefault(same, _Arm(is_baseline, [])).configs.append(config)
    return list(arms.values())


def _policy_preview(arm: _Arm, infos: Mapping[Model, ModelInfo]) -> PolicyPreview:
    return PolicyPreview(
        collection=arm.config.collection,
        prompt=arm.config.prompt,
        policy=arm.config.retrieval,
        retriever=arm.config.retriever,
        name=arm.config.ranking_label,
        is_baseline=arm.is_baseline,
        retrieval=retrieval_quality(arm.retrieval),
        most_passages=max((each.kept for each in arm.retrieval), default=0),
        tokens=prompt_tokens(arm.tokens, room=_room(arm.configs, infos)),
    )


def _room(configs: Sequence[RunConfig], infos: Mapping[Model, ModelInfo]) -> int | None:
    """Tokens that the smallest window leaves for a prompt; None for the extractive reader, which has no window."""
    rooms = [
        window_of(config.options, infos[config.model].context_length if config.model in infos else None)
        - config.options.num_predict
        for config in configs
        if config.model.reads_prompts
    ]
    return min(rooms, default=None)


def _figures(sweep: Sweep, rankings: Mapping[RankedBy, Rankings]) -> tuple[Figure, ...]:
    """Return the similarities of gold and other passages, with the sweep's thresholds."""
    policies = [config.retrieval for config, _ in sweep.configurations()]
    thresholds = [policy.min_similarity for policy in policies if isinstance(policy, ScorePolicy)]
    figures = (
        similarity_figure(
            (
                ([(passage.id, passage.similarity) for passage in ranking.passages], ranking.gold_ids)
                for ranking in found.values()
            ),
            collection=ranked_by.collection,
            thresholds=thresholds,
        )
        for ranked_by, found in rankings.items()
    )
    return tuple(figure for figure in figures if figure)


def _require(missing: Sequence[Missing]) -> None:
    """Refuse a preview with a missing dataset or collection; models are not asked."""
    needed = [each for each in missing if each.kind in ("dataset", "collection")]
    if needed:
        raise NotFoundError(needed[0].line if len(needed) == 1 else " ".join(each.line for each in needed))


def _silent(what: str, done: int, total: int) -> None:
    """Ignore progress."""
