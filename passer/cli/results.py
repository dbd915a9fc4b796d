"""The command `ask`; registers `export` too."""

from __future__ import annotations

from typing import Annotated

import typer

from passer.cli.exports import export
from passer.cli.output import JsonOption, number, print_json, print_table
from passer.cli.run_options import CollectionOption, KOption, ModelOption
from passer.cli.wanted import config_of, policy_of


def register(app: typer.Typer) -> None:
    """Register the commands."""
    for command in (export, ask):
        app.command()(command)


def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    collection: CollectionOption,
    model: ModelOption = "extractive",
    k: KOption = 10,
    min_similarity: Annotated[
        float | None,
        typer.Option("--min-similarity", help="Keep passages with at least this similarity, instead of k."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Ask one question about a collection; print the answer and the retrieved passages."""
    from passer.bootstrap import services

    config = config_of(
        dataset="-",
        collection=collection,
        model=model,
        retrieval=policy_of(k=k, min_similarity=min_similarity, max_k=100),
    )
    with services() as built:
        asked = built.pipeline.answerer.ask(
            question=question, config=config, index=built.adapters.collections.open(collection)
        )
    if as_json:
        print_json(asked)
        return
    print(asked.answer.text)
    rows = [(str(p.rank), number(p.similarity), p.document, str(p.page or "-"), p.text[:80]) for p in asked.passages]
    print_table(["rank", "similarity", "document", "page", "passage"], rows)
