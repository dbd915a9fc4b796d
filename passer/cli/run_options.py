"""Options of the commands `run` and `sweep`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from passer.cli.analysis_options import PANEL_NAMES
from passer.cli.help import CUTS, LIMITS, MATERIAL, MODELS, VERDICT
from passer.domain.defaults import ALPHA, MARGIN, PANEL

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
NumCtxOption = Annotated[int, typer.Option("--num-ctx", help="Context window in tokens.", rich_help_panel=MODELS)]
NumCtxOfOption = Annotated[
    list[str] | None,
    typer.Option(
        "--num-ctx-of",
        metavar="MODEL=TOKENS",
        help="Context window of one of the models, in tokens. Repeatable.",
        rich_help_panel=MODELS,
    ),
]
NumPredictOption = Annotated[
    int, typer.Option("--num-predict", help="Maximum number of generated tokens.", rich_help_panel=MODELS)
]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", help="Random seed; default: a fixed number, which is recorded.", rich_help_panel=MODELS),
]
PromptOption = Annotated[str, typer.Option("--prompt", help="Name of the prompt template.", rich_help_panel=MODELS)]
NoPassagesOption = Annotated[
    str,
    typer.Option(
        "--no-passages",
        help="If no passage is kept: abstain (return a fixed answer) or ask (call the model).",
        rich_help_panel=CUTS,
    ),
]
PassageOrderOption = Annotated[
    str,
    typer.Option(
        "--passage-order",
        help="Order of the kept passages in the prompt: rank (best first) or document (document order).",
        rich_help_panel=CUTS,
    ),
]
RETRIEVERS = (
    "dense, bm25, bm25-english, hybrid (dense and BM25), hybrid-english, fusion:RETRIEVER@MODEL for RAG-Fusion, "
    "e.g. fusion:bm25@local/smollm2-135m, terms:RETRIEVER@FILE for query expansion by a CSV file of terms, or "
    "rerank:RETRIEVER@NAME for a cross-encoder in the folder PASSER_MODELS, or a model such as local/smollm2-135m."
)
RetrieverOption = Annotated[
    str, typer.Option("--retriever", help=f"How passages are ranked: {RETRIEVERS}", rich_help_panel=CUTS)
]
QuestionsOption = Annotated[
    int | None, typer.Option("--questions", help="Use only the first N questions.", min=1, rich_help_panel=MATERIAL)
]
AnswersOption = Annotated[
    str,
    typer.Option(
        "--answers", help="fast, or repeatable: slower, but the same texts each time.", rich_help_panel=MODELS
    ),
]
NameOption = Annotated[str | None, typer.Option("--name", help="Name shown in tables.")]
KOption = Annotated[int, typer.Option("--k", help="Normal mode (top-k): number of passages.", rich_help_panel=CUTS)]
MaxKOption = Annotated[
    int,
    typer.Option(
        "--max-k", help="Score mode (similarity threshold): maximum number of passages.", rich_help_panel=CUTS
    ),
]
KIncrementOption = Annotated[
    int,
    typer.Option(
        "--k-increment",
        help="Score mode: kIncrement of the published program, recorded with the sweep; results do not depend on it.",
        rich_help_panel=CUTS,
    ),
]

PrimaryOption = Annotated[
    str | None,
    typer.Option(
        "--primary",
        help="Metric of the verdict: CPS (default), the name of one metric, or with --judge a judged one.",
        rich_help_panel=VERDICT,
    ),
]
RecordedJudgeOption = Annotated[
    str | None,
    typer.Option(
        "--judge",
        help="Judge of the primary metric: local/NAME, ollama/NAME, openai/NAME. It starts when all answers exist.",
        rich_help_panel=VERDICT,
    ),
]
MarginOption = Annotated[
    float | None,
    typer.Option(
        "--margin",
        help=f"Smallest difference of the primary metric that matters; default: {MARGIN:g}.",
        rich_help_panel=VERDICT,
    ),
]
RecordedPanelOption = Annotated[
    str | None,
    typer.Option(
        "--panel", help=f"Panel (metrics and weights of CPS): {PANEL_NAMES}; default: {PANEL}.", rich_help_panel=VERDICT
    ),
]
RecordedNormalisationOption = Annotated[
    str | None,
    typer.Option(
        "--normalisation", help="Scaling of metrics in CPS: winsorised (default) or min-max.", rich_help_panel=VERDICT
    ),
]
AlphaOption = Annotated[
    float | None,
    typer.Option(
        "--alpha",
        help=f"Probability of any false finding among all comparisons; default: {ALPHA:g}.",
        rich_help_panel=VERDICT,
    ),
]

CostOption = Annotated[
    str | None,
    typer.Option(
        "--cost",
        help="What a cheaper configuration saves: prompt_tokens (default), passages, seconds, or money, which needs "
        "--price.",
        rich_help_panel=VERDICT,
    ),
]
HypothesisOption = Annotated[
    str | None,
    typer.Option(
        "--hypothesis",
        help="What you expect. Enters the plan in the ledger before the first question is asked; the verdict is then "
        "confirmatory.",
        rich_help_panel=VERDICT,
    ),
]
LooksOption = Annotated[
    str | None,
    typer.Option(
        "--looks",
        metavar="FIRST:SECOND[:unplanned]",
        help="Numbers of questions of two planned looks at the results; --questions states the current one. With "
        ":unplanned, only the new questions are tested.",
        rich_help_panel=VERDICT,
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
ModelsOption = Annotated[
    list[str] | None, typer.Option("--model", help="Model, as in `passer run`. Repeatable.", rich_help_panel=MODELS)
]
ThresholdsOption = Annotated[
    str | None,
    typer.Option(
        "--thresholds",
        help="START:STOP:STEP, or values separated by commas; default: the range that the retrieval of the "
        "questions suggests; none if --k, --cut or --retriever is given, or several values of another option.",
        rich_help_panel=CUTS,
    ),
]
BaselineKOption = Annotated[
    int, typer.Option("--baseline-k", help="k of the top-k baseline; 0 for no baseline.", min=0, rich_help_panel=CUTS)
]
KsOption = Annotated[
    list[int] | None, typer.Option("--k", help="Compare this top-k configuration. Repeatable.", rich_help_panel=CUTS)
]
CutsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--cut",
        help="Compare this cut: relative:SHARE keeps what is at least SHARE as similar as a question's best passage, "
        "gap:N what is before the largest drop among the first N. Repeatable.",
        rich_help_panel=CUTS,
    ),
]
TemperaturesOption = Annotated[
    list[float] | None, typer.Option("--temperature", help="Sampling temperature. Repeatable.", rich_help_panel=MODELS)
]
PromptsOption = Annotated[
    list[str] | None, typer.Option("--prompt", help="Prompt template. Repeatable.", rich_help_panel=MODELS)
]
RepeatOption = Annotated[
    int,
    typer.Option(
        "--repeat", help="Number of repetitions of each configuration.", min=1, max=100, rich_help_panel=MODELS
    ),
]
EmbeddingOption = Annotated[
    list[str] | None,
    typer.Option("--embedding", help="Embedding model. Repeatable: one collection for each.", rich_help_panel=MATERIAL),
]
ChunkingOption = Annotated[
    list[str] | None,
    typer.Option(
        "--chunking",
        help="Passage size and overlap, SIZE/OVERLAP. Repeatable: one collection for each.",
        rich_help_panel=MATERIAL,
    ),
]
RetrieversOption = Annotated[
    list[str] | None,
    typer.Option("--retriever", help=f"How passages are ranked: {RETRIEVERS} Repeatable.", rich_help_panel=CUTS),
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
