"""run, sweep, resume, runs, show, cancel, pause, retry, analyse, export, ask."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.cli.output import JsonOption, note, number, print_json, print_table

if TYPE_CHECKING:
    from passer.domain.run import Model, RunConfig
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
SweepId = Annotated[str, typer.Argument(help="Id of the sweep; of its runs add -000, -001, ...")]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    for command in (run, sweep, resume, runs, show, cancel, pause, retry, analyse, export, ask):
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

    config = _config(
        dataset=dataset, collection=collection, model=model, temperature=temperature, num_ctx=num_ctx,
        num_predict=num_predict, seed=seed, prompt=prompt, no_passages=no_passages, questions=questions,
        retrieval=_policy(k=k, min_similarity=min_similarity, max_k=max_k),
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
        int | None, typer.Option("--baseline-k", help="k of the Normal baseline; maxK by default, 0 for none.")
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
    plan: Annotated[bool, typer.Option("--plan", help="Only print what it will take.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Run a sweep of similarity thresholds with a Normal baseline."""
    from passer.domain.sweep import Axes, Sweep, default_baseline
    from passer.errors import ConfigError

    if file is not None:
        import os

        from passer.adapters.experiments import load_experiment

        wanted = load_experiment(file, os.environ)
    elif not dataset or not collection:
        raise ConfigError("A sweep needs --dataset and --collection, or an experiment file.")
    else:
        models = [_model(text) for text in model or ["extractive"]]
        config = _config(
            dataset=dataset, collection=collection, model=(model or ["extractive"])[0], temperature=temperature,
            num_ctx=num_ctx, num_predict=num_predict, seed=seed, prompt=prompt, no_passages=no_passages,
            questions=questions, retrieval={"mode": "normal"},
        )  # fmt: skip
        baseline = default_baseline(max_k) if baseline_k is None else default_baseline(baseline_k or 1)
        wanted = Sweep(
            name=name or f"{dataset}, thresholds {thresholds}",
            config=config,
            axes=Axes(min_similarity=_thresholds(thresholds), model=tuple(models) if len(models) > 1 else ()),
            baseline=None if baseline_k == 0 else baseline,
            max_k=max_k,
        )
    if plan:
        _plan(wanted, questions=questions, as_json=as_json)
    else:
        _start(wanted, as_json=as_json)


def resume(sweep_id: SweepId, as_json: JsonOption = False) -> None:
    """Go on with a sweep; nothing that is there is asked again."""
    from passer.bootstrap import services
    from passer.cli.running import print_analysis, run_or_follow

    with services() as built:
        built.sweeping.resume(sweep_id)
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

    with services() as built:
        stored = built.runs.load_sweep(sweep_id)
    if as_json:
        print_json(stored)
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


def cancel(sweep_id: SweepId) -> None:
    """Stop a sweep; what is there is kept."""
    from passer.bootstrap import services

    with services() as built:
        note(f"Sweep {sweep_id} is {built.sweeping.cancel(sweep_id).state.value}.")


def pause(sweep_id: SweepId) -> None:
    """Hold a sweep until it is resumed."""
    from passer.bootstrap import services

    with services() as built:
        note(f"Sweep {sweep_id} is {built.sweeping.pause(sweep_id).state.value}.")


def retry(sweep_id: SweepId, as_json: JsonOption = False) -> None:
    """Ask again the questions that failed, and only those."""
    from passer.bootstrap import services
    from passer.cli.running import run_or_follow

    with services() as built:
        built.sweeping.retry(sweep_id)
        stored = run_or_follow(built, sweep_id)
    failed = sum(run.counts.failed for run in stored.runs)
    if as_json:
        print_json(stored)
    else:
        note(f"Sweep {sweep_id} is {stored.state.value}; {failed} questions still failed.")
    if failed:
        raise typer.Exit(1)


def analyse(
    some_id: Annotated[str, typer.Argument(metavar="ID", help="Id of a sweep, or of imported sheets.")],
    panel: Annotated[str | None, typer.Option(help="Of a sweep: phase3, phase3-no-meteor or phase2.")] = None,
    missing: Annotated[str, typer.Option(help="Of a sweep: worst or drop.")] = "worst",
    procedure: Annotated[
        str | None, typer.Option(help="Of imported sheets: published, corrected or published-phase2.")
    ] = None,
    label: Annotated[list[str] | None, typer.Option(help='Of imported sheets: MODEL="Label"; may be repeated.')] = None,
    as_json: JsonOption = False,
) -> None:
    """Composite scores, paired comparisons with the baseline, retrieval quality; for imported sheets, their tables."""
    from passer.bootstrap import services
    from passer.cli.imports import analyse_import, is_import
    from passer.cli.running import print_analysis
    from passer.errors import ConfigError

    if is_import(some_id):
        if panel is not None or missing != "worst":
            raise ConfigError("--panel and --missing are for sweeps: a procedure fixes both for imported sheets.")
        analyse_import(some_id, procedure=procedure, labels=label or [], as_json=as_json)
        return
    if procedure is not None or label:
        raise ConfigError("--procedure and --label are for imported sheets: leave them out for a sweep.")
    if missing not in ("worst", "drop"):
        raise ConfigError("--missing is worst or drop: choose one.", field="missing")
    with services() as built:
        analysis = built.comparing.analyse(some_id, panel=panel, missing="drop" if missing == "drop" else "worst")
    if as_json:
        print_json(analysis)
    else:
        print_analysis(analysis)


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

    config = _config(
        dataset="-",
        collection=collection,
        model=model,
        retrieval=_policy(k=k, min_similarity=min_similarity, max_k=100),
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
    from passer.cli.running import print_analysis, run_or_follow

    with services() as built:
        stored: StoredSweep = built.sweeping.create(wanted)
        note(f"Sweep {stored.id}: {len(stored.runs)} configurations x {stored.questions} questions")
        stored = run_or_follow(built, stored.id)
        if as_json:
            print_json(stored)
        else:
            print_analysis(built.comparing.analyse(stored.id))


def _plan(wanted: Sweep, *, questions: int | None, as_json: bool) -> None:
    from passer.bootstrap import services

    with services() as built:
        found = built.sweeping.plan(wanted, questions=questions)
    if as_json:
        print_json(found)
        return
    print(f"{found.configurations} configurations x {found.questions} questions = {found.evaluations} evaluations")
    for warning in found.warnings:
        print(f"  {warning}")


def _config(*, model: str, retrieval: dict[str, object], seed: int | None = None, **given: object) -> RunConfig:
    from passer.cli.checking import checked
    from passer.domain.run import RunConfig

    names = ("temperature", "num_ctx", "num_predict")
    options = {name: given.pop(name) for name in names if name in given}
    if seed is not None:
        options["seed"] = seed
    return checked(RunConfig, {**given, "model": _model(model), "options": options, "retrieval": retrieval})


def _policy(*, k: int, min_similarity: float | None, max_k: int) -> dict[str, object]:
    if min_similarity is None:
        return {"mode": "normal", "k": k}
    return {"mode": "score", "min_similarity": min_similarity, "max_k": max_k}


def _model(text: str) -> Model:
    from passer.domain.run import Model

    if text == "extractive":
        return Model()
    provider, _, name = text.partition("/")
    if provider in ("ollama", "openai") and name:
        return Model.model_validate({"provider": provider, "name": name})
    return Model(provider="ollama", name=text)


def _thresholds(text: str) -> tuple[float, ...]:
    from passer.domain.sweep import threshold_range
    from passer.errors import ConfigError

    try:
        if ":" in text:
            start, stop, step = (float(part) for part in text.split(":"))
            found = threshold_range(start=start, stop=stop, step=step)
        else:
            found = tuple(float(part) for part in text.split(","))
    except ValueError:
        found = ()
    if not found or any(not -1 <= value <= 1 for value in found):
        raise ConfigError(
            f"--thresholds {text!r} is not START:STOP:STEP or values from -1 to 1: write 0.50:0.95:0.05, say.",
            field="thresholds",
        )
    return found
