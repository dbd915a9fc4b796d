"""What a researcher should know before a sweep starts, one sentence each. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from passer.domain.preview import PolicyPreview
from passer.domain.retrieval import Chunking, Collection
from passer.domain.run import ModelInfo, RunConfig
from passer.domain.sweep import PlannedCollection, Sweep

CHARACTERS_PER_TOKEN = 4
"""A cautious average for English; used only to warn."""
EMBEDDED = "embedded/all-MiniLM-L6-v2"
ENGLISH = "en"


def cautions(sweep: Sweep, *, bound: Mapping[str, Collection], language: str = ENGLISH) -> tuple[str, ...]:
    """What can be said from the configurations alone.

    `bound` are the collections that are there, by name; `language` is the dataset's BCP 47 tag.
    """
    configs = [config for config, _ in sweep.configurations()]
    chunkings = {planned.name: _chunking(planned, bound) for planned in sweep.collections()}
    found = [_too_long(config, chunkings[config.collection]) for config in configs]
    found += [sentence for planned in sweep.collections() if (sentence := mismatch(planned, bound.get(planned.name)))]
    found += _judge_and_party(configs, sweep.collections(), bound)
    found += [_idle_axes(sweep, configs), _same_seed(sweep, configs), _no_baseline(sweep), _not_english(language)]
    return tuple(dict.fromkeys(sentence for sentence in found if sentence))


def mismatch(planned: PlannedCollection, found: Collection | None) -> str | None:
    """Why a collection is not the one that a sweep plans with; None where it is, or is not there."""
    if found is None:
        return None
    if planned.chunking and planned.chunking != found.chunking:
        cut = found.chunking
        return (
            f"Collection {found.name} was cut into passages of {cut.chunk_size} {cut.unit} with {cut.chunk_overlap} "
            "shared, not as this sweep says: name another collection, or leave chunking out."
        )
    if planned.embedding and _plain(planned.embedding) != _plain(found.embedding.name):
        return (
            f"Collection {found.name} is bound to the embedding model {found.embedding.name}, not to "
            f"{planned.embedding}: name another collection, or leave embedding out."
        )
    return None


def cautions_of_preview(policies: Sequence[PolicyPreview]) -> list[str]:
    """What only retrieval can say: prompts that are too long, policies that keep nothing."""
    found = []
    for each in policies:
        tokens, retrieval = each.tokens, each.retrieval
        where = f"{each.name} of {each.collection}"
        if tokens and tokens.overflowing:
            found.append(
                f"{where}: {tokens.overflowing:,} of {retrieval.n_questions:,} prompts (the longest about "
                f"{tokens.most:,} tokens) may not fit num_ctx together with the answer: raise num_ctx or keep less."
            )
        if retrieval.coverage == 0 and each.policy.mode != "none":
            found.append(f"{where}: no passage is kept for any question: lower the threshold, or leave it out.")
    return found


def shorter_window(config: RunConfig, info: ModelInfo) -> str | None:
    """A num_ctx beyond what the model was made for."""
    if not info.context_length or config.options.num_ctx <= info.context_length:
        return None
    return (
        f"{info.name} was made for {info.context_length:,} tokens, less than num_ctx {config.options.num_ctx:,}: "
        "what does not fit the smaller of the two is cut."
    )


def _chunking(planned: PlannedCollection, bound: Mapping[str, Collection]) -> Chunking:
    there = bound.get(planned.name)
    return there.chunking if there else planned.chunking or Chunking()


def _too_long(config: RunConfig, chunking: Chunking) -> str | None:
    policy = config.retrieval
    if policy.mode != "normal" or config.model.provider == "extractive":
        return None
    per_passage = chunking.chunk_size / (CHARACTERS_PER_TOKEN if chunking.unit == "characters" else 1)
    tokens = int(policy.k * per_passage)
    if tokens + config.options.num_predict <= config.options.num_ctx:
        return None
    return (
        f"{policy.k} passages of {chunking.chunk_size:,} {chunking.unit} are about {tokens:,} tokens and do not fit "
        f"num_ctx {config.options.num_ctx:,}: prompts of the Normal runs may be cut; raise num_ctx or lower k."
    )


def _judge_and_party(
    configs: Sequence[RunConfig], collections: Sequence[PlannedCollection], bound: Mapping[str, Collection]
) -> list[str]:
    """An embedding model among the evaluated ones."""
    names = {
        there.embedding.name if (there := bound.get(planned.name)) else planned.embedding for planned in collections
    }
    embedders = {_family(name) for name in names if name and name.startswith("ollama/")}
    models = dict.fromkeys(config.model for config in configs if config.model.provider == "ollama")
    return [
        f"{model.name} is evaluated on passages that {_family(model.name)} itself retrieved: the others read what a "
        "rival chose; say so, or embed with a model that is not compared."
        for model in models
        if _family(model.name) in embedders
    ]


def _idle_axes(sweep: Sweep, configs: Sequence[RunConfig]) -> str | None:
    models = {config.model for config in configs}
    varied = [name for name in ("temperature", "prompt") if len(getattr(sweep.axes, name)) > 1]
    varied += ["repeat"] if sweep.axes.repeat > 1 else []
    if not varied or not any(model.provider == "extractive" for model in models):
        return None
    return f"The extractive reader copies sentences: {' and '.join(varied)} changes nothing for it."


def _same_seed(sweep: Sweep, configs: Sequence[RunConfig]) -> str | None:
    if sweep.axes.repeat < 2 or all(config.model.provider == "extractive" for config in configs):
        return None
    seed = sweep.config.options.seed
    return (
        f"All {sweep.axes.repeat} repetitions are asked with seed {seed}: a server that honours it gives the same "
        "answer again; compare sweeps of different seeds to see how much answers vary."
    )


def _no_baseline(sweep: Sweep) -> str | None:
    if sweep.baseline or len(sweep.policies()) < 2:
        return None
    return "There is no baseline: nothing is compared with anything; set one, or name one in the analysis."


def _not_english(language: str) -> str | None:
    if language.lower().replace("_", "-").partition("-")[0] == ENGLISH:
        return None
    return (
        f"The questions are in {language!r}, but METEOR (WordNet, stemmer), the perplexities' sentence splitter and "
        "the embedded encoder are made for English: rely on ROUGE, BLEU and F1, and for the encoder's columns set "
        "PASSER_ENCODER to a model of that language."
    )


def _plain(embedding: str) -> str:
    name = EMBEDDED if embedding == "embedded" else embedding
    return name.removesuffix(":latest")


def _family(tag: str) -> str:
    return tag.removeprefix("ollama/").partition(":")[0]
