"""Basis of a verdict in sentences: panel and pool, look, clusters, weights, and the meaning of the margin."""

from __future__ import annotations

from passer.domain.analysis.question_table import QuestionTable
from passer.domain.dataset import repeated_texts
from passer.domain.verdict.amounts import amount
from passer.domain.verdict.conclusion import Basis, MarginReading
from passer.domain.verdict.family import FEWEST_CHANGED
from passer.domain.verdict.lines import Line
from passer.domain.verdict.unobserved_losses import unobserved_share
from passer.domain.wording.sentence import Sentence, Value, sentence
from passer.services.analysis.verdict.caveats import questions_without_loss
from passer.services.analysis.verdict.compared_sweep import ComparedModel
from passer.services.analysis.verdict.question_clusters import effective_clusters, measured_design_effect, numbered
from passer.services.analysis.verdict.reasons import CONFIGURATIONS, VERDICT, basis_text, counted_clusters, numbers_in

FEW = 60
"""Independent questions below which a recommendation says how frequent losses may be of which it saw none."""


def basis_of(model: ComparedModel) -> Basis:
    """Return the data and rules of a model's verdict."""
    pools = model.sweep.found.shown_pools()
    questions = max((test.judged.pairs for test in model.tests), default=max(result.n for result in model.own))
    pool = pools[0].name if len(pools) == 1 else sentence("pool.several", n=len(pools))
    panel, comparisons = model.sweep.found.panel.name, model.sweep.comparisons
    said = basis_text(model.sweep.rule, panel=panel, pool=pool, n=questions, of=_asked(model), comparisons=comparisons)
    if model.verdict.corrected is not None and len(model.compared) > 1:
        said = sentence("basis.corrected", basis=said)
    clusters = max((test.judged.clusters for test in model.tests), default=questions)
    said = _with_unseen(model, said, clusters)
    effect, clustering = _clustering(model)
    return Basis(
        primary=model.sweep.rule.primary,
        panel=panel,
        pool=pool,
        profile=model.sweep.groups[0].first.config.profile,
        baseline=None if model.base is None else model.sweep.results[model.base].name,
        questions=questions,
        clusters=clusters,
        comparisons=comparisons,
        design_effect=effect,
        look=_look(model),
        clustering=clustering,
        weighting=_weighting(model),
        line=Line(text=said, numbers=numbers_in(CONFIGURATIONS, n=questions)),
    )


def _asked(model: ComparedModel) -> int:
    """Return the questions that may be tested: after an unplanned look the new ones alone."""
    looks = model.sweep.rule.looks
    untested = 0 if looks is None or looks.is_planned else len(model.sweep.primary.first_look)
    return max(result.n + result.n_excluded for result in model.own) - untested


def _with_unseen(model: ComparedModel, said: Sentence, clusters: int) -> Sentence:
    """Return the basis of a recommendation with the losses that so few questions do not contain."""
    is_undone = questions_without_loss(model) is not None
    # The sentence "as good, cheaper" states itself whether unobserved losses could reverse it.
    is_said = is_undone and model.verdict.kind == "as_good_cheaper"
    if model.verdict.recommended is not None and not is_said and (is_undone or clusters < FEW):
        # With 20 questions one configuration of the same mean, that loses .3 in 8 % of the questions, was called better
        # in .15 of simulated sweeps, with 60 in .03: the sample held no loss.
        share, of = unobserved_share(clusters) * 100, counted_clusters(model.sweep.primary, clusters)
        said = sentence("basis.unseen-better" if is_undone else "basis.unseen", basis=said, of=of, share=share)
    return said


def _look(model: ComparedModel) -> Line | None:
    """Return which look this is; a first one that was planned spends a part of alpha."""
    looks = model.sweep.rule.looks
    if looks is None:
        return None
    values = looks.model_dump(include={"first", "second"})
    if not model.sweep.primary.first_look:
        said = sentence("look.first", **values, alpha=model.sweep.rule.alpha)
    else:
        code = "look.second" if looks.is_planned else "look.new-questions"
        said = sentence(code, **values, new=looks.second - looks.first)
    return Line(text=said, numbers=numbers_in(VERDICT, **values))


def _clustering(model: ComparedModel) -> tuple[float | None, Line | None]:
    """Return the declared clusters in words, else what clusters by text, or by document, would change."""
    clusters = model.sweep.primary.clusters
    if clusters is not None:
        n = len(set(clusters))
        said, effective = sentence("basis.clusters", n=n), _effective_clusters(model)
        if effective is not None and effective < FEWEST_CHANGED:
            said = sentence("basis.unequal-clusters", clusters=said, effective=effective)
        return None, Line(text=said, numbers=numbers_in(VERDICT, clusters=n, effective_clusters=effective))
    # Equal questions first: they are the same question, while those of one document may be independent.
    repeated = repeated_texts(model.sweep.questions)
    if not model.compared or not (repeated or model.sweep.documents):
        return None, None
    shown = model.chosen if model.chosen is not None else next(iter(model.compared))
    differences = model.sweep.primary.gains([(shown, model.compared[shown])])[:, 0]
    ids = model.sweep.primary.table.ids
    units = numbered(ids, repeated or model.sweep.documents)
    effect = measured_design_effect(differences, units, model.sweep.primary.weights)
    values: dict[str, Value] = {"name": model.sweep.results[shown].name, "effect": effect or 0.0}
    if repeated:
        n = len(set(units))
        said = sentence("basis.repeated-texts", all=len(ids), n=n)
        if effect is not None:
            said = sentence("basis.repeated-effect", said=said, **values)
        return effect, Line(text=said, numbers=numbers_in(VERDICT, texts=n, effect=effect))
    if effect is None:
        return None, None
    n = len({model.sweep.documents[each] for each in ids if each in model.sweep.documents})
    said = sentence("basis.design-effect", documents=n, **values)
    return effect, Line(text=said, numbers=numbers_in(VERDICT, documents=n, effect=effect))


def _effective_clusters(model: ComparedModel) -> float | None:
    """Return how many equal clusters the clusters are worth; None without an interval."""
    bounded = (place for place in model.compared if (test := model.sweep.results[place].comparison) and test.judged.p)
    place, primary = next(bounded, None), model.sweep.primary
    if place is None or primary.clusters is None:
        return None
    return effective_clusters(primary.gains([(place, model.compared[place])])[:, 0], primary.clusters, primary.weights)


def margin_of(model: ComparedModel) -> MarginReading | None:
    """Return what the margin means in questions; None without a comparison."""
    if not model.tests or model.base is None:
        return None
    of = max(test.judged.pairs for test in model.tests)
    questions, margin = model.sweep.rule.margin * of, model.sweep.rule.margin
    noise = model.sweep.primary.within_sd(model.base)
    sd = None if noise is None or not of else noise * _left_by_repeats(model.sweep.primary.table, model.base, of) ** 0.5
    size = amount(model.sweep.rule.primary, margin, "size")
    values: dict[str, Value] = {"margin": size, "questions": questions, "n": of}
    # To one decimal, the share of a single question would read "0.0 of 2 questions".
    codes = (
        ("verdict.margin-below-one", "verdict.margin-own-below-one")
        if questions < 1
        else ("verdict.margin", "verdict.margin-own")
    )
    said = sentence(codes[0] if model.sweep.primary.is_cps else codes[1], **values)
    if not of:
        said = sentence("verdict.margin-alone", margin=size)
    if sd is not None:
        said = sentence("verdict.margin-repeats", margin=said, sd=sd)
    return MarginReading(
        margin=margin,
        questions=questions,
        of=of,
        repeat_sd=sd,
        line=Line(text=said, numbers=numbers_in(VERDICT, questions=questions, repeat_sd=sd)),
    )


def _left_by_repeats(table: QuestionTable, place: int, of: int) -> float:
    """Return the variance of a mean over `of` questions, with a variance of 1 from repeat to repeat."""
    cells = table.cells(place)
    shares = 1 / table.repeats[cells]
    if table.weights is None:
        return float(shares.mean() / of)
    weights = table.weights[table.questions[cells]]
    return float(weights**2 @ shares / weights.sum() ** 2)


def _weighting(model: ComparedModel) -> Line | None:
    """Return how many equally weighted questions the comparison is worth; None where all weights are equal."""
    pairs = [(test.judged.pairs, test.judged.effective_pairs) for test in model.tests]
    n, effective = max(pairs, default=(0, None), key=lambda each: each[0])
    if effective is None:
        return None
    said = sentence("basis.weights", n=n, effective=effective)
    return Line(text=said, numbers=numbers_in(VERDICT, pairs=n, effective_pairs=effective))
