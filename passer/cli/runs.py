"""run, sweep, resume, runs, show, cancel, pause, retry, export, ask."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.cli.output import JsonOption, note, number, print_json, print_table
from passer.cli.wanted import chunking_of, config_of, policy_of, sweep_of, thresholds_of

if TYPE_CHECKING:
    from passer.domain.sweep import Sweep
    from passer.ports import StoredSweep

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
SweepId = Annotated[str, typer.Argument(help="Id of the sweep, as `passer runs` lists it.")]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    for command in (run, sweep, resume, runs, show, cancel, pause, retry, export, ask):
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
    as_json: JsonOption = False,
) -> None:
    """Run one configuration over a dataset."""
    from passer.domain.sweep import Sweep

    config = config_of(
        dataset=dataset, collection=collection, model=model, temperature=temperature, num_ctx=num_ctx,
        num_predict=num_predict, seed=seed, prompt=prompt, no_passages=no_passages, questions=questions,
        retrieval=policy_of(k=k, min_similarity=min_similarity, max_k=max_k),
    )  # fmt: skip
    _start(Sweep(name=name or f"{dataset}, {config.retrieval.label}", config=config), as_json=as_json)


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
    as_json: JsonOption = False,
) -> None:
    """Run a sweep of similarity thresholds with a Normal baseline."""
    from passer.domain.sweep import model_of
    from passer.errors import ConfigError

    if file is not None:
        import os

        from passer.adapters.experiments import load_experiment

        wanted = load_experiment(file, os.environ)
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
    if preview:
        _preview(wanted, as_json=as_json)
    elif plan:
        _plan(wanted, questions=questions, as_json=as_json)
    else:
        _start(wanted, as_json=as_json)


def resume(sweep_id: SweepId, as_json: JsonOption = False) -> None:
    """Go on with a sweep; nothing that is there is asked again."""
    from passer.bootstrap import services
    from passer.cli.running import print_analysis, run_or_follow

    with services() as built:
        built.steering.resume(sweep_id)
        stored = run_or_follow(built, sweep_id)
        if as_json:
            print_json(stored)
        else:
            print_analysis(built.comparing.analyse(stored.id))


def runs(limit: Annotated[int, typer.Option(min=1, max=1000)] = 20, as_json: JsonOption = False) -> None:
    """List the sweeps, newest first."""
    from passer.bootstrap import services

    with services() as built:
        found = built.runs.list_sweeps(limit=limit)
    if as_json:
        print_json({"sweeps": found})
        return
    rows = []
    for stored in found:
        done = sum(run.counts.scored + run.counts.failed for run in stored.runs)
        total = stored.questions * len(stored.runs)
        rows.append(
            (stored.id, stored.state.value, stored.sweep.name, str(len(stored.runs)), f"{done}/{total}",
             f"{stored.created_at:%Y-%m-%d %H:%M}")
        )  # fmt: skip
    print_table(["sweep", "state", "name", "runs", "done", "started"], rows)


def show(sweep_id: SweepId, as_json: JsonOption = False) -> None:
    """Show a sweep and its runs."""
    from passer.bootstrap import services
    from passer.cli.planning import savings_line

    with services() as built:
        stored = built.runs.load_sweep(sweep_id)
        savings = built.sweeping.savings(stored)
    if as_json:
        print_json({**stored.model_dump(mode="json"), "savings": savings})
        return
    note(
        f"{stored.sweep.name}: {stored.state.value}, "
        f"{stored.questions} questions of dataset {stored.sweep.config.dataset}"
    )
    rows = [
        (run.id, run.state.value, run.name, str(run.counts.answered), str(run.counts.scored), str(run.counts.failed),
         str(run.counts.reused), str(run.counts.truncated), run.reason or "")
        for run in stored.runs
    ]  # fmt: skip
    print_table(["run", "state", "name", "answered", "scored", "failed", "reused", "truncated", "reason"], rows)
    note(savings_line(savings))


def cancel(sweep_id: SweepId) -> None:
    """Stop a sweep; what is there is kept."""
    from passer.bootstrap import services

    with services() as built:
        note(f"Sweep {sweep_id} is {built.steering.cancel(sweep_id).state.value}.")


def pause(sweep_id: SweepId) -> None:
    """Hold a sweep until it is resumed."""
    from passer.bootstrap import services

    with services() as built:
        note(f"Sweep {sweep_id} is {built.steering.pause(sweep_id).state.value}.")


def retry(sweep_id: SweepId, as_json: JsonOption = False) -> None:
    """Ask again the questions that failed, and only those."""
    from passer.bootstrap import services
    from passer.cli.running import run_or_follow

    with services() as built:
        built.steering.retry(sweep_id)
        stored = run_or_follow(built, sweep_id)
    failed = sum(run.counts.failed for run in stored.runs)
    if as_json:
        print_json(stored)
    else:
        note(f"Sweep {sweep_id} is {stored.state.value}; {failed} questions still failed.")
    if failed:
        raise typer.Exit(1)


def export(
    sweep_id: SweepId,
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write: .csv, .jsonl or .xlsx.")],
    table: Annotated[str, typer.Option(help="evaluations or composites.")] = "evaluations",
    reproducible: Annotated[
        bool, typer.Option("--reproducible", help="Leave clock times and measured seconds out: the same bytes again.")
    ] = False,
) -> None:
    """Write a table of a sweep as a file."""
    import shutil

    from passer.bootstrap import services
    from passer.errors import ConfigError, InputError

    if table not in ("evaluations", "composites"):
        raise ConfigError("--table is evaluations or composites: choose one.", field="table")
    partial = output.with_name(f".{output.name}.part")
    with services() as built, built.comparing.export(
        sweep_id, table="composites" if table == "composites" else "evaluations", suffix=output.suffix,
        reproducible=reproducible,
    ) as content:  # fmt: skip
        try:
            with partial.open("wb") as stream:
                shutil.copyfileobj(content, stream)
            partial.replace(output)
        except OSError as exc:
            partial.unlink(missing_ok=True)
            raise InputError(f"{output} cannot be written ({exc.strerror}): choose another file.") from exc
    note(f"Wrote {output}.")


def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    collection: CollectionOption,
    model: ModelOption = "extractive",
    k: KOption = 10,
    min_similarity: Annotated[float | None, typer.Option("--min-similarity")] = None,
    as_json: JsonOption = False,
) -> None:
    """Ask one question of a collection."""
    from passer.bootstrap import services

    config = config_of(
        dataset="-",
        collection=collection,
        model=model,
        retrieval=policy_of(k=k, min_similarity=min_similarity, max_k=100),
    )
    with services() as built:
        asked = built.answering.ask(question=question, config=config, index=built.collections.open(collection))
    if as_json:
        print_json(asked)
        return
    print(asked.answer.text)
    rows = [(str(p.rank), number(p.similarity), p.document, str(p.page or "-"), p.text[:80]) for p in asked.passages]
    print_table(["rank", "similarity", "document", "page", "passage"], rows)


def _start(wanted: Sweep, *, as_json: bool) -> None:
    from passer.bootstrap import services
    from passer.cli.output import ProgressLine
    from passer.cli.planning import plan_lines
    from passer.cli.running import print_analysis, run_or_follow

    with services() as built:
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
            print_analysis(built.comparing.analyse(stored.id))


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
