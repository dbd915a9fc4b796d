"""The commands `run` and `sweep`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from passer.bootstrap import services
from passer.cli.groups import grouped
from passer.cli.output import EngineOption, JsonOption, ProgressLine, note, print_json
from passer.cli.planning import plan_lines, previewed, print_preview
from passer.cli.run_options import (
    BudgetOption,
    CollectionOption,
    ComparedOptions,
    ConfigOptions,
    DatasetOption,
    ExperimentArgument,
    JudgePriceOption,
    KOption,
    MaxKOption,
    MinSimilarityOption,
    ModelOption,
    ModelPriceOption,
    NameOption,
    NoiseOption,
    PlanOption,
    PreviewOption,
    PromptOption,
    RetrieverOption,
    RuleOptions,
    SweepCollectionOption,
    SweepDatasetOption,
    TemperatureOption,
    TimingOption,
)
from passer.cli.run_output import print_outcome, run_or_follow
from passer.cli.wanted import compared_sweep, config_of, experiment_of, judged_by, noisy, policy_of, timed
from passer.domain.defaults import MAX_K, TEMPERATURE, K

if TYPE_CHECKING:
    from passer.domain.budget import SweepBudget
    from passer.domain.sweep import Sweep
    from passer.ports import StoredSweep
    from passer.settings import EngineName


@grouped
def run(
    dataset: DatasetOption,
    collection: CollectionOption,
    *,
    model: ModelOption = "extractive",
    k: KOption = K,
    min_similarity: MinSimilarityOption = None,
    max_k: MaxKOption = MAX_K,
    retriever: RetrieverOption = "dense",
    temperature: TemperatureOption = TEMPERATURE,
    prompt: PromptOption = "default",
    settings: ConfigOptions,
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
        dataset=dataset, collection=collection, model=model, temperature=temperature, prompt=prompt,
        retrieval=policy_of(k=k, min_similarity=min_similarity, max_k=max_k), retriever=retriever, **asdict(settings),
    )  # fmt: skip
    shown = name or f"{dataset}, {config.ranking_label}"
    alone = Sweep(name=shown, config=config, **usual_fields(config.profile))
    _start(alone, budget_of(budget or (), price), engine=engine, as_json=as_json)


@grouped
def sweep(
    file: ExperimentArgument = None,
    *,
    dataset: SweepDatasetOption = None,
    collection: SweepCollectionOption = None,
    compared: ComparedOptions,
    settings: ConfigOptions,
    rule: RuleOptions,
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
    from passer.domain.budget import budget_of

    if file is not None:
        wanted = experiment_of(file, questions=settings.questions)
    else:
        wanted = compared_sweep(dataset, collection, compared, settings, name=name)
    wanted = judged_by(wanted, rule, price=price, as_file=file is not None)
    wanted = noisy(wanted) if noise else wanted
    wanted = timed(wanted) if timing else wanted
    proposes = file is None and compared.thresholds is None and bool(wanted.axes.min_similarity)
    limits = budget_of(budget or (), price, judge_price)
    if preview:
        _preview(wanted, limits, as_json=as_json, proposes=proposes)
    elif plan:
        _plan(wanted, limits, questions=settings.questions, as_json=as_json, proposes=proposes)
    else:
        _start(wanted, limits, engine=engine, as_json=as_json, proposes=proposes)


def _start(
    wanted: Sweep, budget: SweepBudget, *, engine: EngineName | None, as_json: bool, proposes: bool = False
) -> None:
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
    with services() as built, ProgressLine() as line:
        found = previewed(built, wanted, line, proposes=proposes)[1]
    plan = found.plan.within(budget, reply_tokens=wanted.config.options.num_predict)
    found = found.model_copy(update={"plan": plan})
    if as_json:
        print_json(found)
    else:
        print_preview(found)
