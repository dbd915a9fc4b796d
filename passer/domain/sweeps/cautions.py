"""Warnings before a sweep starts, one sentence each."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from passer.domain.composite import CPS
from passer.domain.dataset import Question, repeated_texts
from passer.domain.defaults import MARGIN
from passer.domain.models.decoding import EXPLICIT, GenerationOptions
from passer.domain.models.model import Model, ModelInfo
from passer.domain.models.ollama_version import version_defect
from passer.domain.panel import margin_caution
from passer.domain.retrieval.passages import EMBEDDED, Chunking, Collection
from passer.domain.retrieval.planned_collection import PlannedCollection
from passer.domain.retrieval.quality import FEWEST_KEPT
from passer.domain.retrieval.retriever import Retriever, models_of
from passer.domain.sweeps.preview import PolicyPreview
from passer.domain.sweeps.run import RunConfig
from passer.domain.sweeps.sweep import Sweep
from passer.domain.texts.words import ENGLISH, has_other_letters, is_english, is_unspaced, other_scripts
from passer.domain.wording.sentence import Sentence, Value, sentence

CHARACTERS_PER_TOKEN = 4
"""Characters per token, a cautious average for English; used only for warnings."""


def cautions(
    sweep: Sweep, *, bound: Mapping[str, Collection], language: str = ENGLISH, references: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the warnings that follow from configurations and dataset alone.

    `bound` are the existing collections by name; `language` is the dataset's BCP 47 tag.
    """
    configs = [config for config, _ in sweep.configurations()]
    chunkings = {planned.name: _chunking(planned, bound) for planned in sweep.collections()}
    # External systems have no collection.
    found = [_too_long(config, chunkings[config.collection]) for config in configs if config.model.reads_prompts]
    found += [sentence for planned in sweep.collections() if (sentence := mismatch(planned, bound.get(planned.name)))]
    found += _judge_and_party(configs, sweep.collections(), bound)
    found += [_idle_axes(sweep, configs), _same_seed(sweep, configs), _left_open(configs), _no_baseline(sweep)]
    found += [margin_caution(sweep.primary or CPS, sweep.margin or MARGIN)]
    found += [_asking(retriever) for retriever in sweep.retrievers]
    found += language_cautions(references, language=language)
    return tuple(dict.fromkeys(sentence for sentence in found if sentence))


def mismatch(planned: PlannedCollection, found: Collection | None) -> str | None:
    """Return why a collection is not the planned one; None if it fits or does not exist."""
    if found is None:
        return None
    if planned.chunking and planned.chunking != found.chunking:
        cut = found.chunking
        return sentence(
            "caution.other-chunking", name=found.name, size=cut.chunk_size, unit=_unit(cut), overlap=cut.chunk_overlap
        )
    if planned.embedding and _plain(planned.embedding) != _plain(found.embedding.name):
        bound = found.embedding.name
        return sentence("caution.other-embedding", name=found.name, bound=bound, planned=planned.embedding)
    return None


def fewer_questions(sweep: Sweep, available: int) -> str | None:
    """Return how many questions are asked instead of those wanted; None if the dataset has enough."""
    wanted = sweep.config.questions
    if wanted is not None and wanted > available:
        return sentence("caution.fewer-questions", wanted=wanted, available=available)
    if sweep.looks is not None and sweep.looks.second > available:
        return sentence("caution.fewer-for-look", wanted=sweep.looks.second, available=available)
    return None


def same_questions(questions: Sequence[Question]) -> str | None:
    """Return how many questions have different texts, if some are equal and no cluster is declared; None otherwise.

    Of questions that are all asked twice, some configuration of three was called better or worse in .25 of simulated
    sweeps without any difference.
    """
    repeated = repeated_texts(questions)
    if not repeated or any(each.cluster is not None for each in questions):
        return None
    different = len(questions) - len(repeated) + len(set(repeated.values()))
    return sentence("caution.same-questions", all=len(questions), n=different)


def cautions_of_preview(policies: Sequence[PolicyPreview]) -> list[str]:
    """Return the warnings that need retrieval: prompts that are too long, settings that keep no passages."""
    found: list[str] = []
    for each in policies:
        tokens, retrieval = each.tokens, each.retrieval
        where: dict[str, Value] = {"policy": each.name, "collection": each.collection}
        if tokens and tokens.overflowing:
            over, prompts = tokens.overflowing, retrieval.n_questions
            found.append(sentence("caution.overflow", over=over, prompts=prompts, most=tokens.most, **where))
        if each.policy.mode != "none" and retrieval.coverage is not None and retrieval.coverage < FEWEST_KEPT:
            code = "caution.mostly-nothing" if retrieval.coverage else "caution.nothing-kept"
            values: dict[str, Value] = {"share": 1 - retrieval.coverage} if retrieval.coverage else {}
            found.append(sentence(code, **where, **values))
    return found


def shorter_window(options: GenerationOptions, info: ModelInfo) -> str | None:
    """Warn of a num_ctx beyond the model's context length."""
    if not info.context_length or options.num_ctx <= info.context_length:
        return None
    window, asked = info.context_length, options.num_ctx
    return sentence("caution.shorter-window", model=info.name, window=window, num_ctx=asked)


def old_server(model: Model, info: ModelInfo) -> str | None:
    """Warn of a version of Ollama that cuts prompts, or whose answers differ from those of current versions."""
    return version_defect(info.engine) if model.provider == "ollama" else None


def _asking(retriever: Retriever) -> str | None:
    """Return the note on models that a retriever asks, because they run before any configuration answers."""
    models = tuple(dict.fromkeys(model.label for model in models_of(retriever)))
    return sentence("caution.retriever-asks", retriever=retriever.label, models=models) if models else None


def _chunking(planned: PlannedCollection, bound: Mapping[str, Collection]) -> Chunking:
    there = bound.get(planned.name)
    return there.chunking if there else planned.chunking or Chunking()


def _too_long(config: RunConfig, chunking: Chunking) -> str | None:
    policy = config.retrieval
    if policy.mode != "normal":
        return None
    per_passage = chunking.chunk_size / (CHARACTERS_PER_TOKEN if chunking.unit == "characters" else 1)
    tokens = int(policy.k * per_passage)
    if tokens + config.options.num_predict <= config.options.num_ctx:
        return None
    return sentence(
        "caution.too-long",
        k=policy.k,
        size=chunking.chunk_size,
        unit=_unit(chunking),
        tokens=tokens,
        num_ctx=config.options.num_ctx,
    )


def _judge_and_party(
    configs: Sequence[RunConfig], collections: Sequence[PlannedCollection], bound: Mapping[str, Collection]
) -> list[str]:
    """Warn if an embedding model is among the evaluated models."""
    names = {
        there.embedding.name if (there := bound.get(planned.name)) else planned.embedding for planned in collections
    }
    embedders = {_family(name) for name in names if name and name.startswith("ollama/")}
    models = dict.fromkeys(config.model for config in configs if config.model.provider == "ollama")
    return [
        sentence("caution.judge-and-party", model=model.name, embedder=_family(model.name))
        for model in models
        if _family(model.name) in embedders
    ]


def _idle_axes(sweep: Sweep, configs: Sequence[RunConfig]) -> str | None:
    models = {config.model for config in configs}
    varied = [name for name in ("temperature", "prompt") if len(getattr(sweep.axes, name)) > 1]
    varied += ["repeat"] if sweep.axes.repeat > 1 else []
    if not varied or not any(model.provider == "extractive" for model in models):
        return None
    return sentence("caution.idle-axes", axes=_joined(varied))


def _joined(names: Sequence[str]) -> str:
    """Join one to three names with `and`."""
    codes = {1: "caution.one", 2: "caution.two", 3: "caution.three"}
    return sentence(codes[len(names)], **dict(zip(("one", "other", "third"), names, strict=False)))


def _same_seed(sweep: Sweep, configs: Sequence[RunConfig]) -> str | None:
    if sweep.axes.repeat < 2 or sweep.repeat_seeds or all(config.model.provider == "extractive" for config in configs):
        return None
    seed = sweep.config.options.seed
    return sentence("caution.same-seed", repeats=sweep.axes.repeat, seed=seed)


def _left_open(configs: Sequence[RunConfig]) -> str | None:
    """Warn of options that each version of a server decides for itself."""
    asked = (config.options for config in configs if config.model.reads_prompts)
    names = tuple(dict.fromkeys(name for options in asked for name in options.left_open))
    if not names:
        return None
    values = ", ".join(f"{name}: {json.dumps(EXPLICIT[name])}" for name in names)
    return sentence("caution.left-open", names=", ".join(names), values=values)


def _no_baseline(sweep: Sweep) -> str | None:
    if sweep.baseline or len(sweep.policies()) < 2:
        return None
    return sentence("caution.no-baseline")


def language_cautions(references: Sequence[str], *, language: str) -> list[Sentence]:
    """Return what the columns mean for references in other letters or languages; raised by the texts, not the tag."""
    others = [text for text in references if has_other_letters(text)]
    unspaced = sum(map(is_unspaced, others))
    found = []
    if others:
        scripts = tuple(sentence(f"script.{name.lower()}") for name in other_scripts(others))
        found.append(sentence("caution.other-letters", n=len(others), of=len(references), scripts=scripts))
    if unspaced:
        found.append(sentence("caution.without-spaces", n=unspaced, of=len(references)))
    if not is_english(language):
        found.append(sentence("caution.not-english", language=language))
    elif others:
        found.append(sentence("caution.english-encoder"))
    return found


def _unit(chunking: Chunking) -> Sentence:
    return sentence(f"unit.{chunking.unit}")


def _plain(embedding: str) -> str:
    name = EMBEDDED if embedding == "embedded" else embedding
    return name.removesuffix(":latest")


def _family(tag: str) -> str:
    return tag.removeprefix("ollama/").partition(":")[0]
