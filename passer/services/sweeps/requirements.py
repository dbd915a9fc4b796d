"""Requirements of a sweep that this installation lacks, replacements, changes since planning, and refusals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from passer.domain.judging.criteria import is_criteria
from passer.domain.lru_cache import LruCache
from passer.domain.models.model import Model, ModelInfo, is_other_engine, model_of
from passer.domain.retrieval.passages import EMBEDDED, Collection, EmbeddingModel
from passer.domain.retrieval.retriever import models_of
from passer.domain.sweeps.plan import Missing
from passer.domain.sweeps.run import RunConfig, RunState
from passer.domain.sweeps.sweep import Sweep
from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import ConfigError, GeneratorUnavailable, PasserError
from passer.metrics.judged import check_decides
from passer.ports import DatasetStore, StoredSweep

FORGOTTEN_AFTER_S = 10.0
"""Seconds for which an unavailable server is not asked again: a form requests a plan at every change."""
MOST_SERVERS = 64
REPLACEMENTS = (Model(provider="local", name="smollm2-135m"), Model())
"""Models that need no server, the better one first."""

Server = tuple[str, str | None, str | None]


@dataclass(frozen=True)
class Requirements:
    """Finds what is missing before a sweep starts, and what is another model before it is resumed."""

    datasets: DatasetStore
    describe: Callable[[Model], ModelInfo]
    """Returns the server's description of a model; raises PasserError with the reason if the model is not available."""
    _away: LruCache[Server, GeneratorUnavailable] = field(
        default_factory=lambda: LruCache(MOST_SERVERS, max_age_s=FORGOTTEN_AFTER_S), init=False
    )

    def missing(self, sweep: Sweep, bound: Mapping[str, Collection]) -> tuple[Missing, ...]:
        """Return missing datasets, collections, embedding models and models; `bound` are the existing collections."""
        return (
            *self._dataset(sweep.config.dataset),
            *self._collections(sweep, bound),
            *self._models(sweep),
        )

    def changed(self, stored: StoredSweep) -> tuple[Sentence, ...]:
        """Return the models of unfinished runs that have changed since the sweep was created.

        A server that cannot be reached is not compared: its runs wait for it.
        """
        before = {run.config.model: run.model_info for run in stored.runs if run.state is not RunState.FINISHED}
        found = (self._change(model, info) for model, info in before.items() if info is not None)
        return tuple(said for said in found if said is not None)

    def _change(self, model: Model, before: ModelInfo) -> Sentence | None:
        try:
            now = self.describe(model)
        except PasserError:
            return None
        # Without a digest from its creation there is no comparison: only name and address identify such a model.
        if before.digest not in ("unknown", now.digest):
            return sentence("changed.model", model=model.label, now=now.digest[:12], before=before.digest[:12])
        if is_other_engine(before.engine, now.engine):
            return sentence("changed.engine", model=model.label, now=now.engine or "", before=before.engine or "")
        return None

    def _dataset(self, name: str) -> Iterator[Missing]:
        if not any(known.name == name for known in self.datasets.list_datasets()):
            command = f"passer import dataset FILE --name {name}"
            line = sentence("missing.dataset", name=name, command=command)
            yield Missing(kind="dataset", name=f"dataset {name}", command=command, line=line)

    def _collections(self, sweep: Sweep, bound: Mapping[str, Collection]) -> Iterator[Missing]:
        lacking = [planned for planned in sweep.collections() if planned.name not in bound]
        for planned in lacking:
            line = sentence("missing.collection", name=planned.name, command=planned.command)
            yield Missing(kind="collection", name=f"collection {planned.name}", command=planned.command, line=line)
        embeddings = dict.fromkeys(planned.embedding for planned in lacking if planned.embedding)
        for name in (each for each in embeddings if each.startswith("ollama/")):
            reason = self._reason(model_of(name))
            if reason is not None:
                line = sentence("missing.embedding", name=name, reason=reason, other=EMBEDDED)
                yield Missing(kind="embedding", name=f"embedding model {name}", command=_pull(name), line=line)

    def _models(self, sweep: Sweep) -> Iterator[Missing]:
        answering = [config.model for config, _ in sweep.configurations()]
        rewriting = [model for retriever in sweep.retrievers for model in models_of(retriever)]
        judging = [] if sweep.judge is None else [sweep.judge]
        for model in dict.fromkeys((*answering, *rewriting, *judging)):
            reason = self._reason(model)
            if reason is None:
                continue
            other = self._replacement(model)
            command = _pull(model.name) if model.provider == "ollama" else ""
            line = sentence("missing.model", name=model.label, reason=reason, other=other.label)
            yield Missing(
                kind="model", name=f"model {model.label}", command=command, line=line, model=model, replacement=other
            )

    def _reason(self, model: Model) -> str | None:
        """Return why a model is not available; None if it is."""
        server = (model.provider, model.connection, model.base_url)
        away = self._away.get(server)
        if away is not None:
            return away.message
        try:
            self.describe(model)
        except GeneratorUnavailable as exc:
            # Cache only failures: each costs a timeout. A server that answers reports its current models at once.
            self._away.put(server, exc)
            return exc.message
        except PasserError as exc:
            return exc.message
        return None

    def _replacement(self, model: Model) -> Model:
        found = (each for each in REPLACEMENTS if each != model and self._reason(each) is None)
        # Without any server, the extractive reader is still offered.
        return next(found, REPLACEMENTS[-1])


def _pull(name: str) -> str:
    return f"passer models pull {name.removeprefix('ollama/')}"


def check_answers(configurations: Sequence[tuple[RunConfig, bool]]) -> None:
    """Refuse repeatable answers where the server always batches requests and keeps what it has read."""
    for config, _ in configurations:
        if config.answers == "repeatable" and config.model.provider == "ollama":
            raise ConfigError(sentence("sweep.not-repeatable", model=config.model.name), field="answers")


def check_reader(
    configurations: Sequence[tuple[RunConfig, bool]],
    bound: Mapping[str, Collection],
    encoder: Callable[[], EmbeddingModel],
) -> None:
    """Refuse the extractive reader over vectors of another model than the `encoder` of its questions.

    It refuses them itself, but only at the first question. `bound` are the existing collections by name.
    """
    for config, _ in configurations:
        if config.model.provider != "extractive" or config.collection not in bound:
            continue
        model = encoder()
        if bound[config.collection].embedding.digest != model.digest:
            said = sentence("vectors.reader-other-vectors", collection=config.collection, model=model.name)
            raise ConfigError(said, field="model")


def check_judge(sweep: Sweep) -> None:
    """Refuse a judge that copies, and a primary metric that no judge gives."""
    if sweep.judge is None or sweep.primary is None:
        return
    if sweep.judge.provider == "extractive":
        raise ConfigError(sentence("judging.copies"), field="judge")
    if is_criteria(sweep.primary):
        raise ConfigError(sentence("judging.criteria-later"), field="primary")
    check_decides(sweep.primary, field="primary")
