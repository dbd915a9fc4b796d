"""What an analysis says: recommendations, what figures rest on, warnings, control; its pools by name."""

from __future__ import annotations

_COMPARED = "No threshold is better than the baseline: of {n} compared with {baseline}, none has a significantly higher"
_GAINS = "gains significantly in CPS, {gain:+.2f} points ({interval}d {d:.2f}, n {n}, corrected p {p:.3g})."

TEMPLATES: dict[str, str] = {
    # Pools, as they are named in sentences and tables.
    "pool.all": "all runs",
    "pool.model": "all runs of {model}",
    "pool.run": "{run} alone",
    "pool.sheets": "all {n} sheets",
    "pool.given": "constants of {source}, {rows:,} rows",
    "pool.several": "{n} pools",
    "pool.each-sheet": "each of {n} sheets by itself",
    # Recommendations.
    "recommendation.no-baseline": "There is no baseline to compare with.",
    "recommendation.no-baseline-best": (
        "There is no baseline to compare with; the highest T-CPS has {name} ({tcps:.4f})."
    ),
    "recommendation.none": f"{_COMPARED} CPS (Holm, smallest corrected p of a gain {{p:.3g}}).",
    "recommendation.none-untested": f"{_COMPARED} CPS (Holm, no gain with a p value).",
    "recommendation.only": f"{{name}}: of {{of}} compared with {{baseline}}, it alone {_GAINS}",
    "recommendation.best": (
        "{name}: of {of} compared with {baseline}, of {better} that do it has the highest T-CPS ({tcps:.4f}); it "
        f"{_GAINS}"
    ),
    "recommendation.interval": "95 % CI {low:+.2f} to {high:+.2f}, ",
    "recommendation.no-interval": "",
    "recommendation.of-model": "{model}: {reason}",
    # What figures rest on.
    "statement.cps": (
        "CPS by the panel {panel}, relative to {pool}: {rows:,} rows, {metrics} metrics; it compares only within this "
        "pool."
    ),
    "statement.cps-pinned": (
        "CPS by the panel {panel}, relative to {pool}: {rows:,} rows, {metrics} metrics; it compares only on the same "
        "constants."
    ),
    "statement.pinned": (
        "Scope given: minimum and maximum of each metric are those of {source} ({rows:,} rows), not of these rows, and "
        "CPS is not clipped by them. Half splits and the sensitivity to weights and normalisation take constants of "
        "these rows."
    ),
    "statement.corrected": (
        "p values are of paired t-tests by question, corrected over {n:,} {n:comparison|comparisons}."
    ),
    "statement.corrected-by-model": (
        "p values are of paired t-tests by question, corrected over {n:,} {n:comparison|comparisons} per model."
    ),
    # Warnings.
    "warning.no-wordnet": (
        "METEOR could not be computed without WordNet: the panel is {panel}, whose values do not compare with phase3."
    ),
    "warning.no-question": (
        "{name}: no question enters the composite ({failed:,} {failed:question|questions} failed)."
    ),
    "warning.unfinished": "{name}: {n:,} {n:question|questions} not scored yet; its figures will move.",
    "warning.repeated": "{name}: {n:,} {n:question|questions} more than once, averaged.",
    "warning.cut": "{name}: {n:,} {n:prompt or answer|prompt or answers} cut.",
    "warning.worst": (
        "{name}: {n:,} {n:row|rows} counted as the pool's worst value where the answer has no score ({reasons})."
    ),
    "warning.excluded": "{name}: {n:,} {n:question|questions} left out ({reasons}).",
    "warning.reason": "{reason} {n}",
    "warning.other-constants": "Not compared with a baseline, because constants differ: {names}.",
    "warning.no-one-baseline": "Not compared, because there is no one baseline for them: {names}.",
    "warning.unpaired": (
        "{name}: {n} questions paired with {baseline}; left out {only_here} that only it has and {only_baseline} that "
        "only the baseline has."
    ),
    "warning.identical": "{name}: every CPS is the same as {baseline}'s, so there is nothing to test.",
    "warning.scope-model": (
        "Scope model: each model has constants of its own, so CPS does not compare between models, and the "
        "permutation tests and half splits, which need one scale, are left out."
    ),
    "warning.scope-run": (
        "Scope run: each run has constants of its own, so CPS does not compare between runs, and the permutation tests "
        "and half splits, which need one scale, are left out."
    ),
    "warning.constant": "{metric} is the same everywhere in {pool}: it is neutral and tells nothing apart.",
    "warning.outside": "{metric} lies outside the constants in {n:,} {n:row|rows}, not clipped.",
    "warning.otherwise": (
        "With {decision} another configuration would be recommended for {model}: {other} instead of {here}."
    ),
    "warning.nothing-left": "With {decision} nothing would be left to compare.",
    # Decisions that could be otherwise.
    "decision.missing-worst": "missing=worst",
    "decision.missing-drop": "missing=drop",
    "decision.truncated-keep": "truncated=keep",
    "decision.truncated-exclude": "truncated=exclude",
    "decision.none": "none",
    # Control.
    "control.same": "controlled: nothing differs",
    "control.studied": "controlled: only {fields} {n:differs|differ}",
    "control.confounded": "confounded by {fields}",
    "control.confounded-more": "confounded by {fields} and {more} more",
}
