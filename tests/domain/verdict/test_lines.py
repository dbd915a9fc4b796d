"""Lines of a verdict in pieces: each number apart, with the table in which it is computed."""

from passer.domain.verdict.lines import SourcedNumber, parts_of
from passer.domain.wording.sentence import Sentence, pieces, reading, sentence


def _number(name: str, value: float, table: str) -> SourcedNumber:
    return SourcedNumber(name=name, value=value, table=table)


def _gain(value: float) -> Sentence:
    return sentence("amount.points-gain", value=100 * value)


def test_numbers_are_apart_with_their_values_also_within_a_sentence_of_a_sentence() -> None:
    said = sentence(
        "cause.with-ceiling", cause=sentence("cause.abstained", name="Top-k", n=3, of=1), gain=_gain(0.0132)
    )
    assert [(piece.text, piece.name, piece.value) for piece in pieces(said)] == [
        ("Gold passage kept with Top-k but the model abstained: ", "", None),
        ("3", "n", 3),
        (" of ", "", None),
        ("1", "of", 1),
        (" question. Possible gain: at most ", "", None),
        ("+1.32", "value", 1.32),
        (" points.", "", None),
    ]


def test_pieces_are_those_of_the_readers_language() -> None:
    said = sentence("verdict.gold-lost", lost=3, of=60, name="Top-k 5")
    with reading("bg"):
        found = pieces(said)
    assert [piece.text for piece in found if piece.value is not None] == ["3", "60"]
    assert "въпроса губят" in "".join(piece.text for piece in found)
    assert [piece.text for piece in pieces("Typed by hand: 7")] == ["Typed by hand: 7"]


def test_each_number_has_its_own_table_and_settings_have_none() -> None:
    """The saving of 60 % and the 60 questions are equal as printed; the level and the margin are not computed."""
    interval = sentence("verdict.interval", level=95.0, low=_gain(-0.0089), high=_gain(0.0048))
    said = sentence(
        "verdict.as-good-passages",
        name="Similarity ≥ 0.50",
        baseline="Top-k 10",
        margin=sentence("amount.points-size", value=2.0),
        saved=60.0,
        gain=_gain(-0.0028),
        interval=interval,
        n=60,
    )
    numbers = (
        _number("n", 60, "configurations"),
        _number("gain", -0.0028, "configurations"),
        _number("low", -0.0089, "configurations"),
        _number("high", 0.0048, "configurations"),
        _number("saved", 0.6, "verdict"),
    )
    parts = parts_of(said, numbers)
    assert "".join(part.text for part in parts) == said
    assert [(part.text, part.table) for part in parts if part.table] == [
        ("60", "verdict"),
        ("−0.28", "configurations"),
        ("−0.89", "configurations"),
        ("+0.48", "configurations"),
        ("60", "configurations"),
    ]


def test_a_text_without_any_of_the_numbers_has_no_parts() -> None:
    said = sentence("verdict.tied-none", name="Top-k 10")
    assert parts_of(said, (_number("n", 0, "verdict"),)) == ()
    assert parts_of("Typed by hand: 7", (_number("n", 7, "verdict"),)) == ()
