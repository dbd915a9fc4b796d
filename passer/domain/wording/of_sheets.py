"""What is said of imported result sheets: what their figures rest on, and what an audit found and advises."""

from __future__ import annotations

_MADE = "METEOR and ROUGE of"
_HAVE = "{n:d} of {of:d} sheets"

TEMPLATES: dict[str, str] = {
    # What figures rest on.
    "procedure.published": (
        "published: labels as they stand in the sheets, CPS of a row rounded to 4 decimals, rows compared by position, "
        "T-CPS and CV over all rows, Balance from printed figures; p values are uncorrected."
    ),
    "procedure.corrected": (
        "corrected: true ROUGE and BLEU columns, a question's rows averaged, compared by question, T-CPS and CV over "
        "the compared questions; p values are uncorrected."
    ),
    "procedure.published-phase2": (
        "published-phase2: 16 metrics, each sheet normalised by itself, the first 100 rows, perplexities not inverted, "
        "no baseline; configurations of different sheets share no constants."
    ),
    "sheets.cps": "CPS by the panel {panel}, relative to {pool}: {rows:,} rows; it compares only within its pool.",
    "sheets.cps-pinned": (
        "CPS by the panel {panel}, relative to {pool}: {rows:,} rows; it compares only on the same constants."
    ),
    "sheets.lost": ("{lost} rows lack a score that the panel needs; {out} of {of:,} rows were left out for it."),
    "sheets.outside": "{metric} lies outside the constants in {n:,} rows, not clipped.",
    # What was found.
    "audit.shifted-labels": "Ten ROUGE and BLEU labels stand over other metrics in {n:d} of {of:d} sheets.",
    "audit.mixed-labels": ("These sheets have right labels and others shifted ones: `published` would mix metrics."),
    "audit.published-score-mode": (
        "The program that made these {n:d} sheets compared the distance, not the similarity, with the threshold: its "
        "Score mode kept far passages."
    ),
    "audit.unclear-labels-rows": (
        "It cannot be told whether the labels of {sheet} are shifted: {n:d} rows contradict the others."
    ),
    "audit.unclear-labels": (
        "It cannot be told whether the labels of {sheet} are shifted: its ROUGE-1 columns are missing, or all alike."
    ),
    "audit.same-contents": "These {n:d} sheets are the same file: {sheets}.",
    "audit.non-numeric-cells": "{sheet}: {n:d} metric cells hold no number.",
    "audit.numbers-as-text": f"{_HAVE} hold metrics as text ({{count:d}} cells).",
    "audit.footer": f"{_HAVE} end with an `Average` row, left out ({{count:d}} rows).",
    "audit.blank-rows": f"{_HAVE} have blank rows, left out ({{count:d}} rows).",
    "audit.ignored-columns": f"{_HAVE} have columns that are no metric, left out ({{count:d}} columns).",
    "audit.ignored-files": "{n:d} files were not read, because their names give no model and threshold.",
    "audit.duplicated-questions": (
        "{sheet} holds {n:d} questions, {repeated:d} of them more than once ({extra:d} rows too many)."
    ),
    "audit.missing-questions": "{sheet} lacks {n:d} of the {of:d} questions of {source}.",
    "audit.unknown-questions": "{sheet} holds {n:d} rows whose question is not in {source}.",
    "audit.inexact-questions": (
        "{n:d} questions in {sheets:d} sheets are not spelled as in {source}; they match by letters and digits."
    ),
    "audit.of-dataset": "the dataset {dataset}",
    "audit.of-other-sheets": "the other sheets",
    "audit.no-baseline": "{model} has no baseline (threshold 0.01, or `baseline`).",
    "audit.misaligned-rows": (
        "{which}: {n:d} of {of:d} rows stand beside another question of the baseline, from row {row:d} on."
    ),
    "audit.sheets-of-model": "{n:d} sheets of {model}",
    "audit.many-references": (
        f"{_MADE} most rows of {{n:d}} questions do not come out of the references of {{dataset}}: other references "
        "are suspected."
    ),
    "audit.altered-answers": (
        f"{_MADE} {{n:d}} single rows do not come out of {{dataset}}, although other rows of their questions do: their "
        "stored answers were probably altered."
    ),
    "audit.suspected-reference": (
        f"{_MADE} {{n:d}} of {{of:d}} rows do not come out of the reference in {{dataset}}, so another one is "
        "suspected: {question}"
    ),
    # What to do about it.
    "advice.shifted-labels": (
        "Analyse with `corrected`, which reads the true columns; `published` takes labels as they are."
    ),
    "advice.mixed-labels": "Analyse with `corrected`, or import the two kinds separately.",
    "advice.published-score-mode": (
        "Read their thresholds so: Score mode here keeps near passages; the policy `published-score` replays the "
        "published one."
    ),
    "advice.unclear-labels": ("Compare with the original export and correct it: `corrected` needs to know."),
    "advice.same-contents": "Put the right export in the place of the copy and import again.",
    "advice.non-numeric-cells": "Write the number; while it is missing the question leaves the composite.",
    "advice.nothing": "Nothing: it changes no result.",
    "advice.ignored-files": "Rename those that belong to the study to MODEL/threshold_T.xlsx and import again.",
    "advice.duplicated-questions": (
        "`corrected` averages a question's rows; `published` counts each: find the export it was made from."
    ),
    "advice.missing-questions": "Ask them again, or read every comparison with this sheet as one over fewer questions.",
    "advice.unknown-questions": (
        "Check that the dataset is the one that was asked; correct the wording where it was edited."
    ),
    "advice.inexact-questions": "Nothing, unless one of those listed is another question.",
    "advice.no-baseline": "Nothing can be compared for it: add the baseline's sheet and import again.",
    "advice.misaligned-rows": (
        "`corrected` pairs by question; `published` pairs by position, and so compares different questions."
    ),
    "advice.many-references": "Check that this is the dataset that was asked.",
    "advice.altered-answers": "Compare these answers with the original export before scoring them again.",
    "advice.suspected-reference": (
        "Compare the reference with the one that was used then; score the answers again if it was another."
    ),
    # What was not checked.
    "unchecked.no-dataset": (
        "Questions and references were not compared with a dataset: name one when you import the sheets."
    ),
    "unchecked.no-wordnet": "References were not compared: METEOR needs WordNet, which is missing.",
    "unchecked.no-row": "References were not compared: no row with METEOR and ROUGE belongs to {dataset}.",
    "unchecked.no-metrics": ("References were not compared: the published METEOR and ROUGE cannot be computed here."),
}
