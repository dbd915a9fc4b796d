"""What became of questions from one version of a dataset to another, against versions written by hand."""

from __future__ import annotations

from passer.domain.dataset import Dataset, EditedQuestion, GoldPassage, Question, difference


def dataset(*questions: Question, language: str = "en") -> Dataset:
    return Dataset(name="farm", language=language, questions=questions)


WHAT = Question(id="a", text="What?", reference="That.")
WHO = Question(id="b", text="Who?", reference="They.")
WHEN = Question(id="c", text="When?", reference="Now.")


def test_added_removed_changed_and_the_same() -> None:
    gold = (GoldPassage(document="d", quote="They."),)
    later = WHO.model_copy(update={"reference": "We.", "gold_passages": gold})
    found = difference(dataset(WHAT, WHO), dataset(later, WHEN))
    assert (found.added, found.removed, found.unchanged) == (("c",), ("a",), 0)
    assert found.changed == (EditedQuestion(id="b", fields=("reference", "gold_passages")),)
    assert not found.reordered
    assert found.languages is None


def test_only_the_order_or_the_language() -> None:
    turned = difference(dataset(WHAT, WHO), dataset(WHO, WHAT))
    assert (turned.reordered, turned.unchanged, turned.changed) == (True, 2, ())
    spoken = difference(dataset(WHAT), dataset(WHAT, language="bg"))
    assert (spoken.languages, spoken.unchanged) == (("en", "bg"), 1)
    assert spoken.before != spoken.after


def test_a_version_and_itself() -> None:
    found = difference(dataset(WHAT, WHO), dataset(WHAT, WHO))
    assert (found.added, found.removed, found.changed, found.unchanged) == ((), (), (), 2)
    assert found.before == found.after
