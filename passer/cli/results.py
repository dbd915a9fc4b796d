"""export and ask: what is taken out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from passer.cli.output import JsonOption, SweepId, note, number, print_json, print_table
from passer.cli.runs import CollectionOption, KOption, ModelOption
from passer.cli.wanted import config_of, policy_of


def register(app: typer.Typer) -> None:
    """Add these commands."""
    for command in (export, ask):
        app.command()(command)


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
