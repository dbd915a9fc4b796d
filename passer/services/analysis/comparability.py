"""Decides which runs are comparable, which are repeats, and which is whose baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from passer.domain.analysis.confounds import control_statement, differing_fields, flattened
from passer.domain.analysis.question_costs import QuestionCosts
from passer.domain.analysis.run_rows import RunRows
from passer.domain.base import digest_of
from passer.domain.retrieval.retriever import Dense
from passer.domain.sweeps.run import RunState
from passer.domain.sweeps.run_names import current_name
from passer.domain.wording.sentence import sentence
from passer.errors import ConflictError, InputError
from passer.ports import StoredSweep

STUDIED = ("retrieval",)
"""Fields in which configurations differ from their baseline by design."""


@dataclass(frozen=True)
class Group:
    """The runs of one configuration: itself and its repetitions."""

    runs: tuple[RunRows, ...]

    @property
    def first(self) -> RunRows:
        """Return the first run, which names the group."""
        return self.runs[0]

    @cached_property
    def arm(self) -> str:
        """Return what a group shares with its baseline: everything except retrieval and repetition."""
        config = self.first.config.first_repeat.model_dump(mode="json")
        return digest_of({name: value for name, value in config.items() if name not in ("retrieval", "repeat")})

    @cached_property
    def costs(self) -> QuestionCosts:
        """Return what the scored questions cost: read once, as many parts of a verdict ask for it."""
        return QuestionCosts.of([item for run in self.runs for item in run.questions if item.state == "scored"])


def check_ended(sweep: StoredSweep) -> None:
    """Raise ConflictError while a sweep is queued, running or paused: its means and gains are not shown yet.

    Optional stopping: deciding by interim gains whether to continue raises the error rate above alpha.
    """
    if sweep.state.is_final:
        return
    for run in sweep.runs:
        if run.state is RunState.PAUSED and run.reason:
            raise ConflictError(sentence("verdict.withheld-paused", run=run.name, reason=run.reason))
    raise ConflictError(sentence("verdict.withheld"))


def check_comparable(runs: Sequence[RunRows]) -> None:
    """Raise ConflictError if the scores of runs cannot be compared; InputError without runs."""
    if not runs:
        raise InputError(sentence("analysis.nothing"))
    if len({run.run_id for run in runs}) != len(runs):
        raise InputError(sentence("analysis.run-twice"))
    check_same_scoring(runs)
    _same("dataset", [run.config.dataset for run in runs], "differ.pairing")
    _same(
        "dataset version",
        [run.dataset_digest for run in runs if run.dataset_digest],
        "differ.pairing",
    )


def check_same_scoring(runs: Sequence[RunRows]) -> None:
    """Raise ConflictError if scores have other definitions or scorers; questions and documents may differ."""
    _same("profile", [run.config.profile for run in runs], "differ.columns")
    _same("strip_thinking", [run.config.strip_thinking for run in runs], "differ.texts")
    for field in sorted({name for run in runs for name in run.identity}):
        _same(field, [run.identity.get(field) for run in runs if run.questions], "differ.scores")


def identity_of(runs: Sequence[RunRows]) -> dict[str, str]:
    """Return what the scores of comparable runs depend on; constants can be used only for the same values."""
    first = runs[0].config
    scored = {name: value for run in runs if run.questions for name, value in run.identity.items()}
    return {"kind": "sweep", "profile": first.profile, "strip_thinking": str(first.strip_thinking), **scored}


def study_of(runs: Sequence[RunRows]) -> str:
    """Return the names of the sweeps of these runs."""
    sweeps = {run.sweep_id: run.sweep_name for run in runs}
    named = [f"{name} ({sweep_id})" if name else sweep_id for sweep_id, name in sweeps.items() if sweep_id]
    return f"{'sweep' if len(named) == 1 else 'sweeps'} {', '.join(named)}" if named else "the runs"


def _same(what: str, values: Sequence[object], why: str) -> None:
    found = sorted({str(value) for value in values})
    if len(found) > 1:
        raise ConflictError(sentence("problem.runs-differ", what=what, values=", ".join(found), why=sentence(why)))


def grouped(runs: Sequence[RunRows]) -> tuple[Group, ...]:
    """Group repetitions, in order of their first run; one configuration in two sweeps makes two groups."""
    groups: dict[str, list[RunRows]] = {}
    for run in runs:
        key = digest_of({"sweep": run.sweep_id, "config": run.config.first_repeat.digest, "baseline": run.is_baseline})
        groups.setdefault(key, []).append(run)
    return tuple(Group(tuple(sorted(members, key=lambda run: run.config.repeat))) for members in groups.values())


def _only_one_called(groups: Sequence[Group], name: str) -> int:
    """Return the place of the group with this name; InputError where none or several have it."""
    found = [place for place, group in enumerate(groups) if current_name(name) in _names(group)]
    if len(found) != 1:
        code = "analysis.several-called" if found else "analysis.none-called"
        raise InputError(sentence(code, name=name), field="baseline")
    return found[0]


def baselines(groups: Sequence[Group], named: str | None) -> dict[int, int]:
    """Return the place of each group's baseline by the place of the group; groups without a baseline are omitted."""
    if named is not None:
        chosen = _only_one_called(groups, named)
        return {place: chosen for place in range(len(groups)) if place != chosen}
    found: dict[int, int] = {}
    for place, group in enumerate(groups):
        if group.first.config.model.is_outside:
            first = _first_baseline(groups, group.first.sweep_id)
            found |= {} if first in (None, place) else {place: first}
            continue
        candidates = [other for other, base in enumerate(groups) if base.first.is_baseline and base.arm == group.arm]
        near = [other for other in candidates if groups[other].first.sweep_id == group.first.sweep_id] or candidates
        if len(near) == 1 and not group.first.is_baseline:
            found[place] = near[0]
    return found


def _first_baseline(groups: Sequence[Group], sweep_id: str) -> int | None:
    """Return the first baseline of a sweep: an external system has no baseline and is compared with this one."""
    own = (place for place, group in enumerate(groups) if group.first.sweep_id == sweep_id)
    return next((place for place in own if groups[place].first.is_baseline), None)


def arm_labels(groups: Sequence[Group], *, shares_names: bool = False) -> list[str]:
    """Return a label for each group: its model, with retriever, prompt and temperature if these vary for the model.

    Arms that would have the same label also get their collection, or else a number. With `shares_names` they keep the
    same label, as in studies of earlier versions.
    """
    arms, models = [group.arm for group in groups], [group.first.model_label for group in groups]
    varied = _with_several(arms, models)
    settings = [_settings(group) if model in varied else () for group, model in zip(groups, models, strict=True)]
    labels = _labels(models, settings)
    if shares_names:
        return labels
    collections = [group.first.config.collection for group in groups]
    settings = _extended(labels, settings, collections, _with_several(arms, labels))
    labels = _labels(models, settings)
    return _labels(models, _extended(labels, settings, _variants(arms, labels), _with_several(arms, labels)))


def _labels(models: Sequence[str], settings: Sequence[tuple[str, ...]]) -> list[str]:
    return [
        sentence("name.settings", model=model, settings=own) if own else model
        for model, own in zip(models, settings, strict=True)
    ]


def _settings(group: Group) -> tuple[str, ...]:
    config = group.first.config
    temperature = sentence("name.at-temperature", at=f"{config.options.temperature:g}")
    ranked = () if config.retriever == Dense() else (config.retriever.label,)
    return (*ranked, config.prompt, temperature)


def _variants(arms: Sequence[str], labels: Sequence[str]) -> list[str]:
    """Return the number of each arm among those with its label."""
    seen: dict[str, list[str]] = {}
    for arm, label in dict.fromkeys(zip(arms, labels, strict=True)):
        seen.setdefault(label, []).append(arm)
    return [sentence("name.variant", n=seen[label].index(arm) + 1) for arm, label in zip(arms, labels, strict=True)]


def _extended(
    labels: Sequence[str], settings: Sequence[tuple[str, ...]], more: Sequence[str], shared: Set[str]
) -> list[tuple[str, ...]]:
    """Return the settings in labels, those in a shared label with `more` where it differs."""
    told = shared & _with_several(more, labels)
    return [(*own, part) if label in told else own for label, own, part in zip(labels, settings, more, strict=True)]


def _with_several(values: Sequence[str], labels: Sequence[str]) -> set[str]:
    """Return the labels with several values."""
    found: dict[str, set[str]] = {}
    for value, label in zip(values, labels, strict=True):
        found.setdefault(label, set()).add(value)
    return {label for label, own in found.items() if len(own) > 1}


def _names(group: Group) -> set[str]:
    return {group.first.name} | {run.run_id for run in group.runs}


def described(run: RunRows) -> dict[str, str]:
    """Return configuration and conditions of a run by field; the number of the repeat is left out."""
    config = run.config.first_repeat.model_dump(mode="json", exclude={"repeat"})
    known = {"dataset_digest": run.dataset_digest, "scored_by": run.identity, "conditions": run.conditions}
    return flattened(config | known)


def control_of(groups: Sequence[Group], against: Mapping[int, int]) -> str:
    """Return all fields in which configurations differ from their baselines; empty without baselines."""
    fields: list[str] = []
    for place, base in against.items():
        pair = [described(groups[place].first), described(groups[base].first)]
        fields += [item.field for item in differing_fields(pair)]
    return control_statement(fields, studied=STUDIED) if against else ""
