"""serve, doctor, models, demo, backup, restore."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passer.cli.output import EngineOption, JsonOption, note, print_json, print_table

if TYPE_CHECKING:
    from passer.adapters.archive.listing import BackupListing

LOOPBACK = ("127.0.0.1", "localhost", "::1")
DEMO_QUESTIONS = 60


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(demo)
    app.command()(serve)
    app.command()(doctor)
    app.command()(models)
    app.command()(backup)
    app.command()(restore)


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=1, max=65535)] = 8000,
    insecure_listen: Annotated[
        bool, typer.Option("--insecure-listen", help="Listen beyond this machine, although there are no accounts yet.")
    ] = False,
    engine: EngineOption = None,
) -> None:
    """Start the server with the browser application."""
    from passer.errors import ConfigError

    if host not in LOOPBACK and not insecure_listen:
        raise ConfigError(
            f"Listening on {host} lets anyone on the network use this PaSSER: add --insecure-listen if you mean it."
        )
    import os

    import uvicorn

    from passer.settings import Settings

    if insecure_listen:
        os.environ["PASSER_INSECURE_LISTEN"] = "1"
    if engine:
        os.environ["PASSER_ENGINE"] = engine
    home = Settings.of_environment().home
    note(f"PaSSER listens on http://{host}:{port} (Ctrl-C saves and stops); what it keeps is in {home}")
    # By name: the command line and the HTTP application are neighbours that do not see each other.
    uvicorn.run("passer.api.app:serving", factory=True, host=host, port=port, log_level="warning")


def doctor(as_json: JsonOption = False) -> None:
    """Say which parts are there, and for each missing one the command that adds it."""
    from passer.bootstrap import diagnose
    from passer.settings import Settings

    parts = diagnose(Settings.of_environment())
    if as_json:
        print_json({"parts": parts})
    else:
        rows = [
            (
                "ok" if part.ok else "MISSING" if part.required else "not there",
                part.name,
                part.detail,
                part.command or "",
            )
            for part in parts
        ]
        print_table(["", "part", "detail", "to add it"], rows)
    if not all(part.ok for part in parts if part.required):
        raise typer.Exit(1)


def models(
    provider: Annotated[str, typer.Option(help="extractive, ollama or openai.")] = "ollama",
    as_json: JsonOption = False,
) -> None:
    """List the models that a server has."""
    from passer.bootstrap import services
    from passer.cli.checking import checked
    from passer.domain.run import Model

    with services() as built:
        found = built.generator(checked(Model, {"provider": provider, "name": "any"})).models()
    if as_json:
        print_json({"models": found})
        return
    rows = [
        (m.name, m.parameter_size or "-", m.quantization or "-", str(m.context_length or "-"), m.digest[:12])
        for m in found
    ]
    print_table(["model", "parameters", "quantisation", "context", "digest"], rows)


def backup(
    file: Annotated[Path, typer.Argument(help="Where to write it, e.g. passer-backup.zip.")],
    as_json: JsonOption = False,
) -> None:
    """Write everything that PaSSER keeps as one file; a server may go on."""
    from passer.bootstrap.archiving import back_up
    from passer.settings import Settings

    settings = Settings.of_environment()
    listing = back_up(settings, file)
    words = f"Wrote {file}: {len(listing.files)} files of {settings.home}, {listing.size / 1e6:.1f} MB unpacked."
    _print_listing(listing, words, as_json=as_json)


def restore(
    file: Annotated[Path, typer.Argument(help="What passer backup wrote.")],
    as_json: JsonOption = False,
) -> None:
    """Make PASSER_HOME from a backup; it must be new or empty."""
    from passer.bootstrap.archiving import restore as restored
    from passer.settings import Settings

    settings = Settings.of_environment()
    listing = restored(settings, file)
    words = f"{settings.home} is as it was on {listing.made_at:%Y-%m-%d at %H:%M} UTC: {len(listing.files)} files."
    _print_listing(listing, words, as_json=as_json)


def _print_listing(listing: BackupListing, words: str, *, as_json: bool) -> None:
    if as_json:
        print_json(listing)
    else:
        note(words)


def demo(
    example: Annotated[str, typer.Option(help="Which example corpus.")] = "organic-farming",
    questions: Annotated[int, typer.Option(help="How many questions.", min=2)] = DEMO_QUESTIONS,
) -> None:
    """Run the main job on an example: ingest, sweep, compare; no server, key or network."""
    from passer.bootstrap import services
    from passer.cli.output import ProgressLine
    from passer.cli.running import print_analysis, run_or_follow
    from passer.domain.retrieval import NormalPolicy
    from passer.domain.run import RunConfig
    from passer.domain.sweep import Axes, Sweep, threshold_range

    with services() as built:
        with ProgressLine() as line:
            built.examples.load(example, progress=line)
        sweep = Sweep(
            name=f"Demo: {example}",
            config=RunConfig(dataset=example, collection=example, questions=questions),
            axes=Axes(min_similarity=threshold_range(start=0.30, stop=0.70, step=0.05)),
            baseline=NormalPolicy(k=10),
        )
        plan = built.sweeping.plan(sweep)
        note(f"{plan.configurations} configurations x {plan.questions} questions = {plan.evaluations} evaluations")
        stored = run_or_follow(built, built.sweeping.create(sweep).id)
        print_analysis(built.comparing.analyse(stored.id))
        home = built.settings.home
    note("")
    note(f"The sweep is {stored.id}, kept in {home}. To look at every question, start the browser application:")
    here = f"PASSER_HOME={home} {sys.argv[0]}"
    note(f"  {here} serve      then open http://127.0.0.1:8000/sweeps/{stored.id}")
    note(f"  {here} export {stored.id} --output sweep.xlsx      for the tables")
