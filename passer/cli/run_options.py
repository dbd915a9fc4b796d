"""Options of the commands `run` and `sweep`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from passer.cli.analysis_options import PANEL_NAMES
from passer.cli.help import CUTS, LIMITS, MATERIAL, MODELS, VERDICT
from passer.domain.defaults import ALPHA, BASELINE_K, K_INCREMENT, MARGIN, MAX_K, NUM_CTX, NUM_PREDICT, PANEL

DatasetOption = Annotated[str, typer.Option("--dataset", help="Name of the dataset.", rich_help_panel=MATERIAL)]
CollectionOption = Annotated[
    str, typer.Option("--collection", help="Name of the collection.", rich_help_panel=MATERIAL)
]
ModelOption = Annotated[
    str,
    typer.Option(
        "--model",
        help="extractive, local/NAME, ollama/TAG or openai/NAME; a name without a prefix is an Ollama tag.",
        rich_help_panel=MODELS,
    ),
]
TemperatureOption = Annotated[
    float, typer.Option("--temperature", help="Sampling temperature.", rich_help_panel=MODELS)
]
PromptOption = Annotated[str, typer.Option("--prompt", help="Name of the prompt template.", rich_help_panel=MODELS)]
RETRIEVERS = (
    "dense, bm25, bm25-english, hybrid (dense and BM25), hybrid-english, fusion:RETRIEVER@MODEL for RAG-Fusion, "
    "e.g. fusion:bm25@local/smollm2-135m, terms:RETRIEVER@FILE for query expansion by a CSV file of terms, or "
    "rerank:RETRIEVER@NAME for a cross-encoder in the folder PASSER_MODELS, or a model such as local/smollm2-135m."
)
RetrieverOption = Annotated[
    str, typer.Option("--retriever", help=f"How passages are ranked: {RETRIEVERS}", rich_help_panel=CUTS)
]
NameOption = Annotated[str | None, typer.Option("--name", help="Name shown in tables.")]
KOption = Annotated[int, typer.Option("--k", help="Normal mode (top-k): number of passages.", rich_help_panel=CUTS)]
MaxKOption = Annotated[
    int,
    typer.Option(
        "--max-k", help="Score mode (similarity threshold): maximum number of passages.", rich_help_panel=CUTS
    ),
]

MinSimilarityOption = Annotated[
    float | None,
    typer.Option(
        "--min-similarity", help="Score mode: keep passages with at least this similarity.", rich_help_panel=CUTS
    ),
]
ExperimentArgument = Annotated[Path | None, typer.Argument(help="Experiment file (YAML), instead of the options.")]
SweepDatasetOption = Annotated[
    str | None, typer.Option("--dataset", help="Name of the dataset.", rich_help_panel=MATERIAL)
]
SweepCollectionOption = Annotated[
    str | None, typer.Option("--collection", help="Name of the collection.", rich_help_panel=MATERIAL)
]
PlanOption = Annotated[
    bool, typer.Option("--plan", help="Only print the plan. With --questions N, the dataset need not exist.")
]
PreviewOption = Annotated[
    bool, typer.Option("--preview", help="Only run retrieval, and print how many passages each setting keeps.")
]
NoiseOption = Annotated[
    bool,
    typer.Option(
        "--noise", help="Run the baseline twice, to measure how much scores vary by chance.", rich_help_panel=VERDICT
    ),
]
BudgetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--budget",
        metavar="LIMIT",
        help="Pause with the results so far at this limit: 500-asks, 200k-tokens, 90min, 2h, or 5EUR with --price. "
        "Repeatable.",
        rich_help_panel=LIMITS,
    ),
]
ModelPriceOption = Annotated[
    str | None,
    typer.Option(
        "--price",
        metavar="IN,OUT",
        help="Cost of a million tokens of prompts, of replies: 0.15,0.60 or '0.15,0.60 USD'.",
        rich_help_panel=LIMITS,
    ),
]
JudgePriceOption = Annotated[
    str | None,
    typer.Option(
        "--judge-price",
        metavar="IN,OUT",
        help="Price of the judge; default: --price. Limits also count the judge's requests.",
        rich_help_panel=LIMITS,
    ),
]
TimingOption = Annotated[
    bool, typer.Option("--timing", help="Timing run: one question at a time, without reusing answers.")
]


@dataclass(frozen=True)
class ConfigOptions:
    """Settings that all configurations of a command share."""

    num_ctx: Annotated[int, typer.Option(help="Context window in tokens.", rich_help_panel=MODELS)] = NUM_CTX
    num_predict: Annotated[int, typer.Option(help="Maximum number of generated tokens.", rich_help_panel=MODELS)] = (
        NUM_PREDICT
    )
    seed: Annotated[
        int | None,
        typer.Option(help="Random seed; default: a fixed number, which is recorded.", rich_help_panel=MODELS),
    ] = None
    no_passages: Annotated[
        str,
        typer.Option(
            help="If no passage is kept: abstain (return a fixed answer) or ask (call the model).", rich_help_panel=CUTS
        ),
    ] = "abstain"
    passage_order: Annotated[
        str,
        typer.Option(
            help="Order of the kept passages in the prompt: rank (best first) or document (document order).",
            rich_help_panel=CUTS,
        ),
    ] = "rank"
    questions: Annotated[
        int | None, typer.Option(help="Use only the first N questions.", min=1, rich_help_panel=MATERIAL)
    ] = None
    answers: Annotated[
        str,
        typer.Option(help="fast, or repeatable: slower, but the same texts each time.", rich_help_panel=MODELS),
    ] = "fast"


@dataclass(frozen=True)
class ComparedOptions:
    """Values that the configurations of a sweep compare, and their baseline. An option with one value is not varied."""

    model: Annotated[
        list[str] | None, typer.Option(help="Model, as in `passer run`. Repeatable.", rich_help_panel=MODELS)
    ] = None
    thresholds: Annotated[
        str | None,
        typer.Option(
            help="START:STOP:STEP, or values separated by commas; default: the range that the retrieval of the "
            "questions suggests; none if --k, --cut or --retriever is given, or several values of another option.",
            rich_help_panel=CUTS,
        ),
    ] = None
    baseline_k: Annotated[
        int,
        typer.Option(help="k of the top-k baseline; 0 for no baseline.", min=0, rich_help_panel=CUTS),
    ] = BASELINE_K
    max_k: MaxKOption = MAX_K
    k_increment: Annotated[
        int,
        typer.Option(
            help="Score mode: kIncrement of the published program, recorded with the sweep; "
            "results do not depend on it.",
            rich_help_panel=CUTS,
        ),
    ] = K_INCREMENT
    k: Annotated[
        list[str] | None,
        typer.Option(
            help="Compare top-k with these k: a list (1,3,5) or a range (1..10). Repeatable.", rich_help_panel=CUTS
        ),
    ] = None
    cut: Annotated[
        list[str] | None,
        typer.Option(
            help="Compare this cut: relative:SHARE keeps what is at least SHARE as similar as a question's best "
            "passage, gap:N what is before the largest drop among the first N. Repeatable.",
            rich_help_panel=CUTS,
        ),
    ] = None
    temperature: Annotated[
        list[float] | None,
        typer.Option(help="Sampling temperature. Repeatable.", rich_help_panel=MODELS),
    ] = None
    num_ctx_of: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODEL=TOKENS",
            help="Context window of one of the models, in tokens. Repeatable.",
            rich_help_panel=MODELS,
        ),
    ] = None
    prompt: Annotated[list[str] | None, typer.Option(help="Prompt template. Repeatable.", rich_help_panel=MODELS)] = (
        None
    )
    repeat: Annotated[
        int,
        typer.Option(help="Number of repetitions of each configuration.", min=1, max=100, rich_help_panel=MODELS),
    ] = 1
    embedding: Annotated[
        list[str] | None,
        typer.Option(help="Embedding model. Repeatable: one collection for each.", rich_help_panel=MATERIAL),
    ] = None
    chunking: Annotated[
        list[str] | None,
        typer.Option(
            help="Passage size and overlap, SIZE/OVERLAP. Repeatable: one collection for each.",
            rich_help_panel=MATERIAL,
        ),
    ] = None
    retriever: Annotated[
        list[str] | None,
        typer.Option(help=f"How passages are ranked: {RETRIEVERS} Repeatable.", rich_help_panel=CUTS),
    ] = None


@dataclass(frozen=True)
class RuleOptions:
    """The rule by which a sweep is judged; None keeps the default, or what the experiment file says."""

    primary: Annotated[
        str | None,
        typer.Option(
            help="Metric of the verdict: CPS (default), the name of one metric, or with --judge a judged one.",
            rich_help_panel=VERDICT,
        ),
    ] = None
    judge: Annotated[
        str | None,
        typer.Option(
            help="Judge of the primary metric: local/NAME, ollama/NAME, openai/NAME. It starts when all answers exist.",
            rich_help_panel=VERDICT,
        ),
    ] = None
    margin: Annotated[
        float | None,
        typer.Option(
            help=f"Smallest difference of the primary metric that matters; default: {MARGIN:g}.",
            rich_help_panel=VERDICT,
        ),
    ] = None
    alpha: Annotated[
        float | None,
        typer.Option(
            help=f"Probability of any false finding among all comparisons; default: {ALPHA:g}.", rich_help_panel=VERDICT
        ),
    ] = None
    cost: Annotated[
        str | None,
        typer.Option(
            help="Measure of cost: prompt_tokens (default), passages, seconds, or money, which needs --price.",
            rich_help_panel=VERDICT,
        ),
    ] = None
    looks: Annotated[
        str | None,
        typer.Option(
            metavar="FIRST:SECOND[:unplanned]",
            help="Numbers of questions of two planned looks at the results; --questions states the current one. With "
            ":unplanned, only the new questions are tested.",
            rich_help_panel=VERDICT,
        ),
    ] = None
    hypothesis: Annotated[
        str | None,
        typer.Option(
            help="Expected result. The plan is entered in the ledger before the first question is asked, which makes "
            "the verdict confirmatory.",
            rich_help_panel=VERDICT,
        ),
    ] = None
    panel: Annotated[
        str | None,
        typer.Option(
            help=f"Panel (metrics and weights of CPS): {PANEL_NAMES}; default: {PANEL}.", rich_help_panel=VERDICT
        ),
    ] = None
    normalisation: Annotated[
        str | None,
        typer.Option(help="Scaling of metrics in CPS: winsorised (default) or min-max.", rich_help_panel=VERDICT),
    ] = None
