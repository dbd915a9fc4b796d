"""Sentences on what was run or imported, and on the time of answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce

from passer.domain.analysis.levels import level_text
from passer.domain.reports.report import ReportSection
from passer.domain.sheets.sheet import SheetImport
from passer.domain.sweeps.run import Run, RunMemory
from passer.domain.timing.tables import machine_name
from passer.domain.timing.times import Spread, TimedConfiguration, TimingReport
from passer.domain.wording.sentence import Sentence, Value, number_sentence, sentence

DIGEST = 12
"""Characters of a digest that are shown."""

FEWEST_TIMED = 5
"""Answers below which a median time is no finding; tables still show it."""


def what_was_run(runs: Sequence[Run], timings: Sequence[TimingReport]) -> ReportSection:
    """Return configurations, prompt, decoding, models, scorer, date and machine."""
    return ReportSection(
        heading=sentence("report.setup"),
        points=(
            *_arms(runs),
            *_settings(runs),
            *_models(runs),
            *_scorer(runs),
            *_when(runs),
            *_where(timings),
            *memory_of(runs),
        ),
    )


def what_was_imported(imported: SheetImport) -> ReportSection:
    """Return the sheets per model: baseline, thresholds, rows."""
    said = []
    for model in imported.models:
        own = [sheet for sheet in imported.sheets if sheet.model == model]
        levels = tuple(level_text(sheet.place.levels) for sheet in own if not sheet.is_baseline)
        baseline = "report.with-baseline" if any(sheet.is_baseline for sheet in own) else "report.without-baseline"
        counted: dict[str, Value] = {"n": len(levels), "levels": levels, "rows": sum(map(len, own)), "sheets": len(own)}
        said.append(sentence("report.sheets-of-model", model=model, baseline=sentence(baseline), **counted))
    when = sentence("report.imported-on", day=f"{imported.created_at:%Y-%m-%d}")
    return ReportSection(heading=sentence("report.setup"), points=(*said, when))


def what_it_took(timings: Sequence[TimingReport]) -> tuple[Sentence, ...]:
    """Return the median seconds per answer at each model's fastest and slowest configuration, per machine."""
    return tuple(took for report in timings for took in _took(report))


def under_load(timings: Sequence[TimingReport]) -> tuple[Sentence, ...]:
    """Return the limits of the timings."""
    if not timings or all(report.is_timing_run for report in timings):
        return ()
    return (sentence("report.under-load"),)


def _arms(runs: Sequence[Run]) -> Iterator[Sentence]:
    for model in dict.fromkeys(run.config.model.label for run in runs):
        own = [run for run in runs if run.config.model.label == model]
        baselines = _listed(run.config.retrieval.label for run in own if run.is_baseline)
        others = _listed(run.config.retrieval.label for run in own if not run.is_baseline)
        values = {"others": others or sentence("report.none"), "baselines": baselines or sentence("report.none")}
        yield sentence("report.configurations-of-model", model=model, **values)


def _settings(runs: Sequence[Run]) -> Iterator[Sentence]:
    options = [run.config.options for run in runs]
    repeats = len({run.config.repeat for run in runs})
    yield sentence(
        "report.settings",
        prompt=_listed(run.config.prompt for run in runs),
        no_passages=_listed(sentence(f"report.no-passages-{run.config.no_passages}") for run in runs),
        temperature=tuple(map(number_sentence, dict.fromkeys(each.temperature for each in options))),
        seed=_listed(str(each.seed) for each in options),
        context=_counts(each.num_ctx for each in options),
        most=_counts(each.num_predict for each in options),
        repeats=repeats,
    )


def _models(runs: Sequence[Run]) -> Iterator[Sentence]:
    infos = {run.model_info.name: run.model_info for run in runs if run.model_info is not None}
    for info in infos.values():
        known = tuple(part for part in (info.family, info.parameter_size, info.quantization) if part)
        digest = sentence("report.digest", digest=info.digest[:DIGEST])
        yield sentence("report.model", name=info.name, facts=(*known, digest))


def _scorer(runs: Sequence[Run]) -> Iterator[Sentence]:
    scored = runs[0].scored_by
    if scored:
        facts: list[Sentence] = []
        if digest := scored.get("encoder_digest"):
            facts.append(sentence("report.digest", digest=digest[:DIGEST]))
        if "max_tokens" in scored:
            facts.append(sentence("report.most-tokens", n=int(scored["max_tokens"])))
        meteor = scored.get("meteor", "none").split(" sha256:")[0]
        named = (scored.get("encoder", "none"), *facts)
        yield sentence("report.scored-by", encoder=named, meteor=meteor)


def _when(runs: Sequence[Run]) -> Iterator[Sentence]:
    began = [run.started_at for run in runs if run.started_at]
    ended = [run.finished_at for run in runs if run.finished_at]
    if began:
        until = f"{max(ended):%Y-%m-%d %H:%M}" if len(ended) == len(runs) else sentence("report.not-finished")
        yield sentence("report.when", began=f"{min(began):%Y-%m-%d %H:%M}", until=until)


def _where(timings: Sequence[TimingReport]) -> Iterator[Sentence]:
    for report in timings:
        python = report.software.get("python")
        machine = (machine_name(report.machine), *([f"Python {python}"] if python else []))
        yield sentence("report.machine", machine=machine)


def memory_of(runs: Sequence[Run]) -> Iterator[Sentence]:
    """Return the largest memory of each model in its server, and of the PaSSER process, where they were read."""
    for label in dict.fromkeys(run.config.model.label for run in runs):
        read = [run.memory for run in runs if run.memory and run.config.model.label == label]
        model = reduce(RunMemory.most, read, RunMemory()).model
        if model and model.gpu_bytes:
            sizes: dict[str, Value] = {"size": _mb(model.total_bytes), "gpu": _mb(model.gpu_bytes)}
            yield sentence("report.memory-of-model-gpu", model=label, **sizes)
        elif model:
            yield sentence("report.memory-of-model", model=label, size=_mb(model.total_bytes))
    most = max((run.memory.passer_bytes or 0 for run in runs if run.memory), default=0)
    if most:
        yield sentence("report.memory-of-passer", size=_mb(most))


def _mb(size: int) -> int:
    return round(size / 1e6)


def _took(report: TimingReport) -> Iterator[Sentence]:
    for model in dict.fromkeys(each.model for each in report.configurations):
        timed = [
            (spread, each)
            for each in report.configurations
            if each.model == model
            and (spread := each.figures.get("generation_s")) is not None
            and spread.n >= FEWEST_TIMED
        ]
        if not timed:
            continue
        fastest = min(timed, key=lambda pair: pair[0].median)
        slowest = max(timed, key=lambda pair: pair[0].median)
        if fastest is slowest:
            yield sentence("report.median-time", model=model, time=_at(*fastest))
        else:
            yield sentence("report.median-times", model=model, fastest=_at(*fastest), slowest=_at(*slowest))
        speeds = [each.figures["tokens_per_s"].median for _, each in timed if "tokens_per_s" in each.figures]
        if speeds:
            yield sentence("report.speeds", model=model, low=_rounded(min(speeds)), high=_rounded(max(speeds)))


def _at(spread: Spread, configuration: TimedConfiguration) -> Sentence:
    values = {"median": spread.median, "q1": spread.q1, "q3": spread.q3}
    shown = {name: _rounded(value) for name, value in values.items()}
    return sentence("report.time-at", name=configuration.name, n=spread.n, **shown)


def _rounded(value: float) -> Sentence:
    """Return a number with three significant digits."""
    return number_sentence(float(f"{value:.3g}"))


def _listed(values: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct texts in order."""
    return tuple(dict.fromkeys(values))


def _counts(values: Iterable[int]) -> tuple[Sentence, ...]:
    """Return the distinct numbers in order, with the digits grouped as the reader's language does."""
    return tuple(sentence("value.count", value=value) for value in dict.fromkeys(values))
