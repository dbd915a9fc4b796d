"""The commands `ask` and `ask-again`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import services
from passer.cli.commands import cut_option
from passer.cli.files import checked
from passer.cli.option_models import config_of, policy_of
from passer.cli.output import JsonOption, beginning, note, number, print_json, print_table
from passer.cli.run_options import CollectionOption, KOption, MaxKOption, MinSimilarityOption, ModelOption
from passer.domain.defaults import MAX_K, K
from passer.errors import ConfigError

if TYPE_CHECKING:
    from passer.domain.retrieval.cuts import RetrievalPolicy
    from passer.services.pipeline.single_question import AnsweredQuestion


def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    collection: CollectionOption,
    model: ModelOption = "extractive",
    k: KOption = K,
    min_similarity: Annotated[
        float | None,
        cut_option("--min-similarity", help="Keep passages with at least this similarity, instead of k."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Ask one question about a collection; print the answer and the retrieved passages."""
    config = config_of(
        dataset="-",
        collection=collection,
        model=model,
        retrieval=policy_of(k=k, min_similarity=min_similarity, max_k=MAX_K),
    )
    with services() as built:
        asked = built.pipeline.answerer.ask(
            question=question, config=config, index=built.adapters.collections.open(collection)
        )
    if as_json:
        print_json(asked)
        return
    print(asked.answer.text)
    rows = [
        (str(p.rank), number(p.similarity), p.document, str(p.page or "-"), beginning(p.text)) for p in asked.passages
    ]
    print_table(["rank", "similarity", "document", "page", "passage"], rows)


def ask_again(
    run_id: Annotated[str, typer.Argument(metavar="RUN", help="Id of the run.")],
    number: Annotated[
        int, typer.Argument(metavar="QUESTION", help="Number of the question, from 1 as on the page.", min=1)
    ],
    k: Annotated[int | None, cut_option("--k", help="Normal mode (top-k): number of passages.")] = None,
    min_similarity: MinSimilarityOption = None,
    max_k: MaxKOption = MAX_K,
    as_json: JsonOption = False,
) -> None:
    """Ask a question of a run again with another k or threshold; nothing is saved."""
    policy = _other_cut(k, min_similarity, max_k)
    with services() as built:
        found = built.runs.one_off_answers.ask(run_id, number - 1, policy)
        recorded = built.runs.run_browser.detail(run_id, number - 1).answer
    if as_json:
        print_json(found)
        return
    print(found.answer.text)
    if found.is_stored:
        note("A stored answer of the same prompt; no model was called.")
    if recorded is not None and recorded.text != found.answer.text:
        note(f"The run answered: {recorded.text}")
    _print_passages(found)
    note("This answer is not saved and does not change the scores of the run.")


def _other_cut(k: int | None, min_similarity: float | None, max_k: int) -> RetrievalPolicy:
    from passer.domain.retrieval.cuts import NormalPolicy, ScorePolicy

    if (k is None) == (min_similarity is None):
        raise ConfigError(
            "Pass either --k or --min-similarity, which decides how many passages are kept.", field="retrieval"
        )
    if k is not None:
        return checked(NormalPolicy, {"k": k})
    return checked(ScorePolicy, {"min_similarity": min_similarity, "max_k": max_k})


def _print_passages(found: AnsweredQuestion) -> None:
    first, last = found.kept
    rows = [
        ("yes" if first <= place < last else "no", str(each.rank), number(each.similarity), each.document,
         beginning(each.text))
        for place, each in enumerate(found.passages)
    ]  # fmt: skip
    print_table(["kept", "rank", "similarity", "document", "passage"], rows)
