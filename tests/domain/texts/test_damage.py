"""Texts that were damaged before they came here, made by the codecs that damage them."""

from __future__ import annotations

import pytest

from passer.domain.texts.damage import damage_notes, has_lost_letters, read_twice, spelling_notes


@pytest.mark.parametrize("encoding", ["cp1252", "cp1251", "cp1253", "cp1254", "latin-1"])
@pytest.mark.parametrize(
    "text", ["Größe", "Колко е добивът?", "Ποια είναι η απόδοση", "İncir", "产量是多少", "“x” – y"]
)
def test_utf8_that_was_read_in_another_encoding_is_found(text: str, encoding: str) -> None:
    # Programs read a byte that an encoding lacks as the control character of its number.
    seen = "".join(bytes([byte]).decode(encoding, "ignore") or chr(byte) for byte in text.encode())
    assert read_twice(seen) == text


@pytest.mark.parametrize(
    "text",
    [
        *("Größe", "naïve café", "zvlášť", "Łódź", "Đất cát ẩm", "İncir şık", "Сједи", "Дії", "Рік", "рад"),
        *("Ποια είναι", "小麦の収量は？", "² ° ½ €", "“quoted” – dash …", "100 µg", "plain", "ΤΙΜΉ", "ČŠŽ"),
    ],
)
def test_real_words_are_no_damage(text: str) -> None:
    assert read_twice(text) is None
    assert damage_notes([(1, text)]) == []


def test_characters_that_nobody_sees_are_named_by_their_number() -> None:
    [note] = damage_notes([(1, "wheat"), (2, "a fer\u00adtil\u00adiser"), (3, "\ufeffwheat \u00ad")])
    assert "2 rows contain characters that are not visible (the first: row 2, “fer[U+00AD]til[U+00AD]iser”)" in note
    # Persian and Devanagari show that these joiners are there, and Thai separates words by the third.
    assert damage_notes([(1, "می\u200cخوانم"), (2, "क्\u200dष"), (3, "ข้าว\u200bสาลี")]) == []


def test_each_damage_is_said_once_with_the_rows_and_the_first_of_them() -> None:
    notes = damage_notes(
        [(2, "Gr\ufffd\ufffde"), (3, "ok"), (4, "GrÃ¶ÃŸe"), (4, "GrÃ¶ÃŸe"), (5, "Ã¼"), (6, "Fish &amp; chips")]
    )
    assert len(notes) == 3
    assert "row 2" in notes[0]
    assert "2 rows" in notes[1]
    assert "“Größe”" in notes[1]
    assert "&amp; in row 6" in notes[2]


def test_less_than_and_ampersand_are_no_html() -> None:
    assert damage_notes([(1, "a < b & c > d; R&D; x<y>z; Q&A")]) == []


def test_question_marks_alone_are_lost_letters() -> None:
    assert has_lost_letters("????? ?? ???")
    assert not any(map(has_lost_letters, ("?", "What??", "Защо??", "!", "")))


@pytest.mark.parametrize(
    ("text", "found", "example"),
    [
        ("في أُكْتُوبَر", "vowel marks", "أُكْتُوبَر"),
        ("הוא אמר שָׁלוֹם", "vowel marks", "שָׁלוֹם"),
        ("بعد ٣ سنوات", "digits of another script", "٣"),
        ("१२ टन", "digits of another script", "१२"),
        ("全部で１０月", "full width", "全部で１０月"),
        ("ﾐﾂﾊﾞﾁ", "half width", "ﾐﾂﾊﾞﾁ"),
        ("the ﬁeld", "ligatures", "ﬁeld"),
    ],
)
def test_spellings_that_make_equal_words_different_are_named_once(text: str, found: str, example: str) -> None:
    [note] = spelling_notes([(1, "wheat"), (2, text), (3, text)])
    assert "The references of 2 rows have" in note
    assert found in note
    assert f"(the first: row 2, “{example}”)" in note


@pytest.mark.parametrize(
    "text",
    [
        "naïve café",
        "小麦の収量は？（例）",
        "Ποια",
        "जमीन",
        "ข้าวสาลี",
        "100 m² ½ ℃",
        "يزرع القمح",
        "می\u200cخواهم",
        "e\u0301",
    ],
)
def test_usual_spellings_are_not_named(text: str) -> None:
    assert spelling_notes([(1, text)]) == []


@pytest.mark.timeout(60)
@pytest.mark.parametrize("text", ["量" * 300_000, "a" + "\u0301\u0323" * 150_000])
def test_a_long_text_without_a_blank_is_read_once(text: str) -> None:
    """Looking at each start anew would take an hour."""
    assert spelling_notes([(1, text)]) == []
    [note] = spelling_notes([(1, text + "ﬁ")])
    assert "presentation forms" in note
