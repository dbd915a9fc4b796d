"""methods.md: how a study was made, in plain words, each number with a link to the value that it shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from passer.domain.bundle.documents import Violation
from passer.domain.bundle.verdict_document import ConclusionRecord, GainRecord, VerdictContent
from passer.domain.bundle.verification import StudyConclusion, StudyResult
from passer.domain.judging.formulas import FORMULAS
from passer.domain.study.document import STUDY, TABLE, VERDICT, StudyDocument, moment_in, planned_rule
from passer.domain.study.linked_values import MINUS
from passer.domain.study.publication import missing_sentence, withheld_sentence
from passer.domain.study.run_records import StatedConfigs, setting_of, stated_settings
from passer.domain.study.table import Cell, columns_of
from passer.domain.wording.counted import counted

GIVEN_ALL = ("correctness", "nuggets", "useful")
"""First tasks of judged columns that are given all right answers of a question."""
# Both verifiers compare these sentences word for word. Studies made before must verify after a change, so an old
# wording has to stay accepted beside a new one.
_VERDICTS = {
    "no_verdict": "The results allow no verdict.",
    "better": "Recommended: {recommended}, which is better than the baseline.",
    "as_good_cheaper": "Recommended: {recommended}, which is as good as the baseline and costs less.",
    "cannot_tell": "These questions cannot tell whether a configuration is better than the baseline.",
    "keep_baseline": "No configuration is better than the baseline, or as good and cheaper: keep the baseline.",
}


def methods_text(
    study: StudyDocument, verdict: VerdictContent, rows: Sequence[Sequence[Cell]], *, several: int = 0
) -> str:
    """Return the paragraphs; `rows` are the table's, in the order of the verdict's configurations.

    `several` is the number of questions with several right answers.
    """
    columns = columns_of(study.format)
    paragraphs = [
        f"# {_plain(study.title)}",
        _design(study, verdict),
        " ".join(
            filter(None, (_rule(verdict), _look(study, verdict), _judge(verdict), _right_answers(several, verdict)))
        ),
        _registration(study) if study.sheets is None else "The results are exploratory: no plan was registered.",
        "\n".join(_results(verdict, [dict(zip(columns, row, strict=True)) for row in rows])),
        " ".join(_conclusions(verdict)),
        " ".join(filter(None, (missing_sentence(study), _others(study)))) or _all_of(study),
        *filter(None, [withheld_sentence(study)]),
        "A number with a link leads to its value: a cell of table.csv (row, column), or a member of a JSON file. "
        "`passer verify` computes table and verdict again from the records, and names what does not follow. Names of "
        "configurations and models are the publisher's words; where the file has runs, table.csv has the retriever and "
        "the retrieval setting of each beside its name.",
    ]
    return "\n\n".join(paragraphs) + "\n"


def _all_of(study: StudyDocument) -> str:
    return f"All {'runs of the sweep' if study.sheets is None else 'imported sheets'} are in the table."


def study_result(study: StudyDocument, verdict: VerdictContent, configs: StatedConfigs) -> StudyResult:
    """Return what a study concludes, its dates and its design; `configs` are those of the runs that were read."""
    gains = {each.configuration: each for each in verdict.gains}
    found = []
    for each, said in _sentences(verdict):
        place = _place(verdict, each)
        gain = gains.get(place)
        ends: dict[str, Any] = {} if gain is None else {"gain": gain.gain, "low": gain.low, "high": gain.high}
        config = configs.get(verdict.configurations[place].runs[0].id) if place >= 0 else None
        ends["setting"] = None if config is None else setting_of(config)
        found.append(StudyConclusion(model=each.model, kind=each.kind, recommended=each.recommended, line=said, **ends))
    return StudyResult(
        conclusions=tuple(found),
        unchecked_judge=_unchecked_judge(verdict),
        planned_at=moment_in(study.sweep.created_at),
        finished_at=moment_in(study.finished_at),
        dataset=study.dataset.name,
        questions=study.dataset.questions,
        configurations=len(verdict.configurations),
        settings=stated_settings(verdict, configs),
        primary=verdict.rule.primary,
        margin=verdict.rule.margin,
        alpha=verdict.rule.alpha,
    )


def _place(verdict: VerdictContent, conclusion: ConclusionRecord) -> int:
    """Return the place of the recommended configuration; -1 if there is none, or if several share its name.

    Studies of earlier versions can have such names, and do not identify the recommended configuration.
    """
    meant = conclusion.model, conclusion.recommended
    found = [place for place, each in enumerate(verdict.configurations) if (each.model, each.name) == meant]
    return found[0] if len(found) == 1 else -1


def wrong_conclusion(text: str, verdict: VerdictContent) -> Violation | None:
    """Return that no paragraph is the conclusions of verdict.json, recommended names included; None where one is."""
    paragraphs = text.split("\n\n")
    is_said = any(" ".join(_conclusions(verdict, names_judge=each)) in paragraphs for each in (True, False))
    return None if is_said else Violation("Its conclusions are not those of verdict.json.", field="conclusions")


def _design(study: StudyDocument, verdict: VerdictContent) -> str:
    models = dict.fromkeys(each.model for each in verdict.configurations)
    if study.sheets is not None:
        return _of_sheets(study, models)
    asked = _linked(str(study.dataset.questions), STUDY, "/dataset/questions")
    return (
        f"{counted(len(verdict.configurations), 'configuration')} of {', '.join(map(_plain, models))} answered "
        f"{asked} questions of the dataset {_plain(study.dataset.name)} (SHA-256 {study.dataset.digest}), in the "
        f"sweep {_plain(study.sweep.name)} ({study.sweep.id})."
    )


def _of_sheets(study: StudyDocument, models: Iterable[str]) -> str:
    sheets = study.sheets or ()
    rows = sum(sheet.rows for sheet in sheets)
    asked = _linked(str(study.dataset.questions), STUDY, "/dataset/questions")
    shifted = sum(sheet.labels == "shifted" for sheet in sheets)
    return (
        f"{counted(len(sheets), 'result sheet')} of {', '.join(map(_plain, models))} with {counted(rows, 'row')} about "
        f"{asked} questions were imported ({_plain(study.sweep.name)}, {study.sweep.id}). Ten columns of {shifted} of "
        "them have the labels of other columns; the true columns count here, and numbers that a metric cannot have "
        "count as missing. A question that lacks a metric in any sheet is left out of all. audit.json has all findings "
        "about the sheets.\n\nNothing is known of how the answers were made: the sheets state no model digest, prompt, "
        "passages, references or times, and no ledger recorded them when they were measured. Their rows are stated as "
        "they were imported; that somebody measured them is not proven."
    )


def _rule(verdict: VerdictContent) -> str:
    rule, composite = verdict.rule, verdict.composite
    metric = (
        f"CPS of the panel {composite.panel}, between the bounds of these runs' scores"
        if rule.primary == "CPS"
        else f"{rule.primary} (higher is better here: of a perplexity the negative)"
    )
    return (
        f"The primary metric is {metric}. Each configuration is compared with the baseline of its model and retriever, "
        f"question by question; the intervals hold for all comparisons together (studentised bootstrap of whole "
        f"{_resampled(verdict)}, {_linked(str(rule.draws), VERDICT, '/rule/draws')} resamples, alpha "
        f"{_linked(_number(rule.alpha, 6), VERDICT, '/rule/alpha')}). The smallest difference that matters is "
        f"{_linked(_number(rule.margin, 6), VERDICT, '/rule/margin')}."
        + ("" if verdict.weights is None else " All means use the weights of the questions.")
    )


def _resampled(verdict: VerdictContent) -> str:
    """Return what the bootstrap draws: clusters, if some questions depend on each other."""
    return "questions" if verdict.clusters is None else f"clusters of questions, {len(set(verdict.clusters))} in all"


def _look(study: StudyDocument, verdict: VerdictContent) -> str:
    """Return at which of two looks the results are, and what that means for their tests; empty for one look."""
    rule = planned_rule(study.design) if study.sheets is None else None
    if rule is None or rule.looks is None:
        return ""
    first, second = rule.looks.first, rule.looks.second
    if verdict.look is None:
        is_first = rule.looks.is_planned and study.dataset.questions < second
        said = f"This is the first of two planned looks, at {first} of {second} questions, with a part of the alpha."
        return said if is_first else ""
    if verdict.look.is_planned:
        return f"This is the second of two planned looks: the intervals account for the first, at {first} questions."
    return f"An unplanned look at {first} questions determined what to test, so only the questions after it are tested."


def _judge(verdict: VerdictContent) -> str:
    """Return the sentences about the judge and the ratings that correct it; empty without a judge."""
    judged = verdict.judged
    if judged is None:
        return ""
    said = f"Its values follow from {counted(len(judged.judgements), 'judgement')} of the judge {_plain(judged.judge)}"
    if judged.ratings is None:
        return f"{said}, which no ratings of people correct."
    ratings = [each for run in judged.ratings.runs for each in run.ratings]
    means = (
        f"{_plain(configuration.name)} {_linked(f'{mean.value:.4f}', VERDICT, f'/judged/ratings/means/{place}/value')}"
        for place, (configuration, mean) in enumerate(zip(verdict.configurations, judged.ratings.means, strict=True))
        if mean.value is not None
    )
    return (
        f"{said}. The gains are corrected (PPI++) by {counted(len(ratings), 'rating')} of "
        f"{counted(len({each.rater for each in ratings}), 'rater')} about "
        f"{counted(len(judged.ratings.drawn), 'question')}, drawn at random with the seed "
        f"{_linked(str(judged.ratings.seed), VERDICT, '/judged/ratings/seed')}. The values of table.csv are "
        f"the judge's; corrected in the same way, the means are: {', '.join(means)}."
    )


def _right_answers(several: int, verdict: VerdictContent) -> str:
    """Return how questions with several right answers are scored; empty without any."""
    if not several:
        return ""
    said = (
        f"{counted(several, 'question')} of the dataset {'has' if several == 1 else 'have'} several right answers: an "
        "answer is scored with each of them, and each of the 24 metrics keeps its best value (precision, recall and F1 "
        "those of the one with the best F1)."
    )
    if verdict.judged is None or FORMULAS[verdict.judged.column].tasks[0] not in GIVEN_ALL:
        return said
    return f"{said} The judge was given all of them in one request, each as right on its own."


def _registration(study: StudyDocument) -> str:
    planned, hypothesis = study.registration, study.design.get("hypothesis")
    if planned is None:
        return "The plan was not registered before the sweep: the results are exploratory."
    said = (
        f"The plan was registered in the ledger before the first question was asked (SHA-256 {planned.digest}), when "
        f"the installation had {counted(planned.earlier, 'other sweep')} of this dataset. "
        + (f"Hypothesis: {_plain(str(hypothesis))}" if hypothesis else "It states no hypothesis beside the rule.")
    )
    if not planned.known:
        return f"{said} The results are confirmatory."
    known = counted(len(planned.known), "configuration")
    return f"{said} The results are exploratory: {known} had already answered questions of it."


def _results(verdict: VerdictContent, rows: Iterable[Mapping[str, Cell]]) -> Iterator[str]:
    gains = {each.configuration: each for each in verdict.gains}
    undecided = verdict.models_without_verdict
    for place, cells in enumerate(rows):
        head = f"- {_plain(str(cells['configuration']))} ({_plain(str(cells['model']))}): "
        mean = f"mean {_of_cell(cells, place, 'value')}" if cells["value"] is not None else "no value"
        if place not in gains:
            yield f"{head}{mean}, baseline."
            continue
        # Without a verdict nothing is decided: the cell's outcome is only what the interval would say.
        outcome = "" if cells["model"] in undecided else gains[place].outcome
        yield head + mean + _gain(cells, place, gains[place], outcome)


def _gain(cells: Mapping[str, Cell], place: int, gain: GainRecord, outcome: str) -> str:
    said = f"[{outcome.replace('_', ' ')}]({_target(cells, place, 'outcome')})" if outcome else ""
    if gain.gain is None or gain.low is None or gain.high is None:
        return f", {said or 'no interval'}."
    low, high, p = (_of_cell(cells, place, name) for name in ("low", "high", "p"))
    figures = f", difference {_of_cell(cells, place, 'gain')} ({low} to {high}, p = {p})"
    return f"{figures}: {said}." if said else f"{figures}."


def _conclusions(verdict: VerdictContent, *, names_judge: bool = True) -> Iterator[str]:
    for conclusion, said in _sentences(verdict, names_judge=names_judge):
        yield (f"{_plain(conclusion.model)}: " if len(verdict.conclusions) > 1 else "") + said


def _sentences(verdict: VerdictContent, *, names_judge: bool = True) -> Iterator[tuple[ConclusionRecord, str]]:
    """Yield a sentence for each model; the judge is named where nobody checked it, except by earlier versions."""
    judge = _unchecked_judge(verdict)
    says = "." if judge is None else f", says judge {_plain(judge)} (unchecked)."
    for conclusion in verdict.conclusions:
        said = _VERDICTS[conclusion.kind].format(recommended=_plain(conclusion.recommended or ""))
        if names_judge and conclusion.kind != "no_verdict":
            said = said.removesuffix(".") + says
        yield conclusion, said


def _unchecked_judge(verdict: VerdictContent) -> str | None:
    return verdict.judged.judge if verdict.judged and verdict.judged.status == "unchecked" else None


def _others(study: StudyDocument) -> str:
    if not study.others:
        return ""
    same = sum(other.has_same_design for other in study.others)
    return (
        f"The same installation has {counted(len(study.others), 'other sweep')} of this dataset, "
        f"{same} of the same design; study.json lists them."
    )


def _of_cell(cells: Mapping[str, Cell], place: int, name: str) -> str:
    value = float(cells[name] or 0)
    # Four decimals would show a p of .00002 as 0, or the end of an interval that excludes 0.
    digits = next((digits for digits in (4, 5, 6) if round(value, digits)), 4)
    return f"[{_number(value, digits)}]({_target(cells, place, name)})"


def _target(cells: Mapping[str, Cell], place: int, name: str) -> str:
    """Return the cell of a configuration by RFC 7111: rows and columns from 1, the header is row 1."""
    return f"{TABLE}#cell={place + 2},{list(cells).index(name) + 1}"


def _linked(shown: str, document: str, pointer: str) -> str:
    return f"[{shown}]({document}#{pointer})"


def _number(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    text = text.rstrip("0").rstrip(".") if digits > 4 else text
    return text.replace("-", MINUS)


def _plain(text: str) -> str:
    """Return a name without the marks of links and line breaks."""
    return " ".join(text.translate(str.maketrans("[]()", "    ")).split()) or "?"
