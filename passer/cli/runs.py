"""The commands `run` and `sweep`: the preview of a sweep, its creation, and its run in this process."""

from __future__ import annotations

import sys
from dataclasses import asdict
from threading import Event, Thread
from typing import TYPE_CHECKING

from passer.bootstrap import Services, services
from passer.cli.commands import grouped
from passer.cli.option_models import compared_sweep, config_of, experiment_of, judged_by, noisy, policy_of, timed
from passer.cli.output import EngineOption, JsonOption, ProgressLine, note, print_json
from passer.cli.planning import USUAL_THRESHOLDS, plan_lines, print_preview
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
from passer.cli.run_output import print_outcome
from passer.domain.defaults import MAX_K, TEMPERATURE, K
from passer.errors import LeaseError, PasserError

if TYPE_CHECKING:
    from passer.domain.sweeps.budget import SweepBudget
    from passer.domain.sweeps.preview import SweepPreview
    from passer.domain.sweeps.sweep import Sweep
    from passer.ports import StoredSweep
    from passer.settings import EngineName

LOOK_EVERY_S = 0.2
"""Seconds between two readings of the progress from the database."""
TAKE_OVER_EVERY_S = 2.0
"""Seconds between two attempts to get the lease of a sweep that another process runs."""


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
    from passer.domain.sweeps.budget import budget_of
    from passer.domain.sweeps.sweep import Sweep, usual_fields

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
    from passer.domain.sweeps.budget import budget_of

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
            wanted, found = _previewed(built, wanted, line, proposes=proposes)
        for text in plan_lines(found.plan.within(budget, reply_tokens=wanted.config.options.num_predict)):
            note(text)
        stored: StoredSweep = built.sweeps.planner.create(wanted, budget=budget)
        if stored.registered is not None:
            note(f"Registered in the ledger: {stored.registered.digest}.")
        note(f"Sweep {stored.id} started. Press Ctrl-C to save and stop.")
        stored = run_or_follow(built, stored.id)
        print_json(stored) if as_json else print_outcome(built, stored.id)


def _plan(wanted: Sweep, budget: SweepBudget, *, questions: int | None, as_json: bool, proposes: bool) -> None:
    """Print the plan: counts only if `questions` stands in for the dataset or a part is missing, else a preview's."""
    with services() as built:
        with ProgressLine() as line:
            _summarise_earlier(built, wanted, line)
        found = built.sweeps.planner.plan(wanted, questions=questions)
        if questions is None and not any(each.kind in ("dataset", "collection") for each in found.missing):
            with ProgressLine() as line:
                found = _previewed(built, wanted, line, proposes=proposes)[1].plan
        found = found.within(budget, reply_tokens=wanted.config.options.num_predict)
    if as_json:
        print_json(found)
        return
    for text in plan_lines(found):
        print(text)


def _preview(wanted: Sweep, budget: SweepBudget, *, as_json: bool, proposes: bool) -> None:
    with services() as built, ProgressLine() as line:
        found = _previewed(built, wanted, line, proposes=proposes)[1]
    plan = found.plan.within(budget, reply_tokens=wanted.config.options.num_predict)
    found = found.model_copy(update={"plan": plan})
    print_json(found) if as_json else print_preview(found)


def _summarise_earlier(built: Services, wanted: Sweep, line: ProgressLine) -> None:
    """Analyse earlier sweeps and imported sheets, however long they are, so that the plan can count them."""
    from passer.services.analysis.earlier_spreads import EVERYTHING

    if wanted.baseline is None:
        return
    line("Analysing earlier sweeps", 0, 0)
    built.analysis.earlier_spreads.of(wanted, at_once=EVERYTHING)


def _previewed(built: Services, wanted: Sweep, line: ProgressLine, *, proposes: bool) -> tuple[Sweep, SweepPreview]:
    """Preview a sweep, for the counts of its plan; with `proposes`, use the thresholds that the retrieval suggests."""
    from passer.domain.sweeps.axes import threshold_range

    _summarise_earlier(built, wanted, line)
    found = built.sweeps.preview.preview(wanted, progress=line)
    ranges = [each.proposed for each in found.collections if each.proposed]
    if not (proposes and ranges):
        return wanted, found
    start, stop, step = ranges[0].start, ranges[0].stop, ranges[0].step
    axes = wanted.axes.model_copy(update={"min_similarity": threshold_range(start=start, stop=stop, step=step)})
    name = f"{wanted.config.dataset}, thresholds {start:.2f}:{stop:.2f}:{step:.2f}"
    note(f"Thresholds {start:.2f} to {stop:.2f} in steps of {step:.2f}, suggested by the retrieval of these questions.")
    named = name if wanted.name == f"{wanted.config.dataset}, thresholds {USUAL_THRESHOLDS}" else wanted.name
    fitted = wanted.model_copy(update={"axes": axes, "name": named})
    # The first preview left its rankings in memory, so this one only counts prompts.
    return fitted, built.sweeps.preview.preview(fitted, progress=line)


def run_or_follow(built: Services, sweep_id: str) -> StoredSweep:
    """Run a sweep, or follow it if another process runs it; the first Ctrl-C saves and stops."""
    stop, failure = Event(), []

    def work() -> None:
        following = False
        try:
            while not stop.is_set() and _is_live(built.adapters.runs.load_sweep(sweep_id, counted=False)):
                try:
                    built.sweeps.runner.run(sweep_id, stop=stop)
                    return
                except LeaseError:
                    if not following:
                        note(f"Sweep {sweep_id} is run by another PaSSER process. Following it.")
                    following = True
                    # If that process dies, its lease becomes free, and this process continues the sweep.
                    stop.wait(TAKE_OVER_EVERY_S)
        except Exception as exc:
            failure.append(exc)

    thread = Thread(target=work, name="sweep", daemon=True)
    with ProgressLine() as line:
        try:
            thread.start()
            while thread.is_alive():
                _show(line, built.adapters.runs.load_sweep(sweep_id, counted=False))
                thread.join(LOOK_EVERY_S)
        except KeyboardInterrupt:
            stop.set()
            note("Saving the results so far ...")
            if thread.ident is not None:
                thread.join()
            note(f"Stopped. Continue with: passer resume {sweep_id}")
            sys.exit(130)
    if failure:
        raise failure[0]
    _record(built)
    _judge(built, sweep_id)
    return built.adapters.runs.load_sweep(sweep_id)


def _judge(built: Services, sweep_id: str) -> None:
    """Have the recorded judge assess a finished sweep; if that fails, print the reason, because the verdict waits."""
    try:
        spec = built.work.recorded_assessment(sweep_id)
        if spec is None:
            resumed = built.work.resume_judge(sweep_id)
            if resumed is not None:
                with ProgressLine() as line:
                    built.work.queue.run_queued_here(resumed, progress=line)
            return
        note(f"The recorded judge assesses the answers (assessment {spec.assessment}).")
        with ProgressLine() as line:
            built.work.queue.run_here(spec, progress=line)
    except PasserError as exc:
        note(exc.message)


def _show(line: ProgressLine, sweep: StoredSweep) -> None:
    progress = sweep.progress
    if progress is None:
        return
    tail = f"{progress.rate_per_s:.1f}/s" if progress.rate_per_s else ""
    if progress.eta_s is not None:
        tail += f", {progress.eta_s:.0f} s left"
    line(progress.stage.capitalize(), progress.done, progress.total, tail)


def _record(built: Services) -> None:
    """Post to the local ledger immediately, and print which entries wait for a blockchain."""
    built.provenance.post_locally()
    waiting = sum(record.waiting for record in built.adapters.outbox.unposted(ledger=built.settings.ledger))
    if waiting:
        note(f"Entries waiting for the ledger: {waiting}. Post them with `passer ledger post`.")


def _is_live(sweep: StoredSweep) -> bool:
    return any(not run.state.is_final and not run.held for run in sweep.runs)
