"""What a report says was run or imported, and what answering took, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from passer.domain.reports.report import ReportSection
from passer.domain.run import Run
from passer.domain.sheets.sheet import SheetImport
from passer.domain.timing.tables import machine_name
from passer.domain.timing.times import Spread, TimedConfiguration, TimingReport

HEADING = "What was run"
DIGEST = 12
"""Characters shown of a digest."""


def what_was_run(runs: Sequence[Run], timings: Sequence[TimingReport]) -> ReportSection:
    """Configurations, prompt, decoding, models as their servers told, what scored them, when and where."""
    return ReportSection(
        heading=HEADING,
        points=(*_arms(runs), *_settings(runs), *_models(runs), *_scorer(runs), *_when(runs), *_where(timings)),
    )


def what_was_imported(imported: SheetImport) -> ReportSection:
    """Sheets by model: baseline, thresholds and rows."""
    said = []
    for model in imported.models:
        own = [sheet for sheet in imported.sheets if sheet.model == model]
        thresholds = ", ".join(f"{sheet.threshold:.2f}" for sheet in own if sheet.threshold is not None)
        baseline = "a baseline" if any(sheet.threshold is None for sheet in own) else "no baseline"
        said.append(
            f"{model}: {baseline} and the thresholds {thresholds or 'none'}; {sum(map(len, own)):,} rows "
            f"in {len(own)} sheets."
        )
    taken = f"Imported on {imported.created_at:%Y-%m-%d} (UTC); the sheets do not say how they were made."
    return ReportSection(heading=HEADING, points=(*said, taken))


def what_it_took(timings: Sequence[TimingReport]) -> tuple[str, ...]:
    """Of each model on each machine, the median time of an answer at its fastest and its slowest configuration."""
    return tuple(sentence for report in timings for sentence in _took(report))


def under_load(timings: Sequence[TimingReport]) -> tuple[str, ...]:
    """What the times do not say."""
    if not timings or all(report.is_timing_run for report in timings):
        return ()
    return (
        "Questions were asked side by side: times are those under this sweep's load, and answers that were reused "
        "for the same prompt took none. A timing run asks one by one.",
    )


def _arms(runs: Sequence[Run]) -> Iterator[str]:
    for model in dict.fromkeys(run.config.model.label for run in runs):
        own = [run for run in runs if run.config.model.label == model]
        baselines = _listed(run.config.retrieval.label for run in own if run.is_baseline)
        others = _listed(run.config.retrieval.label for run in own if not run.is_baseline)
        beside = f"; baseline: {baselines}" if baselines else "; no baseline"
        yield f"{model}: {others or 'its baseline alone'}{beside}."


def _settings(runs: Sequence[Run]) -> Iterator[str]:
    options = [run.config.options for run in runs]
    repeats = len({run.config.repeat for run in runs})
    decoding = (
        f"temperature {_listed(f'{each.temperature:g}' for each in options)}",
        f"seed {_listed(str(each.seed) for each in options)}",
        f"context {_listed(f'{each.num_ctx:,}' for each in options)} tokens",
        f"at most {_listed(f'{each.num_predict:,}' for each in options)} generated",
    )
    yield (
        f"Prompt: {_listed(run.config.prompt for run in runs)}; a question without passages: "
        f"{_listed(run.config.no_passages for run in runs)}; {', '.join(decoding)}; "
        f"{'asked once each' if repeats == 1 else f'{repeats} repetitions'}."
    )


def _models(runs: Sequence[Run]) -> Iterator[str]:
    infos = {run.model_info.name: run.model_info for run in runs if run.model_info is not None}
    for info in infos.values():
        told = (info.family, info.parameter_size, info.quantization, f"digest {info.digest[:DIGEST]}")
        yield f"Model {info.name}: {', '.join(part for part in told if part)}."


def _scorer(runs: Sequence[Run]) -> Iterator[str]:
    scored = runs[0].scored_by
    if scored:
        digest = scored.get("encoder_digest")
        encoder = f"{scored.get('encoder', 'none')}{f' (digest {digest[:DIGEST]})' if digest else ''}"
        limit = f", at most {scored['max_tokens']} tokens" if "max_tokens" in scored else ""
        yield f"Scored by the encoder {encoder}{limit}; METEOR: {scored.get('meteor', 'none').split(' sha256:')[0]}."


def _when(runs: Sequence[Run]) -> Iterator[str]:
    began = [run.started_at for run in runs if run.started_at]
    ended = [run.finished_at for run in runs if run.finished_at]
    if began:
        until = f"{max(ended):%Y-%m-%d %H:%M}" if len(ended) == len(runs) else "not finished"
        yield f"Run from {min(began):%Y-%m-%d %H:%M} to {until} (UTC)."


def _where(timings: Sequence[TimingReport]) -> Iterator[str]:
    for report in timings:
        python = report.software.get("python")
        yield f"On {machine_name(report.machine)}{f', Python {python}' if python else ''}."


def _took(report: TimingReport) -> Iterator[str]:
    for model in dict.fromkeys(each.model for each in report.configurations):
        timed = [
            (spread, each)
            for each in report.configurations
            if each.model == model and (spread := each.figures.get("generation_s")) is not None
        ]
        if not timed:
            continue
        fastest = min(timed, key=lambda pair: pair[0].median)
        slowest = max(timed, key=lambda pair: pair[0].median)
        ends = f"is {_at(*fastest)}" if fastest is slowest else f"goes from {_at(*fastest)} to {_at(*slowest)}"
        yield f"{model}: the median time of an answer {ends}{_speed(timed)}."


def _at(spread: Spread, configuration: TimedConfiguration) -> str:
    quartiles = f"quartiles {spread.q1:.3g} and {spread.q3:.3g}, n = {spread.n:,}"
    return f"{spread.median:.3g} s at {configuration.name} ({quartiles})"


def _speed(timed: Sequence[tuple[Spread, TimedConfiguration]]) -> str:
    speeds = [each.figures["tokens_per_s"].median for _, each in timed if "tokens_per_s" in each.figures]
    if not speeds:
        return ""
    return f"; {min(speeds):.3g} to {max(speeds):.3g} tokens/s (medians by configuration)"


def _listed(values: Iterable[str]) -> str:
    """Each once, in order."""
    return ", ".join(dict.fromkeys(values))
