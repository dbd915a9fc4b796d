"""run and sweep: what is started."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.cli.output import EngineOption, JsonOption, note, print_json
from passer.cli.wanted import chunking_of, config_of, policy_of, sweep_of, thresholds_of, timed

if TYPE_CHECKING:
    from passer.domain.sweep import Sweep
    from passer.ports import StoredSweep
    from passer.settings import EngineName

DatasetOption = Annotated[str, typer.Option("--dataset", help="Name of the dataset.")]
CollectionOption = Annotated[str, typer.Option("--collection", help="Name of the collection.")]
ModelOption = Annotated[
    str, typer.Option("--model", help="extractive, ollama/TAG or openai/NAME; a bare tag is taken as Ollama's.")
]
TemperatureOption = Annotated[float, typer.Option("--temperature", help="Sampling temperature.")]
NumCtxOption = Annotated[int, typer.Option("--num-ctx", help="Context window in tokens.")]
NumPredictOption = Annotated[int, typer.Option("--num-predict", help="Most tokens generated.")]
SeedOption = Annotated[int | None, typer.Option("--seed", help="Random seed; a recorded number by default.")]
PromptOption = Annotated[str, typer.Option("--prompt", help="Name of the prompt template.")]
NoPassagesOption = Annotated[str, typer.Option("--no-passages", help="abstain or ask, when no passage is kept.")]
QuestionsOption = Annotated[int | None, typer.Option("--questions", help="Only the first so many questions.", min=1)]
NameOption = Annotated[str | None, typer.Option("--name", help="Shown in tables.")]
KOption = Annotated[int, typer.Option("--k", help="Normal mode: how many passages.")]
MaxKOption = Annotated[int, typer.Option("--max-k", help="Score mode: most passages kept.")]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    for command in (run, sweep):
        app.command()(command)


def run(
    dataset: DatasetOption,
    collection: CollectionOption,
    model: ModelOption = "extractive",
    k: KOption = 10,
    min_similarity: Annotated[
        float | None, typer.Option("--min-similarity", help="Score mode: smallest similarity kept.")
    ] = None,
    max_k: MaxKOption = 100,
    temperature: TemperatureOption = 0.2,
    num_ctx: NumCtxOption = 4096,
    num_predict: NumPredictOption = 512,
    seed: SeedOption = None,
    prompt: PromptOption = "default",
    no_passages: NoPassagesOption = "abstain",
    questions: QuestionsOption = None,
    name: NameOption = None,
    engine: EngineOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run one configuration over a dataset."""
    from passer.domain.sweep import Sweep

    config = config_of(
        dataset=dataset, collection=collection, model=model, temperature=temperature, num_ctx=num_ctx,
        num_predict=num_predict, seed=seed, prompt=prompt, no_passages=no_passages, questions=questions,
        retrieval=policy_of(k=k, min_similarity=min_similarity, max_k=max_k),
    )  # fmt: skip
    _start(Sweep(name=name or f"{dataset}, {config.retrieval.label}", config=config), engine=engine, as_json=as_json)


def sweep(
    file: Annotated[Path | None, typer.Argument(help="Experiment file (YAML); or use the options.")] = None,
    dataset: Annotated[str | None, typer.Option("--dataset", help="Name of the dataset.")] = None,
    collection: Annotated[str | None, typer.Option("--collection", help="Name of the collection.")] = None,
    model: Annotated[list[str] | None, typer.Option("--model", help="May be given more than once.")] = None,
    thresholds: Annotated[
        str, typer.Option("--thresholds", help="START:STOP:STEP, or values separated by commas.")
    ] = "0.50:0.95:0.05",
    baseline_k: Annotated[
        int | None,
        typer.Option("--baseline-k", help="k of the Normal baseline; maxK by default, 0 for none.", min=0),
    ] = None,
    max_k: MaxKOption = 100,
    k: Annotated[list[int] | None, typer.Option("--k", help="Normal arms beside the thresholds; repeatable.")] = None,
    temperature: Annotated[list[float] | None, typer.Option("--temperature", help="May be given again.")] = None,
    num_ctx: NumCtxOption = 4096,
    num_predict: NumPredictOption = 512,
    seed: SeedOption = None,
    prompt: Annotated[list[str] | None, typer.Option("--prompt", help="Prompt template; may be given again.")] = None,
    repeat: Annotated[int, typer.Option("--repeat", help="How often each configuration runs.", min=1, max=100)] = 1,
    embedding: Annotated[
        list[str] | None, typer.Option("--embedding", help="Embedding model: of several, a collection for each.")
    ] = None,
    chunking: Annotated[
        list[str] | None, typer.Option("--chunking", help="SIZE/OVERLAP: of several, a collection for each.")
    ] = None,
    no_passages: NoPassagesOption = "abstain",
    questions: QuestionsOption = None,
    name: NameOption = None,
    plan: Annotated[
        bool, typer.Option("--plan", help="Only print what it will take; --questions N stands in for the dataset.")
    ] = False,
    preview: Annotated[
        bool, typer.Option("--preview", help="Only look up the questions, and print what would be kept.")
    ] = False,
    timing: Annotated[
        bool, typer.Option("--timing", help="A timing run: one question at a time, all asked anew.")
    ] = False,
    engine: EngineOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run a sweep of similarity thresholds with a Normal baseline."""
    from passer.domain.sweep import model_of
    from passer.errors import ConfigError

    if file is not None:
        from passer.bootstrap import experiment

        wanted = experiment(file)
        if questions is not None:
            wanted = wanted.model_copy(update={"config": wanted.config.model_copy(update={"questions": questions})})
    elif not dataset or not collection:
        raise ConfigError("A sweep needs --dataset and --collection, or an experiment file.")
    else:
        models, temperatures, prompts = model or ["extractive"], temperature or [0.2], prompt or ["default"]
        config = config_of(
            dataset=dataset, collection=collection, model=models[0], temperature=temperatures[0],
            num_ctx=num_ctx, num_predict=num_predict, seed=seed, prompt=prompts[0], no_passages=no_passages,
            questions=questions, retrieval={"mode": "normal"},
        )  # fmt: skip
        wanted = sweep_of(
            config, name=name or f"{dataset}, thresholds {thresholds}", baseline_k=baseline_k, max_k=max_k,
            axes={
                "min_similarity": thresholds_of(thresholds), "k": k or (), "model": [model_of(text) for text in models],
                "temperature": temperatures, "prompt": prompts, "embedding": embedding or (),
                "chunking": [chunking_of(text) for text in chunking or ()], "repeat": repeat,
            },
        )  # fmt: skip
    if timing:
        wanted = timed(wanted)
    if preview:
        _preview(wanted, as_json=as_json)
    elif plan:
        _plan(wanted, questions=questions, as_json=as_json)
    else:
        _start(wanted, engine=engine, as_json=as_json)


def _start(wanted: Sweep, *, engine: EngineName | None, as_json: bool) -> None:
    from passer.bootstrap import services
    from passer.cli.output import ProgressLine
    from passer.cli.planning import plan_lines
    from passer.cli.running import print_outcome, run_or_follow

    with services(engine=engine) as built:
        with ProgressLine() as line:
            plan = built.planning.preview(wanted, progress=line).plan
        for text in plan_lines(plan):
            note(text)
        stored: StoredSweep = built.sweeping.create(wanted)
        note(f"Sweep {stored.id} starts; Ctrl-C saves and stops.")
        stored = run_or_follow(built, stored.id)
        if as_json:
            print_json(stored)
        else:
            print_outcome(built, stored.id)


def _plan(wanted: Sweep, *, questions: int | None, as_json: bool) -> None:
    """Counts alone where `questions` stands in for the dataset or a part is missing; else those of a preview."""
    from passer.bootstrap import services
    from passer.cli.output import ProgressLine
    from passer.cli.planning import plan_lines

    with services() as built:
        found = built.sweeping.plan(wanted, questions=questions)
        if questions is None and not found.missing:
            with ProgressLine() as line:
                found = built.planning.preview(wanted, progress=line).plan
    if as_json:
        print_json(found)
        return
    for text in plan_lines(found):
        print(text)


def _preview(wanted: Sweep, *, as_json: bool) -> None:
    from passer.bootstrap import services
    from passer.cli.output import ProgressLine
    from passer.cli.planning import print_preview

    with services() as built, ProgressLine() as line:
        found = built.planning.preview(wanted, progress=line)
    if as_json:
        print_json(found)
    else:
        print_preview(found)
