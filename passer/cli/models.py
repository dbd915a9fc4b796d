"""The commands `models` and `models pull`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import services
from passer.cli.files import checked
from passer.cli.output import JsonOption, ProgressLine, note, print_json, print_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from passer.domain.models.model import ModelInfo
    from passer.services.library.model_servers import ModelServer


def listed(
    context: typer.Context,
    provider: Annotated[
        str | None, typer.Option(help="Only this provider: extractive, local, ollama or openai.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the models of every model server: built in, named in settings, or connected on the page."""
    if context.invoked_subcommand:
        return
    with services() as built:
        found = [each for each in built.library.model_servers.list() if provider in (None, each.provider)]
    if as_json:
        print_json({"servers": found})
    else:
        rows = [row for server in found for row in _rows(server)]
        columns = ["model", "server", "family", "parameters", "quantisation", "context", "size", "licence", "digest"]
        print_table(columns, rows)
        _note_too_large(found)
        for server in found:
            for problem in (*([server.problem] if server.problem else []), *server.left_out):
                note(problem)
    if not any(server.models for server in found):
        raise typer.Exit(1)


def pull(
    name: Annotated[str, typer.Argument(help="Name and tag in the Ollama registry, for example mistral:7b.")],
    as_json: JsonOption = False,
) -> None:
    """Download a model to the Ollama server (PASSER_OLLAMA_URL)."""
    from passer.services.work.kinds import PullSpec

    with services() as built, ProgressLine() as line:
        info = built.work.queue.run_here(PullSpec(name=name), progress=line)
    if as_json:
        print_json(info)
    else:
        note(f"{info.name} is ready ({info.digest[:12]}). Use it with --model ollama/{info.name}.")


def connect(
    name: Annotated[str, typer.Argument(help="How experiments refer to it, for example lab.")],
    url: Annotated[str, typer.Argument(help="Its address, for example http://127.0.0.1:8000/ask.")],
    kind: Annotated[
        str,
        typer.Option(help="outside: a RAG system that retrieves for itself; ollama; openai."),
    ] = "outside",
    key_variable: Annotated[
        str | None, typer.Option(help="Environment variable with its key: PASSER_KEY_NAME, with PASSER_KEY_NAME_URL.")
    ] = None,
    place: Annotated[
        list[str] | None,
        typer.Option(
            help="Place in the JSON of a RAG system, NAME=POINTER: question (in requests), answer, passages (in "
            "replies), text, document, score (in a passage), for example answer=/data/text. Repeatable."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Connect a RAG system or a model server, or replace the connection of this name."""
    from passer.domain.models.connection import NewConnection

    places = dict(each.partition("=")[::2] for each in place or ())
    values = {"name": name, "url": url, "kind": kind, "key_variable": key_variable, "places": places or None}
    given = checked(NewConnection, values)
    with services() as built:
        kept = built.library.model_servers.connect(given)
    if as_json:
        print_json(kept)
    else:
        note(f"{kept.name} is connected. Name it in an experiment as {_usage_hint(kept.kind, kept.name)}.")


def _usage_hint(kind: str, name: str) -> str:
    return f"system: {name}" if kind == "outside" else f"model: {kind}@{name}/MODEL"


def _rows(server: ModelServer) -> list[tuple[str, ...]]:
    """Return one row per model; the first cell is its name for --model."""
    return [
        (
            _name(server, m),
            server.address or "built in",
            m.family or "-",
            (m.parameter_size or "-") + (", for testing only" if m.for_trials else ""),
            m.quantization or "-",
            str(m.context_length or "-"),
            "-" if m.size_bytes is None else f"{m.size_bytes / 10**9:.1f} GB",
            m.licence or "-",
            m.digest[:12],
        )
        for m in server.models
    ]


def _name(server: ModelServer, model: ModelInfo) -> str:
    """Return the name of a model for --model."""
    at = f"@{server.connection}" if server.connection else ""
    return model.name if server.provider == "extractive" else f"{server.provider}{at}/{model.name}"


def _note_too_large(servers: Sequence[ModelServer]) -> None:
    """Name the models whose weights alone are larger than the memory of this machine."""
    from passer.adapters.surroundings import total_memory

    memory = total_memory()
    if memory is None:
        return
    large = [_name(each, model) for each in servers for model in each.models if (model.size_bytes or 0) > memory]
    if large:
        note(f"Larger than the {memory / 10**9:.0f} GB of memory of this machine: {', '.join(large)}.")
