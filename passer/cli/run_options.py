"""Options of the commands `run` and `sweep`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from passer.cli.analysis_options import PANEL_NAMES
from passer.cli.commands import cut_option, limit_option, material_option, model_option, verdict_option
from passer.domain.defaults import ALPHA, BASELINE_K, K_INCREMENT, MARGIN, MAX_K, NUM_CTX, NUM_PREDICT, PANEL

DatasetOption = Annotated[str, material_option("--dataset", help="Name of the dataset.")]
CollectionOption = Annotated[str, material_option("--collection", help="Name of the collection.")]
ModelOption = Annotated[
    str,
    model_option(
        "--model", help="extractive, local/NAME, ollama/TAG or openai/NAME; a name without a prefix is an Ollama tag."
    ),
]
TemperatureOption = Annotated[float, model_option("--temperature", help="Sampling temperature.")]
PromptOption = Annotated[str, model_option("--prompt", help="Name of the prompt template.")]
RETRIEVERS = (
    "dense, bm25, bm25-english, hybrid (dense and BM25), hybrid-english, fusion:RETRIEVER@MODEL for RAG-Fusion, "
    "e.g. fusion:bm25@local/smollm2-135m, terms:RETRIEVER@FILE for query expansion by a CSV file of terms, or "
    "rerank:RETRIEVER@NAME for a cross-encoder in the folder PASSER_MODELS, or a model such as local/smollm2-135m."
)
RetrieverOption = Annotated[str, cut_option("--retriever", help=f"How passages are ranked: {RETRIEVERS}")]
NameOption = Annotated[str | None, typer.Option("--name", help="Name shown in tables.")]
KOption = Annotated[int, cut_option("--k", help="Normal mode (top-k): number of passages.")]
MaxKOption = Annotated[
    int, cut_option("--max-k", help="Score mode (similarity threshold): maximum number of passages.")
]

MinSimilarityOption = Annotated[
    float | None, cut_option("--min-similarity", help="Score mode: keep passages with at least this similarity.")
]
ExperimentArgument = Annotated[Path | None, typer.Argument(help="Experiment file (YAML), instead of the options.")]
SweepDatasetOption = Annotated[str | None, material_option("--dataset", help="Name of the dataset.")]
SweepCollectionOption = Annotated[str | None, material_option("--collection", help="Name of the collection.")]
PlanOption = Annotated[
    bool, typer.Option("--plan", help="Only print the plan. With --questions N, the dataset need not exist.")
]
PreviewOption = Annotated[
    bool, typer.Option("--preview", help="Only run retrieval, and print how many passages each setting keeps.")
]
NoiseOption = Annotated[
    bool, verdict_option("--noise", help="Run the baseline twice, to measure how much scores vary by chance.")
]
BudgetOption = Annotated[
    list[str] | None,
    limit_option(
        "--budget",
        metavar="LIMIT",
        help="Pause at this limit and keep the results so far: 500-asks (requests to models), 200k-tokens, 90min, 2h, "
        "or 5EUR, which needs a price. Repeatable.",
    ),
]
ModelPriceOption = Annotated[
    str | None,
    limit_option(
        "--price",
        metavar="IN,OUT",
        help="Price of a million tokens of prompts and of replies, such as 0.15,0.60 or '0.15,0.60 USD'.",
    ),
]
JudgePriceOption = Annotated[
    str | None,
    limit_option(
        "--judge-price",
        metavar="IN,OUT",
        help="Price of the judge; default: --price. Limits also count the judge's requests.",
    ),
]
TimingOption = Annotated[
    bool, typer.Option("--timing", help="Timing run: one question at a time, without reusing answers.")
]


@dataclass(frozen=True)
class ConfigOptions:
    """Settings that all configurations of a command share."""

    num_ctx: Annotated[int, model_option(help="Context window in tokens.")] = NUM_CTX
    num_predict: Annotated[int, model_option(help="Maximum number of generated tokens.")] = NUM_PREDICT
    seed: Annotated[int | None, model_option(help="Random seed; default: a fixed number, which is recorded.")] = None
    no_passages: Annotated[
        str, cut_option(help="If no passage is kept: abstain (return a fixed answer) or ask (call the model).")
    ] = "abstain"
    passage_order: Annotated[
        str,
        cut_option(help="Order of the kept passages in the prompt: rank (best first) or document (document order)."),
    ] = "rank"
    questions: Annotated[int | None, material_option(help="Use only the first N questions.", min=1)] = None
    answers: Annotated[str, model_option(help="fast, or repeatable: slower, but the same texts each time.")] = "fast"


@dataclass(frozen=True)
class ComparedOptions:
    """Values that the configurations of a sweep compare, and their baseline. An option with one value is not varied."""

    model: Annotated[list[str] | None, model_option(help="Model, as in `passer run`. Repeatable.")] = None
    thresholds: Annotated[
        str | None,
        cut_option(
            help="START:STOP:STEP, or values separated by commas; default: the range that the retrieval of the "
            "questions suggests; none if --k, --cut or --retriever is given, or several values of another option."
        ),
    ] = None
    baseline_k: Annotated[int, cut_option(help="k of the top-k baseline; 0 for no baseline.", min=0)] = BASELINE_K
    max_k: MaxKOption = MAX_K
    k_increment: Annotated[
        int,
        cut_option(
            help="Score mode: kIncrement of the published program, recorded with the sweep; "
            "results do not depend on it."
        ),
    ] = K_INCREMENT
    k: Annotated[
        list[str] | None, cut_option(help="Compare top-k with these k: a list (1,3,5) or a range (1..10). Repeatable.")
    ] = None
    cut: Annotated[
        list[str] | None,
        cut_option(
            help="Compare this setting: relative:SHARE keeps passages at least SHARE as similar as the question's best "
            "one, gap:N those before the largest drop in similarity among the first N. Repeatable."
        ),
    ] = None
    temperature: Annotated[list[float] | None, model_option(help="Sampling temperature. Repeatable.")] = None
    num_ctx_of: Annotated[
        list[str] | None,
        model_option(metavar="MODEL=TOKENS", help="Context window of one of the models, in tokens. Repeatable."),
    ] = None
    prompt: Annotated[list[str] | None, model_option(help="Prompt template. Repeatable.")] = None
    repeat: Annotated[int, model_option(help="Number of repetitions of each configuration.", min=1, max=100)] = 1
    embedding: Annotated[
        list[str] | None, material_option(help="Embedding model. Repeatable: one collection for each.")
    ] = None
    chunking: Annotated[
        list[str] | None,
        material_option(help="Passage size and overlap, SIZE/OVERLAP. Repeatable: one collection for each."),
    ] = None
    retriever: Annotated[list[str] | None, cut_option(help=f"How passages are ranked: {RETRIEVERS} Repeatable.")] = None


@dataclass(frozen=True)
class RuleOptions:
    """The rule by which a sweep is judged; None keeps the default, or what the experiment file says."""

    primary: Annotated[
        str | None,
        verdict_option(
            help="Metric of the verdict: CPS (default), the name of one metric, or with --judge a judged one."
        ),
    ] = None
    judge: Annotated[
        str | None,
        verdict_option(
            help="Judge of the primary metric: local/NAME, ollama/NAME, openai/NAME. It starts when all answers exist."
        ),
    ] = None
    margin: Annotated[
        float | None,
        verdict_option(help=f"Smallest difference of the primary metric that matters; default: {MARGIN:g}."),
    ] = None
    alpha: Annotated[
        float | None,
        verdict_option(help=f"Probability of any false finding among all comparisons; default: {ALPHA:g}."),
    ] = None
    cost: Annotated[
        str | None,
        verdict_option(
            help="Measure of cost: prompt_tokens (default), passages, seconds, or money, which needs --price."
        ),
    ] = None
    looks: Annotated[
        str | None,
        verdict_option(
            metavar="FIRST:SECOND[:unplanned]",
            help="Numbers of questions of two planned looks at the results; --questions states the current one. With "
            ":unplanned, only the new questions are tested.",
        ),
    ] = None
    hypothesis: Annotated[
        str | None,
        verdict_option(
            help="Expected result. The plan is entered in the ledger before the first question is asked, which makes "
            "the verdict confirmatory."
        ),
    ] = None
    panel: Annotated[
        str | None, verdict_option(help=f"Panel (metrics and weights of CPS): {PANEL_NAMES}; default: {PANEL}.")
    ] = None
    normalisation: Annotated[
        str | None, verdict_option(help="Scaling of metrics in CPS: winsorised (default) or min-max.")
    ] = None
