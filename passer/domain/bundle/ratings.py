"""Ratings of people in verdict.json: written under numbers instead of names, read back, and checked by themselves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from passer.domain.bundle.documents import Violation
from passer.domain.bundle.judged_document import (
    InclusionRecord,
    JudgedRecord,
    RatedMeanRecord,
    RatedRunRecord,
    RatingRecord,
    RatingsRecord,
)
from passer.domain.judging.corrected import FEWEST, MOST_UNRATED
from passer.domain.verdict.judged_rule import DrawnLabels
from passer.domain.verdict.label_gains import LabelledMean

_ROUNDING = 1e-9
_FAILED = "generation_failed"
_PATH = "judged.ratings"


def ratings_record(
    labels: DrawnLabels, questions: Sequence[str], runs: Sequence[str], means: Sequence[LabelledMean]
) -> RatingsRecord:
    """Return the ratings of these runs; raters get numbers in the order of their first rating."""
    places = {question: place for place, question in enumerate(questions)}
    numbers: dict[str, int] = {}
    rated = []
    for run_id in runs:
        own = labels.ratings.get(run_id, {})
        ratings = []
        for question in sorted(own.keys() & places.keys(), key=lambda each: places[each]):
            # Raters who already have a number come first, so that numbers ascend within an answer and reveal no names.
            raters = sorted(own[question], key=lambda name: (numbers.get(name, math.inf), name))
            for name in raters:
                number = numbers.setdefault(name, len(numbers))
                value = own[question][name]
                ratings.append(RatingRecord(question=places[question], rater=number, value=value))
        rated.append(RatedRunRecord(id=run_id, ratings=tuple(ratings)))
    return RatingsRecord(
        seed=labels.seed,
        drawn=_inclusions(labels.drawn, places),
        others=_inclusions(labels.others, places),
        runs=tuple(rated),
        means=tuple(RatedMeanRecord(**asdict(each)) for each in means),
    )


def _inclusions(shares: Mapping[str, float], places: Mapping[str, int]) -> tuple[InclusionRecord, ...]:
    known = sorted((places[question], share) for question, share in shares.items() if question in places)
    return tuple(InclusionRecord(question=place, inclusion=share) for place, share in known)


def drawn_labels(judged: JudgedRecord | None) -> DrawnLabels | None:
    """Return the ratings as an analysis reads them; None without any."""
    if judged is None or judged.ratings is None:
        return None
    record, questions = judged.ratings, judged.questions
    ratings: dict[str, dict[str, dict[str, float]]] = {run.id: {} for run in record.runs}
    for run in record.runs:
        for each in run.ratings:
            ratings[run.id].setdefault(questions[each.question], {})[str(each.rater)] = each.value
    return DrawnLabels(
        ratings=ratings,
        drawn={questions[each.question]: each.inclusion for each in record.drawn},
        others={questions[each.question]: each.inclusion for each in record.others},
        seed=record.seed,
    )


def wrong_ratings(judged: JudgedRecord, questions: Sequence[str]) -> Violation | None:
    """Return the first impossible rating or part of the draw; `questions` are those of the marks."""
    record = judged.ratings
    if record is None:
        return None
    return _wrong_draw(record, len(questions)) or _wrong_runs(judged, record) or _unrated(record)


def _wrong_draw(record: RatingsRecord, size: int) -> Violation | None:
    for name, part in (("drawn", record.drawn), ("others", record.others)):
        places = [each.question for each in part]
        if places != sorted(set(places)) or any(place >= size for place in places):
            return Violation("They are not questions in order, each once.", field=f"{_PATH}.{name}")
    if {each.question for each in record.drawn} & {each.question for each in record.others}:
        return Violation("A question is drawn and not drawn.", field=f"{_PATH}.others")
    for place, each in enumerate(record.drawn):
        if each.inclusion <= 0:
            return Violation("It cannot have been drawn.", field=f"{_PATH}.drawn[{place}].inclusion")
    for place, each in enumerate(record.others):
        if each.inclusion >= 1:
            return Violation("It would have been drawn.", field=f"{_PATH}.others[{place}].inclusion")
    # Each stratum of the draw has a fixed number, so that the probabilities of all add up to what was drawn.
    expected = math.fsum(each.inclusion for each in (*record.drawn, *record.others))
    if not math.isclose(expected, len(record.drawn), rel_tol=_ROUNDING):
        return Violation(
            f"{len(record.drawn)} questions are not what the probabilities add up to.", field=f"{_PATH}.drawn"
        )
    return None


def _wrong_runs(judged: JudgedRecord, record: RatingsRecord) -> Violation | None:
    if [run.id for run in record.runs] != [run.id for run in judged.runs]:
        return Violation("They are not the runs of the marks.", field=f"{_PATH}.runs")
    drawn, known = {each.question for each in record.drawn}, 0
    for place, (run, marked) in enumerate(zip(record.runs, judged.runs, strict=True)):
        last = (-1, -1)
        for number, each in enumerate(run.ratings):
            path = f"{_PATH}.runs[{place}].ratings[{number}]"
            if each.question not in drawn:
                return Violation("The question was not drawn.", field=f"{path}.question")
            if marked.marks[each.question].reason == _FAILED:
                return Violation("The question has no answer that could be rated.", field=f"{path}.question")
            if (each.question, each.rater) <= last or each.rater > known:
                return Violation("It is not in the order of questions and raters.", field=f"{path}.rater")
            last, known = (each.question, each.rater), max(known, each.rater + 1)
    return None


def _unrated(record: RatingsRecord) -> Violation | None:
    """Return the runs that lack ratings: with too few of them, no draw corrects anything."""
    rated = [len({each.question for each in run.ratings}) for run in record.runs]
    for place, count in enumerate(rated):
        if count < FEWEST:
            said = f"{count} of its answers are rated, and {FEWEST} are needed."
            return Violation(said, field=f"{_PATH}.runs[{place}].ratings")
    wanted = len(record.drawn) * len(record.runs)
    if sum(rated) < (1 - MOST_UNRATED) * wanted:
        return Violation(f"{sum(rated)} of {wanted} drawn answers are rated.", field=f"{_PATH}.runs")
    return None
