"""Reference perplexity: how unexpected the reference answer is to a model that has read the passages."""

from __future__ import annotations

from passer.domain.judging.ask import Ask, Given
from passer.domain.judging.item import Item
from passer.domain.judging.judgement import Judgement
from passer.domain.judging.measured_task import MeasuredTask
from passer.domain.judging.recipe import Finding, Findings, NoValue, Recipe
from passer.domain.models.chat import LogProbabilities
from passer.domain.score import Citation
from passer.metrics.blind_spots import PERPLEXITY
from passer.metrics.judged.parts import check_texts, texts, value
from passer.metrics.registry import describe, register_recipe

REFERENCE = MeasuredTask("reference-perplexity", "Answer the question from the passages.", LogProbabilities)


@register_recipe(
    describe(
        PERPLEXITY,
        "judged",
        summary="How unexpected the tokens of the reference answer are to a model that reads question and passages.",
        formula="exp(-(1/n) sum ln p(token i of the reference | question, passages, tokens before i))",
        minimum=1.0,
        maximum=None,
        higher_is_better=False,
        needs=("judge",),
        citation=Citation(
            text="Jelinek, F. et al. (1977). Perplexity: a measure of the difficulty of speech recognition tasks. "
            "JASA 62 (S1).",
            url="https://doi.org/10.1121/1.2016299",
        ),
        notes=(
            "Values of two models are not comparable, because each divides texts into tokens of its own.",
            "Of several right answers, the one with the lowest perplexity counts.",
            "Without passages it is the perplexity given the question alone.",
            "llama.cpp (also the built-in model) and vLLM report what is needed, and servers that repeat a prompt with "
            "its log probabilities; with others, such as Ollama, values are missing with `no_logprobs`.",
        ),
    ),
    tasks=(REFERENCE,),
)
def reference_perplexity(item: Item) -> Recipe[Findings]:
    """Ask for the log probabilities of the reference; answers with the same passages share it."""
    check_texts(item, reference=True)
    passages: Given = {"passages": texts(item)} if item.passages else {}
    given: Given = {**passages, "question": item.question}
    said: tuple[Judgement, ...] = yield tuple(
        Ask(task=REFERENCE.name, given={**given, "reference": each}) for each in item.references
    )
    found = {number: each for each in said if (number := _perplexity(each)) is not None}
    if not found:
        raise NoValue("not_finite")
    best = min(found)
    notes = [f"{found[best].dropped} passages left out"] * bool(found[best].dropped)
    notes += ["read as plain text, without a chat template"] * (_read(found[best]).prompt == "text")
    return (Finding(value=best, note="; ".join(notes)),)


def _perplexity(said: Judgement) -> float | None:
    if said.reason is not None:
        raise NoValue(said.missing, said.said)
    return _read(said).perplexity


def _read(said: Judgement) -> LogProbabilities:
    return LogProbabilities.model_validate(value(said))
