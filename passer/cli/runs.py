"""The commands `run` and `sweep`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from passer.cli.output import EngineOption, JsonOption, note, print_json
from passer.cli.run_options import (
    AlphaOption,
    AnswersOption,
    BaselineKOption,
    BudgetOption,
    ChunkingOption,
    CollectionOption,
    CostOption,
    CutsOption,
    DatasetOption,
    EmbeddingOption,
    ExperimentArgument,
    HypothesisOption,
    JudgePriceOption,
    KIncrementOption,
    KOption,
    KsOption,
    LooksOption,
    MarginOption,
    MaxKOption,
    MinSimilarityOption,
    ModelOption,
    ModelPriceOption,
    ModelsOption,
    NameOption,
    NoiseOption,
    NoPassagesOption,
    NumCtxOfOption,
    NumCtxOption,
    NumPredictOption,
    PassageOrderOption,
    PlanOption,
    PreviewOption,
    PrimaryOption,
    PromptOption,
    PromptsOption,
    QuestionsOption,
    RecordedJudgeOption,
    RecordedNormalisationOption,
    RecordedPanelOption,
    RepeatOption,
    RetrieverOption,
    RetrieversOption,
    SeedOption,
    SweepCollectionOption,
    SweepDatasetOption,
    TemperatureOption,
    TemperaturesOption,
    ThresholdsOption,
    TimingOption,
)
from passer.cli.wanted import (
    chunking_of,
    config_of,
    cut_named,
    judged_by,
    looks_of,
    noisy,
    policy_of,
    retriever_named,
    sweep_of,
    thresholds_of,
    timed,
    window_named,
)
from passer.domain.defaults import BASELINE_K, K_INCREMENT, MAX_K, NUM_CTX, NUM_PREDICT, TEMPERATURE, K

if TYPE_CHECKING:
    from passer.domain.budget import SweepBudget
    from passer.domain.sweep import Sweep
    from passer.ports import StoredSweep
    from passer.settings import EngineName


def register(app: typer.Typer) -> None:
    """Register the commands."""
    for command in (run, sweep):
        app.command()(command)


def run(
    dataset: DatasetOption,
    collection: CollectionOption,
    model: ModelOption = "extractive",
    k: KOption = K,
    min_similarity: MinSimilarityOption = None,
    max_k: MaxKOption = MAX_K,
    retriever: RetrieverOption = "dense",
    temperature: TemperatureOption = TEMPERATURE,
    num_ctx: NumCtxOption = NUM_CTX,
    num_predict: NumPredictOption = NUM_PREDICT,
    seed: SeedOption = None,
    prompt: PromptOption = "default",
    no_passages: NoPassagesOption = "abstain",
    passage_order: PassageOrderOption = "rank",
    questions: QuestionsOption = None,
    answers: AnswersOption = "fast",
    budget: BudgetOption = None,
    price: ModelPriceOption = None,
    name: NameOption = None,
    engine: EngineOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run one configuration on a dataset."""
    from passer.domain.budget import budget_of
    from passer.domain.sweep import Sweep, usual_fields

    config = config_of(
        dataset=dataset, collection=collection, model=model, temperature=temperature, num_ctx=num_ctx,
        num_predict=num_predict, seed=seed, prompt=prompt, no_passages=no_passages, questions=questions,
        answers=answers, retrieval=policy_of(k=k, min_similarity=min_similarity, max_k=max_k), retriever=retriever,
        passage_order=passage_order,
    )  # fmt: skip
    shown = name or f"{dataset}, {config.ranking_label}"
    alone = Sweep(name=shown, config=config, **usual_fields(config.profile))
    _start(alone, budget_of(budget or (), price), engine=engine, as_json=as_json)


def sweep(
    file: ExperimentArgument = None,
    dataset: SweepDatasetOption = None,
    collection: SweepCollectionOption = None,
    model: ModelsOption = None,
    thresholds: ThresholdsOption = None,
    baseline_k: BaselineKOption = BASELINE_K,
    max_k: MaxKOption = MAX_K,
    k_increment: KIncrementOption = K_INCREMENT,
    k: KsOption = None,
    cut: CutsOption = None,
    temperature: TemperaturesOption = None,
    num_ctx: NumCtxOption = NUM_CTX,
    num_ctx_of: NumCtxOfOption = None,
    num_predict: NumPredictOption = NUM_PREDICT,
    seed: SeedOption = None,
    prompt: PromptsOption = None,
    repeat: RepeatOption = 1,
    embedding: EmbeddingOption = None,
    chunking: ChunkingOption = None,
    retriever: RetrieversOption = None,
    no_passages: NoPassagesOption = "abstain",
    passage_order: PassageOrderOption = "rank",
    questions: QuestionsOption = None,
    primary: PrimaryOption = None,
    judge: RecordedJudgeOption = None,
    margin: MarginOption = None,
    alpha: AlphaOption = None,
    cost: CostOption = None,
    looks: LooksOption = None,
    hypothesis: HypothesisOption = None,
    answers: AnswersOption = "fast",
    panel: RecordedPanelOption = None,
    normalisation: RecordedNormalisationOption = None,
    name: NameOption = None,
    plan: PlanOption = False,
    preview: PreviewOption = False,
    noise: NoiseOption = False,
    budget: BudgetOption = None,
    price: ModelPriceOption = None,
    judge_price: JudgePriceOption = None,
    timing: TimingOption = False,
    engine: EngineOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare configurations: run similarity thresholds, top-k values, retrievers or models on one dataset."""
    from passer.cli.planning import USUAL_THRESHOLDS
    from passer.domain.budget import budget_of
    from passer.domain.model import model_of
    from passer.errors import ConfigError

    if file is not None:
        from passer.bootstrap import experiment

        wanted = experiment(file)
        if questions is not None:
            wanted = wanted.model_copy(update={"config": wanted.config.model_copy(update={"questions": questions})})
    elif not dataset or not collection:
        raise ConfigError("--dataset or --collection is missing. Pass both, or an experiment file.")
    else:
        models, temperatures, prompts = model or ["extractive"], temperature or [TEMPERATURE], prompt or ["default"]
        # Who names other settings to compare gets those alone; nobody expects eleven runs of each of two models.
        several = (model, temperature, prompt, embedding, chunking)
        named = [
            *(retriever or ()),
            *(str(value) for values in several if len(values or ()) > 1 for value in values or ()),
        ]
        shown = thresholds or ("" if named or cut or k else USUAL_THRESHOLDS)
        config = config_of(
            dataset=dataset, collection=collection, model=models[0], temperature=temperatures[0],
            num_ctx=num_ctx, num_predict=num_predict, seed=seed, prompt=prompts[0], no_passages=no_passages,
            questions=questions, answers=answers, retrieval={"mode": "normal"},
            retriever=(retriever or ["dense"])[0], passage_order=passage_order,
        )  # fmt: skip
        wanted = sweep_of(
            config, name=name or _name(dataset, shown, k or (), named), baseline_k=baseline_k, max_k=max_k,
            k_increment=k_increment, windows=[window_named(text) for text in num_ctx_of or ()],
            axes={
                "min_similarity": thresholds_of(shown) if shown else (), "k": k or (),
                "retrieval": [cut_named(text) for text in cut or ()],
                "model": [model_of(text) for text in models],
                "temperature": temperatures, "prompt": prompts, "embedding": embedding or (),
                "chunking": [chunking_of(text) for text in chunking or ()], "repeat": repeat,
                "retriever": [retriever_named(text) for text in retriever or ()],
            },
        )  # fmt: skip
    wanted = judged_by(
        wanted, primary=primary, judge=judge, margin=margin, alpha=alpha, looks=looks_of(looks), panel=panel,
        normalisation=normalisation, hypothesis=hypothesis, cost=cost,
        price=price if "money" in (cost, wanted.cost) else None, as_file=file is not None,
    )  # fmt: skip
    if noise:
        wanted = noisy(wanted)
    if timing:
        wanted = timed(wanted)
    proposes = file is None and thresholds is None and bool(wanted.axes.min_similarity)
    limits = budget_of(budget or (), price, judge_price)
    if preview:
        _preview(wanted, limits, as_json=as_json, proposes=proposes)
    elif plan:
        _plan(wanted, limits, questions=questions, as_json=as_json, proposes=proposes)
    else:
        _start(wanted, limits, engine=engine, as_json=as_json, proposes=proposes)


def _name(dataset: str, thresholds: str, ks: Sequence[int], others: Sequence[str]) -> str:
    parts = [f"thresholds {thresholds}"] if thresholds else []
    parts += [f"k = {', '.join(map(str, ks))}"] if ks else []
    return ", ".join([dataset, *parts, *others])


def _start(
    wanted: Sweep, budget: SweepBudget, *, engine: EngineName | None, as_json: bool, proposes: bool = False
) -> None:
    from passer.bootstrap import services
    from passer.cli.output import ProgressLine
    from passer.cli.planning import plan_lines, previewed
    from passer.cli.run_output import print_outcome, run_or_follow

    with services(engine=engine) as built:
        with ProgressLine() as line:
            wanted, found = previewed(built, wanted, line, proposes=proposes)
        for text in plan_lines(found.plan.within(budget, reply_tokens=wanted.config.options.num_predict)):
            note(text)
        stored: StoredSweep = built.sweeps.planner.create(wanted, budget=budget)
        if stored.registered is not None:
            note(f"Registered in the ledger: {stored.registered.digest}.")
        note(f"Sweep {stored.id} started. Press Ctrl-C to save and stop.")
        stored = run_or_follow(built, stored.id)
        if as_json:
            print_json(stored)
        else:
            print_outcome(built, stored.id)


def _plan(wanted: Sweep, budget: SweepBudget, *, questions: int | None, as_json: bool, proposes: bool) -> None:
    """Print the plan: counts only if `questions` stands in for the dataset or a part is missing, else a preview's."""
    from passer.bootstrap import services
    from passer.cli.output import ProgressLine
    from passer.cli.planning import plan_lines, previewed

    with services() as built:
        found = built.sweeps.planner.plan(wanted, questions=questions)
        if questions is None and not any(each.kind in ("dataset", "collection") for each in found.missing):
            with ProgressLine() as line:
                found = previewed(built, wanted, line, proposes=proposes)[1].plan
        found = found.within(budget, reply_tokens=wanted.config.options.num_predict)
    if as_json:
        print_json(found)
        return
    for text in plan_lines(found):
        print(text)


def _preview(wanted: Sweep, budget: SweepBudget, *, as_json: bool, proposes: bool) -> None:
    from passer.bootstrap import services
    from passer.cli.output import ProgressLine
    from passer.cli.planning import previewed, print_preview

    with services() as built, ProgressLine() as line:
        found = previewed(built, wanted, line, proposes=proposes)[1]
    plan = found.plan.within(budget, reply_tokens=wanted.config.options.num_predict)
    found = found.model_copy(update={"plan": plan})
    if as_json:
        print_json(found)
    else:
        print_preview(found)
