"""The command `demo`: a sweep on an example corpus with the extractive reader, then with the built-in model."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import typer

from passer.bootstrap import Services, services
from passer.cli.output import ProgressLine, note
from passer.cli.planning import size_line
from passer.cli.run_output import print_analysis
from passer.cli.runs import run_or_follow
from passer.domain.accounts.project import shown_project
from passer.errors import install_command

if TYPE_CHECKING:
    from passer.domain.sweeps.sweep import Sweep
    from passer.ports import StoredSweep

QUESTIONS = 60
MODEL_QUESTIONS = 30
"""The built-in model answers these in about two minutes on two cores."""
SHOWN_CHARACTERS = 1200


def demo(
    example: Annotated[str, typer.Option(help="Example: organic-farming or biodiversity-policy.")] = "organic-farming",
    questions: Annotated[int, typer.Option(help="Number of questions.", min=2)] = QUESTIONS,
) -> None:
    """Try PaSSER on an example: ingest documents, run a sweep, compare thresholds. Needs no server, key or network."""
    from passer.services.work.kinds import ExampleSpec

    with services() as built:
        with ProgressLine() as line:
            built.work.queue.run_here(ExampleSpec(name=example), progress=line)
        note(
            "1. The extractive reader: it copies the sentences most similar to the question, without a language model."
        )
        stored = _run(built, _extractive(example, questions))
        if _has_model():
            note("")
            note(
                "2. SmolLM2-135M, a language model of 135 million parameters that runs on this machine. It shows what "
                "a sweep with a model is like. It is far too small to answer well: do not draw conclusions about RAG "
                "from its scores."
            )
            stored = _run(built, _with_model(example, min(questions, MODEL_QUESTIONS)))
            _show_one(built, stored)
        else:
            from passer.adapters.generators.local.models import WEIGHTS_COMMAND

            note("")
            note("2. The built-in language model is not installed, so the second sweep is skipped. To install it:")
            note(f"  {install_command('model')} && {WEIGHTS_COMMAND}")
        home, project = built.settings.home, shown_project(built.settings.project)
    note("")
    note(f"The last sweep is {stored.id}; its data is in {home}. Open it in the browser application:")
    here = f"PASSER_HOME={home} {sys.argv[0]}" + (f" --project {project}" if project else "")
    page = f"http://127.0.0.1:8000{f'/projects/{project}' if project else ''}/sweeps/{stored.id}"
    note(f"  {here} serve      then open {page}")
    note(f"  {here} export {stored.id} --output sweep.xlsx      to export its tables")


def _has_model() -> bool:
    from passer.adapters.generators.local.models import built_in_weights

    return find_spec("xllamacpp") is not None and built_in_weights() is not None


def _extractive(example: str, questions: int) -> Sweep:
    from passer.domain.retrieval.cuts import NormalPolicy
    from passer.domain.sweeps.axes import Axes, threshold_range
    from passer.domain.sweeps.run import RunConfig
    from passer.domain.sweeps.sweep import Sweep, usual_fields

    return Sweep(
        name=f"Demo: {example}",
        config=RunConfig(dataset=example, collection=example, questions=questions),
        axes=Axes(min_similarity=threshold_range(start=0.30, stop=0.70, step=0.05)),
        baseline=NormalPolicy(k=10),
        **usual_fields("standard"),
    )


def _with_model(example: str, questions: int) -> Sweep:
    from passer.adapters.generators.local.models import BUILT_IN
    from passer.domain.models.decoding import explicit_options
    from passer.domain.models.model import Model
    from passer.domain.retrieval.cuts import NormalPolicy
    from passer.domain.sweeps.axes import Axes
    from passer.domain.sweeps.run import RunConfig
    from passer.domain.sweeps.sweep import Sweep, usual_fields

    # A window no larger than these prompts need, because each slot reserves memory for all of it.
    options = explicit_options(temperature=0, num_predict=64, num_ctx=2048)
    model = Model(provider="local", name=BUILT_IN)
    return Sweep(
        name=f"Demo: {example} with {BUILT_IN}",
        config=RunConfig(
            dataset=example, collection=example, questions=questions, model=model, options=options, prompt="cited"
        ),
        axes=Axes(min_similarity=(0.5, 0.6, 0.7)),
        baseline=NormalPolicy(k=3),
        max_k=3,
        **usual_fields("standard"),
    )


def _run(built: Services, sweep: Sweep) -> StoredSweep:
    plan = built.sweeps.planner.plan(sweep)
    note(size_line(plan))
    stored = run_or_follow(built, built.sweeps.planner.create(sweep).id)
    print_analysis(built.analysis.sweep_results.analyse(stored.id), stored)
    return stored


def _show_one(built: Services, stored: StoredSweep) -> None:
    """Print prompt, answer and reference of the baseline's first question."""
    detail = built.runs.run_browser.detail(stored.runs[0].id, 0)
    if detail.prompt is None or detail.answer is None:
        return
    note("")
    note(f"Prompt and answer of the first question ({stored.runs[0].name}):")
    for message in detail.prompt.messages:
        text = message.content.strip()
        cut = f"{text[:SHOWN_CHARACTERS]} ... {text[-200:]}" if len(text) > SHOWN_CHARACTERS + 200 else text
        note(f"--- {message.role}\n{cut}")
    note(f"--- answer\n{detail.answer.text}")
    note(f"--- reference\n{detail.question.reference}")
