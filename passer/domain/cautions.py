"""What a researcher should know before a sweep starts, one sentence each. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from passer.domain.preview import PolicyPreview
from passer.domain.retrieval import Chunking, Collection
from passer.domain.run import ModelInfo, RunConfig
from passer.domain.sweep import PlannedCollection, Sweep
from passer.domain.wording.sentence import Sentence, Value, sentence

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
        return sentence(
            "caution.other-chunking", name=found.name, size=cut.chunk_size, unit=_unit(cut), overlap=cut.chunk_overlap
        )
    if planned.embedding and _plain(planned.embedding) != _plain(found.embedding.name):
        bound = found.embedding.name
        return sentence("caution.other-embedding", name=found.name, bound=bound, planned=planned.embedding)
    return None


def cautions_of_preview(policies: Sequence[PolicyPreview]) -> list[str]:
    """What only retrieval can say: prompts that are too long, policies that keep nothing."""
    found: list[str] = []
    for each in policies:
        tokens, retrieval = each.tokens, each.retrieval
        where: dict[str, Value] = {"policy": each.name, "collection": each.collection}
        if tokens and tokens.overflowing:
            over, prompts = tokens.overflowing, retrieval.n_questions
            found.append(sentence("caution.overflow", over=over, prompts=prompts, most=tokens.most, **where))
        if retrieval.coverage == 0 and each.policy.mode != "none":
            found.append(sentence("caution.nothing-kept", **where))
    return found


def shorter_window(config: RunConfig, info: ModelInfo) -> str | None:
    """A num_ctx beyond what the model was made for."""
    if not info.context_length or config.options.num_ctx <= info.context_length:
        return None
    window, asked = info.context_length, config.options.num_ctx
    return sentence("caution.shorter-window", model=info.name, window=window, num_ctx=asked)


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
    """An embedding model among the evaluated ones."""
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
    """One to three names with `and` between."""
    codes = {1: "caution.one", 2: "caution.two", 3: "caution.three"}
    return sentence(codes[len(names)], **dict(zip(("one", "other", "third"), names, strict=False)))


def _same_seed(sweep: Sweep, configs: Sequence[RunConfig]) -> str | None:
    if sweep.axes.repeat < 2 or all(config.model.provider == "extractive" for config in configs):
        return None
    seed = sweep.config.options.seed
    return sentence("caution.same-seed", repeats=sweep.axes.repeat, seed=seed)


def _no_baseline(sweep: Sweep) -> str | None:
    if sweep.baseline or len(sweep.policies()) < 2:
        return None
    return sentence("caution.no-baseline")


def _not_english(language: str) -> str | None:
    if language.lower().replace("_", "-").partition("-")[0] == ENGLISH:
        return None
    return sentence("caution.not-english", language=language)


def _unit(chunking: Chunking) -> Sentence:
    return sentence(f"unit.{chunking.unit}")


def _plain(embedding: str) -> str:
    name = EMBEDDED if embedding == "embedded" else embedding
    return name.removesuffix(":latest")


def _family(tag: str) -> str:
    return tag.removeprefix("ollama/").partition(":")[0]
